"""The concepts of a statement: its words of weight, names, figures and identifiers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dreamd.domain.prose.words import words
from dreamd.text.late import late

# Scripts without spaces give pairs of letters, so that a sentence is more than one concept.
_TOKEN = late(
    r"[\u3040-\u30ff\u3400-\u9fff]{2}|\d[\d.,:/-]*\d|\d"
    r"|[^\W\d_][\w]*(?:['’.+#/-][^\W_]\w*)*\+{0,2}"  # noqa: RUF001  (the apostrophe people type)
)
_CLIPPED = late(r"['’](?:s|m|re|ve|ll|d|t)?$")  # noqa: RUF001
_CODE = late(r"`([^`\n]{1,80})`")
_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_SILENT = words(
    "a an and are as at be am is was were been being but by can could did do does doing done "
    "for from get got had has have having he her here him his how i if in into it its just let "
    "like me more most much my no nor not now of off on once one only or other our out over own "
    "she should so some such than that the their them then there these they this those through "
    "to too up us very we what when where which while who whom why will with would you your "
    "yours about after again all also any because before below both down during each few "
    "between until under same don won didn doesn isn aren wasn re ve ll im ive id well really "
    "want need trying try sure make made making use used using work working going go new good "
    "great help thing things way lot bit kinda sorta yes ok okay actually currently recently "
    "think know feel see look looking start started still even ever never always already "
    "however per via since within without upon may might must shall cannot pm said say says "
    "tell told s t d m"
)
_FEWEST = 2  # letters


def tokens(text: str) -> list[str]:
    """Return the words and figures of a text that carry weight, in order, folded and stemmed."""
    return [stem for piece in text.split() for stem in _stems(piece)]


def tags(text: str) -> tuple[str, ...]:
    """Return the concepts of a text, each once, in order; what stands in code spans is one."""
    if "`" not in text:
        return tuple(dict.fromkeys(tokens(text)))
    codes = (" ".join(code.split()).casefold() for code in _CODE.findall(text))
    return tuple(dict.fromkeys((*filter(None, codes), *tokens(_CODE.sub(" ", text)))))


def spoken(concept: str, texts: Iterable[str]) -> str:
    """Return the shortest word that stands for a concept in some texts: "managed" for "manag"."""
    every = (_CLIPPED.sub("", word.casefold()) for text in texts for word in _TOKEN.findall(text))
    alike = {word for word in every if stem(word) == concept}
    return min(alike, key=lambda word: (len(word), word), default=concept)


@lru_cache(maxsize=1 << 15)  # people use few words
def _stems(piece: str) -> tuple[str, ...]:
    """Return the tokens of a text without spaces, which no token goes across."""
    return tuple(filter(None, (stem(word.casefold()) for word in _TOKEN.findall(piece))))


def stem(word: str) -> str:
    """Return the concept that a folded word stands for, "" for one that carries no weight."""
    word = _CLIPPED.sub("", word)
    if word in _SILENT or (len(word) < _FEWEST and not word.isdigit() and word.isascii()):
        return ""
    if word[0].isdigit():
        return word.replace(",", "")
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)] + instead
            return base[:-1] if base[-1:] == base[-2:-1] and ending in {"ing", "ed"} else base
    return word
