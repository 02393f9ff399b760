"""Words that narrow, turn or take back what is said, and words that leave it as it is."""

from __future__ import annotations

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.stems import key_of
from dreamd.engine.rules.near.wording import CLASSES
from dreamd.engine.rules.vocabulary import TELLING

_CONDITIONS = words(
    "if when whenever unless only except but while until till after before once though although "
    "otherwise provided depending or than instead rather maybe perhaps probably likely "
    "supposedly reportedly apparently plan plans planned planning considering consider try trying "
    "wants want hope hopes proposed might was were had used formerly previously earlier past "
    "longer yet still anymore deprecated outdated obsolete wrong mistaken changed today tomorrow "
    "yesterday tonight weekend weekends weekdays every all some any most least at-least half "
    "sometimes often usually rarely mostly partly almost nearly per each "
    "wenn falls nur außer sofern sobald bis vor oder aber doch sondern war waren früher "
    "vielleicht manchmal meist "
    "si sauf seulement mais ou était sinon quand lorsque jusqu avant après "
    "solo excepto salvo pero o era cuando hasta antes después sólo quando ma però fino prima dopo "
    "eccetto mas exceto até apenas somente als alleen behalve maar of tot tenzij"
)
_ELSEWHERE = words(
    "live sandbox preview canary beta nightly-build nightlies laptop windows linux macos mac ios "
    "android mobile desktop web docker container cluster host region eu us office home remote "
    "remotely tests tested default defaults backup primary secondary replica fallback legacy "
    "temporary temporarily experimental"
)
_SIGNS = frozenset({"<", ">", "≤", "≥", "≠", "≈", "~", "±", "→"})
_LETTERS = frozenset("不没無无非别勿未禁除若只仅但或ずぬ")  # of scripts without spaces
# what may not stand in the part that only one line has
NARROWS = (_CONDITIONS | _ELSEWHERE | TELLING | _SIGNS | _LETTERS | frozenset(CLASSES.values())) - {
    "backup"
}
REVOKES = words(  # nor, of these, in a further sentence or in what tells why
    "if when whenever unless only except but while until till once though although otherwise "
    "provided depending instead maybe perhaps probably likely supposedly reportedly apparently "
    "formerly previously longer yet still anymore deprecated outdated obsolete wrong mistaken "
    "changed however unlike excluded excluding exempt barring minus cancelled canceled false "
    "unconfirmed rumour rumor guesses claims joke ausgenommen ausnahme abgesagt verschoben "
    "ausgefallen verlegt veraltet ungültig vermutlich angeblich hofft périmé annulé annulée "
    "reporté reportée hormis cancelada cancelado aplazada aplazado menos annullata annullato "
    "rinviata rinviato geannuleerd wenn falls nur außer sofern sobald bis aber doch sondern früher "
    "vielleicht si sauf seulement mais sinon solo excepto salvo pero sino hasta sólo ma però "
    "eccetto mas exceto até apenas alleen behalve maar tenzij"
)
MANNERS = words(  # say how surely, or how, what stands anyway; more than that they do not tell
    "really simply honestly definitely certainly clearly quite very pretty literally officially "
    "exactly precisely "
    "silently quietly automatically directly immediately fully completely properly itself "
    "themselves himself herself"
)
MEASURES = words(  # stems: before an amount they say no more than "is"
    "weigh measur last tak number total equal read show stand remain stay cost reach come fal"
)
SORTS = words(  # stems: before a name they say what it is the name of
    "fil folder directori branch tabl variabl command script host server repo repositori channel "
    "packag librari modul servic tool clas funct flag bucket container queu topic account databas "
    "machin box room build street citi town villag"
)
# one line may have more than another, wherever
ANYWHERE = words(
    "mr mrs ms always comes come located pay pays cost costs immer toujours siempre sempre altijd"
)
CANCELS = words(  # in a sentence of what the next one says
    "outdated obsolete deprecated wrong mistaken changed previously formerly longer anymore "
    "earlier past rejected supposedly reportedly maybe perhaps if"
)
ONLY = words("onli exclusiv sole solely just nur seulement solo sólo solament alleen apenas")
OPEN = frozenset(
    key_of(word, "en", is_passive=True)[0]
    for word in words(
        "allowed allows permitted free open opens closed closes forbidden banned limited available "
        "applies valid accepted enter travel works"
    )
)
PREFERRING = words("prefer lik like choos choose chose use pick tak take favour favor")
