"""A word without its inflection, as far as that changes nothing of what is said."""

from __future__ import annotations

from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS
from dreamd.text.values.value import listed

_PARTICLE = late(r"(?<=[가-힣])(?:은|는|이|가|을|를)$")
_LEAST = 3  # letters that are left
_VOWELS = frozenset("aeiouy")
_ENDINGS = {  # the longest first
    "de": ("ern", "en", "em", "er", "es", "e", "n", "s", "t"),
    "fr": ("ées", "ent", "ée", "és", "es", "e", "s", "x"),
    "es": ("es", "os", "as", "o", "a", "s", "n", "e"),
    "it": ("i", "e", "o", "a"),
    "pt": ("es", "os", "as", "o", "a", "s", "m", "e"),
    "nl": ("en", "t", "e", "s"),
}
IRREGULAR = {  # what is done to something, and what one does
    pair.partition("/")[0]: pair.partition("/")[2]
    for pair in listed(
        "run/run kept/keep sent/send built/build held/hold taken/take written/write given/give"
        " made/make paid/pay bought/buy sold/sell told/tell found/find led/lead left/leave"
        " lost/lose met/meet set/set put/put cut/cut taught/teach chosen/choose driven/drive"
        " drawn/draw grown/grow shown/show broken/break spoken/speak worn/wear fed/feed done/do"
        " known/know seen/see used/use reset/reset read/read split/split shut/shut caught/catch"
        " hung/hang hidden/hide stolen/steal frozen/freeze forgotten/forget won/win spent/spend"
        " lent/lend bound/bind eaten/eat drunk/drink flown/fly laid/lay rewritten/rewrite"
        " overwritten/overwrite rebuilt/rebuild withdrawn/withdraw sung/sing swept/sweep"
        " thrown/throw brought/bring thought/think fallen/fall begun/begin risen/rise stood/stand"
        " understood/understand felt/feel fought/fight slept/sleep sat/sit dealt/deal got/get"
        " torn/tear ridden/ride shaken/shake sought/seek repaid/repay redone/redo undone/undo"
        " upheld/uphold woken/wake withheld/withhold stuck/stick become/become come/come gone/go"
        " heard/hear meant/mean said/say"
    )
}
PAST = {  # what somebody did, and what was done
    pair.partition("/")[0]: pair.partition("/")[2]
    for pair in listed(
        "wrote/written took/taken gave/given chose/chosen drove/driven drew/drawn grew/grown"
        " showed/shown broke/broken spoke/spoken wore/worn did/done knew/known saw/seen"
        " fell/fallen began/begun rose/risen tore/torn rode/ridden shook/shaken woke/woken"
        " ate/eaten flew/flown froze/frozen forgot/forgotten hid/hidden stole/stolen sang/sung"
        " threw/thrown withdrew/withdrawn rewrote/rewritten undid/undone became/become came/come"
        " went/gone"
    )
}
_PRESENT = {
    "run",
    "set",
    "put",
    "cut",
    "reset",
    "read",
    "split",
    "shut",
    "come",
    "become",
}  # as well
UNMARKED = _PRESENT - {"run", "come", "become"} | {"quit", "let", "hit"}  # and the past alike
_DEEDS = (  # endings of stems, the longest first
    ("ically", "ic"),
    ("icalli", "ic"),
    ("ization", "iz"),
    ("isation", "is"),
    ("ation", ""),
    ("ally", "al"),
    ("alli", "al"),
    ("ment", ""),
    ("ion", ""),
    ("at", ""),  # migrate, of which migration is
)
NOUNS = ("tion", "sion", "ment", "ance", "ence", "val", "ery", "ure")  # name a deed
_AFTER = late(r"(?:\s+\w+ly)?\s+(\w+)\b")
_ALMOST = {
    "data",
    "news",
    "status",
    "always",
    "perhaps",
    "redis",
    "kubernetes",
    "aws",
    "dns",
    "https",
}


def stem(word: str, spoken: str, *, is_passive: bool) -> str:
    """Return a folded word without its ending, in a language of which the endings are known.

    What was done is told apart from what is done: `deployed` is `deploy` in "is deployed" only.
    A weekday and all such days are two things.
    """
    if spoken in {"en", ""}:
        return _english(word, is_passive=is_passive)
    for ending in _ENDINGS.get(spoken, ()):
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST + 1:
            found = word[: -len(ending)]
            is_more = spoken == "de" and ending == "s" and len(found) > _LEAST + 2
            return found.removesuffix("er") if is_more else found  # "des Druckers"
    return word


def root(word: str, spoken: str, *, is_passive: bool) -> str:
    """Return the stem of a folded word, of a noun or adverb that of what it is of."""
    found = stem(word, spoken, is_passive=is_passive)
    return derived(found) if spoken in {"en", ""} else found


def key_of(token: str, spoken: str, *, is_passive: bool) -> tuple[str, str]:
    """Return the one form of a word and the word folded; one of odd spelling is its own form."""
    word = token.casefold()
    if spoken == "ko":
        word = _PARTICLE.sub("", word)
    if word.isalpha() and (token.islower() or token.istitle()):
        return root(word, spoken, is_passive=is_passive), word
    short = token.removesuffix("s")  # an acronym is one with an `s` behind it, too
    key = (short if len(short) > 1 and short.isupper() else token).casefold()
    return key, key


def is_participle(word: str) -> bool:
    """Whether a folded English word may be what is done to something: `deployed`, `kept`."""
    return word in IRREGULAR or (word.endswith("ed") and len(word) > _LEAST)


def is_passive_behind(rest: str) -> bool:
    """Whether what stands behind a word begins with what is done: "was clearly kept"."""
    after = _AFTER.match(rest)
    return after is not None and is_participle(after[1].casefold())


def _english(word: str, *, is_passive: bool) -> str:
    if (
        (len(word) <= _LEAST and word not in IRREGULAR)
        or word in _ALMOST
        or word.rstrip("s") in WEEKDAYS
    ):
        return word
    word = PAST.get(word, word)
    if word in IRREGULAR:
        return (
            _singular(IRREGULAR[word])
            if is_passive
            else f"{word}{'' if word in _PRESENT else '+ed'}"
        )
    if word.endswith("ing") and len(word) >= 6 and not _VOWELS.isdisjoint(word[:-3]):
        return _whole(word[:-3])
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + ("i" if is_passive else "y+ed")
    if word.endswith("ed") and len(word) >= 5 and not _VOWELS.isdisjoint(word[:-2]):
        return _whole(word[:-2]) + ("" if is_passive else "+ed")
    return _singular(word)


def _whole(word: str) -> str:
    """Return a verb without its ending as it stands without one: of `mov` that is `move`."""
    is_cut = len(word) == _LEAST and [letter in _VOWELS for letter in word] == [False, True, False]
    return f"{word}e" if is_cut and word[-1] not in "wx" else _undoubled(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "zes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _undoubled(word.removesuffix("e") if len(word) > _LEAST + 1 else word)


def _undoubled(word: str) -> str:
    if len(word) > _LEAST and word[-1] == word[-2] and word[-1] not in _VOWELS:
        word = word[:-1]
    if len(word) > _LEAST and word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def derived(found: str) -> str:
    """Return the stem of an English noun or adverb as that of the verb or adjective it is of.

    `deployment` is `deploy`, `installation` is `install`, `automatically` is `automatic`; a doer
    (`importer`) is not what he does.
    """
    if "+" in found:
        return found
    for ending, instead in _DEEDS:
        if found.endswith(ending) and len(found) - len(ending) >= _LEAST + 1:
            return _undoubled(found[: -len(ending)] + instead)
    return found
