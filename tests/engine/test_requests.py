"""What people plainly asked to be kept, and what only looks like it."""

# ruff: noqa: E501 - a row of a table is one line
from __future__ import annotations

import pytest

from dreamd.engine.rules.requests import Asks, requests
from tests.engine.said import dreamt, note, said, texts

SAVE, ORDER, CORRECTION, PREFERENCE = Asks.SAVE, Asks.ORDER, Asks.CORRECTION, Asks.PREFERENCE
STATED = Asks.STATED


@pytest.mark.parametrize(
    ("text", "asks", "kind", "line"),
    [
        ("Remember that the kiln room is locked at six.", SAVE, "project", "The kiln room is locked at six."),
        ("Remember that the ladder hangs behind the kiln.", SAVE, "project", "The ladder hangs behind the kiln."),
        ("thanks! keep in mind that we ship on Thursdays", SAVE, "project", "We ship on Thursdays."),
        ("For future reference: the glaze book is in docs/glaze.md", SAVE, "reference", "The glaze book is in docs/glaze.md."),
        ("don't forget that I am allergic to dust", SAVE, "user", "I am allergic to dust."),
        ("Add to memory: invoices are sent by Birgit", SAVE, "project", "Invoices are sent by Birgit."),
        ("Never push to main.", ORDER, "feedback", "Never push to main."),
        ("From now on write commit messages in German.", ORDER, "feedback", "From now on write commit messages in German."),
        ("write the changelog by hand from now on", ORDER, "feedback", "Write the changelog by hand from now on."),
        ("Whenever you touch the schema, bump its version.", ORDER, "feedback", "Whenever you touch the schema, bump its version."),
        ("we should always run the linter before a commit", ORDER, "feedback", "We should always run the linter before a commit."),
        ("End all variable names with '_kn'.", ORDER, "feedback", "End all variable names with '_kn'."),
        ("When naming tests, end them with '_spec'.", ORDER, "feedback", "When naming tests, end them with '_spec'."),
        ("I told you before: no mocks in these tests, use the fake server", CORRECTION, "feedback", "No mocks in these tests, use the fake server."),
        ("stop adding comments to every line", CORRECTION, "feedback", "Stop adding comments to every line."),
        ("No, totals are never floats. Use cents.", CORRECTION, "feedback", "Totals are never floats."),
        ("I prefer small pull requests.", PREFERENCE, "feedback", "I prefer small pull requests."),
        ("don't edit the lock file by hand, the bot writes it", ORDER, "feedback", "Don't edit the lock file by hand, the bot writes it."),
        ("when a runner hangs, check the fuse first, the cleaners pull it", ORDER, "feedback", "When a runner hangs, check the fuse first, the cleaners pull it."),
        ("You reformatted the whole file again. Keep to the lines of the ticket.", CORRECTION, "feedback", "Keep to the lines of the ticket."),
        ("btw the importer belongs to the Lisbon team", STATED, "project", "The importer belongs to the Lisbon team."),
        ("Petra signs every release, fyi", STATED, "project", "Petra signs every release, fyi."),
        ("in release notes we never name a customer", STATED, "project", "In release notes we never name a customer."),
        ("we don't squash release branches", STATED, "project", "We don't squash release branches."),
        ("We agreed that exports stay in CSV.", STATED, "project", "We agreed that exports stay in CSV."),
        ("We sign tags with the old key because the mirror checks it.", STATED, "project", "We sign tags with the old key because the mirror checks it."),
        ("the logs stay for a year, the regulator wants it", STATED, "project", "The logs stay for a year, the regulator wants it."),
        ("I'm a botanist, not a coder, so please explain each command", STATED, "user", "I'm a botanist, not a coder."),
        ("My background is botany.", STATED, "user", "My background is botany."),
        ("We say parcel, not package.", STATED, "project", "We say parcel, not package."),
        ("We cannot use fonts with a licence fee.", STATED, "project", "We cannot use fonts with a licence fee."),
        ("Releases should never be cut on a Friday.", STATED, "project", "Releases should never be cut on a Friday."),
        ("The runbooks live in ops/books.", STATED, "reference", "The runbooks live in ops/books."),
        ("Our rule is one migration per release.", STATED, "project", "Our rule is one migration per release."),
        ("ask Petra before you change a price", ORDER, "feedback", "Ask Petra before you change a price."),
        ("If you are unsure about a unit, ask.", ORDER, "feedback", "If you are unsure about a unit, ask."),
        ("use just instead of make in this repository", ORDER, "feedback", "Use just instead of make in this repository."),
        ("You may run the linter without asking.", ORDER, "feedback", "You may run the linter without asking."),
        ("never, ever commit the key file", ORDER, "feedback", "Never, ever commit the key file."),
        ("don't force a push, ever", ORDER, "feedback", "Don't force a push, ever."),
        ("One thing to remember: prices are net.", SAVE, "project", "Prices are net."),
        ("You can find the price lists in docs/prices.", STATED, "project", "You can find the price lists in docs/prices."),
    ],
)  # fmt: skip
def test_what_is_asked_for_becomes_a_line(text: str, asks: Asks, kind: str, line: str) -> None:
    (found,) = requests([said(text)])
    assert (found.asks, found.kind, found.text) == (asks, kind, line)
    assert found.quote in text


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember that the kiln room is locked?",
        "remember when the kiln broke?",
        "Remember to close the drawer.",
        "let's also note that the export should have a header",
        "never mind the totals",
        "never seen that before",
        "Always show one row in this table.",
        "the page always reloads when I click",
        "Run the tests on port 81 for now, always with the flag",
        "from now on in this function use the local copy",
        "The style guide says: never use tabs.",
        '"Always rotate the keys", says the handbook.',
        "> Remember that the moon is full.",
        "```\n# never push to main\n```",
        "[12:01] WARN never drop the table\n[12:02] WARN always lock",
        "You are a senior reviewer. Always answer in bullet points.",
        "In theory one should always validate the input.",
        "sure, always push to main, great idea",
        "I prefer the blue one for now",
        "When I changed the file, it broke.",
        "Please follow this convention from now on.",
        "Soll ich das immer so machen?",
        "Ensure that all your future code follows this convention.",
        "I'd like you to start adopting a consistent naming convention.",
        "Make sure each of the rows shows.",
        "Note that in the logbook.",
        "the dropdown must not overlap the header",
        "no errors in the log",
        "no tests for this one, it's a spike",
        "don't restart it yet, the import is running",
        "don't use red here, it's ugly",
        "when the user saves, show a spinner, it takes a second",
        "if the list is empty, hide the header, it looks odd",
        "btw the build is green",
        "fyi CI is broken",
        "I'm a bit lost, the docs contradict the code",
        "I'm the one who broke it, sorry",
        "I like the second option better",
        "I like a bigger font",
        "I work on the login form",
        "we don't use the second argument, remove it",
        "We don't sell maps any more.",
        "We use a temporary table because the join is slow, rewrite it.",
        "the handler owns the socket",
        "the demo only works if I click twice",
        "the window is frozen",
        "None of the workers can connect.",
        "Maybe we should not squash, no matter how small.",
        "The manual says the valve must never be opened.",
        "You can find the trace below in the attached file.",
        "Everything is slow.",
        "every test is failing",
        "we use a mock here, no idea why",
        "ask me later",
        "use the mock in this file",
        "the docs are open",
        "passwords must never be shown on the login screen",
        "going forward I'd like to meet weekly",
        "from CONTRIBUTING.md:\n\nAlways sign your commits. Never force push.\n\nis that still enforced?",
        "Slack from Tomas: please always ping me before you restart auth\n\nhaha sure",
        "when the user clicks cancel always discard the draft and never ask twice",
    ],
)
def test_what_only_looks_like_it_is_none(text: str) -> None:
    assert list(requests([said(text)])) == []


