"""Words that say only that something is said: "Just so you know, …", "…, by the way"."""

from __future__ import annotations

# somebody tells, or knows, what holds all the same
HEARD = (
    r"(?:said|says|told (?:me|us)|tells (?:me|us)|mentioned|mentions|noted|notes|stated|states"
    r"|explained|explains|confirmed|confirms|repeated|repeats|stressed|stresses|pointed out"
    r"|points out|reminded (?:me|us)|reminds (?:me|us)|learned|learnt|heard|realised|realized"
    r"|noticed|found out|checked|remembered|remembers|let (?:me|us) know|specified|clarified)"
)
_TOLD = r"(?:said|says|told me|mentioned|mentions|noted|notes|stated|states|explained)"
AGAIN = (  # and when, how often, at which opportunity
    r"(?:,? (?:again|once more|once again|twice|explicitly|today|yesterday|in passing|recently"
    r"|earlier|just now|over (?:lunch|dinner|coffee)|on the phone|in (?:the|our) (?:chat|call"
    r"|meeting)"
    r"))*,?"
)
_MINDFUL = (
    r"(?:say|said|says|mention(?:ed)?|reminded|told|noted|discussed|agreed|planned|expected|arranged"
    r"|understand|understood|remember|recall|heard|hear|see|saw|seen|know|knew|known|gather|believe"
    r"|think|thought|guess|put|puts|confirmed|assume|assumed|tell|concerned|aware|usual|always|ever"
    r"|before|promised|explained|stated|established)"
)
_THINK = "(?:think|believe|guess|suppose|reckon|assume|gather|understand|hear|heard)"
_TELLER = r"(?:I|we|he|she|they|you|it|one|(?:the )?user|everyone|everybody|(?-i:[A-Z])\w+)"
_BY_MIND = (  # an aside of what somebody knows or told, without a value
    rf"(?:as|from what) (?:far as )?(?:{_TELLER}(?: |(?=')))?(?:(?:have|has|had|may|can|'ve|'m"
    rf"|am|all"
    rf"|was|were|is|are|just|rightly|already|well|might)(?:'ve)? ?){{0,3}}{_MINDFUL}"
    r"(?: (?!the\b|that\b|to\b|from\b|with\b|for\b|in\b|on\b)(?-i:[a-z])+){0,2}"
    r"|if (?:my )?(?:notes|memory) (?:are|is|serves?)(?: me)?(?: (?:right|correct|well|correctly))?"
    r"|if I (?:remember|recall|understood|heard|understand)(?: (?:it|that|this))?"
    r"(?: (?:correctly|right|rightly|well))?|if I(?:'m| am) not mistaken|if I(?:'m| am) "
    r"(?:right|correct)|if (?:it|that) (?:helps|matters)"
    rf"|(?:I|we) {_THINK}|I must say|I(?:'m| am) told|it came up(?: over \w+)?|it (?:seems"
    rf"|turns out)"
    r"|funnily enough|as it happens|as it (?:stands|turns out)|as ever|mind you|needless to say"
    r"|in case (?:it|that) (?:helps|matters)|in case you (?:wonder|were wondering|need it)"
    r"|according to (?:the user|him|her|them|us|me|my notes)"
)
_ADVERBS = (  # of a whole sentence, and of nothing in it
    "honestly|frankly|incidentally|luckily|fortunately|unfortunately|sadly|thankfully|obviously"
    "|of course|actually|anyway|basically|essentially|again|also|admittedly|naturally|evidently"
    "|in fact|in short|in essence|in other words|after all|by the way|btw|for the record"
    "|for your information|fyi|for reference|for context|for what it's worth|as an aside"
    r"|(?:just )?as an? (?:\w+ )?(?:side note|reminder)|side note|on a side note|just so (?:you"
    r"|we) know"
    "|to be (?:clear|precise|exact|fair|honest|sure|safe|specific)|to recap|to sum up|to repeat"
    "|to put it (?:simply|briefly)|just to (?:confirm|be clear|note|repeat|recap)"
    "|as (?:already |previously )?(?:discussed|mentioned|agreed|noted|planned|usual|expected)"
    "|as per (?:our|the|my) (?:discussion|chat|conversation|call|meeting)|the fact is|fact is"
)
_INTERJECTIONS = (
    "(?:ok|okay|right|well|and) so|oh|ah|hey|right|well|ok|okay|alright|so|yes|yep"
    "|then|hm+|ha|look|listen"
)
_TITLES = (  # before a colon, or a comma
    r"(?:(?:very |quite |really )?important|good|useful|quick|small|side|short|friendly|gentle"
    r"|just a"
    r"|just|a|one|another|little|as a)?(?: (?:quick|small|friendly|gentle|important|general))?"
    r" ?(?:note(?: to self)?|nb|n\.b\.|reminder|heads[ -]up|info|update|tip|psa|til|tl;?dr|recap"
    r"|detail|remark|fact|fun fact|news|context|background|confirmed|noted|checked|learned|learnt"
    r"|remember|important|decided|agreed|settled)"
)
_SUBJECT = r"(?= (?:the|an?|your|our|my|his|her|their|all|every|no|(?-i:[A-Z]{2,}))\b)"
_KNOW = "know|note|remember|mention|keep in mind|be aware of"
_GOOD = "(?:important|good|useful|nice|helpful|worth|best)"
_MIND = "(?:keep|bear) in mind"
_KNOWING = "knowing|noting|remembering|mentioning|keeping in mind|pointing out|repeating"
_LEADS = (
    rf"{_ADVERBS}|{_INTERJECTIONS}|{_TITLES}|{_BY_MIND}"
    r"|just so (?:that )?(?:we|you|I|nobody) (?:don't|do not|doesn't|does not) forget(?: it)?"
    rf"|(?:also )?worth (?:{_KNOWING})|{_GOOD} to (?:{_KNOW})|don't forget|do not forget"
    rf"|(?:one|another|some) ?(?:more )?thing(?: worth)?(?: (?:to (?:{_KNOW})|{_KNOWING}))?"
)
FILLERS = (
    (
        rf"^\s*(?:(?:{_LEADS})\s?(?:[,:!]+|\s[—–-](?=\s)|\.{{3}})\s?(?:(?:and|but|so)\b,?)?(?: "  # noqa: RUF001
        rf"?that\b)?\s*)+"
        r"(?=[`\w])"
    ),
    (
        r"^\s*(?:just |as )?(?:a )?(?:quick |small |friendly |gentle )?reminder (?:to|that)\b(?: "
        r"please\b)?"
    ),
    r"^\s*kindly (?=(?:add|ask|avoid|check|do|keep|leave|make|note|read|return|send|use)\b)",
    r"^\s*(?:just )?(?:checked|confirmed),? and\b",
    r"^\s*(?:ok|okay|right|well|and)(?: so)?,? (?=(?:the|an?|we|I|my|our|so)\b)",
    r"^\s*fyi,? (?=\w)",
    r"^\s*(?:so|then),? ",
    (
        r"^\s*(?:(?:I|we)(?:'m| am|'re| are) )?(?:pretty|quite|fairly|very|almost) (?:sure|certain)"
        r"(?: that\b)?,? (?=\w)"
    ),
    rf"^\s*(?:I|we) {_THINK}(?: that\b|{_SUBJECT})",
    r"^\s*(?:it )?(?:turns|turned) out(?: that\b)?,? ?(?=\w)",
    r"^\s*it (?:seems|looks like|appears)(?: that\b)?(?= )",
    (
        rf"^\s*(?:(?:I|we) {_THINK} )?(?:just )?(?:he|she|they|I|we|someone|somebody)"
        rf"(?:'ve|'s|'d| has| have| had)?(?: (?:also|just|again|only|once more))* "
        rf"{HEARD}{AGAIN} that\b,?"
    ),
    rf"^\s*(?:it(?:'s| is) )?(?:also )?(?:worth (?:{_KNOWING})|{_GOOD} to (?:{_KNOW})) that\b",
    (
        r"^\s*(?:it(?:'s| is) (?:well |also )?(?:known|clear|true|a fact)|the (?:thing|point"
        r"|fact) is)"
        r"(?: that\b)"
    ),
    (
        r"^\s*(?:I|we) (?:should|must|might|may|want to|wanted to|would like to) (?:just |also "
        r"|probably )?"
        r"(?:mention|note|add|say|point out|stress|repeat|remind you)(?: again)? that\b"
    ),
    rf"^\s*(?:please )?(?:note|remember|recall|know|{_MIND}|be aware|mind)(?: that\b|:)",
    r"^\s*(?:remember|be sure|make sure|take care|don't forget|do not forget) to\b",
    r"^\s*it(?:'s| is) (?:very )?(?:important|essential|crucial|worth noting)(?: that| to)\b",
    r"^\s*in our project,? (?=\w)",
    rf"(?:,|(?<=and)|\s[—–-])\s(?:{_BY_MIND}|{_ADVERBS}|well|you know|yes)(?=,\s|\s[—–-]\s)",  # noqa: RUF001
    (
        rf"(?:,|\s[—–-])\s(?:{_BY_MIND}|{_ADVERBS}|(?:(?:he|she|they|I|we|(?:the )?user) "  # noqa: RUF001
        rf"{HEARD}{AGAIN})"
        rf"|(?:just )?something (?:(?:worth )?(?:{_KNOWING})|to (?:{_KNOW}))|remember)(?=\W*$)"
    ),
    r", (?:the )?user (?:wants|said|says)(?=\W*$)",
    r"(?<=\w) (?:really|honestly|certainly|definitely|indeed) (?=\w)",
    r"\b(?:in total|altogether|a total of|all in all|already)\b",
    r"\b(?:basically|essentially|actually|of course|obviously|in fact|simply)\b,?",
    (
        r"\b(?:at the moment|at present|right now|these days|nowadays|presently|currently|as of "
        r"now)\b,?"
    ),
    rf"^\s*(?:the )?user (?:has |had )?(?:just |also )?{HEARD}{AGAIN} that\b(?! (?:he|she|they)\b)",
    rf"\b(?:the )?user {_TOLD}(?: that)?(?= (?:the|an?|their|his|her|my)\b)",
)
_GERMAN = "zur (?:erinnerung|info|information)|wichtig(?: zu wissen)?|gut zu wissen|hinweis|info"
GERMAN = (
    rf"^\s*(?:nur |noch )?(?:{_GERMAN}|nicht vergessen|übrigens|nebenbei)\s?[:,](?: dass\b)?",
    r"^\s*(?:bitte )?(?:beachte|denk daran|merke)(?:,? dass\b|:)",
    (
        r"\b(?:eigentlich|übrigens|bekanntlich|wie (?:besprochen|erwähnt|gesagt|vereinbart|geplant"
        r"|immer))\b\s?[,:]?"
    ),
    r"\b(?:derzeit|zurzeit|im moment|momentan|im augenblick)\b",
)
_SPANISH = (
    "recuerda|ten en cuenta|nota|ojo|importante|recordatorio|por cierto|para que conste"
    "|como (?:hablamos|acordamos|dijimos|siempre|quedamos)"
)
SPANISH = (
    rf"^\s*(?:por favor,? )?(?:{_SPANISH})(?:,? que\b|\s?[:,])",
    r"^\s*(?:según (?:dijo|dice|comentó|ha dicho)|(?:dijo|dice)) el usuario,?(?: que\b)?",
    r"\b(?:en realidad|de hecho|básicamente|por cierto|actualmente|en este momento)\b,?",
)
_FRENCH = (
    "notez|à noter|note|rappelle-toi|(?:pour )?rappel|important|pour info(?:rmation)?|au "
    "fait|comme (?:convenu|prévu|discuté|dit)"
)
FRENCH = (
    rf"^\s*(?:{_FRENCH}|(?:à|bon à) savoir)(?:,? qu(?:e\b|')|\s?[:,])",
    r"^\s*dans notre projet,? (?=\w)",
    r"^\s*il faut (?:savoir|noter) qu(?:e\b|')",
    r"\b(?:en fait|en réalité|d'ailleurs|actuellement|en ce moment|comme convenu)\b,?",
)
_ITALIAN = "nota|ricorda|promemoria|importante|a proposito|comunque|da sapere|per la cronaca"
ITALIAN = (
    rf"^\s*(?:{_ITALIAN})(?:,? che\b|\s?[:,])",
    r"\b(?:in realtà|di fatto|attualmente|al momento|tra l'altro|come (?:detto|concordato))\b,?",
)
_PORTUGUESE = "nota|lembrete|importante|já agora|a propósito|aliás|lembre-se|convém saber"
PORTUGUESE = (
    rf"^\s*(?:{_PORTUGUESE})(?:,? que\b|\s?[:,])",
    r"\b(?:na verdade|de facto|atualmente|neste momento|já agora|como combinado)\b,?",
)
_DUTCH = "let op|nb|ter info|herinnering|belangrijk|onthoud|trouwens|overigens|goed om te weten"
DUTCH = (
    rf"^\s*(?:{_DUTCH})(?:,? dat\b|\s?[:,])",
    (
        r"\b(?:eigenlijk|trouwens|overigens|momenteel|op dit moment|zoals (?:besproken"
        r"|afgesproken))\b,?"
    ),
)
