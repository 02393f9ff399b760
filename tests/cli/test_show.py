"""`show`: what a dream did, as a person reads it."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from dreamd.domain.change import EDITED, WRITTEN, Why
from dreamd.views.show import entries
from tests.brain import say, tool
from tests.laptop import Laptop, lines, on_screen
from tests.model_home import INDEX, MOVED, OLD, SAID, SHIPS, dreamt, edit, write
from tests.spoken import say as people_say

URL = "https://staging.tidepool.example:8443/health/of/the/api?verbose=1"
STAGING = f"- Staging is at {URL} and is wiped each Sunday by a timer on heron"
TWICE = "- The release branch is cut every second Tuesday by Mira\n"
LAMPS = "- The lamp at the door is green"
PAGE = f"""\
Changed by the model
  MEMORY.md
    {MOVED[2:]}
      was: {OLD[2:]}
      said on 2026-05-11 by the person in session SESSION: "{SAID}"

Written by the model
  ports.md (added)
    The API listens on port 9050 now.
      said on 2026-05-11 by the person in session SESSION: "{SAID}"
    frontmatter and headings: --- · name: ports · description: whose port · type: project · # Ports
  MEMORY.md
    [Attic](attic.md) — lamps of old

Removed by the model
  MEMORY.md
    {LAMPS[2:]}
      retired: it was sold
      source: "{SAID}"

Moved by the model
  MEMORY.md → deploy.md: 1 line, unchanged
    {STAGING[2:]}

Tidied by the rules
  MEMORY.md
    duplicate: removed: {TWICE[2:-1]}
    put right by the review: [Ports](ports.md) — whose port

Held back (`dreamd accept DREAM` takes it)
  deploy.md
    The rollback takes 47 minutes.
      held back: says the number 47 minutes, which was said and read nowhere (grounded)
"""


def played(laptop: Laptop) -> str:
    """A dream with a change of each kind; return its id."""
    (laptop.memory / "MEMORY.md").write_text(f"{INDEX}{STAGING}\n{LAMPS}\n{TWICE}{TWICE}")
    (laptop.memory / "attic.md").write_text(
        "---\nname: attic\ndescription: lamps\n---\n\nOf old.\n"
    )
    head = "---\nname: ports\ndescription: whose port\ntype: project\n---\n\n# Ports\n\n"
    why = {"reason": "it was sold", "source": SAID}
    script = [
        say(edit("MEMORY.md", OLD, MOVED), edit("MEMORY.md", f"{STAGING}\n", "")),
        say(edit("deploy.md", SHIPS, f"{SHIPS}\n\n{STAGING}\n\nThe rollback takes 47 minutes.")),
        say(tool("Retire", {"file_path": "MEMORY.md", "text": LAMPS, **why})),
        say(edit("MEMORY.md", "(attic.md) — lamps", "(attic.md) — lamps of old")),  # of the rules
        say(write("ports.md", f"{head}The API listens on port 9050 now.\n")),
        say("Done."),
    ]
    dream = dreamt(laptop, script)["dream"]
    assert isinstance(dream, str)
    return dream


def test_a_person_reads_what_changed_first_then_what_moved_and_what_waits(laptop: Laptop) -> None:
    dream = played(laptop)
    told = laptop.json("show", dream)
    session = next(why["session"] for why in told["whys"] if why["session"])
    page = PAGE.replace("DREAM", dream).replace("SESSION", session[:8])
    shown = laptop.ok("show", dream)
    assert page in shown
    assert shown.count("47 minutes") == 2, "its reason stands beside the line, and there only"
    assert [(why["line"], why["held"][:24]) for why in told["held"]] == [
        ("The rollback takes 47 minutes.", "says the number 47 minut")
    ]
    laptop.ok("reject", dream)
    assert "accept" not in (shown := laptop.ok("show", dream))
    assert "\nHeld back (rejected since)\n" in shown


def test_on_40_columns_every_word_of_it_stands(laptop: Laptop) -> None:
    dream = played(laptop)
    words = laptop.ok("show", dream).split()
    environ = laptop.environ(TERM="xterm", NO_COLOR="1")
    shown = lines(on_screen(["show", dream], environ, laptop.home, columns=40))
    assert " ".join(shown).split() == words
    wide = [row.strip() for row in shown if len(row) > 40]
    assert [row for row in wide if " " in row] == []
    assert any(URL in row for row in wide)


def test_what_the_rules_did_stands_with_its_rule_and_an_undo_with_its_files(laptop: Laptop) -> None:
    (laptop.memory / "MEMORY.md").write_text(
        f"# Memory\n\n- Backups are kept 30 days. (2026-05-01)\n{TWICE}{TWICE}"
    )
    os.utime(laptop.memory / "MEMORY.md", (1_767_225_600, 1_767_225_600))
    said = "backups are kept 60 days now instead of 30"
    people_say(laptop.memory.parent, "two", said, at="2026-05-12T09:00:00.000Z")
    named = ("--memory", str(laptop.memory))
    dream = laptop.json("dream", *named, "--engine", "rules")["dream"]
    shown = laptop.ok("show", *named)
    changed, _, tidied = shown.partition("\nTidied\n")
    assert "Backups are kept 60 days. (2026-05-12; previously 30 days, 2026-05-01)\n" in changed
    assert "      was: Backups are kept 30 days. (2026-05-01)\n" in changed
    assert "      newer value: said on 2026-05-12 by the person in session " in changed
    assert f': "{said}"\n' in changed
    assert f"    duplicate: removed: {TWICE[2:]}" in tidied
    assert "earlier one" not in shown
    latest = laptop.json("dream", *named, "--engine", "rules")
    assert not latest["changes"]
    first, _, rest = laptop.ok("show", *named).partition("\n\n")
    assert first.startswith(f"The latest dream ({latest['dream']}, ")
    assert first.endswith(") had nothing to change. This is an earlier one:")
    assert rest == shown == laptop.ok("show", dream)
    assert laptop.json("show", *named)["latest"] == latest["dream"]
    undone = laptop.json("undo", dream)["dream"]
    assert "\n  MEMORY.md: changed, -" in laptop.ok("show", undone)


NOTES = PurePosixPath("a.md"), PurePosixPath("b.md")
ROWS = [  # what went from a.md, what came to b.md, whether they are one change
    ("- The worker has a queue", "- The worker sleeps at night", False),
    ("type: project", "type: project", False),
    ("# Notes", "# Notes", True),
    ("- 図書館は九時に開く", "- 図書館は十時に開く", True),
]


def test_lines_are_one_change_if_they_say_the_same_and_one_that_moved_is_none_of_another() -> None:
    for went, came, is_one in ROWS:
        whys = [Why(NOTES[0], went, "-", EDITED), Why(NOTES[1], came, "+", WRITTEN)]
        found = entries([*whys, Why(NOTES[1], "", "+", WRITTEN)])
        assert (len(found) == 1) == is_one
        assert all(each.is_move == (went == came) for each in found if is_one)
        assert {why for each in found for why in (each.came, each.went) if why} == set(whys)
    moved, new = "- The worker listens on port 80", "- The worker listens on port 81"
    gone = [Why(NOTES[0], line, "-", EDITED) for line in (f"{moved} today", moved)]
    come = [Why(NOTES[1], line, "+", WRITTEN) for line in (moved, new)]
    assert {(each.came, each.went) for each in entries([*gone, *come])} == {
        (come[0], gone[1]),
        (come[1], gone[0]),
    }
