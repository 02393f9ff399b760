"""Values that people plainly replaced, and look-alikes that change nothing."""

# ruff: noqa: E501 - a row of a table is one line
from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from tests.engine.said import dreamt, note, said, texts


@pytest.mark.parametrize(
    ("line", "message", "after"),
    [
        (
            "- The kiln queue allows 60 jobs a day. (2026-03-02)",
            "the kiln queue went from 60 to 90 jobs, nice",
            "- The kiln queue allows 90 jobs a day. (2026-05-11; previously 60, 2026-03-02)",
        ),
        (
            "- **Upload limit**: 25 MB",
            "upload limit: 40 MB. nginx is done already",
            "- **Upload limit**: 40 MB (2026-05-11; previously 25 MB)",
        ),
        (
            "- The default branch is called `trunk`.",
            "the default branch was renamed from `trunk` to `main`",
            "- The default branch is called `main`. (2026-05-11; previously trunk)",
        ),
        (
            "- Standup is at 09:15.",
            "standup moved to 10:00, so run the smoke test later",
            "- Standup is at 10:00. (2026-05-11; previously 09:15)",
        ),
        (
            "- Raw scans are under /scratch/scans.",
            "raw scans now live in /data/scans",
            "- Raw scans are under /data/scans. (2026-05-11; previously /scratch/scans)",
        ),
        (
            "- Labels need two signatures.",
            "remember that labels need one signature",
            "- Labels need one signature. (2026-05-11; previously two)",
        ),
        (
            "- Docs are built with Sphinx.",
            "We gave up on Sphinx, the docs are built with MkDocs.",
            (
                "- We gave up on Sphinx, the docs are built with MkDocs. "
                "(2026-05-11; previously: Docs are built with Sphinx)"
            ),
        ),
    ],
)
def test_what_a_person_replaced_is_replaced(line: str, message: str, after: str) -> None:
    result = texts(dreamt(note("- The kiln is new.", line), message))["shop.md"]
    assert after in result.splitlines()
    assert line not in result.splitlines()
    assert "- The kiln is new." in result.splitlines()


@pytest.mark.parametrize(
    ("line", "message", "after"),
    [
        ("- The kiln is checked at 07:00.", "we moved the check of the kiln to half past eight", "- The kiln is checked at half past eight. (2026-05-11; previously 07:00)"),
        ("- Photos are at most 3 MB.", "photos may have 800 KB from this release on", "- Photos are at most 800 KB. (2026-05-11; previously 3 MB)"),
        ("- glaze_limit = 40", "Glazes: we're at a limit of sixty-four since the new shelf", "- glaze_limit = sixty-four (2026-05-11; previously 40)"),
        ("- Mugs are packed in boxes of 12.", "12 is too heavy to lift, mugs are packed in boxes of 8", "- Mugs are packed in boxes of 8. (2026-05-11; previously 12)"),
        ("- Exports are prefixed with `exp_`.", "it's `out_`, not `exp_`", "- Exports are prefixed with `out_`. (2026-05-11; previously exp_)"),
        ("- Parcels go through Nordpost.", "Ostpost took the place of Nordpost", "- Parcels go through Ostpost. (2026-05-11; previously Nordpost)"),
    ],
)  # fmt: skip
def test_values_in_words_and_units_and_what_is_over_are_read(
    line: str, message: str, after: str
) -> None:
    assert after in texts(dreamt(note(line), message))["shop.md"].splitlines()


