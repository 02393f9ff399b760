"""What the words of a heading say of the lines below it."""

from __future__ import annotations

from dreamd.domain.prose.words import words

# what kind of things are told there, and no thing of which there may be two
KINDS = words(
    "a an about are as at by how is so this what when where across always everything things stuff "
    "various shared common important key critical known remember reminder reminders tip tips trick "
    "tricks gotcha gotchas trap traps pitfall pitfalls caveat caveats quirk quirks lesson lessons "
    "learned learnt learnings insight insights finding findings observation observations knowledge "
    "fact facts detail details basics overview summary intro introduction background context "
    "convention conventions preference preferences rule rules guideline guidelines principle "
    "principles practice practices habit habits policy policies style coding workflow workflows "
    "process processes procedure procedures way ways working decision decisions agreed feedback "
    "instruction instructions communication collaboration person persons people team contact "
    "contacts user users profile identity reference references link links pointer pointers command "
    "commands cheatsheet glossary tool tools tooling projects services clients customers courses "
    "files areas calendar schedule timeline date dates deadline deadlines appointment appointments "
    "meeting meetings regular miss "
    # German
    "allgemein allgemeines ansprechpartner abläufe ablauf arbeitsweise befehle benutzer das der "
    "die und entscheidung entscheidungen erkenntnisse erreichbarkeit fakten fristen gelernt "
    "gewohnheiten grundlagen hinweis hinweise kalender kontakt kontakte konventionen leute links "
    "menschen merken nutzer person personen profil regel regeln sonstiges termine themen "
    "verschiedenes vorlieben werkzeuge wichtig wichtiges wir wie zusammenarbeit überblick "
    "übersicht "
    # French
    "aperçu bon commandes comment contexte conventions de des divers du décision décisions en "
    "faits général généralités habitudes information informations la le les liens mémoire méthode "
    "nous outils personnes préférence préférences rappel rappels références règle règles savoir "
    "sujets utilisateur équipe échéances et à "
    # Spanish
    "comandos conocimientos contactos contexto convenciones costumbres datos decisiones decisión "
    "del el enlaces equipo fechas general generales herramientas hábitos importante la las los "
    "memoria notas personas preferencias recordatorios referencias reglas resumen temas usuario "
    "varios y "
)
# kinds of things, of which each line must name one, and sides of one life or project: no place, no
# department, nobody and nothing of which there may be another below the next heading
AREAS = words(
    "activities architecture areas background bills birthdays children clients commutes contracts "
    "courses customers data dependencies diet docs documentation errands events experiments family "
    "features finance finances food friends gifts groceries guests health hobbies holidays house "
    "household incidents infra infrastructure insurance insurances integrations internships "
    "inventory jobs kids languages leisure life logistics medical medication medications metrics "
    "models money orders parents partners patients payments pets plants products projects "
    "publications pupils purchases recipes relatives results routine routines security services "
    "shopping stakeholders storage students suppliers tax taxes tech technology travel trips "
    "vacation vacations visitors visits "
    # German
    "alltag ausgaben daten einkauf einkäufe ernährung essen familie finanzen freizeit freunde "
    "geburtstage geld geschenke gesundheit haus haushalt haustiere hobbys infrastruktur kinder "
    "kollegen kunden leben lieferanten patienten projekte reisen schüler steuer steuern technik "
    "tiere urlaub versicherungen verträge "
    # French
    "achats amis animaux argent assurances clients courses enfants famille factures finances "
    "fournisseurs impôts infrastructure loisirs maison patients quotidien santé services technique "
    "vacances vie voyages élèves "
    # Spanish
    "alumnos amigos casa clases clientes compras cumpleaños dinero familia facturas finanzas hogar "
    "impuestos infraestructura mascotas niños ocio pacientes proveedores proyectos salud seguros "
    "servicios técnica vacaciones viajes vida "
)
# tell how things stand: what was thought of need not be decided, what is liked is not disliked
STANDINGS = words(
    "avoid cons against banned dislike dislikes do does done don doesn dont draft drafts forbidden "
    "allowed future goal goals hate hates hypotheses hypothesis idea ideas if later like likes "
    "loves maybe mustn never no none not open option options past perhaps plan planned plans "
    "possible possibly postponed previous previously proposal proposals proposed pros question "
    "questions rejected risks shouldn someday soon suggested suggestion suggestions tasks todo "
    "todos unless until upcoming wish wished wishes wishlist before after ago last next yesterday "
    "tomorrow abgelehnt aufgaben erledigt fertig fragen früher geplant ideen künftig mag nicht nie "
    "offen pläne später vergangen verboten verworfen vorschlag vorschläge wünsche ziele erlaubt "
    "beschlossen faire fait idée idées objectifs prévu projets refusé rejeté terminé souhaits "
    "aimer aime pas avant après descartado futuro gusta hacer hecho objetivos pendiente pendientes "
    "planes preguntas rechazado terminado antes después propuestas da fare fatto idee domande "
    "piace feito ideias fazer gedaan plannen ideeën "
)
