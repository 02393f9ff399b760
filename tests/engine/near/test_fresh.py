"""How many facts told again by people who knew no rule are found, and that nothing else is."""

from __future__ import annotations

import pytest

from dreamd.engine.rules.near.same import says_the_same
from tests.engine.near.same_pairs import found
from tests.engine.night import dream
from tests.planted import near_fresh


@pytest.mark.parametrize(
    ("name", "count"), [("OTHERS_SEEN", 230), ("OTHERS_HELD", 120), ("WRONG", 621)]
)
def test_no_look_alike_is_taken_for_the_same(name: str, count: int) -> None:
    pairs = getattr(near_fresh, name)
    assert len(pairs) == count
    assert found(pairs) == []


@pytest.mark.parametrize(("name", "count", "least"), [("SEEN", 510, 228), ("HELD", 160, 56)])
def test_some_facts_told_again_are_found(name: str, count: int, least: int) -> None:
    pairs = getattr(near_fresh, name)
    assert len(pairs) == count
    assert len(found(pairs)) >= least


@pytest.mark.parametrize(
    ("one", "other"),
    [  # one order, another small word
        ("The hammer is on the tool box", "The hammer is in the tool box"),
        ("Edda heads the choir", "Edda heads for the choir"),
        ("Ivo is a nurse in Turku", "Ivo has a nurse in Turku"),
        ("The dose is too low", "The dose is low"),
        ("Der Nachbar ruft Edda", "Den Nachbarn ruft Edda"),
        ("Die Miete wird bezahlt", "Die Miete ist bezahlt"),
        ("Wir bauen den Zaun ab", "Wir bauen den Zaun um"),
        ("Le colis de Noé est là", "Le colis pour Noé est là"),
        ("El vecino que ve a Inés sale", "El vecino que ve Inés sale"),
        # one build, two exchanged
        ("Edda audits what Ivo bills to Turku", "Ivo audits what Edda bills to Turku"),
        ("Edda has our sledge", "We have Edda's sledge"),
        ("I am Edda's deputy", "Edda is my deputy"),
        ("Lundi danse Noé, mardi Inès", "Lundi danse Inès, mardi Noé"),
        ("I recommended Edda to Ivo", "Ivo recommended Edda to me"),
        ("Edda brings the cake", "We bring the cake to Edda"),
        ("Edda audits the books", "I audit the books with Edda"),
        # the same words but for a light one
        ("Edda gives the piano class in Turku", "Edda takes the piano class in Turku"),
        ("Edda keeps the red boat in Kiel", "Edda uses the red boat in Kiel"),
        ("Edda finds the red boat key in Kiel", "Edda has the red boat key in Kiel"),
        ("Edda uses the red boat in Kiel", "Edda has the red boat in Kiel"),
        ("Ivo has the lease for the red boat", "Ivo gives the lease for the red boat"),
        # said with it and a part of it
        ("A badge is needed", "A badge is needed for sailing"),
        ("Never lend the van", "Never lend the van to strangers"),
        ("The pool is open", "The pool is open to members"),
        ("Ivo may only drink tea", "Ivo may only drink tea and water"),
        ("The climb takes 3 hours", "The climb takes 3 hours and 20 minutes"),
        ("The fair is on 4 July", "The fair is on 4 July (cancelled)"),
        ("The lid does not fully shut", "The lid shuts"),
        # done, and to be done
        ("Paid the gas bill for May", "Pay the gas bill for May"),
        ("The van is booked for Ivo", "To do: book the van for Ivo"),
        ("The gas bill is paid", "Please pay the gas bill"),
        ("Make sure the hatch is shut", "The hatch is shut"),
        ("If Edda says no, sell the van", "Sell the van"),
    ],
)
def test_what_differs_in_little_differs(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)


@pytest.mark.parametrize(
    ("going", "staying"),
    [  # the same words in another build
        ("Edda is allergic to celery and to mustard", "Edda has allergies to celery and mustard"),
        ("The ferry is moored at pier 7 in Turku", "In Turku the ferry is moored at pier 7"),
        ("At pier 7 in Turku is where the ferry lies", "The ferry lies at pier 7 in Turku"),
        ("It was Ivo who signed the lease", "Ivo signed the lease"),
        ("The lease expires in May, so call Ivo", "Call Ivo because the lease expires in May"),
        ("The boathouse key is on the hook", "The key for the boathouse is on the hook"),
        ("Den Kahn streicht Edda im Mai", "Im Mai streicht Edda den Kahn"),
        ("Das Boot wird von Edda gestrichen", "Edda streicht das Boot"),
        ("Le bateau est réparé par Noé", "Noé répare le bateau"),
        ("The light in the shed is broken", "The shed's light is broken"),
        ("14 maps are in the atlas", "The atlas has 14 maps"),
        # and something told beside it
        ("The ferry leaves at 7:40", "The ferry, repainted last year, leaves at 7:40"),
        ("The ferry is late", "The ferry is late because the office was closed"),
        ("The exam is on 4 July", "The exam is on 4 July in the gym"),
        ("Ivo sails on Sundays", "He mentioned in passing that Ivo sails on Sundays"),
        ("The rope is 3 kg", "The rope weighs 3 kg"),
    ],
)
def test_one_fact_in_another_build_is_found(going: str, staying: str) -> None:
    assert says_the_same(going, staying)