@pytest.mark.parametrize(
    ("line", "answer", "message", "after"),
    [
        ("- Kiln timeout: 10 s", "I kept the timeout at 10 s.", "that should be 25 seconds by now, the sensor got slow", "- Kiln timeout: 25 seconds (2026-05-11; previously 10 s)"),
        ("- The lamp is on pin LM2.", "The lamp on LM2 stays dark.", "my mistake, Ana swapped it last spring: LM7", "- The lamp is on pin LM7. (2026-05-11; previously LM2)"),
        ("- Shelf size: 8 mugs", "I drew a shelf for 8 mugs.", "we're at twelve now", "- Shelf size: twelve mugs (2026-05-11; previously 8)"),
    ],
)  # fmt: skip
def test_an_answer_that_corrects_the_assistant_replaces_what_it_named(
    line: str, answer: str, message: str, after: str
) -> None:
    notes = note("- The kiln is new.", line)
    assert texts(dreamt(notes, message)) == notes, "nothing tells what is corrected"
    told = replace(said(message), before=answer)
    assert after in texts(dreamt(notes, told))["shop.md"].splitlines()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("I kept the timeout at 10 s.", "make that 25 s for this run"),
        ("I kept the timeout at 10 s.", "try 25 s, just to see if it helps"),
        ("I kept the timeout at 10 s.", "the label printer waits 25 s, leave ours"),
        ("I kept the timeout at 10 s.", "could it be 25 s?"),
        ("I raised the timeout to 25 s.", "right, it is 25 s for the demo"),
    ],
)
def test_an_answer_that_corrects_nothing_changes_nothing(answer: str, message: str) -> None:
    notes = note("- Kiln timeout: 10 s")
    assert texts(dreamt(notes, replace(said(message), before=answer))) == notes


def test_a_cell_of_a_table_keeps_its_row() -> None:
    rows = ("| service | port |", "| --- | --- |", "| orders | 8101 |", "| labels | 8102 |")
    result = texts(dreamt(note(*rows), "orders now listens on 8111"))["shop.md"]
    assert "| orders | 8111 (previously 8101) |" in result.splitlines()
    assert "| labels | 8102 |" in result.splitlines()


def test_every_copy_is_treated_alike() -> None:
    notes = note("- Nordpost allows 60 requests a minute.")
    notes["MEMORY.md"] = "# Memory\n\n- [Shop](shop.md) — Nordpost: 60 requests a minute\n"
    result = texts(dreamt(notes, "Nordpost allows 120 requests a minute now instead of 60."))
    assert "- [Shop](shop.md) — Nordpost: 120 requests a minute" in result["MEMORY.md"]
    assert "- Nordpost allows 120 requests a minute." in result["shop.md"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- Standup is at 09:15.", "could we move standup to 10:00?"),
        (
            '- Hates being told that it "should work"; show the output.',
            "The two keys do not work with Nordpost, only the refresh button makes it go away.",
        ),
        ("- Standup is at 09:15.", "tomorrow standup is at 10:00, dentist"),
        ("- Standup is at 09:15.", "if standup moved to 10:00, would that help?"),
        ("- Standup is at 09:15.", "Ana says that standup is at 10:00 now"),
        ("- Standup is at 09:15.", "we did not move standup to 10:00"),
        ("- Standup is at 09:15.", "back then standup was at 10:00"),
        ("- Standup is at 09:15.", "standup will move to 10:00 next year"),
        ("- Standup is at 09:15.", 'the old wiki: "standup is now at 10:00"'),
        ("- The rate limit of the API is 60 requests.", "the rate limit of the test client is 30 requests now"),
        ("- Feature branches start from develop.", "branch off main this time instead of develop"),
        ("- The kiln holds 90 mugs.", "the last firing took 41 mugs"),
        ("- Backups are kept 30 days.", "keep the backup of this pod for 60 days"),
        ("- Docs are built with Sphinx.", "we gave up on Sphinx for the blog, it uses Hugo"),
        ("- Pages are cached for 5 minutes.", "sure, pages are cached for 20 minutes now, great plan"),
        ("- Our supplier's crate holds 20 mugs.", "our crate holds 12 mugs now"),
        ("- In the cellar the lamp uses 9 watts.", "the lamp uses 12 watts now"),
        ("- The lamp uses 9 watts.", "In the cellar the lamp uses 12 watts now"),
        ("- The first shelf of the kiln holds 30 mugs.", "the kiln holds 90 mugs now"),
        ("- Goal: 30 mugs a day", "we make 25 mugs a day now"),
        ("- The van to Oslo costs 64 euros.", "the van to Bergen costs 81 euros now"),
        ("- The shop has 6 people.", "The bakery has 9 people now."),
        ("- Pages show 25 mugs.", "this page has 50 mugs in all"),
        ("- Our kiln shift is 9 hours long.", "Over the Easter week the kiln shifts are 4 hours long."),
        ("- The limit is 100 mugs.", "The limit was raised to 500 mugs. Just kidding."),
        ("- Docs are built with Sphinx.", "our customer moved from Sphinx to Hugo"),
        ("- Docs are built with Sphinx.", "nobody has ditched Sphinx, that was a joke"),
        # what the line already is, as of the same day
        ("- The kiln queue allows 90 jobs a day. (2026-05-11; previously 60, 2026-03-02)", "they raised our kiln queue, it is 90 jobs a day now instead of 60, from today on"),
        # a line that shares a word or two with what was said
        ("- A release that is taken back is rebuilt from the code of one day before.", "the old one takes 12 minutes to build"),
        ("- Tomas Lind keeps the rota; he posts it on the first working day of a month.", "Payroll: bonuses are paid on the last working day since May"),
        ("- Chrome on Windows loses the basket when the page is opened twice.", "from now on Meret signs the Windows builds, not me"),
        ("- Frontend developer for nine years, mostly Angular; new to databases.", "you opened the wrong folder: billing is a Go service, the angular one was retired"),
        ("- Returns: 21 days, unworn, the customer pays the parcel.", "by the way, the parcel team went up to fourteen on Monday"),
        ("- The sum \\( S = a / (1 - r) \\) of a geometric series is hard.", "The sum of a geometric series with 12 terms is hard."),
        ("- The badge reader answers on port 6210.", "lets try port 6220 for the badge reader and see"),
        ("- The mail worker polls every 25 seconds.", "fix the flaky test, it waits 35 seconds for the mail worker"),
        ("- The canteen opens at 08:45.", "the canteen opens at 9:15 on fridays now"),
        ("- Complaints go to #help-desk.", "wholesale complaints go to #whole-desk now, not #help-desk"),
        ("- The kiosk runs Node 18.", "the kiosk runs node 20 now. no sorry, wrong repo"),
        ("- The kiosk restarts every 12 hours.", "the kiosk restarts every 6 hours now. eh no, it's still 12"),
        ("- Poster size is 40 by 60 cm, matte; the cutter takes 3 mm.", "The API quota went from 40 to 60 calls per second."),
        ("- Lena wants the Adyen fee as a row of its own, account 4410.", "I moved my account over to Revolut."),
        ("- Keep error lines in one line of XML; the viewer cannot fold.", 'GUI line: "Welcome back, stranger." make it fit'),
        ("- Nightly dump at 03:40 to the second disk, kept for 20 days; restored once in 9 minutes.", "Dumps run hourly now."),
    ],
)  # fmt: skip
def test_a_look_alike_changes_nothing(line: str, message: str) -> None:
    notes = note("- The kiln is new.", line)
    assert texts(dreamt(notes, message))["shop.md"] == notes["shop.md"]


