"""From what was said to files on a stage, through the engine itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from dreamd.domain.change import Declined, Heeded
from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase
from dreamd.domain.finding import Severity
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.domain.words import improved
from dreamd.engine.rules import RulesEngine
from dreamd.memory.review import review
from dreamd.text.markdown.pointers import pointers, resolve, unreachable
from tests.engine.night import quiet

INDEX = PurePosixPath("MEMORY.md")
SAID = (
    "Remember that the relay's staging port is 5433.",
    "Can you tell me why the build fails?",
    "From now on, run the linter before every commit. The build is red again.",
    "I prefer short answers over long ones.",
    "Always use the metric system when I ask about distances.",
)
NOTES = {
    "MEMORY.md": "# Memory\n\n- [Relay](relay.md) — the message relay\n",
    "relay.md": "---\nname: relay\ndescription: the message relay\n"
    "metadata:\n  type: project\n---\n\n# Relay\n\n"
    "- The relay's staging port is 5432\n- It speaks AMQP\n",
}


def messages(texts: tuple[str, ...] = SAID) -> list[PersonSaid]:
    days = [datetime(2026, 5, number, 9, tzinfo=UTC) for number in range(11, 11 + len(texts))]
    return [
        PersonSaid(text, session="s1", message=f"m{number}", at=at, day=at.date())
        for number, (text, at) in enumerate(zip(texts, days, strict=True))
    ]


def laid(folder: Path, texts: dict[str, str] = NOTES) -> Tree:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})


def lying(folder: Path) -> Tree:
    files = {path: path.read_bytes() for path in sorted(folder.rglob("*.md"))}
    return Tree(
        {PurePosixPath(path.relative_to(folder)): Entry(data) for path, data in files.items()}
    )


def dreamt(
    folder: Path, base: Tree, said: list[PersonSaid], heeded: Heeded | None = None,
    declined: Declined | None = None,
) -> Report:  # fmt: skip
    brief = Brief(
        folder,
        base,
        Settings(),
        said=said,
        heeded=heeded or Heeded(),
        declined=declined or Declined(),
    )
    return RulesEngine().dream(brief, quiet)


def test_what_was_asked_to_be_remembered_stands_in_the_notes(tmp_path: Path) -> None:
    base = laid(tmp_path)
    report = dreamt(tmp_path, base, messages())
    texts = {path: entry.data.decode() for path, entry in lying(tmp_path).files.items()}
    person = [why for why in report.whys if why.speaker == "person"]
    assert [(str(why.path), why.message, why.day) for why in person] == [
        ("relay.md", "m0", "2026-05-11"),
        ("working-agreements.md", "m2", "2026-05-13"),
        ("working-agreements.md", "m4", "2026-05-15"),
        ("about-the-user.md", "m3", "2026-05-14"),
    ]
    spoken = [re.findall(r"\w+", said.text.casefold()) for said in messages()]
    for why in person:
        assert why.line in texts[why.path].split("\n")
        words = re.findall(r"\w+", re.sub(r"\(2026-05-\d\d\)", "", why.line).casefold())
        assert any(" ".join(words) in " ".join(each) for each in spoken)
    assert unreachable(texts) == ()
    for path, text in texts.items():
        assert all(resolve(each, texts.keys(), path) for each in pointers(text, path))
    assert {str(each.target) for each in pointers(texts[INDEX])} == {
        "relay.md",
        "working-agreements.md",
        "about-the-user.md",
    }
    assert (tmp_path / "about-the-user.md").stat().st_mode & 0o777 == 0o600
    assert [step.phase for step in report.steps] == [Phase.GATHER]
    said = improved(report.steps, notes=4, proposed=0)
    assert said == "Improved 4 notes: remembered 4 things you said"


def test_the_review_applies_all_of_it(tmp_path: Path) -> None:
    base = laid(tmp_path)
    report = dreamt(tmp_path, base, messages())
    after = lying(tmp_path)
    verdict = review(base, after, settings=Settings(), report=report)
    assert verdict.proposal is None
    assert not any(each.severity is Severity.HELD_OUT for each in verdict.findings)
    assert {path: each.data for path, each in verdict.applied.files.items()} == {
        path: each.data for path, each in after.files.items()
    }


def test_the_next_night_finds_nothing_new(tmp_path: Path) -> None:
    first = dreamt(tmp_path, laid(tmp_path), messages())
    base = lying(tmp_path)
    taken = {why.message: "d1" for why in first.whys if why.message}
    report = dreamt(tmp_path, base, messages(), Heeded(taken=taken))
    assert (report.steps, report.whys, report.cited) == ((), (), ())
    again = dreamt(tmp_path, base, messages())
    assert {(why.sign, why.message) for why in again.whys} == {("=", each) for each in taken}
    assert lying(tmp_path) == base


def test_a_dream_that_was_undone_is_obeyed_and_cited(tmp_path: Path) -> None:
    base = laid(tmp_path)
    first = dreamt(tmp_path, base, messages())
    rows = {(why.path, why.line): "d1" for why in first.whys if why.sign == "+"}
    for path in tmp_path.iterdir():
        path.unlink()
    laid(tmp_path)
    messages_again = [*messages(), *messages(("Never push on Fridays, please.",))[:1]]
    messages_again[-1] = PersonSaid("Never push to main on Fridays.", "s2", "m9")
    report = dreamt(
        tmp_path,
        base,
        messages_again,
        Heeded(declined={f"m{number}": "d1" for number in (0, 2, 3, 4)}),
        Declined(added=rows),
    )
    assert report.cited == ("d1",)
    assert [why.message for why in report.whys if why.speaker] == ["m9"]
    texts = {str(path): entry.data.decode() for path, entry in lying(tmp_path).files.items()}
    assert texts["relay.md"] == NOTES["relay.md"]
    assert set(texts) == {*NOTES, "working-agreements-2.md"}


def test_where_nobody_asked_nothing_is_touched(tmp_path: Path) -> None:
    base = laid(tmp_path)
    report = dreamt(tmp_path, base, messages(("Fix the build.", "What does relay.md say?")))
    assert (report.steps, report.whys) == ((), ())
    assert lying(tmp_path) == base
