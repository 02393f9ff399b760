"""Nothing that the tools are told makes them read a credential store or write outside the notes."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from dreamd.errors import WallsError
from dreamd.host.renames import exchange
from dreamd.sandbox.choose import best
from dreamd.sandbox.policy import Level
from tests.engine.model.tools.attempts import (
    ATTEMPTS,
    CANARY,
    Attempt,
    filled,
    laid,
    naive,
    seen,
)
from tests.engine.model.tools.desk import Desk, Laptop, opened


def _levels() -> list[Level]:
    """Return every level of walls that this machine has."""
    found = []
    for level in Level:
        with contextlib.suppress(WallsError):
            found.append(best(level).level)
    return found


LEVELS = _levels()


@pytest.fixture(scope="module")
def bystander() -> Iterator[int]:
    """A process that has the words in its environment and in its arguments."""
    argv = [sys.executable, "-S", "-c", "import time; time.sleep(600)", CANARY]
    with subprocess.Popen(argv, env={"WORDS": CANARY}) as process:
        yield process.pid
        process.kill()


@pytest.fixture(scope="module", params=LEVELS)
def target(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    laptop = laid(tmp_path_factory.mktemp("target").resolve())
    with opened(laptop, request.param) as desk:
        yield desk


def _tells(attempt: Attempt, text: str) -> bool:
    """Whether an answer holds what stands in the store; of a listing, names in it."""
    return CANARY in text or (attempt.tool == "Glob" and "key.txt" in text)


def test_there_are_enough_attempts_and_each_is_another() -> None:
    assert len(ATTEMPTS) >= 60
    assert len({attempt.name for attempt in ATTEMPTS}) == len(ATTEMPTS)


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: f"{attempt.tool}-{attempt.name}")
def test_no_attempt_succeeds(attempt: Attempt, target: Desk, bystander: int) -> None:
    before = seen(target.laptop.top)
    began = time.monotonic()
    answer = target.ask(attempt.tool, filled(attempt, target.laptop, bystander))
    assert time.monotonic() - began < 3
    assert not _tells(attempt, answer["text"])
    assert seen(target.laptop.top) == before
    if attempt.tool not in {"Grep", "Glob", "Sessions", "Bash"} and "raw" not in attempt.name:
        assert answer["is_error"], answer["text"]
    assert not (Path.home() / "new-note-of-a-test.md").exists()


def test_tools_that_trust_their_arguments_fail_most_of_them(tmp_path: Path, bystander: int) -> None:
    """The control: the list can fail."""
    succeeded = []
    for number, attempt in enumerate(ATTEMPTS):
        if attempt.name in {"into a pipe", "a pipe in the copy", "a link to a pipe"}:
            continue  # one that hangs is enough
        laptop = laid(tmp_path.resolve() / str(number))
        before = seen(laptop.top)
        said = naive(attempt, laptop, bystander)
        if said is None or _tells(attempt, said) or seen(laptop.top) != before:
            succeeded.append(attempt.name)
    assert len(succeeded) >= 0.6 * len(ATTEMPTS), sorted(
        {attempt.name for attempt in ATTEMPTS} - set(succeeded)
    )


class Swapper:
    """Puts a link in the place of a folder and back, as fast as it can."""

    def __init__(self, place: Path, target: Path) -> None:
        self.place, self.target, self.over, self.count = place, target, threading.Event(), 0
        self.link = place.with_name(f"{place.name}-link")
        self.link.symlink_to(target)
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while not self.over.is_set():
            exchange(self.place, self.link)
            self.count += 1

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


@pytest.mark.parametrize("level", LEVELS)
def test_a_folder_that_is_swapped_for_a_link_during_the_call_is_never_followed(
    level: Level, tmp_path: Path
) -> None:
    laptop = Laptop.at(tmp_path.resolve())
    (laptop.stage / "sub").mkdir()
    (laptop.work / "sub").mkdir()
    (laptop.work / "victim").mkdir()
    for folder in (laptop.stage, laptop.work):
        (folder / "sub/key.txt").write_text("harmless\n")
    (laptop.vault / "key.txt").write_text(f"{CANARY}\n")
    with opened(laptop, level) as desk:
        with (
            Swapper(laptop.stage / "sub", laptop.vault) as inside,
            Swapper(laptop.work / "sub", laptop.vault) as outside,
        ):
            texts = []
            for _ in range(150):
                texts.append(desk.ask("Read", {"file_path": "sub/key.txt"})["text"])
                path = str(laptop.work / "sub/key.txt")
                texts.append(desk.ask("Read", {"file_path": path})["text"])
                given = {"pattern": "own|harm", "path": str(laptop.work / "sub")}
                texts.append(desk.ask("Grep", given | {"output_mode": "content"})["text"])
        (laptop.stage / "sub2").mkdir()
        with Swapper(laptop.stage / "sub2", laptop.work / "victim") as writing:
            for number in range(150):
                desk.ask("Write", {"file_path": "sub2/a.md", "content": f"x {number}\n"})
    assert min(inside.count, outside.count, writing.count) > 100
    assert not any(CANARY in text for text in texts)
    assert any("harmless" in text for text in texts)
    assert list((laptop.work / "victim").iterdir()) == []


def test_one_faulty_call_does_not_end_a_helper(tmp_path: Path) -> None:
    laptop = Laptop.at(tmp_path.resolve())
    with opened(laptop, best().level) as desk:
        (laptop.stage / "MEMORY.md").write_bytes(b"\xff\xfe")
        assert "is not UTF-8" in desk.refused(
            "Edit", file_path="MEMORY.md", old_string="a", new_string="b"
        )
        for text in ("x" * 3_000_000, "\x00" * 100, "語" * 100_000):
            desk.ask("Grep", {"pattern": text})
            desk.ask("Read", {"file_path": text})
            desk.ask("Bash", {"command": text})
            desk.ask("Edit", {"file_path": "ana.md", "old_string": text, "new_string": text})
        assert "Harbor" in desk("Read", file_path="ana.md")


def test_a_helper_ends_when_its_pipe_does(tmp_path: Path) -> None:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as desk:
        helper = desk.helpers["reader"]
        helper.stdin.close()
        until = time.monotonic() + 3
        while helper.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert helper.poll() == 0
        writer = desk.helpers["writer"]
        writer.stdin.write(b"\xff\xff\xff\xff no message")
        while writer.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        assert writer.poll() == 1
