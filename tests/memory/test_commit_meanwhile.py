"""Whoever edits while a commit goes on loses nothing, at whatever moment the edit comes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry
from dreamd.errors import HostError
from dreamd.host.folder import Folder
from dreamd.host.removal import remove_tree
from dreamd.memory import journal
from dreamd.memory.commit import commit, sweep
from tests.memory.commit_bench import (
    BEFORE,
    DREAM,
    NEW_NS,
    ROOT,
    Bench,
    in_between,
    link,
    new,
    old,
    put,
    read,
)
from tests.memory.editor import editor
from tests.memory.quick import quick_folder

MOMENTS = ["before the look", "before the exchange", "after the exchange", "late, in place"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_edit_at_any_moment_is_merged_into_what_the_dream_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    with (bench.memory / "a.md").open("ab") as opened_before:

        def edit() -> None:
            bench.save("a.md", bench.text("a.md") + "mine\n")

        def write() -> None:
            if not opened_before.closed:
                opened_before.write(b"mine\n")
                opened_before.close()

        match moment:
            case "before the look":
                bench.at_fence = {1: edit}
            case "before the exchange":
                in_between(monkeypatch, "exchange", edit, after=False)
            case "after the exchange":
                in_between(monkeypatch, "exchange", edit, after=True)
            case _:
                bench.at_sleep = write
        landed = bench.commit({"a.md": DREAM})
    assert bench.text("a.md") == "zero\none\ntwo, better\nthree\nmine\n"
    assert list(bench.seen()) == ["a.md"]
    assert landed.entries == {PurePosixPath("a.md"): bench.seen()["a.md"]}
    if moment == "after the exchange":
        assert landed.late == (), "an edit of what the dream wrote is none of the commit's business"
    else:
        assert [(str(path), "merged in" in what) for path, what in landed.late] == [("a.md", True)]


@pytest.mark.parametrize("moment", MOMENTS[:2])
def test_a_file_that_is_emptied_to_be_written_is_not_merged_while_it_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """So do most programs write: open, which empties the file, then write."""
    bench = Bench(tmp_path, {"a.md": BEFORE})
    writing = []

    def begin() -> None:
        writing.append((bench.memory / "a.md").open("wb", buffering=0))

    def write() -> None:
        while writing:
            with writing.pop() as file:
                file.write(BEFORE.data + b"mine\n")

    if moment == MOMENTS[0]:
        bench.at_fence = {1: begin}
    else:
        in_between(monkeypatch, "exchange", begin, after=False)
    bench.at_sleep = write
    bench.commit({"a.md": DREAM})
    assert bench.text("a.md") == "zero\none\ntwo, better\nthree\nmine\n"


def test_where_both_rewrote_a_line_the_users_stands_and_the_loss_is_told(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    bench.at_fence = {1: lambda: bench.save("a.md", "one\ntwo, mine\nthree\n")}
    landed = bench.commit({"a.md": DREAM})
    assert bench.text("a.md") == "zero\none\ntwo, mine\nthree\n"
    assert "one line gave way" in landed.late[0][1]


@pytest.mark.parametrize("data", [b"binary\0", b"x" * (2 << 20)])
def test_an_edit_that_cannot_be_merged_stands_whole(tmp_path: Path, data: bytes) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    bench.at_fence = {1: lambda: (bench.memory / "a.md").write_bytes(data)}
    bench.commit({"a.md": DREAM})
    assert bench.seen()["a.md"].data == data


def test_a_write_before_each_of_many_swaps_is_never_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    real = Folder.exchange
    count = iter(range(9))

    def exchange(self: Folder, one: str, other: str) -> None:
        if (number := next(count, None)) is not None:
            bench.save("a.md", bench.text("a.md") + f"mine {number}\n")
        real(self, one, other)

    monkeypatch.setattr(Folder, "exchange", exchange)
    bench.commit({"a.md": DREAM})
    text = bench.text("a.md")
    assert all(text.count(f"mine {number}\n") == 1 for number in range(9))
    assert text.startswith("zero\none\ntwo, better\n")


def test_a_file_that_never_rests_ends_the_try_and_the_journal_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    real = Folder.exchange
    edits: list[str] = []

    def exchange(self: Folder, one: str, other: str) -> None:
        edits.append(f"mine {len(edits)}\n")
        bench.save("a.md", bench.text("a.md") + edits[-1])
        real(self, one, other)

    monkeypatch.setattr(Folder, "exchange", exchange)
    with pytest.raises(HostError, match="keeps being changed"):
        bench.commit({"a.md": DREAM})
    assert 20 < sum(bench.slept) < 40, "some patience, in seconds"
    monkeypatch.setattr(Folder, "exchange", real)
    bench.recover()
    assert all(line in bench.text("a.md") for line in [*edits, "zero\n", "two, better\n"])


def test_a_file_that_the_user_adds_first_holds_both(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {})
    bench.at_fence = {1: lambda: bench.save("a.md", "mine\n")}
    bench.commit({"a.md": new(b"dream\n")})
    assert sorted(bench.text("a.md").splitlines()) == ["dream", "mine"]


def test_a_file_that_the_user_deletes_stays_deleted(tmp_path: Path) -> None:
    for number, moment in enumerate(["file", "folder"]):
        bench = Bench(tmp_path / str(number), {"sub/a.md": BEFORE})

        def delete(bench: Bench = bench, moment: str = moment) -> None:
            (bench.memory / "sub/a.md").unlink()
            if moment == "folder":
                remove_tree(bench.memory / "sub")

        bench.at_fence = {1: delete}
        landed = bench.commit({"sub/a.md": DREAM})
        assert bench.seen() == {}
        assert landed.entries == {PurePosixPath("sub/a.md"): None}
        assert ["deleted" in what or "gone" in what for _, what in landed.late] == [True]


@pytest.mark.parametrize("moment", ["before the look", "before the rename", "late, in place"])
def test_a_removal_of_what_the_user_edits_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    with (bench.memory / "a.md").open("ab", buffering=0) as opened_before:
        match moment:
            case "before the look":
                bench.at_fence = {1: lambda: opened_before.write(b"mine\n")}
            case "before the rename":
                edit = lambda: bench.save("a.md", "one\nmine\n")  # noqa: E731
                in_between(monkeypatch, "set_aside", edit, after=False)
            case _:
                bench.at_sleep = lambda: opened_before.write(b"mine\n")
        landed = bench.commit({"a.md": None})
    assert bench.text("a.md").endswith("mine\n")
    assert list(bench.seen()) == ["a.md"]
    assert "not removed" in landed.late[0][1]


def test_a_removal_met_by_two_saves_keeps_the_newer_live_and_the_older_in_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})
    in_between(monkeypatch, "set_aside", lambda: bench.save("a.md", "first\n"), after=False)
    in_between(monkeypatch, "rename_new", lambda: bench.save("a.md", "second\n"), after=False)
    landed = bench.commit({"a.md": None})
    assert bench.text("a.md") == "second\n"
    assert list(bench.seen()) == ["a.md"]
    assert b"first\n" in bench.archive.everything()
    assert "in history" in landed.late[0][1]


@pytest.mark.parametrize("moment", ["before the look", "before the exchange"])
@pytest.mark.parametrize("verb", ["change", "add", "remove"])
@pytest.mark.parametrize("thing", ["folder", "link", "pipe"])
def test_what_takes_the_name_and_is_no_note_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thing: str, verb: str, moment: str
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(BEFORE.data)
    bench = Bench(tmp_path / "home", {} if verb == "add" else {"a.md": BEFORE})
    target = bench.memory / "a.md"

    def take() -> None:
        target.unlink(missing_ok=True)
        match thing:
            case "folder":
                target.mkdir()
                (target / "mine").write_bytes(b"mine")
            case "link":
                target.symlink_to(outside)
            case _:
                os.mkfifo(target)

    if moment == "before the look":
        bench.at_fence = {1: take}
    else:
        step = {"change": "exchange", "add": "rename_new", "remove": "set_aside"}[verb]
        in_between(monkeypatch, step, take, after=False)
    landed = bench.commit({"a.md": None if verb == "remove" else DREAM})
    assert target.is_symlink() is (thing == "link")
    assert target.is_fifo() is (thing == "pipe")
    if thing == "folder":
        assert (target / "mine").read_bytes() == b"mine"
    assert outside.read_bytes() == BEFORE.data
    assert [each.name for each in bench.memory.iterdir()] == ["a.md"]
    assert [str(path) for path, _ in landed.late] == ["a.md"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, link(b"x", NEW_NS)),
        (link(b"x"), link(b"y", NEW_NS)),
        (link(b"x"), None),
        (link(b"x"), new(b"x")),
        (old(b"x"), link(b"x", NEW_NS)),
    ],
)
@pytest.mark.parametrize("user", ["no", "yes"])
def test_links_are_swapped_as_links_and_the_users_choice_stands(
    tmp_path: Path, before: Entry | None, after: Entry | None, user: str
) -> None:
    bench = Bench(tmp_path, {} if before is None else {"l": before})
    mine = link(b"mine")

    def choose() -> None:
        (bench.memory / "l").unlink(missing_ok=True)
        put(bench.memory / "l", mine)

    if user == "yes":
        bench.at_fence = {1: choose}
    landed = bench.commit({"l": after})
    expected = mine if user == "yes" else after
    assert bench.seen() == ({} if expected is None else {"l": expected})
    assert bool(landed.late) is (user == "yes")


def test_what_history_did_not_hold_is_recorded_before_it_goes(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": old(b"a"), "b.md": old(b"b")})
    commit(
        bench.memory,
        bench.swaps({"a.md": new(b"1"), "b.md": None}),
        dream="d1",
        journal_folder=tmp_path / "journal",
        header={},
        fence=int,  # type: ignore[arg-type]
        archive=bench.archive,
        watch_late=timedelta(0),
    )
    assert sorted(bench.archive.everything()) == [b"a", b"b"]


def test_a_temp_that_somebody_clears_away_is_told(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a.md": BEFORE})

    def clear() -> None:
        for temp in bench.memory.glob(".dreamd-*"):
            temp.unlink()

    bench.at_fence = {1: clear}
    landed = bench.commit({"a.md": DREAM})
    assert bench.seen() == {"a.md": BEFORE}
    assert "in history" in landed.late[0][1]


def test_a_folder_swapped_for_a_link_before_its_turn_leads_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("a.md", "b.md"):
        put(outside / name, BEFORE)
    bench = Bench(tmp_path / "home", {"sub/a.md": BEFORE, "sub/b.md": BEFORE})

    def swap() -> None:
        (bench.memory / "sub").rename(bench.memory / "moved")
        (bench.memory / "sub").symlink_to(outside)

    bench.at_fence = {1: swap}
    landed = bench.commit({"sub/a.md": DREAM, "sub/b.md": None, "sub/c.md": new(b"c")})
    assert {file.name: read(file) for file in outside.iterdir()} == dict.fromkeys(
        ("a.md", "b.md"), BEFORE
    )
    assert len(landed.late) == 3
    journal.remove(bench.home / "journal", "d1")
    sweep(bench.memory, bench.home / "journal", archive=bench.archive)
    assert sorted(file.name for file in (bench.memory / "moved").iterdir()) == ["a.md", "b.md"]


def test_no_race_for_a_folder_leads_a_commit_outside(tmp_path: Path) -> None:
    """A second process swaps the folder and a link to elsewhere all the time."""
    outside = tmp_path / "outside"
    put(outside / "a.md", BEFORE)
    put(outside / "b.md", BEFORE)
    code = (
        "import sys; from pathlib import Path; from dreamd.host.renames import exchange\n"
        "a, b = Path(sys.argv[1], 'sub'), Path(sys.argv[1], '.dreamd-link')\n"
        "print(flush=True)\n"
        "while True: exchange(a, b)\n"
    )
    bench = Bench(tmp_path / "home", {"sub/a.md": BEFORE, "sub/b.md": BEFORE})
    (bench.memory / ".dreamd-link").symlink_to(outside)
    reached = 0
    with subprocess.Popen(
        [sys.executable, "-B", "-c", code, str(bench.memory)],
        env={"PYTHONPATH": ROOT},
        stdout=subprocess.PIPE,
    ) as swapper:
        try:
            assert swapper.stdout
            swapper.stdout.readline()
            for number in range(60):
                try:
                    bench.commit(
                        {"sub/a.md": DREAM, "sub/b.md": None, f"sub/new-{number}.md": DREAM},
                        watch_late=timedelta(0),
                    )
                    reached += 1
                except HostError:
                    continue
        finally:
            swapper.kill()
    assert reached, "the folder was never there"
    assert {file.name: read(file) for file in outside.iterdir()} == dict.fromkeys(
        ("a.md", "b.md"), BEFORE
    )


@pytest.fixture
def quick() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.mark.parametrize(
    ("how", "late"),
    [("rename", 0.002), ("rewrite", 0.05)],  # the latter may write to a file long replaced
)
def test_no_save_of_an_editor_in_a_loop_is_lost_to_commits_in_a_loop(
    quick: Path, how: str, late: float
) -> None:
    """A commit may give up against an editor that never rests; it is recovered once it does."""
    names = ("a.md", "b.md")
    bench = Bench(quick, dict.fromkeys(names, BEFORE))
    bench.at_sleep = lambda: time.sleep(min(bench.slept[-1], 0.05))
    written: list[bytes] = []
    commits = given_up = merged = 0
    with editor() as typing:
        until = os.times().elapsed + 2
        while os.times().elapsed < until:
            typing.start(how, [bench.memory / name for name in names], pause=0.02)
            for _ in range(5):
                bench.before = {name: read(bench.memory / name) for name in names}
                changes = {
                    name: Entry(b"dream %d\n" % commits + entry.data, 0o644, NEW_NS)
                    for name, entry in bench.before.items()
                }
                try:
                    landed = bench.commit(changes, watch_late=timedelta(seconds=late))
                except HostError:
                    given_up += 1
                    break
                merged += len(landed.late)
                commits += 1
            written += typing.stop()
            if journal.waiting(bench.home / "journal"):
                bench.recover()
    kept = [*bench.archive.everything(), *(e.data for e in bench.seen().values())]
    said = {line for data in kept for line in data.splitlines()}
    sys.stdout.write(
        f"{how}: {commits} commits ({given_up} given up), {merged} merges, {len(written)} saves\n"
    )
    assert len(written) > 50
    assert commits > 3
    assert [line for line in written if line not in said] == []
