"""English verbs of one meaning, a set a line: each may stand for any other of its line.

What is said in several words ("get rid of") is read as the first word of its line. A word may
stand in two lines, and what it shares with one it does not share with the other.
"""

from __future__ import annotations

VERBS = """
accept, agree to
achieve, attain, accomplish
acquire, obtain
add, append
allow, permit, let
answer, reply, respond
appear, show up
approve, sign off on, sign off, give the green light to, give the go-ahead to
arrange, organise, organize
ask, inquire, enquire
assemble, put together
assign, allocate
assist, help, aid, give a hand to
attach, affix, fasten
attempt, try
attend, take part in, participate in, be present at
avoid, steer clear of, stay away from, keep away from
ban, prohibit, forbid
begin, start, commence, kick off
book, reserve, make a reservation for
break, fail, break down
build, compile
build, construct
buy, purchase
calculate, compute
cancel, call off
cancel, terminate
change, alter, modify
charge, cost
check, verify, examine, inspect
choose, select, pick, opt for, pick out, settle on
clear, purge
close, shut
collect, gather
collect, fetch, pick up
combine, merge
complete, finish, wrap up, finalise, finalize
complete, fill in, fill out
compress, zip
configure, set up
contact, reach out to, get in touch with, get hold of
contain, include, comprise
continue, proceed, carry on, keep on
convert, transform
copy, duplicate
correct, rectify
cover, span
create, generate, produce
create, make
decide, determine, make a decision on, come to a decision on
decrease, reduce, lower, lessen, bring down
demand, require, call for
depart, leave
describe, outline
detect, spot, notice, discover
detest, hate, loathe, can not stand
die, pass away
disable, deactivate, turn off, switch off, shut off, shut down
discard, remove
discard, throw away, throw out, chuck out, dispose of
discover, find, find out
discuss, debate, talk about, talk over
dislike, do not like, do not care for
display, show
dismiss, sack, let go
distribute, hand out
divide, split
earn, make
email, send an email to, write an email to
hire, take on
empty, drain
enable, activate, turn on, switch on
end, finish
enjoy, like, be fond of, be keen on
enlarge, expand, extend
enrol, enroll, register, sign up
ensure, guarantee, make sure
enter, type in
erase, wipe
evaluate, assess
examine, look at, take a look at, have a look at
execute, run
exceed, go beyond
expect, anticipate
expire, end, lapse, run out
explain, clarify, spell out
export, dump
fear, be afraid of, be scared of
fetch, retrieve
fill, fill up
focus, concentrate
follow, obey, stick to, adhere to, abide by, comply with
forward, pass on, send on
function, work
grant, give
grow, cultivate
handle, be responsible for, be in charge of, take care of, look after, attend to
handle, process, deal with
help, support
host, run
identify, recognise, recognize
ignore, skip, disregard, pay no attention to
improve, enhance
increase, raise, bump, boost, bump up
increase, rise, grow, go up
inform, notify, tell, let know
insert, put in
install, put in place
intend, plan, have in mind
interrupt, disturb
invoke, call
join, become a member of
keep, preserve
keep, retain, store, save, hold on to, hang on to
know, be aware of
last, take, go on for
launch, roll out
launch, start, fire up
learn, study
leave, quit
limit, cap, restrict
list, enumerate
live, reside, dwell
maintain, keep up
meet, get together
mention, name, refer to
migrate, move
monitor, observe, keep an eye on, keep track of
move, relocate, move house
move, shift
mow, cut
need, require, be in need of
note, note down, write down, jot down
notify, alert
offer, provide
omit, leave out
order, place an order for
oversee, supervise
own, possess
pause, wait
pause, suspend, put on hold
perform, do, carry out, conduct, execute
place, put
plan, schedule
play, perform
post, publish
postpone, defer, put off, push back
practise, practice
prefer, favour, favor
prepare, get ready
prefer, like
prevent, avert
print, print out
propose, suggest, put forward
protect, shield, guard, safeguard
provide, supply, furnish
quit, resign, step down
quit, stop, give up
reach, arrive at
reboot, restart
rebuild, reconstruct
recommend, advise, suggest
recover, restore
refactor, restructure
refresh, update
refund, reimburse
reject, refuse, decline, turn down
relaunch, restart
publish, bring out
rely, depend
remain, stay
remove, delete, erase, eliminate, get rid of, do away with, take away, take out
remove, drop
renovate, refurbish, do up
repair, fix, mend
repay, pay back
repeat, redo, do again
replace, exchange, swap out, switch out
request, ask for
resolve, solve, fix, sort out
restart, start again
return, come back, go back, get back
return, give back, bring back
reveal, disclose, give away
review, look over, look through
revise, rework
see, view
seek, look for, search for
sell, sell off
send, ship, dispatch, send out
show, demonstrate
show, indicate
speak, talk
stop, cease, halt
stress, emphasise, emphasize, point out
submit, hand in, turn in
summarise, summarize, sum up
swap, switch, exchange
synchronise, synchronize, sync
sleep, be asleep
teach, instruct, give lessons in
terminate, end, kill
test, try out, put to the test
track, follow
transfer, move
trigger, start
update, bring up to date
use, consume
use, utilise, utilize, employ, make use of
validate, verify, check
visit, go to see, pay a visit to, drop in on
want, wish, desire, would like
write, compose, author
"""

DEEDS = """
agree, agreement; allow, allowance; analyse, analyze, analysis; announce, announcement; approve,
approval; arrive, arrival; assist, assistance; attend, attendance; breathe, breath; bury, burial;
choose, choice; close, closure; complain, complaint; convert, conversion; decide, decision;
deliver, delivery; depart, departure; describe, description; die, death; discover, discovery;
divide, division; expand, expansion; expire, expiry, expiration; extend, extension; fail, failure;
fly, flight; grow, growth; maintain, maintenance; marry, marriage; pay, payment; perform,
performance; permit, permission; prefer, preference; prescribe, prescription; propose, proposal;
prove, proof; recover, recovery; reduce, reduction; refuse, refusal; rehearse, rehearsal; remove,
removal; renew, renewal; repeat, repetition; require, requirement; respond, response; retrieve,
retrieval; revise, revision; sell, sale; store, storage; submit, submission; subscribe,
subscription; survive, survival; transmit, transmission; use, usage; weigh, weight
"""  # a deed and what it is called