def test_only_a_line_that_speaks_of_the_same_thing_keeps_another_from_changing() -> None:
    notes = note("- Queue depth: 6 jobs", "- The parser works on 40 files.")
    after = texts(dreamt(notes, "Depth is 9 jobs now that the parser works again."))["shop.md"]
    assert "- Queue depth: 9 jobs (2026-05-11; previously 6)" in after
    assert "- The parser works on 40 files." in after
    both = note("- Queue depth: 6 jobs", "- Search depth: 3 plies")
    assert texts(dreamt(both, "Depth is 9 now.")) == both


def test_an_answer_is_of_what_the_assistant_said_of_the_value() -> None:
    notes = note("- The login form locks after 5 minutes.")
    answer = "The prune keeps the last 5 images. The login form is untouched."
    told = replace(said("No, it is nine, we need them for the rollback."), before=answer)
    assert texts(dreamt(notes, told)) == notes
    answer = "I let the login form lock after 5 minutes in the e2e test."
    told = replace(said("That is out of date: 9 minutes."), before=answer)
    assert texts(dreamt(notes, told)) == notes
    answer = "The login form locks after 5 minutes."
    told = replace(said("That is out of date: 9 minutes."), before=answer)
    assert "- The login form locks after 9 minutes. (" in texts(dreamt(notes, told))["shop.md"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- Timeout of the payout client: 30 s", "Timeout of the mailer client is 5 s now, was 30."),
        ("- Geocoder timeout: 6 s", "Timeout of the tile server: 9 s now, was 6 s."),
        ("- Port of the metrics exporter: 9187", "Port of the node exporter is 9290 now, no longer 9187"),
        ("- The import queue alerts at 500 messages.", "Queue length alert of the export queue went from 500 to 2000 messages."),
        ("- The import queue alerts at 500 messages.", "the export queue alerts at 2000 messages now, was 500."),
        ("- Memory limit of the renderer pod: 768 MB", "memory limit of the crawler pod is 1024 MB now, was 768"),
        ("- The sitemap job runs at 01:10.", "the feed job runs at 02:20 now, not at 01:10"),
        ("- Mail worker retries: 7", "sms worker retries are 2 now, were 7"),
        ("- The sync job takes batches of 250 rows.", "The purge job takes batches of 100 rows now instead of 250."),
        ("- The Starter plan costs 12 EUR a month.", "The Pro plan costs 25 EUR a month now, it was 12."),
        ("- The blog is hosted on Netlify.", "the docs are hosted on Vercel now, not on Netlify"),
        ("- Grafana runs on port 3000.", "Kibana runs on port 5601 now, not 3000"),
        ("- Refunds above 400 EUR need a second approval.", "For tenant Brunner refunds above 150 EUR need a second approval now, not 400."),
        ("- dbt runs at 05:15 every morning.", "dbt runs at 06:45 in the dev project now, was 05:15"),
        ("- Session length: 15 minutes, then the app logs out.", "On tablets the session length is 40 minutes now, it was 15."),
        ("- Minimum iOS version: 16.0", "Minimum iOS version of the widget: 17.0 now, was 16.0"),
        ("- DNS TTL is 300 seconds.", "DNS TTL of the status page is 30 seconds now, was 300"),
        ("- Upload worker count: 3", "Upload worker count for videos is 1 now, was 3"),
        ("- Boards report every 45 seconds.", "boards in the lab report every 5 seconds now instead of every 45 seconds"),
        ("- PRs need two approvals.", "the other team's PRs need three approvals now, not two"),
        ("- Trucks leave at 06:20.", "trucks leave at 05:40 now on the Lublin site, not 06:20"),
        ("- Polling interval of the meters: 15 minutes.", "I set the polling interval of the meters to 5 minutes now... reverted it, the meters choke. stays at 15"),
        ("- Chat opens at 08:00.", "I changed it so chat opens at 10:00 now, but Yusuf rolled it back an hour later"),
        ("- Ticket ids have 6 digits.", "Ticket ids have 8 digits now. No wait, that is the other tool, sorry."),
        ("- The yard camera keeps 10 days.", "The yard camera keeps 30 days now. scratch that, it's still 10"),
        ("- Nightly job sweep takes about 50 minutes.", "Nightly job sweep takes about 20 minutes now. edit: no, it crashed, that's why. still 50"),
        ("- Chat opens at 08:00.", "add a unit test: chat opens at 09:30 now, expect the old greeting to be gone"),
        ("- Agents see at most 5 open chats.", "mock it: agents see at most 9 open chats now, was 5"),
        ("- Album price: 29 EUR; framed print: 55 EUR", "seed the test db so that an album costs 1 EUR now, not 29"),
        ("- Print partner: Fotola, cut-off 13:30", "pretend the print partner is Cewe now, not Fotola, and regenerate the invoice preview"),
        ("- Escalations go to Yusuf.", "the spec example reads: escalations go to Yusuf no longer, they go to Mira now"),
        ("- JWT lifetime: 45 minutes", "from June on the JWT lifetime is 15 minutes, not 45"),
        ("- Owner of ledger-api: Priyanka", "rename nothing yet, but soon Owner of ledger-api is Kwame, no longer Priyanka"),
        ("- Release train: every second Wednesday.", "release train: every Monday from now on, no longer every second Wednesday"),
        ("- Forecast model: trained weekly on Mondays", "forecast model is trained daily now, no longer weekly on Mondays"),
        ("- Shift lead: Oksana (early), Piotr (late).", "Shift lead early is Bohdan now, Piotr stays late"),
        ("- Damage reports go to claims@depot.example within 48 hours.", "damage reports go to damage@depot.example now, within 24 hours"),
        ("- Alpha runs in eu-west-1.", "the preview environment moved from eu-west-1 to eu-north-1"),
        ("- Alpha runs in eu-west-1.", "my personal sandbox runs in us-east-1 now, not eu-west-1 anymore"),
        ("- orders-api is deployed with Helm.", "inventory-api is deployed with Argo now, no longer with Helm"),
        ("- Errors go to Sentry.", "frontend errors go to Rollbar now, not Sentry"),
        ("- CI runs on Jenkins.", "the iOS build moved from Jenkins to Bitrise"),
        ("- billing-api is deployed with Kustomize.", "Marek's other service, ledger, moved from Kustomize to Helm"),
        ("- Search port: 8082", "port 8083 please, not 8082"),
        ("- Catalog: port 9002", "gateway: port 9100 now, was 9002"),
        ("- Alpha runs in eu-west-1.", "next quarter alpha moves from eu-west-1 to eu-west-3"),
        ("- Cache TTL: 30 minutes", "cache TTL is 10 minutes now, was 30. hm, forget it, that branch never got merged"),
        ("| mailer | 9003 | Tomas | MySQL 8 |", "the mailer was renamed to notifier and is on 9013 now"),
        ("| mailer | 9003 | Tomas | MySQL 8 |", "mailer belongs to Ines now"),
        ("- Wiki pages are written in Textile.", "wiki pages of the old client are written in Markdown now, not Textile"),
        ("- Template engine: jinja", "newsletter template engine is mako now, not jinja"),
        ("- The wiki is hosted on Gitea.", "wiki MRs need one approval now, not two"),
        ("- Meters report every 20 minutes.", "meters report every 4 minutes now, that's a bug, should be 20"),
        ("- Step rate of the pump is 40 Hz.", "step rate of the pump is 32 Hz now since your change, revert that"),
        ("- CI runs on Drone.", "their CI runs on Jenkins, not Drone, so the yaml is of no use"),
        ("- Linter: flake8", "in that repo they use pylint, not flake8, so follow that there"),
        ("- Merge requests need two approvals.", "merge requests need only one approval now since we're 4 people"),
        ("- Humidity threshold is 70%.", "humidity is 64% now, was 70%"),
        ("- Cache TTL: 30 minutes", "cache TTL is 10 minutes now. oh, it's 30 still"),
    ],
)  # fmt: skip
def test_another_thing_a_narrower_one_and_what_is_taken_back_change_nothing(
    line: str, message: str
) -> None:
    notes = note(line)
    assert texts(dreamt(notes, message)) == notes


