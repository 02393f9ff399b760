"""What is said in several words, in one way each."""

from __future__ import annotations

import re

from dreamd.engine.rules.near import fillers
from dreamd.engine.rules.near.amounts import days
from dreamd.engine.rules.near.clefts import Rewriting
from dreamd.engine.rules.near.english import ENGLISH, SAID
from dreamd.engine.rules.near.idioms import in_one_word
from dreamd.engine.rules.near.passives import told_actively
from dreamd.text.late import late
from dreamd.text.markdown.markdown import plain
from dreamd.text.values.units import NUMBER_WORDS

_GERMAN: tuple[Rewriting, ...] = (
    *((each, " ") for each in fillers.GERMAN),
    *days("de"),
    (r"\b(?:ist|sind|liegt) (?:auf|bei) (.+?) (?:gesetzt|festgelegt|eingestellt)\b", r"ist \1"),
    (
        r"\b(?:jeden|jede|jedes) (montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b",
        r"\1s",
    ),
    (r"\bjede nacht\b", "nachts"),
    (r"\bjeden (morgen|abend|vormittag|nachmittag|mittag)\b", r"\1s"),
    (r"\bjeden tag\b", "täglich"),
    (r"\bjede woche\b", "wöchentlich"),
    (r"\bjeden monat\b", "monatlich"),
    (r"\bjedes jahr\b|\balljährlich\b", "jährlich"),
    (r"\bjede stunde\b", "stündlich"),
    (r"\bfalls\b", "wenn"),
    (r"\b(?:höchstens|maximal)\b", "≤"),
    (r"\b(?:mindestens|minimal)\b", "≥"),
    (r"(?<=\d )minuten?\b", "min"),
    (r"\b(\d{1,2}) uhr\b", r"\1:00"),
    (r"(?<=\d:\d\d) uhr\b", ""),
)
_SPANISH: tuple[Rewriting, ...] = (
    *((each, " ") for each in fillers.SPANISH),
    *days("es"),
    (r"^por favor\b,?|, por favor\b", " "),
    (r"\b(?:todos los|cada) (lunes|martes|miércoles|jueves|viernes)\b", r"los \1"),
    (r"\btodos los (días|meses|años)\b", r"cada \1"),
    (r"\btodas las (noches|mañanas|tardes|semanas)\b", r"cada \1"),
    (r"\b(?:a diario|diariamente)\b", "cada día"),
    (r"\bsemanalmente\b", "cada semana"),
    (r"\bmensualmente\b", "cada mes"),
    (r"\banualmente\b", "cada año"),
    (r"\bcomo máximo\b|\bcomo mucho\b", "≤"),
    (r"\bcomo mínimo\b|\bal menos\b", "≥"),
    (r"\bmi\b", "mío"),  # no miles
    (r"\bse llama(n?)\b", r"sellama\1"),
)
_FRENCH: tuple[Rewriting, ...] = (
    *((each, " ") for each in fillers.FRENCH),
    *days("fr"),
    (r"\b(?:s'il (?:te|vous) pla[iî]t)\b,?", " "),
    (r"\b(est|sont) (?:fixée?s?|réglée?s?|configurée?s?) (?:à|sur)\b", r"\1 de"),
    (r"\bécoute sur le port\b|\btourne sur le port\b", "utilise le port"),
    (r"\b(?:tous les|chaque) (lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?\b", r"le \1"),
    (r"\btous les (jour|matin|soir|moi|an)s\b", r"chaque \1"),
    (r"\btoutes les (nuit|semaine|année|heure)s\b", r"chaque \1"),
    (r"\b(?:quotidiennement)\b", "chaque jour"),
    (r"\b(?:chaque année|annuellement)\b", "chaque an"),
    (r"\bmensuellement\b", "chaque moi"),
    (r"\b(?:au maximum|au plus)\b", "≤"),
    (r"\b(?:au minimum|au moins)\b", "≥"),
    (r"\blorsqu(?:e\b|')", "quand "),
    (r"\bs'appelle(nt)?\b", r"sappelle\1"),
)
_ITALIAN: tuple[tuple[str, str], ...] = (
    *((each, " ") for each in fillers.ITALIAN),
    (r"\bsi chiama(no)?\b", r"sichiama\1"),
    (r"\bc'è\b|\bci sono\b", " "),
)
_PORTUGUESE: tuple[tuple[str, str], ...] = (
    *((each, " ") for each in fillers.PORTUGUESE),
    (r"\bchama(m?)-se\b|\bse chama(m?)\b", r"chamase\1"),
)
_DUTCH: tuple[tuple[str, str], ...] = (*((each, " ") for each in fillers.DUTCH),)
_JAPANESE: tuple[tuple[str, str], ...] = (  # polite forms to plain ones
    (r"(?<=[一-鿿])みます", "む"),
    (r"(?<=[一-鿿])きます", "く"),
    (r"(?<=[一-鿿])ります", "る"),
    (r"(?<=[一-鿿])います", "う"),
    (r"(?<=[べえけせてねめれげでじ])ます", "る"),
    (r"されます", "される"),
    (r"します", "する"),
    (r"ています", "ている"),
    (r"あります", "ある"),
    (r"(?:です|である|だ|がある)(?=[。、\s]|$)", ""),
    (r"(?:利用|使用)する|使う", "使用する"),
    (r"(?:ミーティング|打ち合わせ)", "会議"),
    (r"曜日", "曜"),
    (r"毎日", "日々"),
    (r"(?<=[サユタダザ])(ーバ|ーザ)ー", r"\1"),
    (r"(?<=コンピュータ)ー|(?<=フォルダ)ー|(?<=プリンタ)ー|(?<=ブラウザ)ー", ""),
    (r"^([^はがを]*)[がを]([^はがを]*)$", r"\1は\2"),  # the one thing that is told of
)
_CHINESE: tuple[tuple[str, str], ...] = (
    (r"星期|礼拜", "周"),
    (r"周天", "周日"),
    (r"每日", "每天"),
    (r"早晨|清晨", "早上"),
    (r"点钟", "点"),
    (r"位于", "在"),
    (r"存放|存储|储存", "保存"),
    (r"改到了", "改到"),
    (r"使用", "用"),
    (r"需要", "要"),
    (r"大约|大概", "约"),
    (r"计算机", "电脑"),
    (r"购买", "买"),
    (r"母亲", "妈妈"),
    (r"父亲", "爸爸"),
    (r"医师|大夫", "医生"),
)
_REWRITTEN = {
    "en": ENGLISH,
    "": ENGLISH,
    "de": _GERMAN,
    "es": _SPANISH,
    "fr": _FRENCH,
    "it": _ITALIAN,
    "nl": _DUTCH,
    "pt": _PORTUGUESE,
    "ja": _JAPANESE,
    "zh": _CHINESE,
}
_SAID = tuple((late(each, re.IGNORECASE), to) for each, to in SAID)
_PATTERNS = {
    name: tuple((late(each, re.IGNORECASE), to) for each, to in rows)
    for name, rows in _REWRITTEN.items()
}
# "one" is an article, too, and "once", "sept", "neuf", "acht" are other words elsewhere
_SPELT_NUMBERS = {word: n for word, n in NUMBER_WORDS.items() if word not in {"zero", "one"}}
NUMBERS_SPELT = {
    "en": _SPELT_NUMBERS,
    "": _SPELT_NUMBERS,
    **{
        name: {word: str(n) for n, word in enumerate(row.split(), 2) if word != "-"}
        for name, row in {
            "de": "zwei drei vier fünf sechs sieben - neun zehn elf zwölf",
            "es": "dos tres cuatro cinco seis siete ocho nueve diez - doce",
            "fr": "deux trois quatre cinq six - huit - dix onze douze",
        }.items()
    },
}
_LEADS = tuple(
    late(each, re.IGNORECASE)
    for each in (*fillers.FILLERS, *fillers.GERMAN, *fillers.FRENCH, *fillers.SPANISH)
    if each.startswith("^")
)
_SHORTENED = late(r"\b(Dr|Mr|Mrs|Ms|St|Prof|Hr|Fr|Sr|Sra|Mme|approx|ca)\.(?=\s)")
_COUNTED = {
    name: late(rf"\b(?:{'|'.join(row)})\b", re.IGNORECASE) for name, row in NUMBERS_SPELT.items()
}


def is_wrapped(row: str) -> bool:
    """Whether a line has words that only say that something is said: "By the way, …"."""
    text = plain(row.lstrip("-*+> "))
    return any(pattern.search(text) for pattern in _LEADS)


def plainly(text: str, spoken: str) -> str:
    """Return a text of the language `spoken` without fillers, each turn of it in its one form."""
    text = text.replace("’", "'")  # noqa: RUF001
    text = _SHORTENED.sub(r"\1", text)
    counted = _COUNTED.get(spoken)
    if counted is not None:
        numbers = NUMBERS_SPELT[spoken]
        text = counted.sub(lambda match: numbers[match[0].casefold()], text)
    if spoken in {"en", ""}:
        for pattern, to in _SAID:
            text = pattern.sub(to, text)
        text = in_one_word(text)
    for pattern, telling in _PATTERNS.get(spoken, ()):
        text = pattern.sub(telling, text)
    return told_actively(text.strip(), spoken)
