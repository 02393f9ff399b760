"""What English says in several words, in one way each."""

from __future__ import annotations

from dreamd.domain.calendar_words import WEEKDAYS

_UNITS_OF_TIME = "second|minute|hour|day|week|month|year"
_PLACE = r"(?=(?:in|under|at|on|inside|within) (?:the )?(?:[\w~@-]*[\d/._]\w|[~/]))"
_DAYS = "|".join(WEEKDAYS)
_SAID = r"(?:said|says|told me|mentioned|mentions|noted|notes|stated|states|explained)"
_DEEDS = "tion|sion|ment|ance|val|ery|view|report|article|talk|book|song|paper|work"
_NUMBER = r"(?=\W{0,2}(?:(?:EUR|USD|GBP) )?\d)"
_SUBJECT = r"(?= (?:the|an?|your|our|my|all|every|no|(?-i:[A-Z]{2,}))\b)"
_FILLERS = (  # say only that something is said
    r"^(?:please )?(?:note|remember|recall|keep in mind|bear in mind|be aware|mind)(?: that\b|:)",
    r"^(?:remember|be sure|make sure|take care|don't forget|do not forget) to\b",
    rf"^(?:please )?(?:make sure|be sure|ensure)(?: that\b|{_SUBJECT})",
    r"^(?:fyi|for the record|as a reminder|reminder|important|note|nb|by the way|btw)\s?[:,]",
    r"^it(?:'s| is) (?:very )?(?:important|essential|crucial|worth noting)(?: that| to)\b",
    r"\b(?:in total|altogether|a total of|all in all|already)\b",
    r"\b(?:basically|essentially|actually|of course|obviously|in fact|simply)\b,?",
    r"\b(?:at the moment|at present|right now|these days|nowadays|presently|as of now)\b,?",
    rf"\b(?:the )?user {_SAID}(?: that)?(?= (?:the|an?|their|his|her|my)\b)",
)
ENGLISH: tuple[tuple[str, str], ...] = (
    *((each, " ") for each in _FILLERS),
    (rf"\b(?:the )?user {_SAID}(?: that)? (?:he|she|they)\b(?!')", "the user"),
    (r"^(?:you|we) should (?!not\b|never\b)(?:always )?(?=[a-z])", ""),
    (r"\b(?:ha(?:s|ve)) got\b", "has"),
    (r"\b(?:wants?|expects?) (us|me|you|them|him|her|(?-i:[A-Z])\w+) to\b", r"\1 should"),
    (r"^(?:I|we) (?:want|expect) ([^,;.]+?) to (?=\w)", r"\1 should "),
    (r"\b(ha(?:s|ve)) (?:his|her|its|their)\b", r"\1"),
    (r"\b(birthday|anniversary)(\b.*?),? (?:every|each) year\b", r"\1\2"),
    (r"\b(?:is|are) (?:not allowed|forbidden|not permitted) to\b", "must not"),
    (r"\b(?:is|are) (?:able|allowed|permitted) to\b", "can"),
    (r"\b(?:has|have|needs?|is required|are required) to(?= [a-z])", "must"),
    (r"\bmay not\b|\bcan ?not\b", "can not"),
    (r"^(?:never|do not|don't)\b", "must not"),
    (r"(?<=\w)n't\b", " not"),
    (r"\b(not|never|no|without)\b(.*)\bany\b", r"\1\2"),
    (r"\b(?:is|are) going to be\b", "will be"),
    (rf"\b(?:an? |the )?(\w*(?:{_DEEDS})) by ((?-i:[A-Z])\w+)\b", r"\2's \1"),
    (r"\b(?:is|are) (?:forbidden|prohibited|banned|not permitted)\b", "is not allowed"),
    (r"\b(?:is|are) the ones? (?:who|that|which)\b", ""),
    # being
    (r"(?<=\w) (?:named|called) (?=`|\w+\.\w|(?-i:[A-Z]))", " "),
    (r"\b(is|are) (?:called|named|known as|titled)\b", r"\1"),
    (rf"\b(is|are|stands?) (?:(?:set|fixed|configured) (?:to|at)|equal to|at){_NUMBER}", r"\1"),
    (r"\b(?:lives?|lies?|resides?|sits?) " + _PLACE, "is "),
    (r"\bworks? as (?=an?\b)", "is "),
    (
        rf"\b(?:takes?|lasts?)(?= (?:an?|one)\b (?:{_UNITS_OF_TIME}))|\b(?:takes?|lasts?){_NUMBER}",
        "lasts",
    ),
    (r"\btakes? place\b", "occurs"),
    (r"\b(?:has|have) an? timeout of\b", "times out after"),
    (r"\b(?:starts?|begins?) at (\S+) and (?:ends?|finishes) at (?=\d)", r"is from \1 to "),
    # doing
    (r"\b(?:is|are) (?:built|made|powered|run) (?:with|on|by)(?= (?-i:[A-Z]))", "uses"),
    (r"\b(?:runs?|is running|are running) (?:on|with)(?= (?-i:[A-Z])[\w+]* \d)", "uses"),
    (r"\b(?:is|are) responsible for\b|\b(?:is|are) in charge of\b|\btakes? care of\b", "handles"),
    (r"\bgo(?:es)? out\b", "are sent"),
    (r"\b(?:turn|switch)(s|es|ed|ing)? on\b", r"enable\1"),
    (r"\b(?:turn|switch)(s|es|ed|ing)? off\b", r"disable\1"),
    (r"\bfor (?=\w{3,}ing\b)", "to "),
    (r"\b(?:in order|so as) to\b", "to"),
    (r"\b(?:due to|because of|owing to|on account of)\b", "because"),
    (r"\b(?:whenever|in case|every time|each time|if)\b", "when"),
    (r"\b(?:as well as|along with|together with)\b", "and"),
    (r"\b(?:rather than|in preference to)\b", "instead of"),
    (r"&", " and "),
    # how often
    (rf"(?<=[a-z\d])/(?=(?:{_UNITS_OF_TIME})\b)", " per "),
    (rf"(\d[\w.,]*(?: (?!per\b)[a-z]+)?) an? (?={_UNITS_OF_TIME})", r"\1 per "),
    (r"\b(?:every|each) night\b", "nightly"),
    (r"\b(?:(?:every|each|per) day|once (?:a|per) day)\b", "daily"),
    (r"\b(?:(?:every|each|per) week|once (?:a|per) week)\b", "weekly"),
    (r"\b(?:of )?(?:(?:every|each|per|the) month|once (?:a|per) month)\b", "monthly"),
    (r"\b(?:(?:every|each|per) hour|once an hour|once per hour)\b", "hourly"),
    (r"\b(?:(?:every|each|per) year|annually|once (?:a|per) year)\b", "yearly"),
    (rf"\b(?:every (?:other|second)) (?={_UNITS_OF_TIME}|{_DAYS})", "every 2 "),
    (rf"\b(?:every|each) ({_DAYS})\b", r"\1s"),
    (r"\beach (?!other\b)", "every "),
    # how much
    (r"\bat (?:the )?most\b|\bno more than\b|\bup to\b|\ba maximum of\b", "≤"),
    (r"\bat (?:the )?least\b|\bno (?:less|fewer) than\b|\ba minimum of\b", "≥"),
    (rf"\b(?:over|above){_NUMBER}|\b(?:more|greater) than\b", ">"),
    (rf"\b(?:under|below){_NUMBER}|\b(?:less|fewer) than\b", "<"),
    (r"\b(EUR|USD|GBP) ?(\d[\d.,]*\d|\d)", r"\2 \1"),
    (r"->|=>|→", " → "),
    (r">=", "≥"),
    (r"<=", "≤"),
)
