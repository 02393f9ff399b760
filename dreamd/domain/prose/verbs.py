"""Which English words begin a command, and which tell of what was or is."""

from __future__ import annotations

from dreamd.domain.prose.words import words
from dreamd.text.late import late

COMMANDS = words(
    "abbreviate add address aim always annotate answer append apply approve archive ask assume "
    "attach avoid back base be begin break bring build bump call capitalise capitalize caption "
    "check choose cite clean close code combine comment commit compare compile confirm consider "
    "convert copy create cross-check default define delete deploy describe diagram display "
    "document double-check draft draw echo edit emphasise emphasize end ensure enumerate escape "
    "estimate "
    "exclude execute explain export express favor favour fill finish flag focus follow format "
    "generate give go greet group handle highlight ignore import include indent inform insert "
    "install introduce isolate justify keep label lead leave limit lint list load lock log look "
    "mark mask mention merge mock modify move name never note notify number offer omit open order "
    "output paraphrase pick pin place point post prefer prefix present print prioritise prioritize "
    "provide pull push put quote read rebase recommend refer reference reformat relate remember "
    "remind remove rename render repeat replace reply report respond restart return review round "
    "run say schedule search send separate set share shorten show sign simplify skip sort speak "
    "specify spell split squash start state stay stick stop store structure style suffix suggest "
    "summarise summarize supply switch tag talk tell test track translate treat try turn type "
    "update upload use validate verify visualise visualize wait walk warn work wrap write"
)
COMMAND = rf"(?:{'|'.join(sorted(COMMANDS))})(?![\w-])"

# after "always" or "never": no command, since it tells a state, an event or a feeling
_TOLD = words(
    "a about above absolutely actually afraid after again ago all almost alone already also am an "
    "and another any anyone anything appreciated are around as at available away awesome bad "
    "beautiful because become been before began being best better beyond big both bought broke "
    "broken brought but by came can cannot caught chose come cool correct could did different "
    "difficult does done drew drove each easy either end-to-end enough even ever every everything "
    "exactly exciting expected fail fails fair fast feels fell felt fine first fond for forgot "
    "forgotten fought found free fresh friend from full fun funny gave gets glad goes gone gonna "
    "good got gotten great grew had half happen happened happens happy hard has have he heard held "
    "helpful helps her here hers high his hold hungry hurt i if important in inspired inspiring "
    "interested interesting into is it its just kept kind knew know known late later least led "
    "left less liked long looked looking lost love loved loves low made makes many may maybe me "
    "means meant met might mind more most much must my near neat need needed needs new nice no not "
    "nothing of off on once one only or our out over perfect pleasure possible pretty proud quick "
    "quite ran ready really right running said same sat saw says seem seemed seems seen sent she "
    "should since slow so some someone something somewhat sort sorry sounds special spent stood "
    "strong stronger stuff such super supportive sure tend terrible than thank thanks that the "
    "their them then there these they thinking this those though thought through to together told "
    "too took top true trying two under until up upon useful usually very want wanted wants was we "
    "welcome went were what when where which while who will wish with within without won wonderful "
    "won't wondered worked works worry worse worst worth would wrong yes yet you your"
)
_PAST = late(r"\w{2,}(?:[^e]ed|[aeiou]ed)$")
_COMMANDS_IN_ED = words("embed need feed seed speed heed exceed proceed succeed shred")
_THIRD = late(r"\w{3,}[^su\W]s$|\w+(?:ches|shes|sses|xes|ies)$")
_COMMANDS_IN_S = words("focus bias alias canvas redis")


def is_command(word: str) -> bool:
    """Whether a word after "always" or "never" tells someone to do something."""
    folded = word.casefold()
    if folded in COMMANDS:
        return True
    if not folded.isalpha() and "-" not in folded:
        return False
    if folded in _TOLD or (_PAST.search(folded) and folded not in _COMMANDS_IN_ED):
        return False
    if _THIRD.search(folded) and folded not in _COMMANDS_IN_S:
        return False
    return not folded.endswith(("ing", "ly")) or folded in {"bring", "apply", "reply", "rely"}
