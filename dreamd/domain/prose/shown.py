"""Words that present a text: what stands below them is shown, not said."""

from __future__ import annotations

import re

_TEXT = (
    r"(?:e-?mails?|mails?|messages?|pages?|articles?|texts?|paragraphs?|passages?|letters?|posts?|drafts?"
    r"|essays?|docs?|documents?|documentation|readme|guides?|specs?|specifications?|criteria|chats?|threads?"
    r"|transcripts?|prompts?|polic(?:y|ies)|contracts?|clauses?|terms|recipes?|lyrics|songs?|poems?"
    r"|stor(?:y|ies)|tickets?|comments?|sentences?|statements?|abstracts?|quotes?|tweets?|slogans?"
    r"|requirements|repl(?:y|ies)|answers?|minutes|speech|bio|cv|resume|excerpts?|conversations?)\b"
)
_THIS = r"(?:this|these|the\s+following)"
_SAID = (
    r"(?:say|says|said|states?|stated|wrote|writes|reads|replied|answered|told\s+me|sent|posted)"
)
_PRESENTS = re.compile(
    # work on a text is asked for
    r"\b(?:summari[sz]e|translate|rewrite|rephrase|reword|paraphrase|proofread|polish|shorten|critique|grade"
    r"|analy[sz]e|edit|improve|correct|review|check|explain|simplify|convert|reply\s+to|respond\s+to"
    r"|(?:feedback|thoughts|opinion)\s+on|make\s+sense\s+of)"
    rf"\b[^.?!]{{0,60}}\b(?:{_THIS}|below|{_TEXT})(?!\w)"
    r"|^(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:summari[sz]e|translate|rewrite|rephrase|reword"
    r"|paraphrase|proofread)\b"
    r"|\b(?:check|correct|fix|improve)\s+(?:my|the|this)\s+(?:grammar|spelling|english|wording"
    r"|punctuation|writing)\b"
    r"|\bwhat\s+(?:does|do)\s+(?:this|these|that|it|he|she|they)\b[^.?!]{0,40}\bmean\b"
    # it is said whose it is, or where it comes from
    r"|\bhere(?:'s|\s+is|\s+are)\b"
    rf"|\b(?:got|received|found|copied|pasted|saw|read|wrote|sent|posted|left)\b[^.?!]{{0,40}}?\b{_THIS}"
    rf"(?=\s+(?:\w+\s+){{0,2}}{_TEXT}|\s*[.:?!]?$|\s+(?:from|in|on|by)\b)"
    rf"|\b{_THIS}\s+(?:is|are|was|were)\s+(?:what\s+[^.?!]{{1,40}}\b{_SAID}\b"
    rf"|(?:the|a|an|my|our|your|their|his|her|from)\s+(?:[\w'-]+\s+){{0,3}}{_TEXT})"
    rf"|\b{_SAID}\s+(?:{_THIS}|so)\b"
    rf"|\b(?:like\s+{_THIS}|the\s+following|below)\s*[.:?!]*$"
    r"|\b(?:my|our|the|their)\s+(?:\w+\s+){0,2}(?:terms(?:\s+of\s+\w+)?|draft|essay|cover\s+letter|poem"
    r"|lyrics|abstract|homework|contract|blog\s+post)\b[^.]{0,80}\?$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:also|and|but|so|btw|by\s+the\s+way|oh|ps|p\.s\.?|additionally|besides|then|otherwise|anyway"
    r"|(?:one|another)\s+(?:more\s+|last\s+|other\s+)?thing)\b",
    re.IGNORECASE,
)
_HIJACKS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|of|the|your|my|these|those|its)\s+)*"
    r"(?:previous|prior|above|earlier|preceding|former|existing|safety|system|original)?\s*"
    r"(?:instructions?|guidelines|prompts?|system\s+prompt|directives|guardrails)\b"
    r"|\b(?:don't|do\s+not|never|without)\s+(?:tell|telling|inform|informing|alert|alerting|notify"
    r"|notifying|warn|warning)\s+the\s+user\b",
    re.IGNORECASE,
)
_LOOKS_BACK = re.compile(
    r"\s*\^|\b(?:summari[sz]e|translate|rewrite|rephrase|reword|paraphrase|proofread|polish|shorten|simplify|turn)"
    rf"\s+(?:this|it|these)\b|\bmake\s+(?:this|these)\s+(?:[\w'-]+\s+){{0,2}}{_TEXT}"
    r"|\bwhat\s+(?:does|do)\s+(?:this|it|that|these)\s+(?:all\s+)?mean\b"
    r"|\b(?:is|are|does)\s+(?:this|that|these)\s+(?:\w+\s+){0,2}(?:good|right|true|correct|safe|dangerous|legal|valid"
    r"|advice|spam|a\s+scam|polite|sound|apply|normal|outdated)\b"
    r"|\b(?:got|received|found|copied|saw|read)\s+this\s+(?:in|on|from)\b",
    re.IGNORECASE,
)
_TOLD = 200  # characters before the text, in which it is presented


def presents(shown: str) -> bool:
    """Whether the end of a paragraph presents a text, as "can you summarise this page?" does."""
    return _PRESENTS.search(shown[-_TOLD:]) is not None


def looks_back(shown: str) -> bool:
    """Whether a message's last words are about the text above: "… what does this mean?"."""
    return _LOOKS_BACK.search(shown[-_TOLD:]) is not None


def goes_on(shown: str) -> bool:
    """Whether words follow on from the person's own, as "also, …" and "one more thing" do."""
    return _GOES_ON.match(shown) is not None


def hijacks(shown: str) -> bool:
    """Whether words turn an assistant against what it was told: nobody asks that of their own."""
    return _HIJACKS.search(shown) is not None
