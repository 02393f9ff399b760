"""Words that present a text: what stands below them is shown, not said."""

from __future__ import annotations

import re

from dreamd.domain.prose.cued import any_of, cued
from dreamd.text.late import late

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
_THESE = "this these following"
_TEXTS = (
    "e email emails mail mails message messages page pages article articles text texts paragraph"
    " paragraphs passage passages letter letters post posts draft drafts essay essays doc docs"
    " document documents documentation readme guide guides spec specs specification specifications"
    " criteria chat chats thread threads transcript transcripts prompt prompts policy policies"
    " contract contracts clause clauses terms recipe recipes lyrics song songs poem poems story"
    " stories ticket tickets comment comments sentence sentences statement statements abstract"
    " abstracts quote quotes tweet tweets slogan slogans requirements reply replies answer answers"
    " minutes speech bio cv resume excerpt excerpts conversation conversations"
)
_REWORDS = "summarise summarize translate rewrite rephrase reword paraphrase proofread"
_PRESENTS = any_of(
    # work on a text is asked for
    cued(
        r"\b(?:summari[sz]e|translate|rewrite|rephrase|reword|paraphrase|proofread|polish|shorten|critique|grade"
        r"|analy[sz]e|edit|improve|correct|review|check|explain|simplify|convert|reply\s+to|respond\s+to"
        r"|(?:feedback|thoughts|opinion)\s+on|make\s+sense\s+of)"
        rf"\b[^.?!]{{0,60}}\b(?:{_THIS}|below|{_TEXT})(?!\w)",
        f"{_REWORDS} polish shorten critique grade analyse analyze edit improve correct review"
        " check explain simplify convert reply respond feedback thoughts opinion sense",
        f"{_THESE} below {_TEXTS}",
    ),
    cued(
        r"^(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:summari[sz]e|translate|rewrite|rephrase|reword"
        r"|paraphrase|proofread)\b",
        _REWORDS,
    ),
    cued(
        r"\b(?:check|correct|fix|improve)\s+(?:my|the|this)\s+(?:grammar|spelling|english|wording"
        r"|punctuation|writing)\b",
        "grammar spelling english wording punctuation writing",
    ),
    cued(
        r"\bwhat\s+(?:does|do)\s+(?:this|these|that|it|he|she|they)\b[^.?!]{0,40}\bmean\b",
        "what",
        "mean",
    ),
    # it is said whose it is, or where it comes from
    cued(r"\bhere(?:'s|\s+is|\s+are)\b", "here"),
    cued(
        rf"\b(?:got|received|found|copied|pasted|saw|read|wrote|sent|posted|left)\b[^.?!]{{0,40}}?\b{_THIS}"
        rf"(?=\s+(?:\w+\s+){{0,2}}{_TEXT}|\s*[.:?!]?$|\s+(?:from|in|on|by)\b)",
        "got received found copied pasted saw read wrote sent posted left",
        _THESE,
    ),
    cued(
        rf"\b{_THIS}\s+(?:is|are|was|were)\s+(?:what\s+[^.?!]{{1,40}}\b{_SAID}\b"
        rf"|(?:the|a|an|my|our|your|their|his|her|from)\s+(?:[\w'-]+\s+){{0,3}}{_TEXT})",
        _THESE,
        "is are was were",
    ),
    cued(
        rf"\b{_SAID}\s+(?:{_THIS}|so)\b",
        "say says said state states stated wrote writes reads replied answered me sent posted",
        f"{_THESE} so",
    ),
    cued(rf"\b(?:like\s+{_THIS}|the\s+following|below)\s*[.:?!]*$", f"{_THESE} below"),
    cued(rf"\b(?:read|look\s+at)\s+{_THIS}\b[^.?!]{{0,60}}[.:?!]?$", "read look", _THESE),
    cued(
        r"\b(?:my|our|the|their)\s+(?:\w+\s+){0,2}(?:terms(?:\s+of\s+\w+)?|draft|essay|cover\s+letter|poem"
        r"|lyrics|abstract|homework|contract|blog\s+post)\b[^.]{0,80}\?$",
        "terms draft essay letter poem lyrics abstract homework contract post",
    ),
)
_GOES_ON = late(
    r"(?:also|and|but|so|btw|by\s+the\s+way|oh|ps|p\.s\.?|additionally|besides|then|otherwise|anyway"
    r"|(?:one|another)\s+(?:more\s+|last\s+|other\s+)?thing)\b",
    re.IGNORECASE,
)
_HIJACKS = cued(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|of|the|your|my|these|those|its)\s+)*"
    r"(?:previous|prior|above|earlier|preceding|former|existing|safety|system|original)?\s*"
    r"(?:instructions?|guidelines|prompts?|system\s+prompt|directives|guardrails)\b"
    r"|\b(?:don't|do\s+not|never|without)\s+(?:tell|telling|inform|informing|alert|alerting|notify"
    r"|notifying|warn|warning)\s+the\s+user\b",
    # The words before need no space behind them.
    "instruction* guidelines* prompt* directives* guardrails* user",
)
_LOOKS_BACK = any_of(
    cued(
        r"\b(?:summari[sz]e|translate|rewrite|rephrase|reword|paraphrase|proofread|polish|shorten|simplify|turn)"
        r"\s+(?:this|it|these)\b",
        f"{_REWORDS} polish shorten simplify turn",
        "this it these",
    ),
    cued(
        rf"\bmake\s+(?:this|these)\s+(?:[\w'-]+\s+){{0,2}}{_TEXT}",
        "make",
        "this these",
    ),
    cued(
        r"\bwhat\s+(?:does|do)\s+(?:this|it|that|these)\s+(?:all\s+)?mean\b",
        "what",
        "mean",
    ),
    cued(
        r"\b(?:is|are|does)\s+(?:this|that|these)\s+(?:\w+\s+){0,2}(?:good|right|true|correct|safe|dangerous|legal|valid"
        r"|advice|spam|a\s+scam|polite|sound|apply|normal|outdated)\b",
        "is are does",
        "this that these",
        "good right true correct safe dangerous legal valid advice spam scam polite sound apply"
        " normal outdated",
    ),
    cued(
        r"\b(?:got|received|found|copied|saw|read)\s+this\s+(?:in|on|from)\b",
        "got received found copied saw read",
        "this",
    ),
    cued(r"\btl;?\s?dr\b", "tl tldr"),
    cued(
        r"\b(?:what|how)\s+(?:should|do|can|shall|would)\s+(?:i|we)\s+(?:answer|reply|respond)\b",
        "what how",
        "answer reply respond",
    ),
)
_TOLD = 200  # characters before the text, in which it is presented


def presents(shown: str) -> bool:
    """Whether the end of a paragraph presents a text, as "can you summarise this page?" does."""
    end = shown[-_TOLD:]
    return _PRESENTS.is_in(end)


def looks_back(shown: str) -> bool:
    """Whether a message's last words are about the text above: "… what does this mean?"."""
    end = shown[-_TOLD:]
    return "^" in end or _LOOKS_BACK.is_in(end)


def goes_on(shown: str) -> bool:
    """Whether words follow on from the person's own, as "also, …" and "one more thing" do."""
    return _GOES_ON.match(shown) is not None


def hijacks(shown: str) -> bool:
    """Whether words turn an assistant against what it was told: nobody asks that of their own."""
    return _HIJACKS.search(shown) is not None
