"""How people speak of themselves, and how they ask, in other languages than English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.text.late import late


@dataclass(frozen=True, slots=True)
class Tongue:
    """The words of one language.

    `own` begins a sentence of who speaks. A sentence with `out` in it is a wish, is about who
    listens, or knows nothing; with `passes` it tells how things go or will go, unless it counts.
    `asks` begins a request or a question, `asks_within` stands anywhere in one; what begins with
    `orders` and with nobody who speaks may be an order.
    """

    own: re.Pattern[str]
    out: re.Pattern[str]
    passes: re.Pattern[str]
    asks: re.Pattern[str]
    asks_within: re.Pattern[str]
    orders: re.Pattern[str]


def _tongue(lead: str, own: str, out: str, passes: str, asks: tuple[str, str, str]) -> Tongue:
    """Return a language of words with spaces; `own` stands first, `lead` may stand before it."""
    begins, within, orders = asks
    return Tongue(
        late(rf"(?:(?:{lead})[,!]?\s+)*(?:{own})", re.IGNORECASE),
        late(rf"\b(?:{out})(?!\w)", re.IGNORECASE),
        late(rf"\b(?:{passes})(?!\w)", re.IGNORECASE),
        late(rf"(?:(?:{lead})[,!]?\s+)*(?:{begins})(?!\w)", re.IGNORECASE),
        late(rf"\b(?:{within})(?!\w)", re.IGNORECASE),
        late(orders, re.IGNORECASE),
    )


def _but(articles: str, verbs: str) -> str:
    """Return what neither begins with one of some words or a figure nor has one of some verbs."""
    return rf"(?!(?:{articles})(?!\w)|[^\w\s]?\d|[^,;:]*\s(?:{verbs})(?!\w))"


_TO = r"[^,;:]{0,60}?\s"  # up to the verb and who speaks

TONGUES = {
    "de": _tongue(
        r"und|aber|also|ja|nein|ok|okay|hallo|hi|zur\s+info",
        r"(?:(?:übrigens|außerdem)[,:]\s)?(?:ich|wir)\s(?!und\b)|(?:meine?|unsere?)\s(?!code\b|frage|meinung)"
        rf"|(?:seit|im|in|am|ab|auf|bei|für|mit|nach|vor|unter|heute|gestern|jetzt|aktuell|derzeit|momentan|zurzeit"
        rf"|bisher|normalerweise|beruflich|privat|letzte[nrs]?|jeden|jede[s]?|dafür|dort|hier|\w+tags?|mittwochs?|morgens|abends)\s{_TO}?(?:ich|wir)\s|(?:übrigens|außerdem|zudem|daher|deshalb)\s\w+\s(?:ich|wir)\s",
        r"du|dir|dich|deine?[mnrs]?|euch|euer|ihnen|ihre[mnrs]?\s+(?:antwort|hilfe|vorschl\w+)|bitte|möchten?|würden?|hätten?|könnten?|sollten?|wollen|will|wünsch\w*|brauchen?|ben(?:ö|oe)tigen?|suchen?|frag\w*|weiß\s+nicht|wissen\s+nicht"
        r"|versteh\w*|hoff\w*|freu\w*|dank\w*|glaube?n?|denke?n?|vielleicht|ob|was|wie|warum|wieso|welche[mnrs]?|falls|wenn|hilfe|weiter|schritt|lade\b.*\bhoch|stecke|hänge",
        r"werden?|versuch\w*|fehler\w*|problem\w*|funktionier\w*|klappt|bekomm\w*|krieg\w*|finden?\b[^.]*\bnicht|gerade|soll(?:en)?|muss|müssen",
        (
            (r"(?:kannst|könntest|könnten|können|würdest|würden|willst|magst|hast|bist|weißt|darf|kann|soll|sollen|sollten|sollte|muss|müssen|ist|sind|gibt|haben|hat)\s+(?:du|sie|ihr|mir|ich|wir|man|es|jemand|das|die|der)"
            r"|was|wie|warum|wieso|weshalb|wann|wer|wo|woher|wohin|womit|welche[mnrs]?|lass\s+uns|(?:schreib|erstell|mach|zeig|erklär|füg|änder|prüf|überprüf|korrigier|übersetz|nenn|sag|lösch|entfern|ersetz|benutz|verwend|nutz|bau"
            r"|implementier|refaktorier|optimier|setz|generier|vergleich|schau|konvertier|formatier|teste|analysier|beschreib|berechn|sortier|empfiehl|gib|lies|hilf|such|fass|räum|vereinfach|ergänz|beheb|behebe|wandle|kürz|liste|schlag|rechne|unterstreich|erfinde?|nimm|wähl|plane?|stell|entwirf|verfass|formulier|verbesser|zeichne)e?\s+(?:mir|uns|mal|doch|bitte|den|die|das|der|ein\w*|mein\w*|unser\w*|diese\w*|alle\w*|für|zu\w*|in|nach|auf|dazu|jetzt|\d)"
            r"|(?:ich|wir)\s+(?:möchten?|will|wollen|brauchen?|hätten?|würden?|ben(?:ö|oe)tigen?|suchen?)"),
            r"bitte|kannst\s+du|könntest\s+du|können\s+sie|könnten\s+sie|würdest\s+du",
            _but(
                "der|die|das|eine?|diese[rs]?|jede[rs]?|alle|etwa|rund|ca|ungefähr|dort|es|am|im|in|an|auf|bei|für|mit|nach|seit|vor|ab|zu[mr]?|vom?|unter|über|heute|gestern|morgen",
                "ist|sind|hat|war|waren|wird|geht|läuft|kostet|liegt|heißt|fährt|beginnt|endet|dauert",
            ),
        ),
    ),
    "fr": _tongue(
        r"et|mais|donc|alors|oui|non|ok|bonjour|salut|bref|en\s+fait|au\s+fait|d'ailleurs|pour\s+info",
        r"(?:je\s|j['’]|moi,\s+je\s|nous\s(?!tous)|chez\s+nous|notre\s|nos\s|(?:mon|ma|mes)\s(?!code\b|question))|(?:depuis|dans|en|à|au|chez|hier|aujourd['’]hui|actuellement|maintenant|pour|avec|l['’]an|cette|le|la)\s[^;:]{0,60}?,?\s(?:je\s|j['’]|nous\s)",
        r"tu|te|t['’]\w+|toi|vous|votre|vos|ton|tes|s['’]il|merci|veux|voudr\w+|voulons|aimerai\w*|souhait\w*|besoin|cherch\w*|demand\w*|sais\s+pas|savons\s+pas|comprend\w*|espèr\w*|crois|pense|pensons|peut-être|comment|pourquoi|quel\w*|quand|combien|si|aide|étape|bloquée?s?|passons|question|\w+r(?:ais|ions|iez)",
        r"vais|allons|essa\w+|erreurs?|problèmes?|bugs?|fonctionne(?:nt)?\s+pas|marche\s+pas|dois|devons|obtien\w*",
        (
            (r"(?:peux|pourrais|veux|sais|as|es)[\s-]tu|(?:pouvez|pourriez|voulez|savez)[\s-]vous|est-ce|qu['’]est-ce|comment|pourquoi|quel(?:le)?s?|combien|où|quand|qui|peut-on|puis-je|dois-je|devrais-je|y\s+a-t-il"
            r"|(?:écris|crée|fais|montre|explique|donne|ajoute|corrige|traduis|résume|vérifie|aide|supprime|remplace|utilise|génère|trouve|dis|modifie|convertis|implémente|analyse|décris|calcule|trie|rédige|invente|souligne|reformule|raccourcis|propose|imagine|choisis|prépare|complète|mets|rends|range|optimise|améliore|planifie|change|compare)"
            r"(?:-(?:moi|nous|le|la|les))?\s+(?:le|la|les|un|une|des|du|de|mon|ma|mes|nos|notre|ce|cette|ces|tous|toutes|comment|pourquoi|en|au|aux|deux|trois|\d|l['’]\w+)|\w+-(?:moi|nous)|(?!(?:chez|assez|rendez)\b)\w{3,}ez|(?:je|j['’])\s?(?:veux|voudrais|aimerais|souhait\w+|cherche|ai\s+besoin)"),
            r"s['’]il\s+(?:te|vous)\s+pla[iî]t|stp|svp|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|merci\s+de",
            _but(
                "le|la|les|l|une?|cette|ces?|chaque|environ|c|il|elle|ils|elles|en|dans|à|aux?|pour|depuis|avec|sur|sous|chez|d[eu]s?",
                "est|sont|ont|coûte|dure|commence|ouvre|ferme|finit",
            ),
        ),
    ),
    "es": _tongue(
        r"y|pero|entonces|pues|sí|hola|bueno|por\s+cierto|además|ok|oye",
        r"(?:yo|nosotr[oa]s|nuestr[oa]s?|mis?)\s(?!código\b|pregunta)|(?:soy|somos|tengo|tenemos|estoy|estamos|trabajo|trabajamos|vivo|vivimos|uso|usamos|utilizo|utilizamos|desplegamos|migramos|hemos|compramos|decidimos|empecé|empezamos|prefiero|preferimos|guardamos|alojamos|publicamos|vendemos|cambiamos"
        r"|almacenamos|quedamos|pagamos|me\s+(?:llamo|mudé|dedico|gusta)|nos\s+(?:mudamos|reunimos))\s|(?:desde|en|hace|ayer|hoy|actualmente|ahora|para|con|cada|este|el|la|los)\s[^;:]{0,60}?,?\s"
        r"(?:yo|nosotr[oa]s|tengo|tenemos|trabajo|trabajamos|vivo|vivimos|usamos|utilizo|utilizamos|desplegamos|hemos|migramos|nos\s+(?:mudamos|reunimos))\s",
        r"tú|te|ti|usted(?:es)?|tus?|por\s+favor|gracias|quier\w+|queremos|quisiera|necesit\w+|gustar[ií]a|busc\w+|pregunt\w+|no\s+sé|sabemos|sé|entiend\w+|esper\w+|creo|pienso|quizás?|tal\s+vez|cómo|qué|por\s+qué|cuál\w*|cuándo|cuánt\w+|dónde|si|paso|atascad\w+|ayuda|podrí\w+|debería\w*",
        r"voy|vamos|intent\w+|errores|error|problemas?|falla\w*|no\s+funciona\w*|debo|debemos|teng\w+\s+que|tenemos\s+que",
        (
            (r"(?:puedes|podrías|puede|podría|quieres|sabes|me\s+puedes|me\s+podrías)|cómo|qué|por\s+qué|cuál\w*|cuándo|cuánt\w+|dónde|quién|(?:escribe|crea|haz|muestra|explica|añade|agrega|cambia|corrige|traduce|resume|revisa|ayuda|elimina|borra|reemplaza|usa|genera|compara|busca|encuentra|convierte|implementa|analiza|describe|calcula|ordena|pon|redacta|inventa|subraya|elige|prepara|completa|optimiza|mejora|diseña|propón|planifica|imagina|reescribe|reformula)"
            r"\s+(?:el|la|los|las|un|una|unos|unas|mi|mis|nuestr\w+|este|esta|estos|estas|todos|todas|a|en|de|dos|tres|\d\w*)|\w{2,}(?:á|é|í|[aei])(?:me|nos|melo|mela)\b(?<!informe)|dame|dime|hazme|ponme|(?:quiero|necesito|quisiera|me\s+(?:pregunto|gustaría)|busco|queremos|necesitamos)"),
            r"por\s+favor|puedes|podrías|me\s+ayudas",
            _but(
                "el|la|los|las|una?|este|esta|cada|unos|unas|aproximadamente|es|son|en|al?|del?|con|para|por|desde|hay",
                "es|está|son|están|tiene|cuesta|vive|abre|cierra|empieza|dura|hay",
            ),
        ),
    ),
    "it": _tongue(
        r"e|ma|quindi|allora|sì|ciao|comunque|inoltre|ok|tra\s+l['’]altro",
        r"(?:io|noi|nostr[oaie]|(?:il|la|i|le)\s+(?:mi[oae]|miei|nostr[oaie])|mi[ao]|miei)\s(?!codice\b|domanda)|(?:sono|siamo|ho|abbiamo|lavoro|lavoriamo|vivo|viviamo|abito|abitiamo|uso"
        r"|utilizzo|utilizziamo|usiamo|preferisco|preferiamo|mi\s+(?:chiamo|piace|occupo|sono)|ci\s+(?:siamo|troviamo))\s|(?:da|dal|dalla|in|nel|nella|ieri|oggi|attualmente|ora|per|con|ogni|il|la)\s[^;:]{0,60}?,?\s"
        r"(?:io|noi|ho|abbiamo|lavoro|lavoriamo|vivo|viviamo|abito|abitiamo|uso|usiamo|utilizziamo|ci\s+siamo|mi\s+sono)\s",
        r"tu|ti|te|tuo|tua|tuoi|tue|vi|voi|lei|per\s+favore|grazie|voglio|vogliamo|vorrei|vorremmo|bisogno|serve|cerc\w+|chied\w+|domanda|non\s+so|sappiamo|cap\w+sco|sper\w+|credo|penso|forse"
        r"|come|cosa|che\s+cosa|perché|qual\w*|quando|quant\w+|dove|se|passo|bloccat\w+|aiuto|potr\w+|dovrei|dovremmo",
        r"sto|stiamo|prov\w+|errori|errore|problem\w+|non\s+funziona\w*|devo|dobbiamo|andrò|farò",
        (
            (r"(?:puoi|potresti|può|potrebbe|vuoi|sai|mi\s+puoi|mi\s+potresti)|come|cosa|che\s+cosa|perché|qual\w*|quando|quant\w+|dove|chi"
            r"|(?:scrivi|crea|fai|mostra|spiega|aggiungi|cambia|correggi|traduci|riassumi|controlla|aiuta|elimina|usa|genera|confronta|trova|converti|implementa|analizza|descrivi|calcola|ordina|redigi|inventa|sottolinea|scegli|prepara|completa|ottimizza|migliora|progetta|proponi|riscrivi|metti)"
            r"\s+(?:il|lo|la|i|gli|le|un|uno|una|l['’]\w+|mio|mia|miei|questo|questa|tutti|tutte|a|in|di|come|perché|due|tre|\d\w*)"
            r"|\w{2,}(?:a|i)(?:mi|melo|mela|ci)\b|dammi|dimmi|fammi|(?:mi\s+chiedo|voglio|vorrei|vorremmo|ho\s+bisogno|cerco|mi\s+serve)"),
            r"per\s+favore|per\s+piacere|puoi|potresti|mi\s+aiuti",
            _but(
                "il|lo|la|i|gli|le|una?|uno|l|questo|questa|ogni|circa|è|in|nel|nella|al|alla|di|del|della|con|per|da|dal|su",
                "è|sono|ha|costa|apre|chiude|inizia|dura",
            ),
        ),
    ),
    "pt": _tongue(
        r"e|mas|então|sim|olá|oi|aliás|além\s+disso|ok",
        r"(?:eu|nós|a\s+gente|(?:o|os|a|as)\s+(?:meus?|minhas?|noss[oa]s?)|meus?|minhas?|noss[oa]s?)\s(?!código\b|pergunta)|(?:sou|somos|tenho|temos|estou|estamos|trabalho|trabalhamos|moro|moramos|uso|usamos|utilizo|utilizamos"
        r"|prefiro|preferimos|comprei|compramos|decidimos|migramos|mudei|gosto|gostamos|vivo|vivemos|me\s+(?:chamo|mudei)|chamo-me)\s|(?:desde|em|no|na|há|ontem|hoje|atualmente|agora|para|com|cada|o|a)\s[^;:]{0,60}?,?\s"
        r"(?:eu|nós|a\s+gente|tenho|temos|trabalho|trabalhamos|moro|moramos|usamos|utilizamos|migramos)\s",
        r"tu|te|ti|vocês?|teus?|tuas?|por\s+favor|obrigad[oa]|quer\w+|quis\w+|gostar[ií]a\w*|precis\w+|procur\w+|pergunt\w+|não\s+sei|sabemos|entend\w+|esper\w+|acho|penso|talvez"
        r"|como|por\s*qu[eê]|quê|qua(?:l|is)|quando|quant\w+|onde|(?<!-)se|passo|travad\w+|ajuda|poderi\w+|deveri\w+",
        r"vou|vamos|tent\w+|erros?|problemas?|falha\w*|não\s+funciona\w*|devo|devemos",
        (
            (r"(?:podes|pode|poderia|poderias|consegue|consegues|queres|sabe|você\s+(?:pode|poderia|consegue))|como|por\s+qu[eê]|qua(?:l|is)|quando|quant\w+|onde|quem|o\s+qu[eê]"
            r"|(?:escrev[ea]|cri[ae]|fa(?:z|ça)|mostr[ae]|expli(?:ca|que)|adicion[ae]|mud[ae]|corri(?:ge|ja)|traduz(?:a)?|resum[ae]|verifi(?:ca|que)|revis[ae]|ajud[ae]|elimin[ae]|apag(?:a|ue)|substitu(?:i|a)|us[ae]|ger[ae]|compar[ae]|convert[ea]|implement[ae]|analis[ae]|descrev[ea]|calcul[ae]|redi(?:ge|ja)|invent[ae]|sublinh[ae]|escolh[ea]|prepar[ae]|complet[ae]|otimiz[ae]|melhor[ae]|reescrev[ea]|coloc(?:a|que))"
            r"\s+(?:o|os|a|as|um|uma|uns|umas|meus?|minhas?|este|esta|todos|todas|em|de|dois|três|\d\w*)"
            r"|\w{3,}-(?:me|nos)|me\s+(?:ajud\w+|expli\w+|mostr\w+|diga|dê)|(?:quero|queria|preciso|gostaria|procuro)"),
            r"por\s+favor|você\s+pode|você\s+poderia|podes|poderias",
            _but(
                "os?|as?|uma?|este|esta|cada|cerca|é|em|n[oa]s?|ao|de|d[oa]s?|com|para|por|desde|há",
                "é|está|são|tem|custa|abre|fecha|começa|dura",
            ),
        ),
    ),
    "nl": _tongue(
        r"en|maar|dus|ja|nee|hallo|hoi|trouwens|ok|oké|overigens",
        r"(?:ik|wij|we|mijn|onze|ons)\s(?!code\b|vraag)|(?:sinds|in|op|bij|voor|met|na|vanaf|vandaag|gisteren|nu|momenteel|elke|iedere)\s[^,;:]{0,60}?\s(?:ik|wij|we)\s",
        r"je|jij|jou|jouw|jullie|u|uw|alsjeblieft|alstublieft|aub|bedankt|wil(?:len)?|zou(?:den)?|graag|nodig|zoek\w*|vraag|weet\s+niet|begrijp\w*|snap|hoop|denk|misschien"
        r"|hoe|wat|waarom|welke?|wanneer|of|als|stap|vast|hulp|kun|kunt",
        r"ga|gaan|zal|zullen|probe\w+|fouten|fout|foutmelding|problemen|probleem|werkt\s+niet|moet(?:en)?|krijg\w*",
        (
            (r"laten\s+we|(?:kun|kan|kunt|zou|wil|wilt)\s+(?:je|jij|u|jullie|ik|we)|hoe|wat|waarom|welke|wanneer|wie|waar"
            r"|(?:schrijf|maak|toon|laat|leg|geef|voeg|wijzig|controleer|vertaal|verwijder|vervang|gebruik|zoek|vergelijk|vertel|verbeter|genereer|bekijk|beschrijf|bereken|sorteer|herschrijf|vat|verzin|onderstreep|kies|plan|stel|ontwerp|verwerk|zet)\s+(?:me|mij|ons|de|het|een|mijn|onze|deze|dit|alle|\d)"
            r"|(?:ik|wij|we)\s+(?:wil|willen|zou|zouden|heb\s+hulp|zoek)"),
            r"alsjeblieft|alstublieft|kun\s+je|kunt\s+u|zou\s+je|wil\s+je",
            _but(
                "de|het|een|deze|dit|elke|ongeveer|er|in|op|bij|voor|met|na|sinds|van|vanaf",
                "is|zijn|heeft|kost|draait|gaat|begint|duurt",
            ),
        ),
    ),
    "ru": _tongue(
        r"и|а|но|да|нет|привет|кстати|также|ещё|ну|так",
        r"(?:я|мы|у\s+(?:меня|нас)|меня\s+зовут|мне\s+(?:\d|нравится)|мо(?:[йяёи]|е(?:го|й|му)?)|наш(?:[аи]|е(?:го|й|му)?)?)\s|(?:использую|используем|работаю|работаем|живу|живём|живем|предпочитаю|предпочитаем)\s"
        rf"|(?:с|в|во|на|для|после|до|вчера|сегодня|сейчас|теперь|раньше|обычно|каждый|каждую|по)\s{_TO}?(?:я|мы|у\s+(?:меня|нас))\s",
        r"ты|тебя|тебе|тобой|тво(?:й|я|ё|е|и|его|ей|ему|им|ими|их|ю)|вы|вас|вам|вами|ваш\w*|пожалуйста|спасибо|хочу|хотим|хотел\w*|хотелось|бы|нужн\w+|надо|ищу|интересно|не\s+знаю|не\s+знаем|вопрос\w*|понима\w+|надеюсь|думаю|кажется|возможно|может"
        r"|как|что|почему|зачем|какой|какая|какие|когда|сколько|где|ли|если|шаг\w*|застрял\w*|переход\w+|продолж\w+|помощь|помоги\w*",
        r"буду|будем|собира\w+|пыта\w+|пробу\w+|ошибк\w+|проблем\w*|не\s+работает|падает|получа\w+|долж\w+",
        (
            (r"(?:можешь|можете|мог\s+бы|могли\s+бы|могу|можно|знаешь|знаете|есть\s+ли|давай\w*)|как|что|почему|зачем|како[йея]|какая|какие|когда|сколько|где|кто|чем"
            r"|(?:напиш|созда|сдела|покаж|объясн|да|добав|измен|исправ|перевед|провер|помог|удал|замен|сгенерир|сравн|найд|скаж|расскаж|подскаж|переделай|реализу|посчита|опиш|состав|посмотр|укаж|назов|остав|придум|придума|подбер|подчеркн|реш|выбер|подготов|перепиш|распиш|оптимизиру|улучш|сократ)(?:и|й|ь)(?:те)?"
            r"|\w+(?:уй|юй)(?:те)?|\w+(?:ите|йте|ьте)|(?:я\s+)?(?:хочу|хотел\w*)|мне\s+(?:нужн\w+|надо)|нужно|надо"),
            r"пожалуйста|можешь|можете|не\s+мог(?:ли)?\s+бы",
            r"\w+(?:и|ите|йте|ь|ьте|іть|(?<![ыиоі])й)(?!\w)|(?:если|якщо|предположим|припустимо)\s",
        ),
    ),
    "uk": _tongue(
        r"і|й|а|але|так|ні|привіт|до\s+речі|також|ще|ну",
        r"(?:я|ми|у\s+(?:мене|нас)|в\s+нас|мене\s+звати|мені\s+(?:\d|подобається)|м(?:ій|оя|оє|ої)|наш[аеі]?)\s|(?:використовую|використовуємо|працюю|працюємо|живу|живемо)\s"
        rf"|(?:з|із|у|в|на|для|після|до|вчора|сьогодні|зараз|тепер|раніше|зазвичай|щодня|кожного|по)\s{_TO}?(?:я|ми|(?:у|в)\s+(?:мене|нас))\s",
        r"ти|тебе|тобі|тобою|тв(?:ій|оя|оє|ої|ого|оєму|оїм\w*|оєї|ою)|ви|вас|вам|ваш\w*|будь\s+ласка|дякую|хочу|хочемо|хотів|хотіла|хотілося|б|би|потрібн\w+|треба|шукаю|цікаво|не\s+знаю|питання|запитання|розумі\w+|сподіваюся|думаю|здається|можливо"
        r"|як|що|чому|навіщо|який|яка|які|коли|скільки|де|чи|якщо|крок\w*|застряг\w*|переход\w+|продовж\w+|допомог\w+",
        r"буду|будемо|збира\w+|намага\w+|помилк\w+|проблем\w*|не\s+працює|падає|отриму\w+|пови\w+|мушу",
        (
            (r"(?:можеш|можете|міг\s+би|могли\s+б|можу|можна|знаєш|знаєте|чи)|як|що|чому|навіщо|яки[йм]|яка|які|коли|скільки|де|хто"
            r"|(?:напиш|створ|зроб|покаж|поясн|да|дода|змін|виправ|переклад|перевір|допомож|видал|замін|використа|згенеру|порівня|знайд|скаж|розкаж|підкаж|опиш|склад|подив|придума|добер|підкресл|розв'яж|вибер|підготу|перепиш|розпиш|оптимізу|покращ|скороти|скорот)(?:и|й|ь)?(?:те|ть|іть)?"
            r"|\w+(?:уй|юй)(?:те)?|\w+(?:іть|йте)|(?:я\s+)?(?:хочу|хотів|хотіла)|мені\s+(?:потрібн\w+|треба)|потрібно|треба"),
            r"будь\s+ласка|можеш|можете|чи\s+не\s+міг",
            r"\w+(?:и|ите|йте|ь|ьте|іть|(?<![ыиоі])й)(?!\w)|(?:если|якщо|предположим|припустимо)\s",
        ),
    ),
    "ar": _tongue(
        r"و|لكن|نعم|لا|مرحبا|مرحبًا|أيضا|أيضًا|بالمناسبة",
        r"(?:و?أنا|و?نحن|لدي|لديّ|لدينا|عندي|عندنا|اسمي|عمري|فريقنا|شركتنا|فريقي|شركتي|أعمل|نعمل|أستخدم|نستخدم|أسكن|نسكن|أعيش|نعيش|انتقلت|انتقلنا|اشتريت|اشترينا|قررنا|زوجتي|زوجي|ابني|ابنتي|مديري|مكتبنا)\s"
        r"|(?:منذ|في|من|بعد|قبل|أمس|اليوم|حاليا|حاليًا|الآن)\s[^،؛:]{0,60}?(?:أنا|نحن|أعمل|نعمل|أستخدم|نستخدم|أسكن|أعيش|انتقلنا|قررنا)\s",
        r"أنت|أنتم|لك|منك|معك|عليك|إليك|فضلك|شكرا|شكرًا|أريد|نريد|أود|نود|أحتاج|نحتاج|أبحث|أتساءل|لا\s+أعرف|لا\s+نعرف|أفهم|آمل|أظن|أعتقد|ربما|كيف|ماذا|لماذا|متى|أين|هل|إذا|الخطوة|مساعدة|يمكنك|أرجو|سؤال",
        r"سوف|سأ\w+|سن\w+|أحاول|نحاول|خطأ|أخطاء|مشكلة|مشاكل|لا\s+يعمل|لا\s+تعمل|يجب",
        (
            r"هل|كيف|ماذا|ما\s+(?:هو|هي|الفرق)|لماذا|متى|أين|من\s+هو|كم|أي|اكتب|أنشئ|انشئ|اصنع|أرني|اشرح|أعطني|اعطني|أضف|اضف|غير|غيّر|صحح|ترجم|لخص|تحقق|ساعدني|احذف|استبدل|استخدم|قارن|ابحث|أخبرني|قم|حول|صف|احسب|أريد|أود|أحتاج|يرجى|رجاء|رجاءً",
            r"من\s+فضلك|لو\s+سمحت|رجاء|رجاءً|يمكنك|هل\s+تستطيع|أرجو",
            r"ا(?!ل)|أ|لو\s|إذا\s|تخيل|افترض",
        ),
    ),
}  # fmt: skip

HAN = Tongue(
    late(
        r"(?:(?:其实|另外|还有|对了|顺便说一下|嗯|好的|是的)[,，、]?)*"
        r"(?:(?:从|自|在|目前|现在|昨天|今天|上周|上个月|去年|今年|最近|平时|每[天周月年])[^,，。!！?？;；请帮你您]{0,12}?[,，]?)?"
        r"(?:我们|咱们|我(?!想|要|需|希)|本人|我司|我方)"
    ),
    late(
        r"[你您请吗呢?？]|帮[我忙助]|麻烦|能不能|可不可以|可否|是否|想[要让问知]|我想|希望|需要|怎[么样]|如何|为什么|什么|哪|多少|几[个点时]|谢谢"
        r"|不知道|不明白|不懂|不清楚|觉得|可能|也许|如果|告诉我|给我|应该|继续|第[\d一二三四五]+步|卡住|来[做写看]|吧[。!！]?$"
    ),
    late(r"打算|准备|将要|会|正在|错误|报错|问题|失败|必须|试"),
    late(
        r"(?:现在|然后|接着|再|先)?(?:请|帮|麻烦|能不能|可以|可否|能否|写|给|告诉|解释|翻译|修改|修复|检查|生成|创建|添加|增加|删除|把|将|用|列出|总结|比较|优化|实现|重构|计算|分析|说明|推荐|查|改|做"
        r"|怎么|如何|为什么|什么|哪|谁|有没有|是否|我(?:们)?(?:想|要|需要|希望))"
    ),
    late(
        r"请[你您帮给把问用写]|帮我|麻烦|能不能|可不可以|可以[^,，。]*吗|吗[?？。]?$|你能|您能|你可以|您可以"
    ),
    late(r"(?!.{2,}(?:是|有|在|共|位于|叫|约|每|需要))|假设|假如|如果|要是|为|对|让|当|想象|设想"),
)
KANA = Tongue(
    late(
        r"(?:(?:ちなみに|また|あと|そして|でも|はい|実は|なお)[、,]?)*"
        r"(?:[^、,。!！?？]{0,14}?(?:から|は|に|まで|より|現在|今|昨日|今日|先週|先月|去年|今年|最近|普段)[、,]?)?"
        r"(?:私(?:たち|達)?|わたし(?:たち)?|僕(?:ら|たち)?|ぼく|俺|我々|弊社|当社|自分|うち)(?:は|が|も|の|では|には|で)"
    ),
    late(
        r"ください|下さい|お願い|教えて|ほしい|欲しい|もらえ|いただけ|頂け|くれ(?:ます|る|ない)?|ますか|ですか|でしょうか|ませんか|か[?？。]?$|[?？]|どう|なぜ|何|いつ|どこ|どの|誰|あなた|ありがとう"
        r"|わから|分から|わかりま|分かりま|ましょう|ステップ|知りたい|したい|たいです|必要|質問|思[いう]|かもしれ|なさい|しろ[。!]?$|せよ|もし|べき|[てで][。!！]?$"
    ),
    late(r"予定|つもり|エラー|問題|失敗|動かない|動きません|しています途中"),
    late(r"(?!)"),
    late(
        r"ください|下さい|お願い|教えて|ほしい|欲しい|もらえ|いただけ|頂け|くれ(?:ます|る|ない|[。!]?$)|ましょう|ますか|ですか|でしょうか|ませんか|なさい|しろ[。!]?$|せよ"
        r"|(?:書い|作っ|直し|説明し|見せ|翻訳し|まとめ|変え|追加し|修正し|確認し|削除し|使っ|やっ|し)て[。!！]?$"
    ),
    late(r"もし|仮に"),
)
