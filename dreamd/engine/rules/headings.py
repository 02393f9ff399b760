"""What the words of a heading say of the lines below it."""

from __future__ import annotations

from dreamd.domain.prose.words import words

# what kind of things are told there, and no thing of which there may be two
KINDS = words(
    "in on daily other about are this what when where across always everything things stuff "
    "various shared common important key critical known remember reminder reminders tip tips "
    "trick tricks gotcha gotchas trap traps pitfall pitfalls caveat caveats quirk quirks lesson "
    "lessons learned learnt learnings insight insights finding findings observation observations "
    "knowledge fact facts detail details basics overview summary intro introduction background "
    "context convention conventions preference preferences rule rules guideline guidelines "
    "principle principles practice practices habit habits policy policies style coding workflow "
    "workflows process processes procedure procedures way ways working decision decisions agreed "
    "feedback instruction instructions communication collaboration person persons people team "
    "contact contacts user profile identity reference references link links pointer pointers "
    "command commands cheatsheet glossary tool tools tooling areas calendar schedule timeline "
    "date dates deadline deadlines appointment appointments meeting meetings regular "
    # German
    "allgemein allgemeines ansprechpartner abläufe ablauf arbeitsweise befehle benutzer das der "
    "die und entscheidung entscheidungen erkenntnisse erreichbarkeit fakten fristen gelernt "
    "gewohnheiten grundlagen hinweis hinweise kalender kontakt kontakte konventionen leute links "
    "menschen merken nutzer person personen profil regel regeln sonstiges termine themen "
    "verschiedenes vorlieben werkzeuge wichtig wichtiges wir wie zusammenarbeit überblick "
    "übersicht "
    # French
    "aperçu bon commandes comment contexte conventions des divers du décision décisions faits "
    "général généralités habitudes information informations les liens mémoire méthode nous outils "
    "personnes préférence préférences rappel rappels références règle règles savoir sujets "
    "utilisateur équipe échéances et à "
    # Spanish
    "comandos conocimientos contactos contexto convenciones costumbres decisiones decisión del "
    "enlaces equipo fechas general generales herramientas hábitos importante las los memoria "
    "notas personas preferencias recordatorios referencias reglas resumen temas usuario varios "
)
# sides of one life or project: no place, no department, nobody and nothing of which there may be
# another below the next heading
AREAS = words(
    "activities architecture areas data dependencies diet docs documentation errands "
    "events experiment experiments family features finance finances food gifts groceries health "
    "hobbies house household incidents infra infrastructure insurance insurances "
    "integrations internships inventory languages leisure life logistics medical medication "
    "medications metrics models money publications purchases results routine routines security "
    "shopping storage tax taxes tech technology "
    # German
    "alltag ausgaben daten einkauf einkäufe ernährung essen familie finanzen freizeit geburtstage "
    "geld geschenke gesundheit haus haushalt hobbys infrastruktur leben projekte steuer "
    "steuern technik versicherungen verträge "
    # French
    "achats argent assurances famille finances impôts infrastructure loisirs maison quotidien "
    "santé technique vie "
    # Spanish
    "casa clases compras cumpleaños dinero familia finanzas hogar impuestos infraestructura ocio "
    "proyectos salud seguros servicios técnica vida "
)
# parts of a project: what is told of its rules holds there, too
PARTS = words(
    "auth authentication authorization backups builds caching database databases deploy deployment "
    "deployments deploys environments errors hosting invoicing logging migrations monitoring "
    "networking notifications performance releases reporting reviews schema testing tests "
    "datenbank fehler veröffentlichungen déploiement erreurs despliegue errores "
)
# tell how things stand: what was thought of need not be decided, what is liked is not disliked
STANDINGS = words(
    "avoid cons against banned dislike dislikes do does done don doesn dont draft drafts "
    "forbidden allowed future goal goals hate hates hypotheses hypothesis idea ideas if later "
    "like likes loves maybe mustn never no none not open option options past perhaps plan planned "
    "plans possible possibly postponed previous previously proposal proposals proposed pros "
    "question questions rejected risks shouldn someday soon suggested suggestion suggestions "
    "tasks todo todos unless until upcoming wish wished wishes wishlist before after ago last "
    "next yesterday tomorrow abgelehnt aufgaben erledigt fertig fragen früher geplant ideen "
    "künftig mag nicht nie offen pläne später vergangen verboten verworfen vorschlag vorschläge "
    "wünsche ziele erlaubt beschlossen faire fait idée idées objectifs prévu projets refusé "
    "rejeté terminé souhaits aimer aime pas avant après descartado futuro gusta hacer hecho "
    "objetivos pendiente pendientes planes preguntas rechazado terminado antes después propuestas "
    "da fare fatto idee domande piace feito ideias fazer gedaan plannen ideeën abandoned "
    "alternative alternatives assumption assumptions backlog bug bugs cancelled canceled "
    "considered discuss exception exceptions false fixed illegal myth myths needs nice requested "
    "reverted review rumour rumours rumor rumors scrapped shelved superseded unconfirmed "
    "undecided unsure want wants warning warnings wrong alternativen ausnahme ausnahmen geändert "
    "gerüchte irrtümer überlegung überlegungen überholt veraltet verschoben widerrufen zweifel "
    "abandonné alternativas annulé discuter interdit rumeurs reporté cancelado dudas excepciones "
    "prohibido rumores aplazado annullato eccezioni vietato vervallen uitzonderingen "
)