@pytest.mark.parametrize(
    ("line", "message", "value"),
    [
        ("- The payout client has a timeout of 30 seconds.", "Please note that the payout client's timeout went from 30 to 45 seconds.", "45"),
        ("- Log retention in Loki: 14 days", "Log retention in Loki is 30 days now (was 14).", "30 days"),
        ("- We encode thumbnails at WebP quality 70.", "we encode thumbnails at WebP quality 80 now, not 70", "80"),
        ("- Incident channel: #fire-room", "not #fire-room any more, the incident channel is #inc-live", "inc-live"),
        ("- **billing-api**: port 8081, timeout 30 s, owner Marek", "Marek left, billing-api is owned by Sofia now", "- **billing-api**: port 8081, timeout 30 s, owner Sofia (2026-05-11; previously Marek)"),
        ("- The app is released every Thursday.", "the app is released on Wednesdays now, not Thursdays", "every Wednesday. ("),
        ("- Cache TTL: 30 minutes", "cache TTL: 45s", "- Cache TTL: 45s (2026-05-11; previously 30 minutes)"),
    ],
)  # fmt: skip
def test_a_value_in_brackets_a_channel_and_a_save_are_read(
    line: str, message: str, value: str
) -> None:
    (row,) = set(texts(dreamt(note(line), message))["shop.md"].splitlines()) - set(
        note(line)["shop.md"].splitlines()
    )
    assert value in row


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- Task runner: invoke (2026-03-02)", "remember that the task runner is nox"),
        ("- Parcels go to depot@north.example.", "remember that parcels go to depot@south.example"),
        ("- Parcels go out at the ramp.", "remember: parcels go out at just the yard"),
    ],
)
def test_a_statement_that_gives_one_subject_another_value_is_held(line: str, message: str) -> None:
    notes = note("- Parcels are weighed twice.", line)
    result = dreamt(notes, message)
    assert texts(result) == notes
    assert result.held
    beside = dreamt(notes, "remember that parcels leave at noon")
    assert "- Parcels leave at noon. (2026-05-11)" in "".join(texts(beside).values())


