"""What the notes say already: when a line says the same, and when it only looks alike."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.tree import Entry, Tree
from dreamd.engine.rules.gather.known import known
from dreamd.engine.rules.gather.place_phrase import is_known, phrase
from dreamd.engine.rules.orient import orient


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Always use pnpm.", "Use pnpm"),
        ("Use pnpm, never npm", "use **pnpm**, never `npm` (2026-05-11)"),
        ("The staging port is 5433", "Staging port: 5433"),
        ("The staging database listens on port 5433", "staging database port: `5433`"),
        ("Never deploy on Fridays", "We never deploy on a Friday."),
        ("Don't push to main", "Do not push to main"),
        ("Migrations are always written by hand", "Migration files: written by hand"),
        ("The quota is 10,000 requests", "the quota is 10000 requests"),
        ("Retry three times", "Retry 3 times"),
        ("Use pnpm", "Use pnpm, never npm."),
        ("The cache lives in Redis 7.2", "Postgres keeps users. The cache lives in Redis 7.2."),
        ("Die Datenbank läuft auf Port 5433", "die Datenbank läuft auf Port 5433"),
        ("デプロイは金曜日に行わない", "デプロイは金曜日に行わない。"),
        ("Python is v3.12", "Python is 3.12"),
    ],
)
def test_a_line_that_says_the_same_is_found(said: str, line: str) -> None:
    assert is_known(phrase(said), line)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("The staging port is 5433", "The staging port is 5432"),
        ("The staging port is 5433", "The production port is 5433"),
        ("Never use tabs", "Use tabs"),
        ("Use tabs", "Never use tabs"),
        ("Use tabs", "Don't use tabs, use spaces"),
        ("Use tabs, not spaces", "Use spaces, not tabs"),
        ("Don't use tabs, use spaces", "Use tabs, not spaces"),
        ("I prefer tabs over spaces", "I prefer spaces over tabs"),
        ("Migrate from Redis to Valkey", "Migrate from Valkey to Redis"),
        ("Use pnpm", "Use pnpm in the web folder of the docs site"),
        ("Use pnpm for all projects of this repository", "Use pnpm"),
        ("I prefer dark mode in the editor", "I prefer light mode in the editor"),
        ("The API timeout is 30 seconds", "The API timeout is 30 minutes"),
        ("The port is 5432", "The port is 5433 (previously 5432)"),
        ("Run the tests with `make test`", "Run the tests with `make check`"),
        ("Use Redis 7.2", "Use Redis 7"),
        ("Use npm", "~~Use npm~~"),
        ("The staging database port is 5432", "The staging database port was 5432"),
        (
            "Deploys of the billing service need two approvals",
            "Staging deploys of the billing service need two approvals",
        ),
        (
            "Deploys of the shared billing service need two approvals at 9",
            "Deploys of the shared billing service need two approvals",
        ),
        ("デプロイは金曜日に行わない", "デプロイは月曜日に行わない"),
        ("Use pnpm", ""),
        (
            "Deploy the billing service to staging with helm on merge",
            "Deploy the billing service to production with helm on merge",
        ),
    ],
)
def test_a_line_that_says_another_thing_is_not_taken_for_it(said: str, line: str) -> None:
    assert not is_known(phrase(said), line)


def found(texts: dict[str, str], said: str) -> tuple[str, str] | None:
    tree = Tree({PurePosixPath(name): Entry(text.encode()) for name, text in texts.items()})
    claim = phrase(said)
    line = known(orient(tree)).find(claim)
    return None if line is None else (str(line.path), line.row(claim))


@pytest.mark.parametrize(
    ("name", "text", "row"),
    [
        ("a.md", "# A\n\n1. first\n2. Never deploy on Fridays\n", "2. Never deploy on Fridays"),
        (
            "a.md",
            "---\npinned: true\n---\n- Never deploy on Fridays\n",
            "- Never deploy on Fridays",
        ),
        ("team/a.md", "> Never deploy on Fridays\n", "> Never deploy on Fridays"),
        ("logs/2026/05/01.md", "Never deploy on Fridays\r\n", "Never deploy on Fridays"),
        ("a.md", "| Never deploy on Fridays |\n|---|\n", "| Never deploy on Fridays |"),
        ("a.md", "## Never deploy on Fridays\n", "## Never deploy on Fridays"),
        ("a.md", "- x\n  - [ ] Never deploy on Fridays\n", "  - [ ] Never deploy on Fridays"),
        ("a.md", "We never\ndeploy on Fridays.\n", "deploy on Fridays."),
        ("a.md", "- \\[x] never deploy on Fridays\n", None),
        ("a.md", "```\nnever deploy on Fridays\n```\n", None),
        ("a.md", "<!-- never deploy on Fridays -->\n", None),
        ("a.md", "---\ndescription: never deploy on Fridays\n---\n", None),
    ],
)
def test_every_note_is_searched_that_can_be_read(name: str, text: str, row: str | None) -> None:
    expected = None if row is None else (name, row)
    assert found({name: text}, "Never deploy on Fridays") == expected


def test_the_note_is_found_before_the_pointer_that_repeats_it() -> None:
    texts = {
        "MEMORY.md": "- [Rules](rules.md) — never deploy on Fridays\n",
        "rules.md": "# Rules\n\n- Never deploy on Fridays\n",
    }
    assert found(texts, "Never deploy on Fridays") == ("rules.md", "- Never deploy on Fridays")
