"""What people state of themselves, and what they ask, in other languages than English."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.domain.prose.clauses import Piece
from dreamd.domain.prose.cued import vocabulary
from dreamd.domain.prose.words import words
from dreamd.evidence.stated import Told
from dreamd.evidence.tongues import HAN, KANA, TONGUES, Tongue
from dreamd.text.late import late

_ENGLISH = words("the and my our you your this that these with they them from would what which")
_ENGLISH_TOO = words(  # but in another language a few of them are words as well
    "i to of for he she it was is are has had have be been at by on so as but or if about will"
    " can do did"
)
_STRONG = {  # words of no other language
    "de": words(
        "ich wir mein meine meinen meinem meiner unser unsere unserem unseren und ist sind"
        " nicht eine einen einem einer für auf seit haben habe mir bitte nach kannst könntest"
        " wurde"
    ),
    "fr": words(
        "je nous notre nos sont une dans avec cette vous tu peux pouvez moi écris crée explique"
    ),
    "es": words(
        "yo nosotros nosotras nuestro nuestra nuestros nuestras desde está están tengo"
        " tenemos trabajo trabajamos vivo vivimos usamos utilizamos utilizo prefiero"
        " preferimos hemos puedes podrías cómo qué para pregunto"
    ),
    "it": words(
        "nostro nostra nostri nostre abbiamo siamo sono lavoro viviamo abito della nella"
        " dello puoi potresti dovremmo potremmo dobbiamo miei perché usiamo utilizziamo"
        " preferisco questo questa che"
    ),
    "pt": words(
        "nós nosso nossa nossos nossas meu minha meus minhas tenho temos trabalho moro estou"
        " prefiro você uma não são pode poderia isso usamos para"
    ),
    "nl": words(
        "ik wij mijn onze een het niet zijn hebben gebruiken wonen voor naar kun sinds werk"
        " woon laten"
    ),
}
_WEAK = {  # words of which there must be two
    "de": words("der das den dem ein es mit von zu bei wie"),
    "fr": words(
        "j le la les des du de en est et un ai ma mon mes pour que qui sur pas c l d s n qu à"
        " au chez"
    ),
    "es": words("el la los las un una en con por que de mi mis es del lo se si uso soy somos"),
    "it": words("io il lo la gli le un una di da con ho mi mio ci è del al dal nel uso"),
    "pt": words("eu os de da dos das em na nos nas com por que é uso"),
    "nl": words("de van met op bij dat te ons er aan"),
}
_CYRILLIC = late(r"[\u0400-\u04ff]")
_UKRAINIAN = late(r"[іїєґІЇЄҐ]")
_ARABIC = late(r"[\u0600-\u06ff]")
_KANA = late(r"[\u3040-\u30ff]")
_HAN = late(r"[\u3400-\u9fff]")
_ASKS, _LEADS = ("?", "？", "؟"), (":", "：")  # noqa: RUF001
_CLOSES = " \t\"'”’»」』）)*_"  # noqa: RUF001
_CLAUSES = late(r"[,;:，；：،؛]\s*|\s(?=(?:und|et|y|e|en|и|а|і|و)\s)")  # noqa: RUF001
_OPENS = " ,;:—-¿¡"
_FIGURE = late(r"\d")
_FEWEST, _FEWEST_LETTERS = 3, 5  # words of a statement; letters of one without spaces
_MOSTLY = 0.3  # of the letters


def foreign(shown: str) -> Told | None:
    """Return what a sentence in another language states or asks; None of any other sentence.

    Stated is what begins with who speaks, and nothing that is wished for, or about who listens;
    how things go or are to go only where it counts or dates something. A request is asked. What
    may be an order is neither.
    """
    tongues = _tongues(shown)
    if not tongues:
        return None
    said = shown.rstrip(_CLOSES)
    start = len(shown) - len(shown.lstrip(_OPENS))
    whole = Piece(len(shown) - len(shown.lstrip()), len(shown.rstrip()))
    if said.endswith(_ASKS) or any(_is_request(each, shown, start) for each in tongues):
        return Told((), (whole,))
    if not any(each.own.match(shown, start) for each in tongues):
        return Told() if any(each.orders.match(shown, start) for each in tongues) else None
    is_out = said.endswith(_LEADS) or any(each.out.search(shown, start) for each in tongues)
    is_passing = any(each.passes.search(shown, start) for each in tongues)
    is_said = not is_out and (not is_passing or _FIGURE.search(shown)) and _is_long(shown)
    return Told((whole,)) if is_said else Told()


def is_own(text: str) -> bool:
    """Whether a statement in another language begins with who speaks."""
    return any(each.own.match(text) for each in _tongues(text))


def _is_request(tongue: Tongue, shown: str, start: int) -> bool:
    begins = (start, *(each.end() for each in _CLAUSES.finditer(shown, start)))
    if any(tongue.asks.match(shown, each) for each in begins):
        return True
    return tongue.asks_within.search(shown, start) is not None


def _is_long(shown: str) -> bool:
    if _HAN.search(shown) or _KANA.search(shown):
        return sum(each.isalnum() for each in shown) >= _FEWEST_LETTERS
    return len(shown.split()) >= _FEWEST


def _tongues(shown: str) -> Sequence[Tongue]:
    """Return the languages that a sentence may be in; none for English and all that is not sure."""
    found = () if shown.isascii() else _of_script(shown)
    return found or _latin(shown)


def _of_script(shown: str) -> Sequence[Tongue]:
    least = _MOSTLY * sum(each.isalpha() for each in shown)
    kana = len(_KANA.findall(shown))
    if 0 < least <= kana + len(_HAN.findall(shown)):
        return (KANA,) if kana else (HAN,)
    if 0 < least <= len(_CYRILLIC.findall(shown)):
        both = TONGUES["ru"], TONGUES["uk"]
        return both[1:] if _UKRAINIAN.search(shown) else both
    return (TONGUES["ar"],) if 0 < least <= len(_ARABIC.findall(shown)) else ()


def _latin(shown: str) -> Sequence[Tongue]:
    said = vocabulary(shown)
    if not _ENGLISH.isdisjoint(said):
        return ()
    is_clear = _ENGLISH_TOO.isdisjoint(said)
    return [
        TONGUES[name]
        for name, strong in _STRONG.items()
        if not strong.isdisjoint(said) or (is_clear and len(_WEAK[name] & said) > 1)
    ]
