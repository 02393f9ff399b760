"""Small words that matter where all others stand in one order."""

from __future__ import annotations

from collections.abc import Mapping

from dreamd.domain.prose.words import words


def _classes(**rows: str) -> dict[str, str]:
    return {word: name.strip("_") for name, row in rows.items() for word in words(row)}


SMALL: Mapping[str, Mapping[str, str]] = {  # small words that matter, those of one sense in one
    "en": _classes(
        be="is are am be been being was were",
        have="has have",
        get="get gets",
        in_="in inside within",
        on="on",
        at="at",
        during="during",
        of="of",
        for_="for",
        to="to",
        into="into",
        onto="onto",
        with_="with using via through",
        as_="as",
        by="by",
    ),
    "de": _classes(
        be="ist sind bin",
        become="wird werden",
        have="hat haben",
        habe="habe",
        itself="sich",
        in_="in im ins",
        an="an am ans",
        auf="auf",
        um="um",
        bei="bei beim",
        für="für",
        zu="zu zum zur",
        mit="mit",
        per="per",
        von="von vom",
        durch="durch",
    ),
    "fr": _classes(
        be="est sont",
        have="a ont",
        itself="se s",
        qui="qui",
        que="que qu",
        en="en",
        dans="dans",
        sur="sur",
        à="à au aux",
        de="de du des d",
        pour="pour",
        vers="vers",
        par="par",
        avec="avec",
    ),
    "es": _classes(
        be="es son está están",
        have="tiene tienen",
        tengo="tengo",
        tenemos="tenemos",
        itself="se",
        a="a al",
        hacia="hacia",
        de="de del",
        para="para",
        en="en",
        con="con",
    ),
    "it": _classes(
        be="è sono",
        have="ha hanno",
        itself="si",
        di="di del della dello dei delle",
        per="per",
        in_="in nel nella nello nei",
        su="su sul sulla",
        a="alle alla al ai",
        verso="verso",
        con="con",
    ),
    "pt": _classes(
        be="é são está estão",
        have="tem têm",
        itself="se",
        de="de do da dos das",
        para="para",
        em="em no na nos nas",
        a="ao à às",
        com="com",
    ),
    "nl": _classes(
        be="is zijn",
        become="wordt worden",
        have="heeft hebben",
        op="op",
        in_="in",
        aan="aan",
        om="om",
        bij="bij",
        van="van",
        voor="voor",
        naar="naar",
        met="met",
    ),
}
CASES = {  # of what has one form in both lines the case is the same
    "de": (
        words("der die das den dem des"),
        words("ein eine einen einem einer eines"),
        words("mein meine meinen meinem meiner meines unser unsere unseren unserem unserer"),
        words(
            "sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer kein keine keinen keinem"
        ),
    ),
}
PRONOUNS = {  # articles, too: before one word in both lines or in none
    "fr": words("le la les"),
    "es": words("lo la los las el"),
    "it": words("lo la li le il i gli"),
    "pt": words("o a os as"),
}
