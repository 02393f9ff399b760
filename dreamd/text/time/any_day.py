"""Decide whether `today` or `last month` means no particular day: a habit or a condition."""

from __future__ import annotations

from dreamd.text.late import late
from dreamd.text.time.tenses import is_general, is_past

_BOUND = late(
    r"[,;:.!?—–\n]|\s(?:and|but|so|because|while|since|though|although|if|unless|when|which)\s"  # noqa: RUF001
)
_BESIDE = late(r"\s?\((?:said )?\d{4}[-\d]{0,6}(?: to [-\d]{10})?\)")
_SENTENCE = late(r"[;.!?\n]")
_REACH = 200  # characters on either side that a phrase is read with
_PRONOUN = r"(?:i|you|he|she|it|we|they|one)"
_CAN = rf"what\s{_PRONOUN}\s(?:can|could|should|must)\b"
_PEOPLE = (  # of whom something is said in general
    r"(?:people|kids|children|teens|teenagers|students|parents|families|women|men|users|customers"
    r"|consumers|readers|workers|employees|employers|leaders|developers|programmers|engineers"
    r"|designers|players|artists|scientists|companies|society|youth|world|technology|standards"
    r"|economy|workforce|generation)"
)
_SAYING_BEFORE = late(
    rf"(?i)\b{_CAN}[^,;.!?]{{0,60}}$"  # "what you can do today"
    r"|\b(?:person|people|man|woman|child|girl|boy|one|same|team|company|who|what)\s"
    rf"(?:that\s|who\s)?{_PRONOUN}\s(?:was|were|am|are|is)\s$"  # "the man I was yesterday"
    r"|\bas\s(?:if|though)\b[^,;.!?]{0,40}$|(?:not|n['’]t)\sborn\s$"  # noqa: RUF001
    r"|\b(?:named|titled|entitled|labell?ed|the\s(?:word|term|phrase)|(?:is|are)\scalled)\s$"
)
_URGENT = late(  # "do it yesterday", "she wants it done yesterday"
    r"(?i)(?:^|[.!?:;]\s|\bplease\s)[\s>*_-]*(?:do|fix|ship|finish|send|merge|deploy)\s"
    r"(?:it|this|that|them)\s$"
    r"|\b(?:want|need)s?\b[^,;.!?]{0,60}\b(?:done|finished|ready|fixed|shipped|delivered|it|them"
    r"|this|that|everything)\s$"
)
_SAYING_AFTER = late(
    rf"(?i)\s{_CAN}|\s(?:is|['’]s)\sanother\sday\b"  # noqa: RUF001
)
_KIND = {  # of what a span names a kind: "next year's model", "a this morning person"
    "year": late(r"(?i)['’]s\s(?:model|edition|version|generation|style)s?\b"),  # noqa: RUF001
    "morning": late(r"(?i)\s(?:person|people|type|bird)\b"),
}
_NOWADAYS_BEFORE = late(rf"(?i)\b{_PEOPLE}\s$")
_NOWADAYS_AFTER = late(
    rf"(?i)['’]s\s(?:\w+\s)?{_PEOPLE}\b|,?\s(?:most|many|few|nobody|everyone|everybody)\b"  # noqa: RUF001
)
_NAMED = late(r"\s(?:(?:is|are|isn['’]t)\b|by\s(?:the\s)?[A-Z])")  # noqa: RUF001
_MAY = late(r"(?i)\b(?:could|would|might|may)\b")
_CONDITION = late(r"(?i)\b(?:if|unless)\b")


def is_any_day(text: str, start: int, end: int) -> bool:
    """Whether the phrase in these columns of a text means no particular day.

    `tomorrow never comes` (what is always so, in the present), `what you can do today`, `the
    child she was yesterday`, `wants it done yesterday`, `if I am early I could leave tomorrow`.
    """
    before, after = text[max(start - _REACH, 0) : start], text[end : end + _REACH]
    if _SAYING_BEFORE.search(before) or _SAYING_AFTER.match(after):
        return True
    head, tail = clause(text, start, end)
    word = text[start:end].casefold()
    if (kind := _KIND.get(word.rpartition(" ")[2])) and kind.match(after):
        return True
    if word == "yesterday" and (_URGENT.search(before) or _is_named(head, after)):
        return True
    if word == "today" and (_NOWADAYS_BEFORE.search(before) or _NOWADAYS_AFTER.match(after)):
        return not is_past(head + tail)
    if is_general(f"{head}{text[start:end]}{tail}"):
        return True
    return bool(_MAY.search(head) and _CONDITION.search(_sentence(before, after)))


def _is_named(head: str, after: str) -> bool:
    """Whether yesterday is something in itself: "Yesterday is my favourite song"."""
    return not any(map(str.isalpha, head)) and _NAMED.match(after) is not None


def clause(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the text before and after a phrase in its own clause, without days in brackets."""
    before = _BESIDE.sub("", text[max(start - _REACH, 0) : start])
    after = _BESIDE.sub("", text[end : end + _REACH])
    ends = [match.end() for match in _BOUND.finditer(before)]
    closes = _BOUND.search(after)
    return before[ends[-1] if ends else 0 :], after[: closes.start()] if closes else after


def _sentence(before: str, after: str) -> str:
    opens = [match.end() for match in _SENTENCE.finditer(before)]
    closes = _SENTENCE.search(after)
    return before[opens[-1] if opens else 0 :] + after[: closes.start() if closes else len(after)]
