"""What Bash lets through, as a table; what a command becomes; and that it shows no secret."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dreamd.engine.model.tools import bash
from dreamd.engine.model.tools.dispatch import OutOfTimeError
from dreamd.engine.model.tools.open import ReadingPlace
from dreamd.errors import RefusedError
from dreamd.sandbox import landlock
from dreamd.sandbox.denied import DenyList
from dreamd.sandbox.run import walls
from dreamd.text.secrets.opaque import kinds
from tests.engine.model.tools.desk import TOKEN, Desk, Laptop, said, transcript
from tests.laptop import ran
from tests.sample import rounds
from tests.text.made import made
from tests.text.test_secrets import ASSIGNED, SHAPED

pytestmark = pytest.mark.skipif(not landlock.abi(), reason="no shell without walls")
ROWS = [
    row.split("\t")
    for row in Path(__file__).with_name("shell.tsv").read_text().splitlines()
    if not row.startswith("#")
]
UNREAD = [name for kind, names in ROWS if kind == "no reader" for name in names.split()]
TABLE = [row for row in ROWS if row[0] != "no reader"]
TABLE += [["not allowed", f"{name} a"] for name in UNREAD]
LONG = [
    ["one line", "ls " * 1_400],
    ["one line", "cat a\nrm b"],
    ["one line", "a\t"],
    ["more than 50", "ls|" * 50 + "ls"],
    ["yes", "ls|" * 49 + "ls"],
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> ReadingPlace:
    laptop = Laptop.at(tmp_path_factory.mktemp("shell").resolve())
    transcript(laptop.sessions / "s.jsonl", [said(1, "hello")])
    (laptop.work / "notes.txt").symlink_to(laptop.sessions / "s.jsonl")
    (laptop.work / "token.txt").write_text(f"token = {TOKEN}\n")
    (laptop.memory / "--pre=sh").write_text("odd\n")
    return ReadingPlace(
        memory=laptop.memory,
        sessions=(laptop.sessions,),
        denied=DenyList.of([laptop.vault]),
        level="landlock",
    )


def judged(command: str, place: ReadingPlace) -> list[str]:
    """Return the words of a command that is let through, with the signs between them."""
    found: list[str] = []
    with walls([]) as domain:
        for sign, pipeline in bash.pipelines(command):
            parts = [bash.judged(words, place, domain) for words in pipeline]
            found += [sign] * bool(sign) + [each for part in parts for each in ["|", *part]][1:]
    return found


def test_a_command_is_let_through_or_refused_as_the_table_says(place: ReadingPlace) -> None:
    top = place.memory.parents[1]
    folders = {"{sessions}": place.sessions[0], "{work}": top / "work", "{vault}": top / "vault"}
    assert len(TABLE) >= 250
    for expected, row in [*TABLE, *LONG]:
        command = row
        for mark, folder in folders.items():
            command = command.replace(mark, str(folder))
        if expected == "yes":
            assert judged(command, place), command
        else:
            with pytest.raises(RefusedError) as raised:
                judged(command, place)
            assert expected in str(raised.value), command
            assert len(str(raised.value)) < 500


def test_every_word_stands_for_itself(place: ReadingPlace) -> None:
    for command, expected in {
        r"cat a\ b 'c;d' \$x 'it''s'": ["cat", "a b", "c;d", "$x", "its"],
        "ls&&pwd;echo 'a  b'": ["ls", "&&", "pwd", ";", "echo", "a  b"],
        f"cat {place.memory}/ana.md": ["cat", f"{place.memory}/ana.md"],
        "grep '|' *.md | wc": ["grep", "|", "MEMORY.md", "ana.md", "ports.md", "|", "wc"],
        "grep tea *": ["grep", "tea", "./--pre=sh", "MEMORY.md", "ana.md", "ports.md"],
        "ls '*.md' none*.md [a]*.md": ["ls", "*.md", "none*.md", "ana.md"],
        "grep .. ana.md": ["grep", "..", "ana.md"],
    }.items():
        assert judged(command, place) == expected


@pytest.mark.filterwarnings(  # the alarm may ring between `scandir` and the `with` around it
    "ignore:unclosed scandir iterator:ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)
def test_wildcards_for_the_whole_disk_have_an_end(
    place: ReadingPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RefusedError, match=r"more than 2,000"):
        judged("echo /usr/*/*/*", place)
    monkeypatch.setattr(bash, "_LOOKED", 0.3)
    began = time.monotonic()
    with pytest.raises(OutOfTimeError):
        bash.bash({"command": "echo /*/*/*/*/*/*/*/*/nothing-of-this"}, place)
    assert time.monotonic() - began < 2
    with pytest.raises(RefusedError, match="no shell"):
        bash.bash({"command": "ls"}, ReadingPlace(place.memory))


def test_a_command_runs_in_the_memory_directory(desk: Desk) -> None:
    shown = desk("Bash", command="pwd; cat MEMORY.md; find . -name '*.md' | sort; ls ana.md *x")
    assert shown.startswith(f"{desk.laptop.memory}\n# Memory\n")
    assert shown.endswith("ana.md\n[exit code 2]")
    assert desk("Bash", command="true && true || cat ana.md") == "[no output]"
    assert "stopped at its limit of time" in desk(
        "Bash", command="find /usr /usr /usr /usr -ls | sort | sort | sort", timeout=30
    )


READING = [
    *("cat {}", "cat -n {}", "cat {} | head -n 2 | tail -n 1", "head -n 2 {}", "tail -n +2 {}"),
    *("grep -n . {}", "grep -c 'a' {}", "grep -h -A 1 before {}", "grep -v before {}"),
    *("sed -n '2p' {}", "sort {}", "sort -k1.3 {}", "sort {} | uniq -c", "uniq -c {}", "wc -c {}"),
    *("diff MEMORY.md {}", "diff -u {} MEMORY.md", "echo x | cat - {}", "cat none.md || cat {}"),
    *("grep -o '.....' {}", "head -c 20 {}", "cut -c1-9 {}", "fold -w 7 {}", "tr a-z b-za {}"),
    *("base64 {}", "od -c {}", "rev {}"),
]


def test_no_secret_of_over_70_kinds_leaves_through_any_reader(desk: Desk) -> None:
    table = {kind.name: kind for kind in kinds() if kind.heads[0][0] not in "@*"}
    secrets = {name: ("", secret, "") for name, secret in SHAPED.items()} | ASSIGNED
    secrets |= {
        name: (f"the {name} is ", kind.heads[0] + made(kind.example), "")
        for name, kind in list(table.items())[::7]
    }
    assert len(secrets) >= 70
    for at, (name, (lead, secret, rest)) in enumerate(secrets.items()):
        file = desk.laptop.work / f"{at}.txt"
        file.write_text(f"before\n{lead}{secret}{rest}\nafter\n")
        size = min(8, len(secret) // 2)
        parts = {secret[start : start + size] for start in range(len(secret) - size + 1)}
        for command in rounds(READING, at, 3):
            answer = desk.ask("Bash", {"command": command.format(file)})
            assert answer.is_error, (name, command)
            assert not [part for part in parts if part in answer.text], (name, command)
    (desk.laptop.memory / f"{TOKEN}.md").write_text("x\n")
    for command in f"ls|find .|du -a|stat -c %n *|wc -l *|grep x *|echo {TOKEN}".split("|"):
        assert TOKEN[4:24] not in desk("Bash", command=command), "nor one in the name of a file"
    shown = 0  # the control: a shell shows it
    for command in READING:
        done = ran(["bash", "-c", command.format(file)], os.environ, desk.laptop.memory)
        shown += any(part in done.stdout for part in parts)
    assert shown > len(READING) / 2
