"""Words of one meaning in other languages than English, a set a line."""

from __future__ import annotations

GERMAN = """
abbrechen, stornieren
anfangen, beginnen, starten
anrufen, telefonieren
arzt, doktor
aufzug, fahrstuhl, lift
auto, wagen, pkw
bekommen, erhalten, kriegen, bekommt, erhält, kriegt
benutzt, verwendet, nutzt
benutzen, verwenden, nutzen
benötigen, brauchen
benutzer, nutzer, anwender
benötigt, braucht
datenbank, db
einkaufen, besorgen
entwicklung, dev
erforderlich, nötig, notwendig
fehler, bug
ferien, urlaub
handy, mobiltelefon, smartphone
jährlich, alljährlich
konfiguration, config
lehrer, lehrkraft
löschen, entfernen, gelöscht, entfernt
löscht, entfernt
manchmal, gelegentlich
manuell, händisch
mitarbeiter, angestellter
nächtlich, nachts
oma, großmutter
opa, großvater
ordner, verzeichnis
oft, häufig
papa, vater
mama, mutter
prüfen, kontrollieren, überprüfen
geprüft, kontrolliert, überprüft
produktion, prod
repository, repo
samstag, sonnabend
samstags, sonnabends
schicken, senden, versenden, gesendet, geschickt, verschickt, versandt
speichern, ablegen, aufbewahren, gespeichert, abgelegt, aufbewahrt
besprechung, meeting
umgebung, env
umziehen, übersiedeln
verantwortlich, zuständig
wöchentlich, allwöchentlich
wohnung, apartment
zahlen, bezahlen, gezahlt, bezahlt
zahlt, bezahlt
"""

SPANISH = """
acaba, termina, finaliza
apartamento, piso
archivo, fichero
autobús, bus
barato, económico
borra, elimina, suprime
borran, eliminan, suprimen
borrar, eliminar, suprimir
bonito, lindo
coche, carro, automóvil
comienza, empieza
comienzan, empiezan
comprar, adquirir
compra, adquiere
compramos, adquirimos
computadora, ordenador
configuración, config
contesta, responde
doctor, médico
emplea, utiliza, usa
emplean, utilizan, usan
emplear, utilizar, usar
enfadado, enojado
enseñar, mostrar
enviar, mandar
envía, manda
envían, mandan
error, fallo
gafas, lentes
guarda, almacena, conserva
guardado, almacenado
guardan, almacenan, conservan
móvil, celular
necesita, requiere, precisa
necesitan, requieren, precisan
operación, cirugía
producción, prod
profesor, maestro
repositorio, repo
rápido, veloz
trabajo, empleo
vive, reside
"""

FRENCH = """
achète, acquiert
appartement, appart
commence, débute, démarre
commencent, débutent, démarrent
configuration, config
conserve, garde, stocke, enregistre
conservent, gardent, stockent, enregistrent
conservé, gardé, stocké, enregistré
docteur, médecin
dépôt, repo
efface, supprime
effacé, supprimé
effacent, suppriment
emploi, travail, boulot
emploie, utilise
emploient, utilisent
envoie, expédie
envoyé, expédié
exige, requiert
finit, termine
habite, réside
nécessite, requiert
ordinateur, pc
production, prod
quotidien, journalier
relance, redémarre
réparé, dépanné
sauvegarde, backup
souvent, fréquemment
vacances, congés
vélo, bicyclette
voiture, auto, automobile
"""

ABROAD = {"de": GERMAN, "es": SPANISH, "fr": FRENCH}
