"""An archive of contents in a plain folder, each durable under its blob id."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import Entry


@dataclass(frozen=True, slots=True)
class FileArchive:
    """One file per content in a folder that exists; a content is whole or absent."""

    folder: Path

    def keep(self, contents: Mapping[PurePosixPath, Entry], why: str) -> None:
        """Write each content under its blob id."""
        for entry in contents.values():
            temp = self.folder / f"{os.getpid()}.part"
            with temp.open("wb") as file:
                file.write(entry.data)
                file.flush()
                os.fsync(file.fileno())
            temp.rename(self.folder / entry.blob)

    def holds(self, blobs: Collection[str]) -> set[str]:
        """Return those of which a file stands there."""
        return {blob for blob in blobs if (self.folder / blob).exists()}

    def read(self, blob: str) -> bytes | None:
        """Return the bytes, None where there are none."""
        return (self.folder / blob).read_bytes() if self.holds([blob]) else None

    def everything(self) -> list[bytes]:
        """Return all contents."""
        return [
            file.read_bytes() for file in sorted(self.folder.iterdir()) if file.suffix != ".part"
        ]