def test_a_sentence_that_leans_on_the_one_before_takes_it_along() -> None:
    (found,) = requests([said("The vault is called ops. Remember that it is read only.")])
    assert found.text == "The vault is called ops. It is read only."


def test_what_is_to_be_done_that_way_takes_along_what_stands_before() -> None:
    (found,) = requests(
        [said("Like this: first the test, then the repair. Do it that way always.")]
    )
    assert found.text == "Like this: first the test, then the repair. Do it that way always."


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("End every class name with 'Box'. So apply this rule to all classes from now on.", 2),
        ("Great! Going forward, avoid it entirely.", 0),
        ("Even if the 'mail' module seems idle, I want you to always import it.", 1),
    ],
)
def test_an_order_that_only_points_at_a_rule_is_written_with_it_or_not(
    text: str, line: int
) -> None:
    names = [each for each in requests([said(text)]) if "Box" in each.text or "mail" in each.text]
    assert len(list(requests([said(text)]))) == len(names) == line


def test_a_line_that_needs_more_than_its_neighbour_is_not_written() -> None:
    assert list(requests([said("Remember that it does this there.")])) == []
    assert list(requests([said("Whatever you find is fine. Remember that it is read only.")])) == []
    alone = (
        "I want to do this the way careful potters do, with notes on every glaze, every firing and "
        "every failed pot, for I learn slowly and forget names."
    )
    (found,) = requests([said(f"So take whatever works by tonight. Keep in mind {alone}")])
    assert found.text == alone


