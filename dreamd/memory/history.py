"""Every moment of a memory directory that mattered, as commits in a private git repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from dreamd.domain.change import Why
from dreamd.domain.tree import Tree
from dreamd.errors import HistoryError
from dreamd.host.repository import Repository
from dreamd.memory import history_format, import_stream
from dreamd.memory.history_format import Leaf

MOST_PACKS = 50


@dataclass(frozen=True, slots=True)
class History:
    """The repository at `folder` (bare, made whole at the first write) and what it holds.

    Whoever writes holds the lease of the store. Ids are full hexadecimal object ids.
    """

    folder: Path

    @property
    def repository(self) -> Repository:
        """The git repository itself."""
        return Repository(self.folder)

    def write(
        self,
        tree: Tree,
        *,
        parent: str | None,
        refs: Sequence[str],
        message: str,
        at: datetime,
        whys: Sequence[Why] = (),
    ) -> str:
        """Record a tree as one commit, point the refs at it, and return its id; durable then.

        Only what differs from the parent travels. A tree and whys that are the parent's make
        no commit: the refs are pointed at the parent. Refs move one after another; after a
        failure some may stand at the new commit.

        Raises:
            HistoryError: no refs were named, git failed, or the disk is full.
            HostError: the repository's folder cannot be created or synced.
        """
        if not refs:
            raise HistoryError("a snapshot that no ref names would be lost")
        new = history_format.leaves(tree, whys)
        old = self.leaves(parent) if parent else {}
        if parent and not any(import_stream.changed(old, new)):
            self.point(dict.fromkeys(refs, parent))
            return parent
        head = import_stream.commit_head(
            1,
            refs[0],
            import_stream.signature(at),
            message.encode("utf-8", "replace"),
            (parent or "").encode(),
        )
        others = (b"reset %s\nfrom :1\n" % ref.encode() for ref in refs[1:])
        return self.load([head, *import_stream.changed(old, new), *others], refs, marks=1)[0]

    def load(self, commands: Iterable[bytes], refs: Iterable[str], *, marks: int) -> list[str]:
        """Feed commands to one fast-import, make the result durable, and return the marks' ids.

        Raises:
            HistoryError: git failed, or a ref's name holds a space or a control character.
            HostError: the repository's folder cannot be created or synced.
        """
        for ref in refs:
            if not re.fullmatch(r"refs/[!-~]+", ref):
                raise HistoryError(f"{ref!r} is no name for a ref")
        asked = (b"get-mark :%d\n" % mark for mark in range(1, marks + 1))
        stream = b"".join([*commands, *asked, b"done\n"])
        call = ("fast-import", "--done", "--quiet", "--force")
        return self.repository.change(*call, stdin=stream, refs=refs).decode().split()

    def read(self, commit: str) -> Tree:
        """Return the tree a commit recorded: bytes, modes, mtimes, folders.

        Raises:
            HistoryError: there is no such commit, or the repository is damaged.
        """
        found = self.leaves(commit)
        return history_format.tree_of(found, self.contents(leaf.blob for leaf in found.values()))

    def whys(self, commit: str) -> tuple[Why, ...]:
        """Return the reasons recorded with a commit, none where it has none.

        Raises:
            HistoryError: there is no such commit, or the repository is damaged.
        """
        data = self._blob(commit, history_format.WHY)
        return () if data is None else history_format.whys_of(data)

    def every_why(self, commits: Iterable[str]) -> dict[str, tuple[Why, ...]]:
        """Return the reasons recorded with each of these commits, in one question to git.

        Raises:
            HistoryError: there is no history, or a record in it is damaged.
        """
        asked = list(dict.fromkeys(commits))
        found = self._batch([f"{commit}:{history_format.WHY.decode()}" for commit in asked])
        return {
            commit: () if data is None else history_format.whys_of(data)
            for commit, data in zip(asked, found, strict=True)
        }

    def data(self, commit: str, path: PurePosixPath) -> bytes | None:
        """Return the bytes a note had in a commit, or None where it had none.

        Raises:
            HistoryError: there is no such commit, or the repository is damaged.
        """
        return self._blob(commit, history_format.git_path(path))

    def _blob(self, commit: str, path: bytes) -> bytes | None:
        leaf = self.leaves(commit).get(path)
        return None if leaf is None else self.contents([leaf.blob])[leaf.blob]

    def leaves(self, commit: str) -> dict[bytes, Leaf]:
        """Return mode and blob id of every path of a commit, without their bytes.

        Raises:
            HistoryError: there is no such commit, or the repository is damaged.
        """
        if not re.fullmatch(r"[0-9a-f]{40}", commit):
            raise HistoryError(f"{commit!r} is no id of a snapshot")
        found = {}
        for line in self.repository.ask("ls-tree", "-r", "-z", commit).split(b"\0")[:-1]:
            about, path = line.split(b"\t", 1)
            mode, _, blob = about.split(b" ")
            found[path] = Leaf(mode, blob.decode())
        return found

    def contents(self, ids: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes of objects by id.

        Raises:
            HistoryError: one is missing or damaged.
        """
        asked = list(dict.fromkeys(ids))
        found = {}
        for name, data in zip(asked, self._batch(asked), strict=True):
            if data is None:
                raise HistoryError(f"history in {self.folder} is damaged: {name} is missing")
            found[name] = data
        return found

    def _batch(self, names: Sequence[str]) -> list[bytes | None]:
        """Return the bytes of objects in the order asked, None for what is not there."""
        asked = "".join(f"{name}\n" for name in names).encode()
        out = self.repository.ask("cat-file", "--batch", stdin=asked)
        found: list[bytes | None] = []
        at = 0
        while at < len(out):
            end = out.index(b"\n", at)
            words = out[at:end].split(b" ")
            if len(words) != 3:
                found.append(None)
                at = end + 1
                continue
            size = int(words[2])
            found.append(out[end + 1 : end + 1 + size])
            at = end + size + 2
        return found

    def holds(self, blob_ids: Iterable[str]) -> set[str]:
        """Return which of these blobs history has.

        Raises:
            HistoryError: git failed.
        """
        asked = list(dict.fromkeys(blob_ids))
        if not asked or not self.repository.exists:
            return set()
        out = self.repository.ask(
            "cat-file", "--batch-check", stdin="".join(f"{i}\n" for i in asked).encode()
        )
        lines = (line.split(" ") for line in out.decode().splitlines())
        return {words[0] for words in lines if words[-1] != "missing"}

    def ref(self, name: str) -> str | None:
        """Return the commit a ref stands at, or None where there is no such ref.

        Raises:
            HistoryError: git failed.
        """
        return self.refs(name).get(name)

    def refs(self, prefix: str = "refs/") -> dict[str, str]:
        """Return the refs below a prefix (or of that name), each with its commit.

        Raises:
            HistoryError: git failed.
        """
        if not self.repository.exists:
            return {}
        out = self.repository.ask("for-each-ref", "--format=%(objectname) %(refname)", prefix)
        pairs = (line.split(" ", 1) for line in out.decode().splitlines())
        return {name: commit for commit, name in pairs}

    def point(self, refs: Mapping[str, str | None]) -> None:
        """Point refs at commits, or delete those given None: all of them, or none and an error.

        Raises:
            HistoryError: a name or a commit is not valid, or git failed.
            HostError: the repository's folder cannot be created or synced.
        """
        if not refs:
            return
        commands = [
            f"delete {name}\0\0" if commit is None else f"update {name}\0{commit}\0\0"
            for name, commit in refs.items()
        ]
        call = ("update-ref", "--stdin", "-z")  # one transaction
        self.repository.change(*call, stdin="".join(commands).encode(), refs=refs)

    def repack_if_many(self) -> bool:
        """Make one pack of all where more than 50 lie about; drop nothing. Say whether it did.

        Raises:
            HistoryError: git failed, e.g. because the disk is full; every object is still there.
        """
        if len(list(self.folder.glob("objects/pack/*.pack"))) <= MOST_PACKS:
            return False
        self.repository.clear_wrecks()
        # Without -k this would drop what no ref names yet: the pack of a snapshot being written.
        self.repository.change("repack", "-adkq")
        return True

    def verify(self) -> str | None:
        """Check every object and ref; return what is wrong in a sentence, or None."""
        if not self.repository.exists:
            return None
        try:
            self.repository.ask("fsck", "--full", "--no-dangling", "--no-progress")
        except HistoryError as error:
            return str(error)
        return None
