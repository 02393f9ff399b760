"""The small words of some languages, the spellings of one word, and words that narrow or turn."""

from __future__ import annotations

from dreamd.domain.prose.words import words
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

NO = "¬"
LOOSE, OF, FOR, BY = "in", "of", "for", "by"
_STRONG = {  # prepositions and joining words of which each is a class of its own
    "en": "from before after until since because against without over under between per "
    "when whenever if unless while once although across behind above below near outside",
    "de": "vor nach seit bis gegen über unter neben "
    "zwischen hinter ohne pro wegen wenn falls weil bevor nachdem",
    "fr": "avant après depuis contre sans chez si quand lorsque",
    "es": "desde hasta contra sin si cuando porque sobre detrás delante debajo encima",
    "it": "da fino contro senza quando perché",
    "pt": "desde até contra sem quando porque sobre",
    "nl": "voor na sinds tot tegen zonder als omdat",
}
TURNS = words(  # of these, what one line has more than another one turns or narrows it
    "before after until without over under per when whenever if unless while once although "
    "against outside vor nach bis gegen ohne wenn falls bevor nachdem avant après contre sans si "
    "quand lorsque hasta contra sin cuando fino senza até sem tot tegen zonder als"
)
CLAUSES = words(  # that open a clause, which stands before the other or behind it
    "because since when whenever if unless while once although wenn falls weil quand lorsque "
    "cuando porque perché quando omdat als"
)
SOFT = frozenset({LOOSE, OF, FOR, "with", ""})  # of which a phrase may be led by one or by none
EASY = SOFT | {BY, "to", "as"}  # in some sentences of one meaning there is none
# prepositions, by what they tell: of two classes none stands for the other
PREPOSITIONS = {
    "en": {
        LOOSE: words("in on at within during inside"),
        OF: words("of"),
        FOR: words("for"),
        "to": words("to into onto"),
        "with": words("with using via through"),
        "as": words("as"),
        "by": words("by"),
    },
    "de": {
        LOOSE: words("in im ins an am auf um bei beim"),
        OF: words("des"),
        FOR: words("für fürs"),
        "to": words("zu zum zur"),
        "with": words("mit per"),
        "by": words("von vom durch"),
    },
    "fr": {
        LOOSE: words("en dans sur au aux"),
        OF: words("de du des d pour"),
        "to": words("vers à"),
        "with": words("avec via"),
        "by": words("par"),
    },
    "es": {
        LOOSE: words("en"),
        OF: words("de del para"),
        "to": words("a al hacia"),
        "with": words("con"),
    },
    "it": {
        LOOSE: words("in nel nella nello nei su sul sulla alle alla al ai"),
        OF: words("di del della dello dei delle per"),
        "to": words("verso"),
        "with": words("con"),
    },
    "pt": {
        LOOSE: words("em no na nos nas às"),
        OF: words("de do da dos das para"),
        "to": words("ao à"),
        "with": words("com"),
    },
    "nl": {
        LOOSE: words("in op aan om bij"),
        OF: words("van voor"),
        "to": words("naar"),
        "with": words("met via"),
    },
}
for _name, _row in _STRONG.items():
    PREPOSITIONS[_name].update({_word: frozenset({_word}) for _word in _row.split()})
