"""What nobody would read a month later is no evidence; what is of worth beside it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dreamd.domain.evidence import ClaimKind, Snippet
from dreamd.domain.heard import AssistantSaid, PersonSaid, Turn
from dreamd.evidence.light import light

AT = datetime(2026, 5, 11, 9, tzinfo=UTC)


def person(text: str, message: str = "p1") -> PersonSaid:
    return PersonSaid(text, "5e55", message, AT, AT.date())


def assistant(text: str, message: str = "a1") -> AssistantSaid:
    return AssistantSaid(text, "5e55", message, AT, AT.date())


def stated(*turns: Turn) -> list[str]:
    return [each.statement for each in light(turns) if isinstance(each, Snippet)]


STATED = {  # work that passes counts and names nothing; what one is or has is another thing
    "I've started with the first draft of the form.": [],
    "I've got my test code set up.": [],
    "I've fixed the issue.": [],
    "I'm finalizing the layout of the page.": [],
    "I've been practicing with different scales.": [],
    "I've been practicing, and I've been improving, and I've been keeping it up.": [],
    "I've fixed the leak with 3 clamps from Hornbach.": [
        "I've fixed the leak with 3 clamps from Hornbach."
    ],
    "I've added a back door, but the front door stays locked for good.": [
        "I've added a back door, but the front door stays locked for good."
    ],
    "I've got two sisters who sing in a choir.": ["I've got two sisters who sing in a choir."],
    "I've started a bakery with my brother.": ["I've started a bakery with my brother."],
    "I've been practicing the cello since my childhood.": [
        "I've been practicing the cello since my childhood."
    ],
    # what leads over to code
    "I'm on Rust 1.79 and my current parser looks like this:": ["I'm on Rust 1.79."],
    "My parser looks something like this:": [],
    # what was cut off from what it is a condition of
    "Once I have the 3 permits, can you help me plan the fence?": [],
    "Given that I planned the move for 9 June, can you help me pack?": [
        "I planned the move for 9 June."
    ],
    "After I moved to Ghent I stopped eating meat.": [
        "After I moved to Ghent I stopped eating meat."
    ],
    "I compared the Kestrel tent and the Heron tent on May 4, which one would be better?": [
        "I compared the Kestrel tent and the Heron tent on May 4."
    ],
    # what a question takes for granted of somebody by name, or of a figure that is known
    "How do I prepare, especially since Vasco and I meet on July 20?": [
        "Vasco and I meet on July 20."
    ],
    "Should I wait, given that Vasco Lima sold us 3 of his boats?": [
        "Vasco Lima sold us 3 of his boats."
    ],
    "What would happen given that Portugal joined the euro?": [],
    "Is it true that Bob quit because Ana said that he was lazy?": [],
    "What has changed in the parser since Rust came out?": [],
    "How can I finish the deck within the estimated 6 weeks?": [
        "How can I finish the deck within the estimated 6 weeks?"
    ],
    "How do I adjust my research timeline since it's already April 5?": [
        "How do I adjust my research timeline since it's already April 5?"
    ],
    # a quotation that ends with the sentence
    'I finished 3 books of "The Heron Trilogy." What do you think about those?': [
        'I finished 3 books of "The Heron Trilogy."'
    ],
    # a trouble that stands beside what holds
    "I'm on Rust 1.79 with Axum 0.7, but I'm having trouble with the parser of my YAML2 files.": [
        "I'm on Rust 1.79 with Axum 0.7, but I'm having trouble with the parser of my YAML2 files."
    ],
    "I'm stuck with the glaze, it came out of the kiln at 1,240 degrees, so I'm unsure.": [
        "I'm stuck with the glaze, it came out of the kiln at 1,240 degrees."
    ],
    "I was stuck with the glaze, but I solved it by firing it twice.": [
        "I was stuck with the glaze, but I solved it by firing it twice."
    ],
    "I'm having trouble with my login form, and it returns a 404 error.": [],
    "I'm stuck with the glaze, and I think that the kiln is too cold.": [],
    "I'm stuck on my draft, and I've decided to cut the prologue, but I'm not sure where to end.": [
        "I'm stuck on my draft, and I've decided to cut the prologue."
    ],
    "I'm struggling to sleep since my father died on 3 March.": [
        "I'm struggling to sleep since my father died on 3 March."
    ],
    "I'm getting the keys to our house on 1 July.": [
        "I'm getting the keys to our house on 1 July."
    ],
    "I'd love to visit Lyon with my 2 daughters some day.": [
        "I'd love to visit Lyon with my 2 daughters some day."
    ],
    # who asks, and what stands as a ground before the question
    "As a nurse with 3 nights a week, how do I plan my meals?": [
        "As a nurse with 3 nights a week."
    ],
    "As a baker from Lyon, I'm wondering how to store rye?": ["As a baker from Lyon."],
    "As a beginner, how do I start?": [],
    "Having finished 14 of the 20 chapters, how should I pace the rest?": [
        "Having finished 14 of the 20 chapters."
    ],
    "With our oven in repair until June 9, I'm wondering where to bake rye, any ideas?": [
        "Our oven in repair until June 9."
    ],
    "Given my preference for kneading by hand, how do I start?": [
        "My preference for kneading by hand."
    ],
    # what makes sense only within the question
    "How do I bake rye like I did on June 2 when I fed 30 guests?": ["On June 2 I fed 30 guests."],
    "How do I bake rye as we did when we fed 30 guests in May?": ["We fed 30 guests in May."],
    "What do I need for a tasting like we did in Lyon?": [],
    "How do I bring my rye down to 3 loaves?": ["How do I bring my rye down to 3 loaves?"],
    "How do I get ready for my rye tasting in Lyon on June 9?": [
        "My rye tasting in Lyon on June 9."
    ],
    "I've set a goal of 40 loaves by June, so what tricks can I use": [
        "I've set a goal of 40 loaves by June."
    ],
    # a change told beside a request, and a decision told in an answer
    "I'm gonna reschedule the tasting to 4 PM next Friday, do you think it's fine?": [
        "I'm gonna reschedule the tasting to 4 PM next Friday."
    ],
    "I'm gonna clean the oven on a Friday, do you think it's fine?": [],
    "I think I'll lean towards the mill for its stone-ground rye.": [
        "I think I'll lean towards the mill for its stone-ground rye."
    ],
    "Since Ros and I booked two cabins, one from June 9 to 12, how do we pack?": [
        "Ros and I booked two cabins, one from June 9 to 12."
    ],
    "Since I moved to Ghent, I've met 4 bakers, can you help me thank them?": [
        "Since I moved to Ghent, I've met 4 bakers."
    ],
    "Because our landlord sold the house in April, what rights do we have?": [
        "Our landlord sold the house in April."
    ],
    "I'm curious, what should I bring to the fair, where Ros and I met 12 bakers on June 9?": [
        "What should I bring to the fair, where Ros and I met 12 bakers on June 9?"
    ],
    "Can my sister Ros keep her 4 goats in our yard?": [
        "Can my sister Ros keep her 4 goats in our yard?"
    ],
    "I want to make sure it fits the page, and I'm using Bootstrap 5.3 for it.": [
        "I'm using Bootstrap 5.3 for it."
    ],
    "I'll be using Bootstrap 5.3 for our page.": ["I'll be using Bootstrap 5.3 for our page."],
    "I'm wondering if the X30 and the 5000 mAh battery would make a difference.": [],
    "Keeping my kitchen tidy is super important.": [],
    # a clause with "which" asks nothing
    "I'm at work on my thesis, which is due on June 3.": [
        "I'm at work on my thesis, which is due on June 3."
    ],
    "I own two tents, which is better for snow?": ["I own two tents."],
    "Can you help me proof the dough like I did earlier?": [],
    "Baking rye for 12 guests has been good for our shop.": [
        "Baking rye for 12 guests has been good for our shop."
    ],
    "My door token is valid for 7 days.": ["My door token is valid for 7 days."],
    "My door token is xk7-valid-31.": [],
    # what a question rests on, without a word that says so
    "Can you help me fix the seams, I'm using Gore-Tex 3L?": ["I'm using Gore-Tex 3L."],
    "Can you check my 3rd recipe for plum jam?": ["Can you check my 3rd recipe for plum jam?"],
    "Can you move it before our barbecue on June 6th?": ["Our barbecue on June 6th."],
    # what is said of the answer
    "The table you gave shows me how to weigh the flour. I bake in Lyon.": ["I bake in Lyon."],
    "For the crust, I appreciate your suggestions.": [],
    "I decided on the rye that you suggested for our Lyon shop.": [
        "I decided on the rye that you suggested for our Lyon shop."
    ],
    "No more questions for now, but I like Anna's recipe!": [],
    "Just let me know what you need, and I'll make sure to send my files.": [],
    # what a question gives is by itself
    "I've never baked rye in Lyon. How do I keep my oven below 230 degrees?": [
        "I've never baked rye in Lyon.",
        "My oven below 230 degrees.",
    ],
    # another topic that counts and names nothing
    "We sell 40 loaves a day in Lyon. Also, my chair broke this morning.": [
        "We sell 40 loaves a day in Lyon.",
        "My chair broke this morning.",
    ],
    "We sell 40 loaves a day in Lyon. Also, we sell 12 cakes.": [
        "We sell 40 loaves a day in Lyon. Also, we sell 12 cakes."
    ],
}


@pytest.mark.parametrize(("said", "found"), STATED.items(), ids=list(STATED))
def test_what_passes_is_left_out_and_what_stays_is_taken(said: str, found: list[str]) -> None:
    assert stated(person(said)) == found


def test_who_goes_on_behind_a_question_tells_more() -> None:
    asked = ", and can you explain to me once more how the tide tables are read at our harbour"
    said = (
        f"I have 4 boats{asked * 3}, and I've sailed for 12 years{asked * 3}, and I'm moored at"
        f" berth 17{asked * 3}?"
    )
    assert stated(person(said)) == [
        "I have 4 boats.",
        "I've sailed for 12 years.",
        "I'm moored at berth 17.",
    ]


def chat(*lines: str) -> list[str]:
    """What is stated in a chat of Ros and Ivo, who call each other by name first."""
    before = (
        person("Ros: Ivo, I keep 14 bees.", "m1"),
        assistant("Ivo: Ros, I keep 3 cats.", "m2"),
        person("Ros: My bees live in Ghent.", "m3"),
        assistant("Ivo: My cats live in Turku.", "m4"),
    )
    said = [
        (person if line.startswith("Ros") else assistant)(line, f"x{number}")
        for number, line in enumerate(lines)
    ]
    return stated(*before, *said)[4:]


@pytest.mark.parametrize(
    "said",
    [
        "Ros: Wow, Ivo, glad you had fun at the lake!",
        "Ros: Cool, Ivo!",
        "Ros: Sure thing, Ivo! I'll keep ya posted.",
        "Ros: Congrats on your new flat, Ivo!",
        "Ros: Must have been hard for you all. Thank goodness your cat is fine.",
        "Ros: You found your way and now you teach others. You're so strong!",
        "Ros: Love that blue jacket! That photo is gorgeous!",
    ],
)
def test_what_only_answers_the_other_in_a_chat_states_nothing(said: str) -> None:
    assert chat(said) == []


def test_what_follows_an_answer_in_a_chat_is_stated() -> None:
    said = "Ros: Wow, Ivo, glad you had fun! I went to Bruges yesterday with my aunt."
    assert chat(said) == ["Ros: I went to Bruges yesterday with my aunt."]


def test_what_the_assistant_tells_it_did_is_no_advice() -> None:
    reply = "Great, the wrapper script with its retries and the metrics folder it is."
    report = "- Created the wrapper script with its retries and the metrics folder."
    advice = "- Keep the wrapper script with its retries and the metrics folder together."
    assert stated(person("Hi."), assistant(report), person(reply, "p2")) == []
    found = stated(person("Hi."), assistant(advice), person(reply, "p2"))
    assert found == ["Keep the wrapper script with its retries and the metrics folder together."]


def test_a_heading_of_advice_goes_without_its_number() -> None:
    advice = "### 2. Frost: cover the young figs with fleece until the last frost of May"
    reply = "Great, I'll cover the young figs with fleece."
    (found,) = stated(person("Hi."), assistant(advice), person(reply, "p2"))
    assert found.startswith("Frost: cover the young figs")


def test_advice_of_several_sentences_counts_or_names_something() -> None:
    reply = "Great, I'll prune the figs early, mulch the roots and water the leaves."
    anyone = "- **Prune**: prune the figs early. Mulch the roots; water the leaves."
    somebody = "- **Prune**: prune the figs early. Mulch the roots with Kompost; water the leaves."
    assert stated(person("Hi."), assistant(anyone), person(reply, "p2")) == []
    (found,) = stated(person("Hi."), assistant(somebody), person(reply, "p2"))
    assert found.endswith("with Kompost; water the leaves.")


@pytest.mark.parametrize(
    "line",
    [
        "Given your love of figs, the Brown Turkey figs are a strong choice for 3 pots.",
        "By pruning the figs in 3 steps, you can look forward to more Brown Turkey figs.",
        "Summary: If you like the Brown Turkey figs, prune 3 of them early.",
        "I'll check the Brown Turkey figs again and prune 3 of them with you.",
    ],
)
def test_what_an_answer_says_of_itself_or_supposes_is_no_advice(line: str) -> None:
    reply = "Great, I'll prune 3 of the Brown Turkey figs early then."
    advice = "Prune 3 of the Brown Turkey figs early."
    assert stated(person("Hi."), assistant(f"- {line}"), person(reply, "p2")) == []
    assert stated(person("Hi."), assistant(f"- {advice}"), person(reply, "p2")) == [advice]


def test_a_change_of_what_was_fixed_holds_as_firmly_as_a_decision() -> None:
    fair = "I have a fair on May 11, so I need to shorten the tasting to 2 hours"
    heard = light([person(f"{fair} - can you help me plan it?")])
    (found,) = (each for each in heard if isinstance(each, Snippet))
    assert (found.statement, found.kind) == (f"{fair}.", ClaimKind.DECISION)
