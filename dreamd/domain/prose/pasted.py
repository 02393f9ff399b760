"""Lines that nobody typed: code, logs, diffs, quotations, letters, chats, documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dreamd.domain.prose.cued import cued
from dreamd.text.late import late

PASTED = "\0"  # stands for a line that was left out
_FENCE = late(r"[ \t]{0,12}(?:[-*+]\s+|\d{1,3}[.)]\s+)?(```+|~~~+)(.*)")
LONGEST = 4_000  # characters of a line; longer ones are pasted, unless somebody dictated them
_DICTATED = 16_000  # characters of what somebody says at a stretch
_STRETCH = 1_000  # characters, in each of which who dictates speaks of themselves so many times:
_TIMES = 3
_RUNS_ON = 400  # characters of a sentence at least, for each mark that ends one
_REQUESTS = 2
_MYSELF = late(r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b")
_ASKS_YOU = late(  # whoever listens
    r"\b(?:can|could|would) you (?:please )?(?:also )?(?:help|explain|show|tell|give|provide|check"
    r"|make|write|create|suggest|walk|verify|review|fix|add|look)\b"
    r"|\bhelp me (?:with|understand|figure|find|plan|to)\b|\bso please \w+",
    re.IGNORECASE,
)
_SAID_BY = late(
    r"[\"“”«»]|(?<!\w)'(?=\w)|\b(?:dear|hi|hello|sincerely|regards|dr\.|inc\.)\s", re.IGNORECASE
)
_ENDS = late(r"[.!?](?=\s|$)")
_DEEP = late(r"(?: {4}|\t)[ \t]*(?![-*+•] |\d{1,3}[.)] )\S")
_TAG = late(r"[ \t]*<([A-Za-z][\w.:-]{0,60})\b[^<>]{0,300}>")
_CLOSING = late(r"</([A-Za-z][\w.:-]{0,60})>")
_MACHINE = late(
    r"[ \t]*(?:"
    r">|\||[{}\[\]()]|</?[A-Za-z!?]|//|/\*|\*/|\*\s*$|#!|#\w|--\s|;;|%\s|@@|\+\+\+|---|===|\*\*\*"
    r"|[+-](?![\s\d])\S|\$\s|%\s|>>>|\.\.\.\s|[\w.-]+@[\w.-]+[:$%#]|~/\S*\s*[$%#]"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTE|TODO|FIXME|HACK|XXX)\b[\]:(]"
    r"|Traceback \(|File \"|at [\w$.<>]+ ?\(|caused by:|warning:|error(?:\[\w+\])?:|note:|hint:"
    r"|(?:import|from|export|const|let|var|def|class|function|return|public|private|static|func"
    r"|package|#include|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\s[\w\"'{*.]+.{0,120}[;{(:=]\s*$"
    r"|[\w\"'.-]{1,60}\s?[=:]\s?[\[{\"'].{0,300}$|\"[\w.-]+\"\s*:|[\w.-]+\s*=\s*\S+\s*$"
    r")"
)
_CODE_END = late(r"(?:;|\{|\}|\\|=>|\)\s*=>?|/>|</\w+>)\s*$")
_CODE_ENDS = (";", "{", "}", "\\", ">", "=")
_HUNK = ("@@ -", "diff --git ")
_HEADING = late(r" {0,3}#{1,6}\s+\S")
_UNDERLINE = late(r"\s*(?:={3,}|-{3,}|\*{3,}|_{3,})\s*$")
_HEADER = late(
    r"\s*\**(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Von|An|Betreff|De|Objet)\**:\s",
    re.IGNORECASE,
)
_GREETING = late(
    r"\s*(?:dear|hi|hello|hey)\s+(?!claude|there\b|again\b|assistant)[\w .'-]{1,40},\s*$",
    re.IGNORECASE,
)
_FAREWELL = late(
    r"\s*(?:(?:kind|best|warm|many)\s+(?:regards|wishes)|regards|sincerely|yours\s+\w+),?\s*$",
    re.IGNORECASE,
)
_SPEAKER = late(
    r"[ \t]*[\[(<*]{0,3}(?:\d[\d:., /apmAPM-]{2,24}[\])]?\s+(?:-\s+)?)?[*_@<]{0,3}"
    r"(?P<name>[^\W\d_][\w.'’-]{0,24}(?: [^\W\d_][\w.'’-]{0,24}){0,2})"  # noqa: RUF001
    r"(?:\s?\([^()]{1,30}\))?[>*_\])]{0,4}(?:\s\d{1,2}:\d\d(?:\s?[AaPp][Mm])?)?[>*_\])]{0,4}"
    r"(?::[*_]{0,2}(?:\s+(?P<said>\S)|\s*$)|>\s+(?P<typed>\S))"
)
_STAMPED = late(  # who wrote when, above what they wrote, as copied from a messenger
    r"[ \t]*\S{1,25}(?: \S{1,25}){0,2}(?:\s{2,}\[?\d{1,2}:\d\d(?:\s?[AaPp][Mm])?"
    r"|\s\[?\d{1,2}:\d\d\s?[AaPp][Mm])\]?\s*"
)
_OWN_LABEL = late(
    r"(?:please |pls |one |another |some |my |our |the |also |and |so |just |quick |side |big "
    r"|p\.?)*"
    r"(?:remember|reminder|note|notes|important|rules?|preferences?|fyi|correction|update|ps|s\.?"
    r"|edit|also|todo|thing|things|memory|always|never|again|convention|conventions|policy|ok|okay"
    r"|guidelines?|instructions?|nb|btw|heads up|request|ground rules|future|reference|question"
    r"|from now on|going forward|in mind|don't forget|keep in mind|style|context|goal|task)\b.*",
    re.IGNORECASE,
)
_QUOTED = late(r"(?<!\w)[\"“](?=\w)[^\"“”]*[\"”](?!\w)")
_BLANK_LINE = late(r"\n[ \t]*\n")
_ROLE = late(
    r"\s*(?:(?:ok|okay|so|now|hey|hi)\b[,!]?\s+)*(?:you are|you're|act as|you will act"
    r"|(?:let's )?role[- ]?play|let's (?:pretend|play)|i want you to act|pretend|imagine you"
    r"|your role is|your task is|system prompt|\[?system\]?:|#+\s*(?:system|role|instructions))\b"
    r"(?!\s+(?:right|wrong|correct|not|still|using|doing|missing|always|making|adding))",
    re.IGNORECASE,
)
_LEADS = late(
    r"\b(?:here(?:'s| is| are)|this is|these are|look at|see|check|read|below|above|following"
    r"|output|errors?|logs?|trace\w*|docs?|documents?|documentation|page|article|e-?mails?|spec"
    r"|translate|rewrite|rephrase|proofread|review\w*|summari[sz]e|improve|fix|reply|respond|answer"
    r"|messages?|texts?|prompts?|files?|contents?|says|said|wrote|writes|says that|reads|prints?"
    r"|tells|told|quote|ticket|issue|comment|post|thread|essay|draft|letter|transcript"
    r"|conversation|chat|plan|readme|implement|write|example|e\.g\.?|for instance|like"
    r"|lyrics|songs?|poems?|stor(?:y|ies)|recipes?|slogans?|terms|polic(?:y|ies)|criteria|requirements|clauses?)\b",
    re.IGNORECASE,
)
_LAST_SENTENCE = late(r"[.!?]\s")
_ASKS_MEMORY = cued(
    r"\b(?:remember|keep in mind|bear in mind|don['’]t forget|do not forget|memori[sz]e"  # noqa: RUF001
    r"|for (?:future|later) reference|from now on|going forward|(?:my|our) (?:\w+ )?(?:preferences"
    r"|rules|conventions)|to your memory)\b",
    "remember mind forget memorise memorize reference now forward preferences rules conventions"
    " memory",
)


def own_rows(message: str) -> tuple[str, ...]:
    """Return the lines a person typed; `PASTED` stands for each that was pasted."""
    if _ROLE.match(message):
        return ()
    text = message.replace("\r\n", "\n")
    if _BLANK_LINE.search(text):
        text = _QUOTED.sub(_without_spread, text)
    rows = _without_fences(text.split("\n"))
    rows = _until_document(tuple(_without_tags(_without_diffs(rows))))
    return tuple(PASTED if _is_pasted(row) else row for row in rows)


def is_lead_to_pasted(lead: str) -> bool:
    """Whether words ending in a colon say that what follows is shown, not said."""
    lead = _LAST_SENTENCE.split(lead)[-1]
    return _LEADS.search(lead) is not None and not asks_memory(lead)


def asks_memory(lead: str) -> bool:
    """Whether words ask to remember what comes after them."""
    return _ASKS_MEMORY.search(lead) is not None


def is_dictated(row: str) -> bool:
    """Whether somebody said a long line at a stretch, rather than wrote it.

    They speak of themselves all along, ask whoever listens for help more than once, hardly end a
    sentence, and neither greet nor quote anybody.
    """
    if len(row) > _DICTATED or len(_ENDS.findall(row)) * _RUNS_ON > len(row):
        return False
    if len(_ASKS_YOU.findall(row)) < _REQUESTS or _SAID_BY.search(row):
        return False
    stretches = range(0, len(row) - _STRETCH // 2, _STRETCH)
    return all(len(_MYSELF.findall(row, at, at + _STRETCH)) >= _TIMES for at in stretches)


def _is_pasted(row: str) -> bool:
    return (
        (len(row) > LONGEST and not is_dictated(row))
        or (row[:1].isspace() and _DEEP.match(row) is not None)
        or _MACHINE.match(row) is not None
        or (row.rstrip().endswith(_CODE_ENDS) and _CODE_END.search(row[-40:]) is not None)
    )


def _without_spread(quoted: re.Match[str]) -> str:
    """Return a quotation, or a blank line where it is one of several paragraphs."""
    return f"\n{PASTED}\n" if _BLANK_LINE.search(quoted[0]) else quoted[0]


def _without_fences(rows: Sequence[str]) -> tuple[str, ...]:
    """Return lines with code fences blanked; one left open runs to the end of the message."""
    if not any("```" in row or "~~~" in row for row in rows):
        return tuple(rows)
    kept: list[str] = []
    mark = ""
    for row in rows:
        found = _FENCE.match(row)
        if mark:
            closes = found and found[1].startswith(mark) and not found[2].strip()
            mark = "" if closes else mark
            kept.append(PASTED)
        elif found and "`" not in found[2]:
            mark = found[1]
            kept.append(PASTED)
        else:
            kept.append(row)
    return tuple(kept)


def _without_diffs(rows: Sequence[str]) -> tuple[str, ...]:
    """Return lines with those of a diff blanked, where one stands among them."""
    if not any(row.startswith(_HUNK) for row in rows):
        return tuple(rows)
    return tuple(PASTED if row[:1] in {"+", "-", " "} else row for row in rows)


def _without_tags(rows: Sequence[str]) -> Iterator[str]:
    """Yield lines with elements (`<log>` … `</log>`) blanked, an unclosed one to a blank line."""
    closings = {
        name.casefold(): number
        for number, row in enumerate(rows)
        if "</" in row
        for name in _CLOSING.findall(row)
    }
    until = -1
    in_block = False
    for number, row in enumerate(rows):
        found = _TAG.match(row) if number > until and "<" in row else None
        if found:
            until = closings.get(found[1].casefold(), -1)
            in_block = until < number
        in_block = in_block and bool(row.strip())
        yield PASTED if number <= until or in_block else row


def _until_document(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return what stands before a document, a letter or a chat that was pasted."""
    rows = _without_letter(rows)
    headers = [number for number, row in enumerate(rows) if ":" in row and _HEADER.match(row)]
    speakers = [number for number, row in enumerate(rows) if _is_speaker(row)]
    ends = [number for number, row in enumerate(rows) if "#" in row and _HEADING.match(row)]
    ends += [
        number - 1
        for number, row in enumerate(rows)
        if number and rows[number - 1].strip() and _UNDERLINE.match(row)
    ]
    if len(headers) > 1:
        ends.append(headers[0])
    stamped = [number for number, row in enumerate(rows) if ":" in row and _is_stamp(row)]
    if len(stamped) > 1:
        ends.append(stamped[0])
    return rows[: min([*ends, *speakers[:1], len(rows)])]


def _without_letter(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines with a letter blanked: from its greeting, or the top, to its farewell or end."""
    greeting = next((n for n, row in enumerate(rows) if _GREETING.match(row)), None)
    ends = [n for n, row in enumerate(rows) if n > (greeting or 0) and _FAREWELL.match(row)]
    if greeting is None and not ends:
        return rows
    begin, end = greeting or 0, ends[-1] if ends else len(rows)
    return (*rows[:begin], *(PASTED for _ in rows[begin : end + 1]), *rows[end + 1 :])


def _is_stamp(row: str) -> bool:
    return _STAMPED.fullmatch(row[:120]) is not None


def _is_speaker(row: str) -> bool:
    """Whether a line begins with who says it: `Bob: Always rebase`, `[10:02] Ann: …`."""
    found = _SPEAKER.match(row[:200]) if ":" in row or ">" in row else None
    if found is None or _OWN_LABEL.fullmatch(found["name"]):
        return False
    name, said = found["name"], found["said"] or found["typed"] or ""
    if name.casefold() in {"user", "assistant", "human", "ai", "system", "bot", "me", "q", "a"}:
        return True
    return name[0].isupper() and all(part[0].isupper() for part in name.split()) and said.isupper()