def test_a_task_behind_a_request_is_left_out() -> None:
    (found,) = requests(
        [said("Remember that the vault is called ops, and please rename the file.")]
    )
    assert found.text == "The vault is called ops."


def test_a_request_is_written_once_with_its_day_and_source() -> None:
    result = dreamt(note("- The kiln is new."), "Remember that the vault is called ops.")
    written = "".join(texts(result).values())
    assert written.count("- The vault is called ops. (2026-05-11)\n") == 1
    (why,) = (why for why in result.whys if why.sign == "+" and "vault" in why.line and why.quote)
    assert (why.rule, why.quote, why.day) == (
        "explicit save", "Remember that the vault is called ops.", "2026-05-11",
    )  # fmt: skip
    again = dreamt(texts(result), "Remember that the vault is called ops.")
    assert texts(again) == texts(result)


def test_a_newer_order_takes_the_place_of_the_older_one() -> None:
    result = dreamt(
        note("- The kiln is new."),
        said("End variable names with '_kn'.", day=2),
        said("Another rule: all variable names end with '_q'.", day=9),
    )
    written = "".join(texts(result).values())
    assert "- End variable names with '_q'. (2026-05-09; previously '_kn', 2026-05-02)" in written
    third = dreamt(texts(result), said("End variable names with '_z'.", day=20))
    assert "(2026-05-20; previously '_q', 2026-05-09; '_kn', 2026-05-02)" in "".join(
        texts(third).values()
    )


def test_a_request_that_says_a_line_but_for_its_value_replaces_it() -> None:
    result = dreamt(
        note("- The kiln holds 90 mugs. (2026-05-02)"), "Remember that the kiln holds 120 mugs."
    )
    assert (
        "- The kiln holds 120 mugs. (2026-05-11; previously 90, 2026-05-02)"
        in (texts(result)["shop.md"])
    )


def test_a_request_that_may_contradict_a_line_is_held_for_the_proposal() -> None:
    notes = note("- The orders worker runs 4 replicas.", "- The labels worker runs 6 replicas.")
    result = dreamt(notes, "Remember that the worker runs 8 replicas.")
    assert texts(result) == notes
    assert any("8 replicas" in text for text in result.held.values())


def test_a_statement_that_may_contradict_a_line_is_held_for_the_proposal() -> None:
    notes = note("- Backups are kept 30 days.")
    result = dreamt(notes, "We never keep backups for more than 14 days.")
    assert texts(result) == notes
    assert any("14 days" in text for text in result.held.values())


def test_a_secret_is_left_out_of_the_line_and_the_line_says_so() -> None:
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    result = dreamt(note("- The kiln is new."), f"Remember that the shop integration uses {key}.")
    written = "".join(texts(result).values())
    assert key not in written
    assert "The shop integration uses [" in written
