"""Whose word it is that something is so: the person's own, somebody's, or nobody's in particular.

What somebody tells counts as the person's own where it is about that one's own matter and was
told to the person: a landlord of the rent, a doctor of the dose, a boss of the deadline.
"""

from __future__ import annotations

import re

from dreamd.domain.prose.cued import cued
from dreamd.domain.prose.reported import is_hearsay
from dreamd.text.late import late

_NOW = r"(?:(?:also|just|now|always|still|only|recently|once|actually|since|already|both|all)\s+)*"
_NOBODY = (  # whose word it is, nobody knows
    r"(?:(?:apparently|supposedly|allegedly|reportedly|purportedly|seemingly|angeblich|anscheinend|offenbar|apparemment"
    r"|supuestamente|al\sparecer)\b(?!,?\s(?:i|ich|je|yo)(?:['’]|\s))"  # noqa: RUF001
    r"|(?:the\s)?(?:rumou?rs?|word|legend|gossip)\s(?:has|have|had|is|says?|goes|on\sthe\sstreet)\b"
    r"|there(?:['’]s|\s(?:is|are|was|were))\s(?:an?\s|some\s)?(?:rumou?rs?|talk|gossip|chatter)\b"  # noqa: RUF001
    r"|(?:it(?:['’]s|\s(?:is|was|has\sbeen))|is|are)\s(?:said|rumou?red|claimed|alleged|reported)(?=\s(?:that|to)\b|\s\w)"  # noqa: RUF001
    r"|(?:it\s)?(?:just\s|now\s|also\s)?(?:seems?|appears?|looks|sounds)\s(?:to\sme\s)?(?:like|that|as\s(?:if|though))\s(?!(?:i|a|an)(?:['’]|\s))"  # noqa: RUF001
    r"|it\s(?:seems|appears)\s(?=(?:the|our|my|their|his|her|its|we|they|he|she|you|there)\b|(?-i:[A-Z](?!\s|['’])))"  # noqa: RUF001
    rf"|(?:they|people|some(?:\speople)?|folks|somebody|someone|everyone|everybody)(?:\s(?:else|here|online|(?:at|on|in)\s(?:the\s|my\s|our\s)?[\w-]+))?\s{_NOW}"
    r"(?:says?|said|claims?|claimed|reckons?|swears?|wrote|writes?|posted|mentioned|told\s(?:me|us))\b"
    rf"|(?:i|we)(?:['’]ve|\shave)?\s{_NOW}(?:read|saw|seen|found)\s(?:somewhere|online|elsewhere|(?:on|in)\s(?!(?:my|our)\s)[\w\s-]{{2,24}}?\sthat"  # noqa: RUF001
    r"|(?:an?|some)\s[\w\s-]{2,24}?\s(?:that\ssa(?:id|ys?)|saying|claiming))\b"
    r"|(?:from|by)\swhat\s(?:i|we|people|they)(?:['’]ve|\shave)?\s(?:hear|heard|read|gather|gathered|say|tell|understand|was|were)\b"  # noqa: RUF001
    r"|(?:as\sfar\sas|the\sway|so)\s(?:i|we)(?:['’]ve|\shave)?\s(?:hear|heard|read|gather)\b"  # noqa: RUF001
    r"|a\slittle\sbird|es\shei(?:ß|ss)t|man\ssagt|on\sdit|dicen\sque)"
)
_HEARD = (  # "I just heard" is news
    r"(?:i|we)(?:['’]ve|\shave)?\s(?:(?:also|now|always|only|recently|once|since|already|both)\s)*"  # noqa: RUF001
    r"(?:hear|heard|overheard|gather|gathered|understand\sthat)\s(?!(?:back|from|the\snews)\b)"
)
_HEARD_THAT = (  # and not somebody play the cello
    rf"{_HEARD}(?:(?:that|of|about|it)\s|(?=(?:he|she|they|we|i|you|there)\s|(?-i:[A-Z])[\w'’-]+\s\w+s\s"  # noqa: RUF001
    r"|(?:[\w'’-]+\s){1,5}?(?:is|are|was|were|has|have|had|will|won't|can|now|went|goes|got|left|fell|rose|\w{3,}ed)\b))"  # noqa: RUF001
)
_TEXT = (  # that anybody may read
    r"(?:(?:the|this|that|an?|some|one|their)\s(?:[\w'’-]+\s){0,3}?(?:blog|posts?|articles?|newsletter|newspaper|tweets?|thread|videos?"  # noqa: RUF001
    r"|podcast|book|tutorial|docs?|documentation|readme|manual|wiki|site|page|paper|papers|news|magazine|comments?|forum|guide|reviews?|press"
    r"|study|release\snotes|internet|faq)|(?:articles|posts|docs|studies|experts|reviews))"
)
_SOMEBODY = (
    r"(?:(?:(?:my|our|his|her|their|the|an?|another|one(?:\sof\s(?:my|our|the|his|her|their))?|some|several|many)\s[\w'’-]+(?:\s[\w'’-]+){0,2}?"  # noqa: RUF001
    r"|(?!(?-i:I|We|It|This|That|These|Those|What|Which|Who|And|But|So|As|If|When|Everything|Nothing)\b)"
    r"(?-i:[A-Z][\w'’.-]*)(?:\s(?-i:[A-Z][\w'’-]+))?(?:\s(?:from|in|at|of)\s[\w-]+)?"  # noqa: RUF001
    r"|he|she|you|they|who)"
    r"(?:\s(?:and|or)\s[\w-]+)?)"
)
_TO_ME = r"(?:the|my|our)\s[\w'’-]+(?:\s[\w'’-]+){0,2}?\swrote\b"  # noqa: RUF001 - a letter
_SAYS = (
    r"(?:says?|said|tells?|told\s(?:me|us|him|her|them|everyone|everybody|(?-i:[A-Z])\w+)(?!\sto\b)|claims?|claimed|mentions?|mentioned|writes?|wrote"
    r"|swears?|swore|insists?|insisted|suggests?|suggested|argues?|argued|hears?|heard|thinks?|thought|believes?|believed|reckons?"
    r"|guesses|assumes?|assumed|suspects?|states?|stated|recommends?|warns?|warned|hinted|implied)\b"
)
_BEGINS = r"(?:^|(?<=[,;:(—–!?.]\s)|(?<=\band\s)|(?<=\bbut\s)|(?<=\bso\s)|(?<=\bas\s)|(?<=\bthat\s)|(?<=\bbecause\s)|(?<=\bsince\s)|(?<=\bwhen\s)|(?<=\bafter\s)|(?<=\bok\s)|(?<=\bwell\s)|(?<=\bbtw\s)|(?<=\balso\s))"  # noqa: E501, RUF001
_CUES = (
    "say says said saying tell tells told claim claims claimed claiming mention mentions mentioned"
    " write writes wrote swear swears swore insist insists insisted suggest suggests suggested"
    " argue argues argued hear hears heard overheard think thinks thought believe believes believed"
    " reckon reckons guesses assume assumes assumed suspect suspects state states stated recommend"
    " recommends warn warns warned hinted implied rumor* rumour* word legend gossip talk chatter"
    " alleged* reported* seem* appear* looks sounds gather* understand read saw seen found bird"
    " apparently supposedly purportedly angeblich anscheinend offenbar apparemment"
    " supuestamente parecer according heisst sagt dit dicen so"
)
_LEADS = cued(
    rf"(?:\b(?:{_NOBODY}|{_HEARD})|{_BEGINS}(?:{_TEXT}|(?!{_TO_ME}){_SOMEBODY})\s{_NOW}{_SAYS}|,\s(?:says|claims|thinks|believes|reckons)\s(?:that\s)?(?:our|my|the|we|i)\b)",
    _CUES,
)
_TAIL = (  # of what was said before
    r"(?:\b(?:apparently|supposedly|allegedly|reportedly|purportedly|seemingly)\b"
    r"|[,(—–-]\s?(?:(?:or|at\sleast)\s)?(?:so\s|as\s)?(?:(?:i|we)(?:['’]ve|\shave)?\s(?:just\s)?(?:hear|heard|read|gather|been\stold)"  # noqa: RUF001
    r"|i['’]m\stold|it\s(?:seems|appears)|they\ssay|people\ssay|rumou?r\shas\sit"  # noqa: RUF001
    rf"|{_SOMEBODY}\s(?:says|said|claims|claimed|told\s(?:me|us)|tells\s(?:me|us)|thinks|believes|reckons)|(?:says|said)\s(?-i:[A-Z])\w+)"
    r"(?:\s(?:so|it))?\b[^,;]{0,30}[.!)]*$"
    r"|\baccording\sto\b)"
)
_TAILS = cued(_TAIL, _CUES)
_ONE = r"(?:(?!(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)[.!?]\s).)"  # of one sentence
_RUMOURED = cued(  # all of one sentence
    rf"\W*(?:(?:and|but|so|well|oh|ok|okay|btw|hm+|also|now|by\sthe\sway|fyi|heads\sup)[,:]?\s)*(?:{_NOBODY}|{_HEARD_THAT}){_ONE}*$",
    _CUES,
)
_RUMOURED_BEHIND = cued(
    rf"{_ONE}*(?:\b(?:has|have|had|is|are|was|were|will)\s(?:now\s)?(?:apparently|supposedly|allegedly|reportedly|purportedly|rumou?red)\b"
    r"|\s(?:supposedly|allegedly|reportedly|purportedly)\s|\b(?:is|are)\ssaid\sto\b"
    r"|[,(—–-]\s?(?:apparently|supposedly|allegedly|reportedly|rumou?r\shas\sit|(?:or\s|at\sleast\s)?(?:so\s|as\s)?(?:i|we)(?:['’]ve|\shave)?\s(?:just\s)?(?:hear|heard)|(?:or\s)?so\s(?:they|people)\ssay)[.!)]*$)"  # noqa: RUF001
    rf"{_ONE}*$",
    _CUES,
)
_MEASURED = late(  # by what shows it, not by somebody who says it
    r"\baccording\sto\s(?:(?:the|my|our)\s(?:[\w'-]+\s)?(?:app|watch|scales?|dashboard|portal|statement|invoice"
    r"|bill|logs?|metrics|meter|counter|tracker|monitor|export|report|spreadsheet|sheet|calendar|website|chart)"
    r"|grafana|prometheus|datadog|strava|garmin|analytics|lighthouse|goodreads|zotero|git|ci)\b,?"
    r"|\b(?:(?:the|my|our)\s(?:[\w'-]+\s){0,2}?(?:app|watch|scales?|dashboard|portal|statement|invoice|bill|logs?|metrics|meter|counter"
    r"|tracker|monitor|export|report|spreadsheet|sheet|calendar|chart|config|settings|contract|lease|payslip|receipt|notes?|diary|letter|sign"
    r"|label|display|console)|grafana|prometheus|datadog|strava|garmin|lighthouse|git|ci)\s(?:now\s)?(?:says?|said|states?|shows?)\b",
    re.IGNORECASE,
)
_TOLD_US = (
    r"(?:\s(?:from|at)\s[\w-]+)?\s(?:(?:just|now|today|finally|also)\s)?(?:(?:told|informed|notified)\s(?:me|us)(?:\s(?:today|yesterday"
    r"|this\s\w+|last\s\w+|on\s\w+day))?|says?|said|wrote(?:\s(?:to\s)?(?:me|us))?|let\s(?:me|us)\sknow)(?:\sthat)?\s"
)
_MATTERS = (  # who decides, and what
    (
        (
            r"boss|manager|supervisor|team\slead|director|ceo|cto|employer|company|clients?|customer|department|office|product\sowner|pm|committee|board"
            r"|hr|payroll|legal|finance|procurement|facilities"
        ),
        (
            "deadlines?|budgets?|salary|pay|raise|bonus|hours|shifts?|meetings?|launch|release|role|title|teams?|contract|vacation|holidays?"
            r"|leave|office|rates?|fees?|scope|milestones?|quota|targets?|projects?|sprint|review|start\sdate"
        ),
    ),
    (
        r"landlord|landlady|letting\sagent|property\smanager",
        "rent|lease|deposit|utilities|flat|apartment|move-?out",
    ),
    (
        (
            "doctor|gp|dentist|physio|physiotherapist|therapist|vet|surgeon|nurse|midwife|pharmacist|cardiologist|psychiatrist|oncologist"
            "|hospital|clinic|practice"
        ),
        (
            r"\d[\d.,]*\s?(?:mg|mcg|µg|ml|iu|kg|kilos?|lbs?|pounds)|dos(?:e|es|age)|tablets?|pills?|insulin|appointments?|surgery|operation"
            r"|check-?up|due\sdate|blood\s\w+|cholesterol|medication|vaccination|cast|stitches|session|therapy"
        ),
    ),
    (
        "professor|teacher|tutor|lecturer|school|university|supervisor|advisor|adviser|coach|trainer",
        (
            "exams?|grade|deadlines?|thesis|class|classes|term|tuition|assignments?|essays?|chapters?|lessons?|lectures?|course|training"
            "|practice|defen[cs]e"
        ),
    ),
    (
        (
            r"bank|insurer|insurance(?:\scompany)?|vendor|supplier|contractor|hotel|airline|publisher|editor|accountant|lawyer|council|gym"
            "|venue|caterer|plumber|electrician|garage|agency|host|shop|store|seller|dealer|mechanic|builder|architect|broker|realtor|notary|provider|isp|courier"
            r"|post\soffice|court|judge|embassy|consulate|ministry|tax\soffice|town\shall|library|nursery|daycare|kindergarten"
            r"|photographer|florist|baker|tailor|breeder|travel\sagent"
        ),
        (
            "prices?|fees?|rates?|loan|mortgage|limits?|premium|credit|deductible|delivery|orders?|bookings?|flights?|quotes?|deposit"
            "|membership|charges?|manuscript|advance|deadlines?|permit|hearing|taxes|invoices?|cost|appointments?|visa|passport|documents?|keys|repairs?|installation|places?|plan|subscription|wedding|cake|dress|car"
        ),
    ),
    (
        r"organi[sz]ers?|club|band\sleader|conductor|choir",
        "marathon|races?|runs?|tournament|conference|concert|festival|workshop|event|party|match|game|rehearsals?|show|fair|retreat|camp",
    ),
)
_OWN_MATTER = tuple(
    (
        cued(
            rf"\b(?:(?:my|our|the)\s(?:new\s)?|(?=(?:hr|payroll|legal|finance|procurement|facilities)\b))(?:{who}){_TOLD_US}",
            "told informed notified say says said wrote let",
        ),
        late(rf"\b(?:{what})\b", re.IGNORECASE),
    )
    for who, what in _MATTERS
)
_NEAR = 16  # columns behind the value in which what it is of may stand: "20 mg"


def is_secondhand(shown: str, at: int) -> bool:
    """Whether what stands at a column of a sentence is somebody else's word, or nobody's.

    Not where the one whose matter it is told the person.
    """
    shown = _MEASURED.sub(_blank, shown)
    for teller, matter in _OWN_MATTER:
        told = teller.search(shown, 0, at)
        if told and matter.search(shown, told.end(), at + _NEAR):
            shown = shown[: told.start()] + _blank(told) + shown[told.end() :]
    if is_hearsay(shown):
        return True
    return _LEADS.search(shown, 0, at) is not None or _TAILS.search(shown, at) is not None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def is_rumour(statement: str) -> bool:
    """Whether all of one sentence is told on nobody's word: "Apparently …", "I heard that …"."""
    return any(each.match(statement) is not None for each in (_RUMOURED, _RUMOURED_BEHIND))
