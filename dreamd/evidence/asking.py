"""The English words with which a question, a request or an intention begins."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import Piece
from dreamd.domain.prose.cued import cued
from dreamd.domain.prose.verbs import COMMAND
from dreamd.text.late import late

_WHO = r"(?:you|we|i|it|they|he|she|there|someone|anyone|this|that|these|those|the|my|our)"
_AUX = r"(?:can|could|would|will|should|do|does|did|is|are|am|was|were|shall|may|might|have|has)"
_QUESTION = (
    rf"(?:{_AUX}(?:n't)?\s+{_WHO}\b(?!\s*[.!]$)"
    r"|(?:how|what|why|where|which|who|when)\s+(?:to|do|does|did|can|could|would|should|is|are|am"
    r"|might|may|will|kind|type|sort|else|about|much|many|long|if|other|are|steps|specific"
    r"|changes?)\b|(?:what|which)\s+(?:[\w-]+\s+){1,4}?(?:can|could|should|would|do)\s+(?:i|we|you)\b"
    r"|(?:what|how|where)'s\b"
    r"|(?:got\s+|do\s+you\s+have\s+|have\s+)?any\s+(?:\w+\s+)?(?:tips|ideas?|advice|suggestions?"
    r"|thoughts|chance|recommendations?|way|feedback|insights?|pointers|resources?)\b"
    r"|(?:(?:please|just)\s+)*(?:help|guide|let|tell|show|give|walk)\s+(?:me|us)\b"
    r"|please\s+(?:\w+ly\s+)?(?:explain|fix|check|help|update|change|add|rewrite|redo|provide"
    r"|review|show|suggest|advise|optimi[sz]e|improve|create|write|give|tell|make|implement|analy[sz]e)\b"
    r"|i(?:'m|\s+am|\s+was)\s+(?:(?:just|also|still|kinda|really)\s+)*(?:wondering|unsure|curious|not\s+sure)"
    r"\s+(?:about\s+)?(?:if|whether|how|what|why|which|when|where)\b"
    r"|should\s+i\b|let's\b|right\?|ok\?|correct\?|you\s+know\?)"
)
_AND = r"(?:(?:so|and|but|or|then|also|though|yet|now|plus|basically|like)\s*,?\s+)"
_OF_YOU = r"(?:can|could|would|will|do)\s+(?:you|someone|anyone)\b"
_RELATIVE = (  # "my thesis, which is due in June": nothing is asked by it
    r"(?:which|who)\s+(?:\w+\s)[^?]*(?:$|,\s+(?:(?:so|and|but)\s+)*(?:how|what|why|can|could"
    r"|should|would|do|does|is|are|will|any)\b)"
)
_BEHIND_MARK = late(  # led by all that may begin one, for the search to be quick
    rf"[,;:—-](?:(?<=[,;:])\s*|(?<=\s[—-])[—-]*\s+)(?!{_RELATIVE}){_AND}*{_QUESTION}",
    re.IGNORECASE,
)
_BEHIND_SPACE = (
    cued(
        rf"\s+{_AND}+(?:{_OF_YOU}|(?:how|what)\s+(?:can|do|should|would)\b|should\s+i\b)",
        "so and but or then also though yet now plus basically like",
        "you someone anyone how what should",
    ),
    cued(
        rf"\s+{_OF_YOU}\s+(?:please\s+)?(?:help|explain|show|suggest|recommend|guide|give|provide"
        r"|walk|tell|verify|create|make|write|check|think|have|know|review)\b",
        "can could would will do",
        "you someone anyone",
        "help explain show suggest recommend guide give provide walk tell verify create make write"
        " check think have know review",
    ),
)
BEGINS_ASKING = cued(
    r"(?:(?:now|then|next|first|finally|however|also|so)\s*,?\s+)*"
    rf"(?:{_QUESTION}|what\b|how\b|why\b|who\b|which\b(?![^?]*[^?]$)|lets?\b|please\b"
    r"|i\s+(?:need|want|would\s+like)\s+(?:you|some\s+(?:help|advice|guidance)|help|advice)\b"
    r"|i'd\s+(?:also\s+|really\s+)?(?:like|love|want|prefer)\s+(?:you|some|to|us|your)\b"
    r"|i\s+would\s+(?:also\s+|really\s+)?(?:like|love)\s+to\b|i\s+do\s+want\b"
    r"|we\s+should\s+(?!always\b|never\b)|like\s+for\b"
    r"|i\s+(?:just\s+|also\s+|really\s+)*(?:want|need)\s+to\s+(?:make\s+sure|ensure|know|understand"
    r"|be\s+sure|see|figure|confirm)\b|maybe\b|perhaps\b"
    r"|i(?:'m|\s+am|\s+was|\s+want)\s+(?:just\s+|kinda\s+|also\s+|not\s+)*(?:sure|wondering|curious"
    r"|hoping\s+(?:you|to\s+get)|asking|looking\s+for\s+(?:some\s+)?(?:\w+\s+)?(?:help|advice"
    r"|suggestions?|feedback|guidance|tips|recommendations?|ways?)|to\s+(?:know|understand)\b)"
    r"|(?:can|could)\s+someone\b|is\s+there\b|are\s+there\b|here(?:'s|\s+is|\s+are)\b"
    r"|for\s+(?:example|instance),"
    r"|(?:can|could|would|will|do|does|did|is|are|should|shall|may)\s"
    rf"|(?:just|please|ok|okay|and)?\s*{COMMAND})",
)
HEDGES = cued(  # the end of a sentence that only leads over to a request
    r"(?:\s*[,;]|\s+[—-]+|\s+)\s*(?:(?:so|and|but|though|yet|now|also)\s+)+"
    r"(?:i'm|i\s+am|i\s+was|i've\s+been|i|i'd|we'd|we're)\s+"
    r"(?:(?:just|really|also|still|now|kinda|sorta|a\s+bit|a\s+little|not\s+entirely)\s+)*"
    r"(?:not\s+(?:\w+\s+)?(?:sure|certain|clear|confident)|unsure|wondering|curious|looking\s+for"
    r"|hoping|trying\s+to\s+(?:figure|understand)|struggling|confused|stuck"
    r"|need\s+(?:some\s+|your\s+)?(?:help|advice|guidance|to\s+(?:know|understand|make\s+sure"
    r"|figure))|want\s+to\s+(?:make\s+sure|ensure|know|understand|be\s+sure|see|get|learn"
    r"|double-check|confirm)|want\s+(?:some|your)"
    r"|(?:would\s+)?(?:like|love)\s+(?:to\s+(?:know|see|get|understand|make\s+sure|ensure)|some"
    r"|your)|don't\s+know|wonder|worried|concerned|getting|having|running\s+into|experiencing|seeing|facing"
    r"|could\s+use|can't\s+(?:figure|seem)|think\s+i\s+(?:might|may)|guess)\b[^;:\d]*$",
    "so and but though yet now also",
    "i we",
    "sure certain clear confident unsure wondering curious looking hoping trying struggling"
    " confused stuck need want like love know wonder worried concerned getting having running"
    " experiencing seeing facing could can think guess",
)
SHOWS = late(  # what leads over to code or a text below
    r"(?:(?:\s*[,;.]|\s+[—-]+|\s+)\s*(?:(?:so|and|but|for\s+(?:example|instance))\s*,?\s+)*)?"
    r"(?:here(?:'s|\s+is|\s+are)|this\s+is|i've\s+(?:got|written)\s+the\s+following"
    r"|(?:(?:that|which|(?:my|our|the)\s+(?:[\w'-]+\s+){1,4}?)\s*)?(?:looks?|goes|reads?)(?:\s+(?:something|a\s+bit))?\s+like\s+(?:this|so)"
    r"|i\s+have\s+(?:the\s+following|this)|i've\s+got\s+(?:this|some)|something\s+like"
    r"|using\s+the\s+following|like\s+(?:this|so)|with\s+the\s+following)\b[^:]*:$",
    re.IGNORECASE,
)
REACTS = late(
    r"(?:(?:so|and|but|also|well|oh|wow|cool|nice|yeah|yup|hey|aw+)\s*[,!]?\s+)*"
    r"(?:(?-i:[A-Z])[a-z]+,\s+)?"  # who is spoken to
    r"(?:thanks|thank\s+you|thx|great|perfect|awesome|sounds\s+(?:good|great|like)"
    r"|that\s+(?:sounds|makes|looks|is|helps|would|was|works)\b"
    r"|that's\s+(?:great|good|helpful|really|a\s+(?:great|good)|awesome|exactly|perfect|amazing"
    r"|stunning|gorgeous|so|super)\b"
    r"|i\s+(?:really\s+)?appreciate|got\s+it"
    r"|(?:yes|yeah|yep|no|nope|sure|ok|okay|hmm+|wow|cool|nice|right|haha)\b[.!,\s]*$"
    r"|i(?:'m|\s+am)\s+(?:still\s+)?(?:getting|seeing|facing|encountering)\s+(?:this|an?|the|some)"
    r"\s+(?:\S+\s+){0,3}(?:error|issue|problem|exception|warning)s?\b[^\d]*$"
    r"|excited\b|looking\s+forward|can't\s+wait|hopefully|i\s+hope|hope\b"
    r"|i(?:'m|\s+am)\s+(?:so\s+|really\s+|very\s+)?(?:excited|glad|happy|curious|looking\s+forward|ready)\b"
    r"(?!\s+(?:to\s+(?:say|tell|report|announce|share)\s+(?:that\s+)?(?:i|we)"
    r"|(?:that\s+)?my\s+(?:wife|husband|partner|son|daughter|kids?|mother|father|mum|mom|dad|brother|sister))\s)[^\d]*$"
    r"|good\s+(?:luck|point|idea|morning)|hello|hi\b|hey\b|bye|see\s+you|take\s+care"
    r"|i'll\s+(?:keep|let)\s+y(?:ou|a)\b"
    r"|no\s+(?:more\s+|further\s+)?(?:questions?|problem|worries)\b[^\d]*$|sure\s+thing\b[^\d]*$"
    r"|that\s+(?:\w+\s+){1,2}(?:is|looks|sounds|was)\s+(?:\w+ly\s+|so\s+|super\s+)?(?:amazing|awesome|beautiful"
    r"|stunning|gorgeous|lovely|great|cool|incredible)\b[^\d]*$"
    r"|congrat\w*\b[^\d]*$|(?:so\s+)?(?:glad|happy|sorry)\s+(?:to\s+(?:hear|see)|for\s+you|you)\b[^\d]*$"
    r"|(?:it|that)?\s*must\s+(?:be|have\s+been)\b[^\d]*$|thank\s+goodness\b[^\d]*$"
    r"|it(?:'s|\s+is)\s+(?:\w+\s+)?(?:good|great|nice|lovely)\s+to\s+(?:hear|see|talk)\b[^\d]*$"
    r"|love\s+(?:that|those|this|these|your|the)\s+(?!i\b|i'|we\b|my\b|she\b|he\b|they\b)[^\d]*$"
    r"|(?:now\s+)?i\s+(?:can\s+)?see\s+(?:now\s+)?(?:how|what|why|where)\b[^\d]*$"
    r"|this\s+(?:should|will|way|would|is\s+(?:really\s+)?(?:helpful|great))\b"
    r"|(?:i|we)\s+(?:think|guess|believe)\s+(?:that|this|it)\b[^\d]*$)",
    re.IGNORECASE,
)
INTENDS = late(  # what is to be done next is not done
    r"(?:and\s+|then\s+|also\s+|first,?\s+|next,?\s+)*(?:i'll|i\s+will|we'll|we\s+will"
    r"|i(?:'m|\s+am)\s+(?:going\s+to(?!\s+(?-i:[A-Z])(?!ption\b|lan\b))|gonna))\b",
    re.IGNORECASE,
)
DECIDES = late(
    r"\b(?:instead\s+of|rather\s+than|decided|be\s+using|lean(?:ing)?\s+towards?|reschedul\w+|postpon\w+|stick(?:ing)?\s+(?:with|to)|go(?:ing)?\s+with|switch(?:ing)?\s+to|\d{4}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d"
    r"|next\s+(?:week|month|year|summer|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b",
    re.IGNORECASE,
)
_DATED = (
    r"january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:every|each)\s+(?:day|night|morning|evening|week|month|year)|daily|weekly"
)
TROUBLES = late(  # how things go just now, all of a sentence that counts and dates nothing
    r"(?:(?:however|but|and|now|so|also|unfortunately)\s*,?\s+)*i(?:'m|'ve\s+been|\s+am|\s+have\s+been|\s+keep)\s+"
    r"(?:(?:also|just|now|still|kinda|sorta|currently|really|a\s+bit)\s+)*"
    r"(?:having\s+(?:\w+\s+){0,3}(?:trouble|issues?|problems?|difficult\w+|a\s+hard)|struggling|stuck|confused"
    r"|unsure|getting(?!\s+(?:\w+\s+)?(?:married|divorced|promoted|engaged|an?\s+(?:divorce|promotion|raise|dog|cat|puppy|kitten"
    r"|new\s+job|job|visa|degree|house|flat|car)|my\s+(?:degree|licen[cs]e|driving|visa|teeth))\b)|experiencing|running\s+into|seeing|facing|encountering|concerned|worried)\b"
    rf"(?!.*\b(?:{_DATED})\b)[^\d]*$",
    re.IGNORECASE,
)


def asking(shown: str, start: int) -> Piece | None:
    """Return the words with which a question or a request first begins within a sentence."""
    found = [match.span() for each in _BEHIND_SPACE if (match := each.search(shown, start))]
    if match := _BEHIND_MARK.search(shown, start):
        mark = start + len(shown[start : match.start()].rstrip())
        found.append((mark, match.end()))
    return Piece(*min(found)) if found else None
