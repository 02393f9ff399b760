"""Words that say only that something is said: "Just so you know, …", "…, by the way"."""

from __future__ import annotations

TOLD = r"(?:said|says|told me|mentioned|mentions|noted|notes|stated|states|explained)"
_AGAIN = r"(?: (?:again|once more|once again|explicitly|today|yesterday))?"
_SUBJECT = r"(?= (?:the|an?|your|our|my|all|every|no|(?-i:[A-Z]{2,}))\b)"
_KNOW = "know|note|remember|mention|keep in mind|be aware of"
_GOOD = "(?:important|good|useful)"
_MIND = "(?:keep|bear) in mind"
_KNOWING = "knowing|noting|remembering|mentioning|keeping in mind"
_ASIDE = (  # at either end of a sentence
    "by the way|btw|fyi|for the record|for your information|for reference|for what it's worth"
    "|just so (?:you|we) know|to be clear|as (?:already )?(?:discussed|mentioned|agreed|noted)"
)
_LEADS = (  # to what is said, behind a comma or a colon
    rf"{_ASIDE}|note|nb|important|important note|reminder|heads[ -]up|to recap|good to know"
    r"|(?:just )?(?:as )?(?:a )?(?:quick |small |friendly |gentle )?reminder"
    r"|just so (?:that )?(?:we|you|I|nobody) (?:don't|do not|doesn't|does not) forget(?: it)?"
    rf"|(?:worth|also worth) (?:{_KNOWING})|(?:important|good|useful|nice|helpful) to (?:{_KNOW})"
    rf"|(?:one|another|some) ?thing(?: worth)? (?:to (?:{_KNOW})|{_KNOWING})"
)
FILLERS = (
    r"^\s*(?:(?:ok|okay|alright|well|right|anyway)(?:,? so)?,|(?:ok|okay) so) (?=\w)",
    rf"^\s*(?:{_LEADS})\s?[:,](?: that\b)?",
    r"^\s*fyi,? (?=\w)",
    rf"^\s*(?:it(?:'s| is) )?(?:also )?(?:worth (?:{_KNOWING})|{_GOOD} to (?:{_KNOW})) that\b",
    rf"^\s*(?:please )?(?:note|remember|recall|{_MIND}|be aware|mind)(?: that\b|:)",
    r"^\s*(?:remember|be sure|make sure|take care|don't forget|do not forget) to\b",
    rf"^\s*(?:please )?(?:make sure|be sure|ensure)(?: that\b|{_SUBJECT})",
    r"^\s*it(?:'s| is) (?:very )?(?:important|essential|crucial|worth noting)(?: that| to)\b",
    r"^\s*(?:so|then),? ",
    r"^\s*in our project,? (?=\w)",
    r"\b(?:in total|altogether|a total of|all in all|already)\b",
    r"\b(?:basically|essentially|actually|of course|obviously|in fact|simply)\b,?",
    r",\s(?:well|you know),",
    r"\b(?:at the moment|at present|right now|these days|nowadays|presently|as of now)\b,?",
    rf",\s(?:{_ASIDE}|(?:just )?something (?:(?:worth )?(?:{_KNOWING})|to (?:{_KNOW})))(?=\W*$)",
    r", (?:the )?user (?:wants|said|says)(?=\W*$)",
    rf"^\s*(?:the )?user (?:has |had )?{TOLD}{_AGAIN} that\b(?! (?:he|she|they)\b)",
    rf"\b(?:the )?user {TOLD}(?: that)?(?= (?:the|an?|their|his|her|my)\b)",
)
_GERMAN = "zur (?:erinnerung|info|information)|wichtig(?: zu wissen)?|gut zu wissen|hinweis|info"
GERMAN = (
    rf"^\s*(?:nur |noch )?(?:{_GERMAN}|nicht vergessen|übrigens|nebenbei)\s?[:,](?: dass\b)?",
    r"^\s*(?:bitte )?(?:beachte|denk daran|merke)(?:,? dass\b|:)",
    r"\b(?:eigentlich|übrigens|bekanntlich|wie (?:besprochen|erwähnt|gesagt))\b,?",
    r"\b(?:derzeit|zurzeit|im moment|momentan|im augenblick)\b",
)
_SPANISH = "recuerda|ten en cuenta|nota|ojo|importante|recordatorio|por cierto|para que conste"
SPANISH = (
    rf"^\s*(?:por favor,? )?(?:{_SPANISH})(?:,? que\b|\s?[:,])",
    r"^\s*(?:según (?:dijo|dice|comentó|ha dicho)|(?:dijo|dice)) el usuario,?(?: que\b)?",
    r"\b(?:en realidad|de hecho|básicamente|por cierto|actualmente|en este momento)\b,?",
)
_FRENCH = "notez|à noter|note|rappelle-toi|(?:pour )?rappel|important|pour info(?:rmation)?|au fait"
FRENCH = (
    rf"^\s*(?:{_FRENCH}|(?:à|bon à) savoir)(?:,? qu(?:e\b|')|\s?[:,])",
    r"^\s*dans notre projet,? (?=\w)",
    r"^\s*il faut (?:savoir|noter) qu(?:e\b|')",
    r"\b(?:en fait|en réalité|d'ailleurs|actuellement|en ce moment|comme convenu)\b,?",
)
