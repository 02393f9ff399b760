"""What English says in several words, in one way each."""

from __future__ import annotations

from dreamd.engine.rules.near.amounts import AMOUNTS
from dreamd.engine.rules.near.clefts import CLEFTS, WHO, Rewriting, because
from dreamd.engine.rules.near.fillers import AGAIN, FILLERS, HEARD
from dreamd.engine.rules.near.only import ONLY
from dreamd.engine.rules.near.stems import IRREGULAR
from dreamd.engine.rules.near.wording import HOUSE, MANY_WHO
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

_UNITS_OF_TIME = "second|minute|hour|day|week|month|year"
_HAS = "speaks?|eats?|drinks?|has|have|needs?|requires?|uses?|takes?|accepts?|wants?"
_ABOUT = "(?:(?:about|around|roughly|approximately|some|nearly) )?"
_PLACE = r"(?=(?:in|under|at|on|inside|within) (?:the )?(?:[\w~@-]*[\d/._]\w|[~/]))"
_DAYS = "|".join(WEEKDAYS)
_DEEDS = "tion|sion|ment|ance|val|ery|view|report|article|talk|book|song|paper|work"
_PLACED = "located|situated|found|positioned|housed"
_WHERE = "in|at|on|under|behind|above|below|next to|near|inside"
_DOES = (  # who is the owner owns
    "own|maintain|review|manag|teach|organiz|organis|train|design|build|develop|lead|edit|translat"
    "|supervis|coordinat"
)
_THINGS = rf"(?:the |our |all )?(?:[\w-]+ )?(?!(?:{MANY_WHO})\b)\w+s"
_SET = "scheduled|planned|set|arranged|fixed|booked"
_WHEN = rf"(?:the )?(?:\d|{'|'.join(MONTHS)}|{'|'.join(WEEKDAYS)})"
_THE = "(?:the|an?|our|my|your|his|her|their|all)\\b"
_NO_TURN = r"(?:(?!(?:only|never|nor|neither|what|how|when|why|where|which)\b)[\w'-]+ )+"
_DOERS = "must|should|can|may|will|to|I|we|you|they|never|always|please"
_DAY = rf"(?:on|by|until|in|at|from) (?:the )?(?:\d|(?:{'|'.join(MONTHS)})\b)"
_PARTICIPLE = rf"(?:\w+ed|{'|'.join(IRREGULAR)})"
_NUMBER = r"(?=\W{0,2}(?:(?:EUR|USD|GBP) )?\d)"
_CHOOSES = "(?:use|choose|select|prefer|take|pick|chose|chosen)(?:r?ed|s)?"
_NUMBERED = (
    "port|version|room|house|flat|gate|platform|line|page|chapter|issue|ticket|build|order|phone"
    "|flight|bus|train|model|locker|channel|desk|berth|track|bay"
)