def test_a_later_change_may_name_the_value_of_an_earlier_one() -> None:
    result = dreamt(
        note("- Poll timeout: 30 s"),
        said("poll timeout is 45 s now, was 30"),
        said("poll timeout is 60 s now, 45 was not enough", day=12),
    )
    assert "- Poll timeout: 60 s (2026-05-12; previously 45 s, 2026-05-11; 30 s)" in (
        texts(result)["shop.md"].splitlines()
    )


def test_a_message_from_before_the_line_changes_nothing() -> None:
    notes = note("- Pages are cached for 5 minutes. (2026-05-12)")
    assert texts(dreamt(notes, "pages are cached for 20 minutes now")) == notes
    undated = note("- Pages are cached for 5 minutes.")
    late = datetime(2026, 5, 20, tzinfo=UTC)
    assert texts(dreamt(undated, "pages are cached for 20 minutes now", written=late)) == undated


def test_a_daily_note_and_a_dated_section_are_history() -> None:
    notes = note("### 2026-03-02 first day", "- Pages are cached for 5 minutes.")
    notes["2026-03-02.md"] = "# Log\n\n- Pages are cached for 5 minutes.\n"
    result = texts(dreamt(notes, "pages are cached for 20 minutes now instead of 5"))
    assert result["shop.md"] == notes["shop.md"]
    assert result.get("2026-03-02.md", notes["2026-03-02.md"]) == notes["2026-03-02.md"]


