"""English nouns, adjectives, adverbs and joining words of one meaning, a set a line.

As with verbs: what is said in several words is read as the first word of its line, and a word may
stand in two lines. The words of `SHORT` mean the same also where they are written like names, and
those of `JOINING` are read as the first of their line wherever they stand.
"""

from __future__ import annotations

SHORT = """
admin, administrator
API, application programming interface
args, argument
auth, authentication
backend, back end
CEO, chief executive officer
CI, continuous integration
config, configuration, cfg
CTO, chief technology officer
CV, résumé, curriculum vitae
db, database
deps, dependency
dev, development
dir, directory, folder
docs, documentation
email, e-mail
env, environment
var, variable
frontend, front end
GP, general practitioner
HR, human resources
ID, identifier
info, information
javascript, js
kubernetes, k8s
lab, laboratory
lib, library
maximum, max
MFA, multi factor authentication
mgr, manager
minimum, min
msg, message
OS, operating system
param, parameter
photo, photograph, pic
postgresql, postgres, psql
PR, pull request
prod, production
QA, quality assurance
RAM, memory
ref, reference
regex, regular expression, regexp
repo, repository
SLA, service level agreement
spec, specification
SSO, single sign on
temp, tmp
TV, television, telly
2FA, two factor authentication
typescript, ts
UI, user interface
uni, university
VM, virtual machine
wifi, wlan, wi fi
"""

THINGS = """
advantage, benefit, upside
agreement, contract
airplane, aeroplane, plane, aircraft
allergy, allergic
annual, yearly
approach, method
assistance, help, aid
aunt, auntie
autumn, fall
baby, infant
basement, cellar
beginning, start
behaviour, behavior
bicycle, bike
big, large
bigger, larger
bin, trash can, garbage can, rubbish bin, waste bin
boss, manager
brief, short
bug, defect
cancelled, canceled
car, automobile
catalogue, catalog
centre, center
chance, opportunity
cheap, inexpensive
children, kid, kids
client, customer
coach, trainer
colleague, coworker, workmate, co worker
colour, color
company, firm
complex, complicated
corridor, hallway
crucial, essential, vital
cup, mug
dad, father, daddy
deadline, due date
delivery, shipment
dialogue, dialog
difficult, hard
difficulty, trouble
dinner, supper, evening meal
disadvantage, drawback, downside
district, neighbourhood, neighborhood
doctor, physician
easy, simple
effect, impact
elevator, lift
empty, blank, vacant
employees, staff, personnel
entire, whole
equipment, gear
error, mistake
exam, examination
extra, additional, further
favourite, favorite
fast, quick, rapid
faster, quicker
closer, nearer
flat, apartment
flyer, leaflet
fridge, refrigerator
friend, pal, buddy
game, match
garbage, rubbish, trash
gift, present
goal, aim, objective
grandfather, grandpa, grandad, granddad
grandmother, grandma, granny
grey, gray
guest, visitor
gym, gymnasium, fitness studio
handbook, manual
harbour, harbor
heading, headline
husband, hubby
idea, notion
identical, same
ill, sick, unwell
illness, disease, sickness
image, picture
immediately, instantly, at once, straight away, right away, without delay
incorrect, wrong, not correct
invalid, not valid
invoice, bill
job, position
journey, trip
kind, sort
lawyer, attorney
licence, license
litre, liter
deep, depth
high, height
long, lengthy
long, length
wide, width
lorry, truck
main, primary
mainly, mostly, chiefly, predominantly
mandatory, compulsory, obligatory, not optional
medicine, medication
metre, meter
mobile, cellphone, cell phone, mobile phone
mom, mum, mother, mummy, mommy
motorway, highway
movie, film
neighbour, neighbor
normally, usually, generally, typically, as a rule, most of the time
occasionally, sometimes, now and then, from time to time, at times, once in a while
occupation, profession
often, frequently
ongoing, in progress, under way
operation, surgery
organisation, organization
owner, proprietor
parcel, package
permission, authorisation, authorization
certificate, cert
petrol, gasoline
pharmacy, drugstore
physiotherapist, physio, physical therapist
problem, issue
price, cost
programme, program
pupil, student
rarely, seldom, hardly ever, infrequently
reliable, dependable
reply, answer, response
retain, retention
salary, wage
schedule, timetable
separate, distinct
shop, store
similar, alike
smart, clever
sofa, couch
summary, synopsis
strange, odd, weird
supermarket, grocery store
surname, last name, family name
teacher, instructor
theatre, theater
toilet, restroom
topic, subject
tyre, tire
unavailable, not available
unpaid, not paid
urgent, pressing
useful, helpful
workday, working day, business day
"""

JOINING = """
about, regarding, with regard to, with respect to, in regard to
after, subsequent to
and, as well as, along with, together with
behind, at the back of
because, due to, because of, owing to, on account of
before, prior to, ahead of
every, each and every
except, apart from, with the exception of, other than
from, as from, starting from, with effect from
instead of, rather than, in preference to, in place of, in lieu of
near, close to, not far from
never, at no time, under no circumstances, on no account, not ever
next to, beside, adjacent to
to, in order to, so as to
until, till, up until
using, by means of, with the help of, by using, with the aid of
when, whenever, in the event that, every time, each time, if
≤, at most, at the most, no more than, not more than, up to, a maximum of
≥, at least, at the least, no less than, no fewer than, a minimum of
"""