# say nothing by themselves
SILENT = {
    "en": words(
        "a an the this that these those is are am be been being it its there do does has have "
        "just really also please now currently which who ever here go goes stands "
        "standing m re ve d s t they them occurs occur happens happen lies located namely "
        "get itself gets what amounts totals equals whose own"
    ),
    "de": words(
        "der die das den dem ein eine einen einem einer eines ist sind es wird werden auch bitte "
        "jetzt derzeit dabei dort da hat haben beträgt "
        "liegt steht befindet findet statt habe lautet sich"
    ),
    "fr": words(
        "le la les l un une est sont c ce cette ces il y a se s est qui que aussi a ont trouve on "
        "trouvent"
    ),
    "es": words(
        "el la los las un una es son está están se lo hay que también tiene tienen queda tengo "
        "tenemos"
    ),
    "it": words("il lo la i gli le l un una uno è sono si che anche ha hanno"),
    "zh": words("的 会 地"),
    "pt": words("o a os as um uma é são está estão se que também tem têm fica"),
    "nl": words("de het een is zijn wordt worden er ook dat die dit deze heeft hebben"),
}
JOINS = {  # by these, too, a language is known
    "en": words("and or not never with from must should always"),
    "de": words(
        "und oder nicht nie wir immer mit ich mein meine meinen meiner meinem unser unsere unseren "
        "unserer ihr ihre ihren sein seine seinen er sie nach wenn aus nur noch kein keine "
        "muss darf "
        "nachts morgens abends täglich jeden jede jedes montags dienstags freitags"
    ),
    "fr": words(
        "et ou pas jamais nous avec mon ma mes notre nos son sa ses leur pour plus chaque tous "
        "toutes "
        "je il elle ils on ne du au"
    ),
    "es": words(
        "y o no nunca siempre mi mis mío nuestro nuestra nuestros su sus por pero más cada todos "
        "todas "
        "yo con del al"
    ),
    "it": words("e o non mai sempre"),
    "pt": words("e ou não nunca sempre"),
    "nl": words("en of niet nooit altijd"),
}
PERSONS = {
    word: person
    for person, row in {
        "I": "i me my mine myself",
        "we": "we us our ours",
        "you": "you your yours",
        "he": "he him his",
        "she": "she her hers",
        "they": "their theirs",
    }.items()
    for word in row.split()
}
OTHERS = frozenset({"he", "she"})  # somebody in particular, who must be named in both
KIN = words(  # whom "he" or "she" behind them may be
    "husband wife partner boyfriend girlfriend father mother dad mum mom brother sister son "
    "daughter "
    "uncle aunt cousin nephew niece grandfather grandmother grandpa grandma boss manager doctor "
    "dentist teacher trainer coach friend colleague neighbour neighbor landlord tenant client "
    "customer lawyer accountant baby child man woman boy girl cat dog user"
)
USER_DOES = words(
    "prefers wants likes dislikes loves hates uses is has needs works lives asked asks always "
    "never does owns speaks writes expects runs prefer want like dislike love hate use need do "
    "don was had can must should"
)
DENYING_ELSEWHERE = words("mai ei inte ej ikke")  # "am 5. Mai", "das Ei"
# one class, one word: what denies, asks for, allows, doubts, bounds
CLASSES = {
    word: name
    for name, row in {
        NO: (
            "not never no cannot none neither nor nicht nie niemals kein keine keinen keiner keinem"
            " ne pas jamais aucun aucune nunca jamás ningún ninguna mai nessun nessuna não nenhum"
            " niet nooit geen не нет ни никогда нельзя nigdy inte ej aldrig ikke aldri ei değil"
        ),
        "without": "без bez utan",
        "must": "must muss müssen doit doivent debe deben deve devono devem moet moeten",
        "should": "should ought sollte sollten soll sollen devrait devraient debería zou",
        "may": "may might dürfen darf",
        "can": "can kann können peut peuvent puede pueden può pode kan kunnen",
        "could": "could",
        "would": "would",
        "will": "will shall ll",
        "about": "about around approximately roughly circa ca etwa ungefähr environ",
    }.items()
    for word in row.split()
}
ENDS = words("and und et y e en и")  # between two of a list

TIMES = words(  # of no part of a sentence, so that they stand anywhere in it
    "nightly daily weekly monthly hourly yearly morning mornings afternoon evening evenings night "
    "each every always usually often sometimes rarely nachts täglich wöchentlich monatlich "
    "morgens abends jeden jede nuit jour chaque soir matin noche noches día mañana cada mes "
    "semana notte giorno ogni dia noite "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "montags dienstags mittwochs donnerstags freitags "
    "samstags sonntags "
    "lunes martes miércoles jueves viernes sábado sábados domingo domingos "
    "lundi mardi mercredi jeudi vendredi samedi dimanche "
    "januar februar märz april mai juni juli august september oktober november dezember "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "uhr heures horas ersten zweiten dritten vierten letzten "
    "spring summer autumn winter every yearly "
) | frozenset({*WEEKDAYS, *MONTHS, *(f"{day}s" for day in WEEKDAYS)})
DAILY = frozenset(
    "一二三四五六每毎天日月年周週時点曜火水木金土早晚朝夜晩凌晨午前後的上下の、に七八九十两半号时分"
)
LIGHT = words("run keep give hold put hang writ stor save plac")  # "is kept in", "runs every night"
UNSPACED = {"ja", "zh"}  # languages
GENDERED = {"es", "fr", "it", "pt"}
BOTH_WAYS = words(  # by itself, by somebody
    "start begin end finish stop open close clos continu restart renew rotat updat refresh reload "
    "reboot sync break increas decreas"
)
NAMING = words("heiss sellam sappell sichiam chamas hee")  # stems: "Mogli heißt der Kater"
SPEAKERS = words(  # stems of pronouns that are terms
    "ich wir du er sie es man je nous tu vous il elle ils yo nosotr él ell tú io noi lui lei eu "
    "nós "
    "ele ik wij we jij hij zij"
)
HOUSE = (  # where things live, and nobody
    r"(?:the |our |an? |my |its |their )?(?:[\w-]+ ){0,3}(?:repo|repository|folder|directory|bucket"
    r"|files?|vault|branch|database|db|config|package|module|drawer|box|cupboard|shed|garage|attic"
    r"|cellar|basement|shelf|cabinet|safe|wiki|drive|cluster|namespace|table|spreadsheet)\b"
)
MANY_WHO = (  # who live somewhere, and are no things
    "parents|kids|children|grandparents|neighbou?rs|friends|users|customers|clients|students"
    "|colleagues|families|brothers|sisters|sons|daughters|employees|tenants|cats|dogs|cousins"
    "|uncles|aunts|teachers|founders|members|developers"
)
