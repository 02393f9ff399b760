"""Words that say little by themselves: grammar words, and capitals that are no names."""

from __future__ import annotations

from dreamd.text.time.calendar_words import MONTHS
from dreamd.text.values.value import listed

GRAMMAR = frozenset(
    listed(
        "a about above after again all also although an and another any anything are around"
        " as at be because been before being below between both but by can could did do does"
        " doing done down during each either else etc ever every everything few for from"
        " further get gets got had has have having he her here hers him his how however i if"
        " in instead into is it its itself just let lets like made make makes many may me"
        " might more most much my near neither no nor not now of off on once one only onto or"
        " other others our ours out over own per please previously rather s same she should"
        " since so some something still such t than that the their theirs them then there"
        " these they thing things this those though through till to too two under until unto"
        " up upon us use used uses using very via was we well were what when where whether"
        " which while who whom whose why will with within without won would yes yet you your"
        " yours d ll m o re ve don doesn didn isn aren wasn weren hasn haven hadn shouldn"
        " wouldn couldn cannot must shall always never ever currently formerly earlier later"
        " before user users"
    )
)
GENERIC = frozenset(  # capitals that name nobody
    listed(
        "ai api apis ascii asap app aws ca cd ci cli cpu crud css csv db dm dns doc docs eod"
        " eta etc fyi faq ftp gb gpu gui html http https hr id ide ids io ip it json jwt kb"
        " kpi llm mb md mr mvp n/a na ok oop orm os pdf pm pr prs qa ram readme rest rfc rss"
        " sdk sla sms sql ssh ssl sso tba tbd tcp tls todo ui udp uk url urls us usa usb utc"
        " utf uuid ux vm vpn vs xml yaml gdpr pii p.s assistant claude user users person"
        " people team client customer note notes why how what source status update updated"
        " important warning memory index description type name project feedback reference"
        " context reason decision decided previously formerly since see said says example"
    )
).union(MONTHS)
ALIASES = {
    "postgresql": ("postgres", "psql", "pg"),
    "postgres": ("postgresql", "pg"),
    "javascript": ("js",),
    "typescript": ("ts",),
    "kubernetes": ("k8s",),
    "python": ("py",),
    "python3": ("python",),
    "golang": ("go",),
    "macos": ("mac", "osx"),
    "visual": ("vs", "vscode"),
    "studio": ("vs", "vscode"),
    "code": ("vscode",),
    "mongo": ("mongodb",),
    "mongodb": ("mongo",),
    "elastic": ("elasticsearch",),
    "elasticsearch": ("elastic",),
    "github": ("gh",),
    "amazon": ("aws",),
    "google": ("gcp", "gmail"),
    "continuous": ("ci",),
    "monday": ("mon",),
    "tuesday": ("tue", "tues"),
    "wednesday": ("wed",),
    "thursday": ("thu", "thur", "thurs"),
    "friday": ("fri",),
    "saturday": ("sat",),
    "sunday": ("sun",),
}
ANIMATE = frozenset(  # verbs of which somebody is the subject
    listed(
        "likes loves hates lives works worked said says thinks wants prefers enjoys owns"
        " bought married met moved born eats drinks plays studies studied speaks visited"
        " joined quit resigned believes dislikes cooks reads wrote writes drives hopes plans"
        " promised agreed told asked called codes coded teaches taught sings sang bakes baked"
        " paints painted knits swims jogs hikes cycles commutes volunteers travels travelled"
        " coaches graduated retired resigns divorced marries phoned texted emailed insists"
        " suggested complained worries feels felt knows knew forgot remembers sleeps slept"
        " celebrates celebrated loved hated enjoyed wanted preferred hired lent borrowed babysits"
    )
)
ROLES = frozenset(
    listed(
        "he she they who everyone nobody somebody someone user users client customer team"
        " manager boss wife husband partner mother father mom dad sister brother son daughter"
        " friend colleague owner person people company family lead designer developer"
        " engineer doctor teacher neighbour neighbor reviewer maintainer landlord cat dog it"
        " this also now still"
    )
)
