"""Lines that give a value behind a label, read as sentences: "Rate limit: 100" as "is 100"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dreamd.domain.prose.words import words
from dreamd.engine.rules.context import words as specific
from dreamd.engine.rules.gather.place_phrase import OWN_DAY
from dreamd.engine.rules.headings import AREAS, KINDS
from dreamd.engine.rules.updates.given import telling
from dreamd.engine.rules.updates.quantities import Quantity, quantities
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

_SIGNS = late(r"\*\*|__|[*`]|(?<!\w)_|_(?!\w)")  # of emphasis and code
_BOLD = late(r"\s*(\*\*|__)(?P<what>[^*_:]+)\1\s+[—–-]\s+(?=\S)")  # noqa: RUF001
_WORD = r"[^\W\d](?:[^\s:;,.!?|()\[\]{}<>\"=]|\.(?=\w))*"
_LABEL = late(
    rf"\W{{0,2}}(?P<what>{_WORD}(?:\s{_WORD}){{0,5}})"
    r"(?:\s\((?P<which>[^():]{1,40})\))?\s?:\s+(?P<said>\S.*)"
)
_LETTERS = late(r"[^\W\d_]+")
_COUNTED = late(r"(?<!\w)\d")
_OPENS = words(  # a remark, not what a thing is called
    "note notes nb what when where who which todo todos fixme ie see remember and or but so also"
    " then if now previously formerly perhaps earlier"
)
_EXAMPLES = words("example examples eg")
_GROUNDS = words("how why reason reasons rationale because background lesson lessons")
_NO_THINGS = words(  # alone they call nothing that has a value
    "source sources url urls link links doc docs documentation name description type types tag"
    " tags title author created updated last date dates day time at on by to reminder important"
    " warning caution tip tips fyi hint update updates context summary question answer decision"
    " fact facts key idea ideas history log fix fixed bug error step steps phase sprint week"
)
_SEVERAL = words(
    "option options choice choices alternative alternatives candidate candidates possible"
    " possibilities supported allowed range ranges between versus vs comparison planned proposed"
    " history sample samples"
)
_TELLS = words("is are was were be has have had i we you they it should must will would can do did")
_DAYS = words(" ".join((*MONTHS, *WEEKDAYS)))
_KIND = telling("version time duration length date day count total amount size price cost costs")
_WHICH = words(  # beside it a label names no more than without
    "max maximum min minimum average default current start end target new old number value id"
)
_BARE = telling(  # of which there are many
    "port timeout limit owner region host hosts address user username account level status state"
    " rate score capacity delay interval schedule cadence threshold quota retry retries memory"
    " space lead contact members branch environment language framework library tool release workers"
    " replicas instances nodes items entries users seats rooms flight trip train meeting"
    " appointment call lesson dose"
)
_OWN = telling(  # of which each has one, whoever it is
    "budget deadline weight height age manager team people staff salary coverage storage location"
    " city speed latency fee discount"
)
_NO_NAMES = words(  # of a heading: what there are many of
    "service services app apps application applications project projects system systems server"
    " servers api apis config configuration configs settings setup environment environments env"
    " module modules component components package packages database databases db cluster clusters"
    " notes note memory ops stack status current versions version limits numbers ports"
)
_LEADS = late(  # between a label and its value; or the name of which it is a release
    r"(?:(?:about|around|approximately|roughly|currently|now|port|version|exactly|just|only)\s|v"
    r"|[$€£~≈]\s?)*|(?:[A-Z][\w.+#-]*\s){1,2}(?:version\s|v)?"
)
_ABOUT = late(r"(?:~|≈|ca\.|approx\.)\s?")
_OPEN_ENDED = late(
    r"\s?[+*/…~?-]|\s(?:or|and)\s(?:more|later|newer|higher|above|up|less|older|so|below)\b",
    re.IGNORECASE,
)
_CHOICE = late(r"[|→…?]|->|\bor\b|\bvs\b|https?:|\S:(?:\s|$)")
_FOR = late(r"\s(?:for|of)\s[^,;()]+", re.IGNORECASE)
_PLURAL = late(r"\w{2,}[^su\W]s")
_MOST = 12  # words behind a label


@dataclass(frozen=True, slots=True)
class Label:
    """What a line calls its value, and the line as sentences that say the same.

    `above` is what it stands below, outermost first; `thing` is of what that says it is a part.
    `name` is that of which the value is a release: Postgres. `beside` are words behind the value
    that tell of what it is: for guests. `is_bare`: there are many of what it calls so ("Port");
    `is_vague`: it may be anybody's ("Budget"). `is_ground`: it calls nothing, but what is behind
    it grounds or applies something else ("Why"). Without `readings` the line gives several
    values, or none that holds.
    """

    what: str
    readings: tuple[str, ...]
    above: tuple[str, ...] = ()
    thing: str = ""
    name: str = ""
    beside: frozenset[str] = frozenset()
    is_bare: bool = False
    is_vague: bool = False
    is_ground: bool = False

    @property
    def words(self) -> frozenset[str]:
        """The words that name what it gives a value to; that of its kind only with no other."""
        every = telling(self.what)
        return every - _KIND or every


def label(text: str, above: tuple[str, ...] = ()) -> Label | None:
    """Return the label of a sentence of a line with its readings; None where it has no label."""
    found = _match(text)
    if found is None:
        return None
    what = _within_a_sentence(found["what"])
    opens = _letters(what)[0]
    if opens in _EXAMPLES:
        return Label(what, ())
    said = _ABOUT.sub("about ", OWN_DAY.sub("", found["said"]).strip().rstrip(".;"))
    lead = f"{what} is "
    values = [each for each in quantities(lead + said) if each.start >= len(lead)]
    if not values or not _LEADS.fullmatch(lead + said, len(lead), values[0].start):
        is_ground = opens in _GROUNDS
        return Label(what, (OWN_DAY.sub("", text),), above, is_ground=True) if is_ground else None
    whole = f"{what} {found['which']}" if found["which"] else what
    called = _letters(whole)
    if opens in _GROUNDS or not _is_of_one(called, lead + said, values):
        return Label(whole, ())
    thing = _thing(above)
    is_bare, is_own = _is_bare(called, thing), _is_only(called, _OWN)
    readings = [f"{thing} {whole} is {said}" if is_bare and thing else f"{whole} is {said}"]
    if values[0].kind == "number" and not values[0].unit and _PLURAL.fullmatch(what.split()[-1]):
        readings.append(f"There are {said} {what}")
    behind = said[values[0].end - len(lead) :]
    told = telling(behind if is_bare or is_own else " ".join(_FOR.findall(behind))) - telling(
        values[0].noun
    )
    is_named = said[:1].isupper() and values[0].kind != "name"
    name = said[: values[0].start - len(lead)].strip() if is_named else ""
    is_vague = is_own and not (thing or told)
    return Label(
        whole, tuple(readings), above, thing, name, told, is_bare=is_bare, is_vague=is_vague
    )


def is_labelled(row: str) -> bool:
    """Whether a row of a paragraph or list gives a value behind a label."""
    found = label(row)
    return found is not None and bool(found.readings) and not found.is_ground


def _match(text: str) -> re.Match[str] | None:
    """Return what a sentence calls and says, where it begins with what may be a label."""
    bold = _BOLD.match(text)
    plain = f"{bold['what']}: {text[bold.end() :]}" if bold else text
    found = _LABEL.match(_SIGNS.sub("", plain)) if ":" in plain else None
    if found is None or len(found["said"].split()) > _MOST or _COUNTED.search(found["what"]):
        return None
    said = _letters(found["what"])
    is_remark = not said or said[0] in _OPENS or _NO_THINGS.issuperset(said)
    return None if is_remark or not (_TELLS | _DAYS).isdisjoint(said) else found


def _letters(text: str) -> list[str]:
    return _LETTERS.findall(text.casefold())


def _within_a_sentence(what: str) -> str:
    """Return a label as it would stand within a sentence: "Rate Limit" and "rate_limit" alike."""
    said = re.sub(r"(?<=\w)_(?=\w)", " ", what).split()
    if all(each[:1].isupper() for each in said):
        said = [each.lower() if each.istitle() else each for each in said]
    return " ".join(said)


def _is_only(called: Sequence[str], named: frozenset[str]) -> bool:
    """Whether a label is one of some words, as far as it says more than the kind of its value."""
    said = [each for each in called if each not in _WHICH]
    return len(said) == 1 and telling(said[0]) <= named


def _is_bare(called: Sequence[str], thing: str) -> bool:
    if all(telling(each) <= _KIND for each in called if each not in _WHICH):
        return True
    return _is_only(called, _BARE) or (bool(thing) and _is_only(called, _OWN))


def _thing(above: tuple[str, ...]) -> str:
    """Return the innermost of what stands above that names something of which there is one."""
    for each in reversed(above):
        said = _SIGNS.sub("", each).strip(" \t-:")
        if telling(" ".join(specific(said) - KINDS - AREAS - _NO_NAMES)):
            return _within_a_sentence(said)
    return ""


def _is_of_one(called: Sequence[str], reading: str, values: Sequence[Quantity]) -> bool:
    """Whether a label gives one value, told as that of today: no list, range or choice."""
    first, *others = values
    if not _SEVERAL.isdisjoint(called) or _OPEN_ENDED.match(reading, first.end):
        return False
    return not _CHOICE.search(reading) and not any(each.is_of_kind(first) for each in others)