@pytest.mark.parametrize("nothing", ["- it is", "- has", "- …", "-", "- of the"])
def test_a_line_without_a_word_of_weight_is_like_no_other(nothing: str) -> None:
    assert not says_the_same("The bill is paid by Edda", nothing)
    assert not says_the_same(nothing, "The bill is paid by Edda")


def test_who_does_something_may_be_somebody_to_whom_something_is_done() -> None:
    assert says_the_same("Bills are sent by approved staff", "Bills are sent by approved staff.")
    assert not says_the_same("Bills are sent by approved staff", "Staff are approved by Bills")


def test_what_is_surely_so_is_not_said_by_who_only_thinks_so() -> None:
    sure, unsure = "The ferry leaves at 7:40", "I think the ferry leaves at 7:40"
    assert says_the_same(unsure, sure)
    assert not says_the_same(sure, unsure)


def test_of_two_that_say_the_same_the_plainer_stays() -> None:
    plain, wrapped = (
        "- The ferry leaves at 7:40 on Sundays",
        "- By the way, the ferry leaves at 7:40 on Sundays",
    )
    text = f"# Boats\n\n{wrapped}\n{plain}\n- The sauna is shut\n"
    assert dream({"MEMORY.md": text})["MEMORY.md"] == f"# Boats\n\n{plain}\n- The sauna is shut\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The job only runs on Mondays", "The job runs only on Mondays"),
        (
            "A guest counts as seated after 20 minutes",
            "A guest is counted as seated after 20 minutes",
        ),
        ("Der Hund meiner Tante heißt Edda", "Edda heißt der Hund von meiner Tante"),
        (
            "Der Kran erlaubt höchstens 5 Tonnen pro Hub",
            "Pro Hub erlaubt der Kran höchstens 5 Tonnen",
        ),
        ("Ivo trinkt seinen Kaffee ohne Milch", "Seinen Kaffee trinkt Ivo ohne Milch"),
        ("Inés firmó el contrato en mayo", "El contrato lo firmó Inés en mayo"),
    ],
)
def test_one_fact_in_another_order_is_found(one: str, other: str) -> None:
    assert says_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The ship has a cook", "Every ship has a cook"),
        ("Boats were stolen in May", "All boats were stolen in May"),
        ("Only use the red boat for fishing", "Use only the red boat for fishing"),
        ("The boat only sails on Mondays in winter", "The boat sails only in winter on Mondays"),
        ("Wear the only red coat", "Only wear the red coat"),
        ("Before the race, Ivo came first", "Before the race, Ivo came"),
        ("The server is slow, since the update", "The server is slow because of the update"),
        ("Ivo erzählt von seiner Mutter", "Ivo erzählt seiner Mutter"),
        ("Ivo holt die Tochter von der Schule", "Ivo holt die Tochter der Schule"),
        ("The cook counts as the guests sit down", "The cook is counted as the guests sit down"),
        ("Wipe the table after lunch", "Clear the table after lunch"),
        ("Only Edda sails the red boat on Mondays", "Edda sails only the red boat on Mondays"),
        (
            "Edda mends the old bike in May, it cost 40 euros",
            "The old bike cost 40 euros in May, Edda mends it",
        ),
        (
            "Edda likes Ivo's dog, he is ill on Mondays",
            "Edda is ill on Mondays, he likes Ivo's dog",
        ),
        ("Edda grüßt im Mai Ivo herzlich", "Im Mai grüßt Edda herzlich von Ivo"),
        ("Der Garten wird von Ivo bewässert", "Der Garten ist von Ivo bewässert"),
        ("Das Paket von Edda liegt im Flur", "Im Flur liegt das Paket für Edda"),
        ("Opa ruft seinen Bruder", "Seinen Opa ruft Bruder"),
    ],
)
def test_another_fact_in_another_order_is_none(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)