SAID: tuple[tuple[str, str], ...] = (  # before idioms are read
    *((each, " ") for each in FILLERS),
    (r"\s+(?=[,.;:](?:\s|$))", ""),
    (r"\s{2,}", " "),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"(?<=\w)n't\b", " not"),
)
ENGLISH: tuple[Rewriting, ...] = (
    *AMOUNTS,
    *CLEFTS,
    (rf"\b(?:the )?user {HEARD}{AGAIN}(?: that)?,? (?:he|she|they)\b(?!')", "the user"),
    (r"^(?:you|we) should (?!not\b|never\b)(?:always )?(?=[a-z])", ""),
    (r"(?:\bha(?:s|ve)|(?<=\w)'(?:ve|s)) got\b", " has"),
    (rf"\bgot(?= {_PARTICIPLE}\b)", "was"),
    (r"^([^.;]+?),? (?:and )?so (?!that\b|far\b)([^.;]+?)(?=\.?$)", because),
    (rf"\bsince(?= (?:{WHO.replace('|the|an?', '')}|there)\b)", "because"),
    (r",(?: as|since)(?= (?:it|he|she|we|they|I|there)(?:'s|'re)? (?!well\b)\w)", " because"),
    (rf"\b(?:larger|bigger|higher|longer) than{_NUMBER}", ">"),
    (rf"\b(?:smaller|lower|shorter) than{_NUMBER}", "<"),
    (r"\b(?:told|tells) (us|me)(?: that)? (?:we|I) should\b", r"\1 should"),
    (
        r"\b(?:wants?|expects?|told|tells|advised) (us|me|you|them|him|her|(?-i:[A-Z])\w+) to\b",
        r"\1 should",
    ),
    (r"(?<=\w) (?:said|says)(?: that)? (I|we|you) should\b", r" \1 should"),
    (r"^(?:I|we) (?:want|expect) ([^,;.]+?) to (?=\w)", r"\1 should "),
    (r"(?<=\d), when (?:it|the \w+) (?:ends|expires)\b", ""),
    (
        r"^(?:please )?(?:make sure|be sure|ensure)(?: that)? ([^,;.]+?) (?:is|are)\b",
        r"\1 must be",
    ),
    (r"^(?:please )?(?:make sure|be sure|ensure) that\b", ""),
    (r"\bwithin (\d+ \w+) (?:of|from)\b", r"within \1 after"),
    (r"\b(?:has|celebrates) (?:his|her|its)\b", "has"),
    (r"\b(?:have|celebrate) (?:their|our|my)\b", "have"),
    (r"\b(birthday|anniversary|name day)(\b.*?),? (?:every|each) year\b", r"\1\2"),
    (r"\b(?:is|are) (?:not allowed|forbidden|not permitted) to\b", "must not"),
    (r"\b(?:is|are) able to\b", "can"),
    (r"\b(?:is|are) (?:allowed|permitted) to\b", "may"),
    (r"\b(?:has|have|needs?|is required|are required) to(?= [a-z])", "must"),
    (r"^(?:never|do not)\b", "must not"),
    (r"^no ([\w -]+?) (?:may|must|should)\b", r"\1 must not"),
    (r"^(?:nobody|no one|no-one) (?:may|must|should)\b", "must not"),
    (r"\bgives ([a-z]+) (?:lessons|classes)\b", r"teaches \1"),
    (r"\bgive ([a-z]+) (?:lessons|classes)\b", r"teach \1"),
    (r"\b(not|never|no|without)\b(.*)\bany\b", r"\1\2"),
    (r"\b(?:is|are) going to be\b", "will be"),
    (rf"\b(?:an? |the )?(\w*(?:{_DEEDS})) by ((?-i:[A-Z])\w+)\b", r"\2's \1"),
    (r"\b(?:is|are) (?:forbidden|prohibited|banned|not permitted)\b", "is not allowed"),
    (r"\b(?:is|are) the ones? (?:who|that|which)\b", ""),
    (rf"\b(?:has|have|'s|'ve) been(?= (?:\w+ly )?{_PARTICIPLE}\b)", "was"),
    (r"\bstop(?:s|ped)? (?!working\b)(?=\w+ing\b)", "no longer "),
    (r"\bout of\b", "from"),
    (r"\bmust have(?= (?:an?|the|\d))", "needs"),
    (
        r"\bcount(s?) as(?= (?:an? |[a-z]+ed\b))",
        lambda match: f"{'is' if match[1] else 'are'} counted as",
    ),
    *ONLY,
    (rf"\b(?:past|beyond){_NUMBER}", ">"),
    (
        r"^(\w+ing) ([^,;.]+?) is (?:not allowed|forbidden|prohibited|not permitted)\b",
        r"must not \1 \2",
    ),
    (rf"^(?:the )?({_DOES})e?r of ([^,;.]+?) is (?=(?-i:[A-Z]))([^,;.]+)", r"\3 \1s \2"),
    (rf"\bis the ({_DOES})e?r of\b", r"\1s"),
    (rf"\b(?:lives?|sits?|resides?)(?= (?:in|under|on|inside) {HOUSE})", "is"),
    (rf"^({_THINGS}) live(?= (?:in|under|on)\b)", r"\1 are"),
    (r"\bbut live(?= (?:in|under|on)\b)", "but"),
    (rf"\b({_NUMBERED}) (?:number|no\.?|nr\.?) ?(?=#?\d)", r"\1 "),
    (r"\b(?:serves?|acts?|functions?) as(?= (?:the|an?|our|my)\b)", "is"),
    (r"\bin the (?:year|month of)(?= (?:\d{4}|(?-i:[A-Z])))", "in"),
    (r"\b(?:the )?(?:city|town|village) of(?= (?-i:[A-Z]))", ""),
    (
        r"^(?:there (?:is|are) )?(\d[^,;.]*?) (?:is |are )?in ((?:the|our|my) [^,;.]+?)(?=\.?$)",
        r"\2 has \1",
    ),
    # being
    (r"\b(?:falls?|comes?) due\b", "is due"),
    (rf"\b(?:is|are) (?:{_PLACED}|to be found)(?= (?:{_WHERE})\b)", "is"),
    (r"\b(?:hangs?|lies|stands|sits)(?= (?:in|on|under|behind|beside) (?:the|an?|my|our)\b)", "is"),
    (rf"\bwill (?=[a-z]+\b[^.;]* {_DAY})", ""),
    (rf"^({_DAY}[^.;]*?) will (?=[a-z])", r"\1 "),
    (r"^(?:the )?(?:deadline|due date) (?:for|of) ([^,;.]+?) is (?:on )?", r"\1 is due on "),
    (rf"^(?:you(?:'ll)? (?:can |will )?find|find) ([^,;.]+?)(?= (?:{_WHERE})\b)", r"\1 is"),
    (rf"\bcan be found(?= (?:{_WHERE})\b)", "is"),
    (r"\bname of ([^,;.]+?) is(?= (?-i:[A-Z]))", r"\1 is"),
    (r"'s name is(?= (?-i:[A-Z]))", " is"),
    (r"\b(\d+) years? old\b|\baged (\d+)", r"\1\2"),
    (r"\b(?:belongs?) to\b", "is owned by"),
    (r"\b(?:is|are) (?:equipped|fitted) with\b|\bcomes? with(?= \d| an?\b)", "has"),
    (r"\b(?:contains?|comprises?|consists? of|includes?)(?= \d)", "has"),
    (rf"\b(?:is|are) (?:{_SET}) (?:for|on|at)(?= {_WHEN})", "is on"),
    (
        r"\b(?:is|are) (?:necessary|mandatory|a prerequisite|a requirement) (?:for|to)\b",
        "are needed for",
    ),
    (r"\b(?:is|are) valid (?:until|till|through)\b|(?<=, )valid (?:until|till)\b", "expires on"),
    (r"\b(?:runs?|lasts?) (?:until|till)\b", "ends on"),
    (r"(?:\b(?:is|are)|'s) open from(?= \d)", " opens at"),
    (r"(?:\b(?:is|are)|'s) open until(?= \d)", " closes at"),
    (r"(?<=\w) (?:named|called) (?=`|\w+\.\w|(?-i:[A-Z]))", " "),
    (r"\b(is|are) (?:called|named|known as|titled)\b", r"\1"),
    (rf"\b(is|are|stands?) (?:(?:set|fixed|configured) (?:to|at)|equal to|at){_NUMBER}", r"\1"),
    (r"\b(?:lives?|lies?|resides?|sits?) " + _PLACE, "is "),
    (r"\bworks? as (?=an?\b)", "is "),
    (rf"\b(?:takes?|lasts?)(?= {_ABOUT}(?:an?|one|half an)\b (?:{_UNITS_OF_TIME}))", "lasts"),
    (rf"\b(?:takes?|lasts?)(?= {_ABOUT}\d)", "lasts"),
    (rf"\bneeds?(?= {_ABOUT}\d+ (?:second|minute|hour|min|h|s)s?\W*$)", "lasts"),
    (r"\btakes? place\b", "occurs"),
    (r"\b(?:has|have) an? timeout of\b", "times out after"),
    (r"\b(?:starts?|begins?) at (\S+) and (?:ends?|finishes) at (?=\d)", r"is from \1 to "),
    # doing
    (
        r"\bis employed(?= (?:as|at|by|with)\b)|\bhas a (?:job|position)(?= (?:as|at|with)\b)",
        "works",
    ),
    (r"\bworks? (?:for|with|by)(?= (?-i:[A-Z])\w+ (?-i:[A-Z]))", "works at"),
    (
        r"^(?:we|I) pay ((?:[^\d\s]{1,3})?\d[^,;.]*?) for ([^,;.]+?)(?=\W*$| (?:on|in|until)\b)",
        r"\2 costs \1",
    ),
    (r"\bcosts (?:us|me)\b", "costs"),
    (rf"\b({_HAS}) no (?=[a-z])", r"does not \1 "),
    (r"\b(?:no|not) later than\b|\bat (?:the )?latest (?:by|on)\b", "by"),
    (r"\b(\d\d?(?::\d\d)?)(?: o'clock)? in the morning\b", r"\1 am"),
    (r"\b(\d\d?(?::\d\d)?)(?: o'clock)? in the (?:afternoon|evening)\b", r"\1 pm"),
    (r"\b(?:implemented|coded|programmed) in(?= (?-i:[A-Z]))", "written in"),
    (r"\b(is|are|be|been|being|was|were|gets?) done(?= by\b)|\bdone(?= by\b)", r"\1 performed"),
    (rf"^({_NO_TURN})does(?= {_THE})", r"\1performs"),
    (rf"(^|\b(?:{_DOERS}) )do(?= {_THE})", r"\1perform"),
    (rf"^({_NO_TURN})did(?= {_THE})", r"\1performed"),
    (r"\b(?:is|are) to (?=be \w)|(?<=,) to (?=be \w)", " must "),
    (r"^([\w' -]+?) (must|should|are|have|can|will) all\b", r"all \1 \2"),
    (
        r"^(?:the )?(?:user|I|we) wants? (?!to\b)([\w' -]+?) (?:to be )?(?=(?:in|without|as)\b)",
        r"\1 should ",
    ),
    (r"^it is (?:not allowed|forbidden|prohibited) to\b|^avoid (?=using\b)", "must not "),
    (r"\bha(?:s|ve) permission to\b", "can"),
    (r"\b(?:is|are) (?:built|made|powered|run) (?:with|on)(?= (?-i:[A-Z]))", "uses"),
    (r"\b(?:runs?|is running|are running) (?:on|with)(?= (?-i:[A-Z])[\w+]* \d)", "uses"),
    (r"\bgo(?:es)? out\b", "are sent"),
    (r"\bstops working\b(?! (?:at|for|with|as|in)\b)", "breaks"),
    (r"\bstopped working\b(?! (?:at|for|with|as|in)\b)", "broke"),
    (r"\bis based(?= (?:in|at)\b)", "lives"),
    (r"\bfor (?=(?-i:[a-z])\w{2,}ing\b)", "to "),
    (r"\bwould like\b", "wants"),
    (r"\blike(s?) ([^,;.]+?) (?:better|more) than\b", r"prefer\1 \2 over"),
    (r"\b(prefer\w*) ((?!to\b)[^,;.]+?) to (?=(?:\w+ ){0,2}\w+\W*$)", r"\1 \2 over "),
    (rf"\b({_CHOOSES}) ([^,;.]+?) instead of\b", r"\1 \2 over"),
    (r"\b(?:is|are) held(?= (?:every|each|on|at|in|from)\b|[^.;,]*:\d\d)", "occurs"),
    (r"\breceive(s?)\b", r"get\1"),
    (r"&", " and "),
    (r"^((?:when|if|whenever|once|as soon as)\b[^.;]*?),? then\b", r"\1,"),
    # how often
    (r"\btwice\b", "2 times"),
    (r"\bthrice\b", "3 times"),
    (r"\b(?:noon|midday)\b", "12:00"),
    (r"\bbetween (\d\S*) and (?=\d)", r"from \1 to "),
    (r"\b(\d\d?:\d\d) ?[-–] ?(?=\d\d?:\d\d)", r"from \1 to "),  # noqa: RUF001
    (r"\b(?:from )?mon(?:day)?s? ?(?:to|-|–|through|till) ?fri(?:day)?s?\b", "weekdays"),  # noqa: RUF001
    (r"\bin the (morning|evening|afternoon)s\b", r"every \1"),
    (r"\b(?:fortnightly|every fortnight|once a fortnight)\b", "every 2 weeks"),
    (r"\b(?:quarterly|every quarter|once a quarter|once per quarter)\b", "every 3 months"),
    (rf"(?<=[a-z\d])/(?=(?:{_UNITS_OF_TIME})\b)", " per "),
    (rf"(\d[\w.,]*(?: (?!per\b)[a-z]+(?: of [a-z]+)?)?) an? (?={_UNITS_OF_TIME})", r"\1 per "),
    (r"\b(?:every|each) night\b", "nightly"),
    (r"\b(?:(?:every|each|per) day|once (?:a|per) day)\b", "daily"),
    (r"\b(?:(?:every|each|per) week|once (?:a|per) week)\b", "weekly"),
    (
        (
            r"\b(?:of )?(?:(?:every|each|per) month|once (?:a|per) month)\b"
            r"|(?<=\d(?:st|nd|rd|th)) of the month\b"
        ),
        "monthly",
    ),
    (rf"\b((?:first|second|third|fourth|last) (?:{_DAYS}) )of the month\b", r"\1monthly"),
    (r"\b(?:(?:every|each|per) hour|once an hour|once per hour)\b", "hourly"),
    (r"\b(?:(?:every|each|per) year|annually|once (?:a|per) year)\b", "yearly"),
    (rf"\b(?:every (?:other|second)) (?={_UNITS_OF_TIME}|{_DAYS})", "every 2 "),
    (rf"\b(?:every|each) ({_DAYS})\b", r"\1s"),
    (r"\beach (?!other\b)", "every "),
    (
        (
            r"\ball(?: of)?(?: the| our| my| your| its| their)? (?=(?:(?!(?:it|them|us|this|that|in"
            r"|on|of|at|to|for|the|and|or|with|from|by)\b)[a-z]+ ){0,2}[a-z]+s\b)"
        ),
        "every ",
    ),
    (rf"\b(?:every|each) ({_DAYS}) (morning|afternoon|evening|night)s?\b", r"\1s \2"),
    (rf"\b({_DAYS}) (morning|afternoon|evening|night)s\b", r"\1s \2"),
    (r"(?<=\w) plus (?=an?\b|the\b|\d)", " and "),
    # how much
    (
        r"^there is an? limit of (\d\S*) ([^,;.]+?)(?= per\b| (?:an?|each) \w+\W*$|\W*$)",
        r"\2 ≤ \1",
    ),
    (rf"\b(?:is|are) (?:limited|capped|restricted) (?:to|at){_NUMBER}", "≤"),
    (rf"\b(?:must|may|can) (?:not exceed|not be (?:longer|larger|bigger|more) than){_NUMBER}", "≤"),
    (rf"\b(?:is|are|be) (?:no|not) (?:longer|larger|bigger|more) than{_NUMBER}", "≤"),
    (r"\b(?:may|can) (?:have|be|take|use) ≤", "≤"),
    (rf"\b(?:over|above){_NUMBER}|\b(?:more|greater) than\b", ">"),
    (rf"\b(?:under|below){_NUMBER}|\b(?:less|fewer) than\b", "<"),
    (r"\b(EUR|USD|GBP) ?(\d[\d.,]*\d|\d)", r"\2 \1"),
    (r"->|=>|→", " → "),
    (r">=", "≥"),
    (r"<=", "≤"),
)