def test_of_two_lines_that_fit_neither_is_changed_and_both_are_listed() -> None:
    notes = note("- The orders worker has 4 replicas.", "- The labels worker has 6 replicas.")
    result = dreamt(notes, "the worker has 8 replicas now")
    assert texts(result) == notes
    assert {each.line for each in result.suspected} == set(notes["shop.md"].splitlines()[7:])


@pytest.mark.parametrize(
    ("message", "answer", "changed"),
    [
        ("that should be 25 s by now", "I kept the timeout at 10 s.", None),
        ("orders is at 25 s now", "I kept the timeout at 10 s.", 1),
        ("the timeout went from 10 to 25 s", "", None),
        ("the orders timeout went from 10 to 25 s", "", 1),
    ],
)
def test_of_two_things_with_one_value_only_the_one_that_is_named_changes(
    message: str, answer: str, changed: int | None
) -> None:
    lines = ["- Labels timeout: 10 s", "- Orders timeout: 10 s"]
    notes = note(*lines)
    result = dreamt(notes, replace(said(message), before=answer))
    after = texts(result)["shop.md"].splitlines()[-2:]
    assert [number for number in (0, 1) if after[number] != lines[number]] == (
        [] if changed is None else [changed]
    )
    assert bool(result.suspected) is (changed is None)


def test_what_stands_above_tells_two_things_with_one_label_apart() -> None:
    notes = note(
        "## Labels", "", "- Request timeout: 10 s", "", "## Orders", "", "- Request timeout: 10 s"
    )
    result = texts(dreamt(notes, "the request timeout of orders went from 10 s to 25 s"))["shop.md"]
    assert result.count("- Request timeout: 10 s") == 1
    assert result.index("- Request timeout: 10 s") < result.index("## Orders")


def test_a_second_dream_changes_nothing_more() -> None:
    notes = note("- Standup is at 09:15.")
    once = texts(dreamt(notes, "standup moved to 10:00"))
    assert texts(dreamt(once, said("standup moved to 10:00"))) == once


def test_dated_notes_that_contradict_each_other_keep_the_newer_value() -> None:
    lines = (
        "- 2026-03-30: the flashing tool is OpenOCD.",
        "- 2026-09-09: the flashing tool is probe-rs.",
        "- Since 2026-01-12 the rota begins on Monday.",
        "- Since 2026-03-12 the standup begins on Friday.",
    )
    result = texts(dreamt(note(*lines)))["shop.md"].splitlines()
    assert lines[1] in result
    assert lines[2] in result
    assert lines[3] in result
    assert lines[0] not in result
    assert any(row.startswith("- Previously: 2026-03-30") and "probe-rs" in row for row in result)
