"""No secret comes in: whoever says it, wherever it stands; what only looks like one stays."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dreamd.transcripts import turns
from dreamd.transcripts.plain import redacted_start
from tests.text.test_secrets import ASSIGNED, BASE62, BENIGN, SHAPED, body
from tests.transcripts.made import Record, assistant, result, said, user, write

PLANTED = {name: (f"here: {secret} (keep it)", secret) for name, secret in SHAPED.items()} | {
    name: ("".join(parts), parts[1]) for name, parts in ASSIGNED.items()
}
SPEAKERS: dict[str, Callable[[str], Record]] = {
    "person": user,
    "assistant": lambda text: assistant(said(text)),
    "tool": result,
}


def heard(folder: Path, record: Record) -> str:
    path = write(folder / "a.jsonl", record)
    return "".join(each.text for each in turns(path))


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_no_planted_secret_is_in_any_turn_and_all_else_is(tmp_path: Path, speaker: str) -> None:
    assert len(PLANTED) >= 50
    for text, secret in PLANTED.values():
        kept = heard(tmp_path, SPEAKERS[speaker](f"one\r\n{text}\ntwo"))
        assert "[redacted: " in kept
        assert not [piece for piece in secret.split("\n") if piece[-12:] in kept]
        assert (kept[:4], kept[-4:]) == ("one\n", "\ntwo")
    for text in (each for each in BENIGN if "redacted" not in each):
        assert heard(tmp_path, SPEAKERS[speaker](f"look: {text} …")) == f"look: {text} …"


def test_a_secret_is_found_though_colours_run_through_it(tmp_path: Path) -> None:
    for name, secret in SHAPED.items():
        split = f"{secret[:9]}\x1b[0m{secret[9:]}"
        for record in (user(split), result(split)) if "PEM" not in name else ():
            assert secret[-12:] not in heard(tmp_path, record)


@pytest.mark.parametrize("inside", [1, 8, 20])
def test_a_secret_across_the_cut_of_a_long_result_does_not_survive_in_part(inside: int) -> None:
    assert PLANTED
    for name, (text, planted) in PLANTED.items():
        secret = planted.rpartition("services/")[2]  # of a webhook's address, what is secret
        lead = "word " * 2000
        room = len(text.partition(secret)[0]) + inside
        whole = lead[: 8000 - room - 1] + "\n" + text + "\n" + "more words " * 200
        kept, is_cut = redacted_start(whole, 8000)
        assert is_cut, name
        assert len(kept) <= 8000, name
        assert kept.startswith("word "), name
        assert inside < 8 or secret[:inside] not in kept, name


@pytest.mark.parametrize("length", [3_000, 60_000, 200_000])
def test_a_secret_longer_than_what_is_looked_at_leaves_nothing_behind(length: int) -> None:
    parts = ["ey" + "J" + body(BASE62, 33), "ey" + "J" + body(BASE62, length), body(BASE62, 43)]
    jwt = ".".join(parts)
    kept, is_cut = redacted_start("one two " + "word " * 1500 + jwt + " end" * 200, 8000)
    assert is_cut
    assert jwt[:12] not in kept
    assert kept.startswith("one two word ")


def test_a_short_result_is_not_cut_and_a_long_one_keeps_its_beginning() -> None:
    assert redacted_start("word " * 100, 8000) == ("word " * 100, False)
    assert redacted_start("word " * 1601, 8000) == ("word " * 1600, True)
    assert redacted_start("word " * 1_000_000, 8000) == ("word " * 1600, True)
    assert redacted_start("x" * 1_000_000, 8000) == ("", True)
