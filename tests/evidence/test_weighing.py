"""Weighing looks at few of many claims, and yet finds what looking at all of them finds."""

from __future__ import annotations

import gc
import math
import random
from collections.abc import Sequence

import pytest

from dreamd.domain.evidence import ClaimKind, Snippet
from dreamd.evidence.recurring import recurring
from dreamd.evidence.relevance import Answers
from dreamd.host import cycles


def best(claims: Sequence[Sequence[str]], question: Sequence[str]) -> list[tuple[int, float]]:
    """The answers to a question, by the formula, of all claims that share two of its words."""
    counts = {word: sum(word in claim for claim in claims) for word in dict.fromkeys(question)}
    known = [word for word in counts if counts[word]]
    asked = [word for word in known if counts[word] <= 200] or known
    asked = sorted(asked, key=lambda word: (counts[word], word))[:8]
    average = sum(map(len, claims)) / len(claims)
    scores = []
    for number, claim in enumerate(claims):
        total = 0.0
        for word in asked:
            rarity = math.log(1 + (len(claims) - counts[word] + 0.5) / (counts[word] + 0.5))
            times = claim.count(word)
            norm = 1.2 * (0.5 + 0.5 * len(claim) / average)
            total += rarity * times * 2.2 / (times + norm)
        if sum(word in claim for word in asked) >= min(2, len(asked)) > 0:
            scores.append((total, -number))
    ranked = sorted(scores, reverse=True)[:8]
    return [
        (-number, score / ranked[0][0]) for score, number in ranked if score >= 0.35 * ranked[0][0]
    ]


@pytest.mark.parametrize("seed", range(3))
def test_the_best_answers_are_those_of_all_claims(seed: int) -> None:
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(60)]
    common = [1 / (number + 1) for number in range(60)]
    claims = [chance.choices(words, common, k=chance.randrange(3, 11)) for _ in range(500)]
    answers = Answers(claims)
    many = [chance.choices(words, common, k=chance.randrange(1, 10)) for _ in range(20)]
    for question in [*many, ["w0", "w1"], ["w0", "w1", "w2"], ["w2"], ["w0", "unheard"], []]:
        found = answers.to(question)
        expected = best(claims, question)
        assert [number for number, _ in found] == [number for number, _ in expected]
        assert [share for _, share in found] == pytest.approx([share for _, share in expected])


def test_a_claim_that_says_a_word_again_and_again_is_found_beside_many_with_more_words() -> None:
    claims = [["c", f"x{n}", "y", "z"] for n in range(700)]
    claims += [["b", f"x{n}", "y", "z"] for n in range(250)]
    claims += [["a", f"x{n}", "y", "z"] for n in range(200)]
    claims += [["a", "b", "y", "z"] for _ in range(10)]
    claims.append(["a"] * 6 + ["c"])
    found = Answers(claims).to(["a", "b", "c"])
    assert found[0] == (len(claims) - 1, 1.0)
    assert [number for number, _ in found] == [
        number for number, _ in best(claims, ["a", "b", "c"])
    ]


def sighting(number: int, tags: Sequence[str]) -> Snippet:
    text = " ".join(tags)
    return Snippet(
        text, text, ClaimKind.FACT, "", "", tuple(tags), "person", "5e55", str(number), None, None
    )


@pytest.mark.parametrize("alike", [0.5, 0.7, 1.0])
def test_a_statement_joins_the_claim_that_is_most_alike_of_all(alike: float) -> None:
    chance = random.Random(7)
    words = [*"abcdefghijkl", "1", "2", "30"]
    said = [
        sighting(n, chance.sample(words, k=chance.randrange(2, 9)))
        for n in range(180)  # no word stands in so many that it is passed over
    ]
    groups: list[list[Snippet]] = []
    for each in said:
        mine = set(each.tags)
        shares = []
        for number, group in enumerate(groups):
            other = set(group[0].tags)
            same = {tag for tag in mine if tag.isdigit()} == {tag for tag in other if tag.isdigit()}
            shares.append((len(mine & other) / len(mine | other) if same else 0.0, number))
        share, number = max(shares, default=(0.0, -1))
        if share >= alike:
            groups[number].append(each)
        else:
            groups.append([each])
    found = [[*each.sightings] for each in recurring(said, alike)]
    assert found == groups
    assert any(len(group) > 1 for group in groups)


def test_cycles_are_looked_for_again_whatever_happened() -> None:
    with cycles.unsought():
        with cycles.unsought():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()

    def broken() -> None:
        with cycles.unsought():
            raise InterruptedError

    with pytest.raises(InterruptedError):
        broken()
    assert gc.isenabled()


HARBOUR = [["ferry", "harbour"], ["crane", "harbour", "rust"], ["ferry", "pier", "noon"]]


@pytest.mark.parametrize(
    ("question", "best", "share"),
    [
        (["ferry", "pier", "noon"], 2, 1.0),
        (["noon"], 2, 1.0),
        # a word that nobody said weighs as one that stands in a single claim
        (["noon", "ticket"], 2, 0.5),
        (["noon", "ticket", "price", "child"], 2, 0.25),
        (["noon", "noon", "ticket"], 2, 0.5),  # asked twice, asked once
    ],
)
def test_an_answer_is_worth_its_share_of_a_full_one(
    question: Sequence[str], best: int, share: float
) -> None:
    number, worth = Answers(HARBOUR).full(question)[0]
    assert number == best
    assert worth == pytest.approx(share)


def test_one_common_word_of_eight_is_hardly_an_answer() -> None:
    eight = ["harbour", *(f"word{n}" for n in range(7))]
    ((_, best), *_) = Answers(HARBOUR).full(eight)
    assert 0 < best < 0.1
    assert Answers(HARBOUR).full(["unheard"]) == ()


def test_the_others_keep_their_share_of_the_best() -> None:
    asked = ["harbour", "crane", "ferry", "ticket"]
    answers = Answers(HARBOUR)
    shares = [share for _, share in answers.to(asked)]
    whole = [share for _, share in answers.full(asked)]
    assert len(whole) == len(shares) > 1
    assert [share / whole[0] for share in whole] == pytest.approx(shares)
