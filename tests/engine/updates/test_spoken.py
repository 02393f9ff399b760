"""How people speak of a change: fixtures of many walks of life, and their look-alikes."""

# ruff: noqa: E501 - what people say is on one line

from __future__ import annotations

import pytest

from tests.engine.updates.told import changes

NEWER = [  # old line, what is said, the value that is new
    (
        "The wedding guest list has 120 people",
        "We've cut the wedding guest list down to 95 people.",
        "95",
    ),
    (
        "I've completed 12 of the 40 typing lessons",
        "I've completed 18 of the 40 typing lessons.",
        "18",
    ),
    (
        "The rent is due on the 3rd, and the deposit is $1,800",
        "The landlord raised the deposit to $2,100.",
        "$2,100",
    ),
    (
        "My personal best for the 5K run is 27:30",
        "I just set a new personal best of 26:10 for the 5K run!",
        "26:10",
    ),
    (
        "The mortgage pre-approval is for $320,000",
        "I got pre-approved for a $350,000 mortgage now.",
        "$350,000",
    ),
    (
        "The vet appointment for Biscuit is on June 4",
        "The vet appointment for Biscuit got pushed to June 11.",
        "June 11",
    ),
    (
        "The vet appointment for Biscuit is on June 4",
        "Biscuit's vet appointment is now on June 11.",
        "June 11",
    ),
    (
        "Our flight to Lisbon leaves at 7:45 am",
        "The airline moved our flight to Lisbon to 9:20 am.",
        "9:20",
    ),
    ("Yoga class meets at 6:30 pm on Wednesdays", "Yoga class starts at 7 pm from now on.", "7 pm"),
    (
        "The sourdough starter is fed every 12 hours",
        "I feed the sourdough starter every 24 hours now.",
        "24",
    ),
    (
        "The kitchen renovation budget is $18,000",
        "The kitchen renovation budget ended up at $21,500.",
        "$21,500",
    ),
    (
        "The kitchen renovation budget is $18,000",
        "With the new countertops, the kitchen renovation budget has crept up to $21,500.",
        "$21,500",
    ),
    (
        "The marathon training plan is 16 weeks long",
        "I shortened the marathon training plan to 12 weeks.",
        "12",
    ),
    (
        "The API returns 20 results per page",
        "I set the API to return 50 results per page instead of 20.",
        "50",
    ),
    ("The unit test suite has 212 tests", "The unit test suite is up to 260 tests.", "260"),
    (
        "The unit test suite has 212 tests",
        "I added 48 more tests, so the unit test suite now counts 260 tests.",
        "260",
    ),
    (
        "My Instagram account has 1,300 followers",
        "I passed 1,500 followers on my Instagram account today.",
        "1,500",
    ),
    (
        "My Instagram account has 1,300 followers",
        "My Instagram account is close to 1,600 followers now.",
        "1,600",
    ),
    ("The thesis has 22,000 words", "I'm at 31,000 words on the thesis.", "31,000"),
    ("My weight is 84 kg", "My weight dropped to 81 kg after the holidays.", "81"),
    ("The emergency fund holds $4,200", "The emergency fund has grown to $5,000.", "$5,000"),
    (
        "I have saved $4,200 in the emergency fund",
        "I've now saved $5,000 in the emergency fund.",
        "$5,000",
    ),
    (
        "The loan interest rate is 5.9%",
        "We refinanced, and the loan interest rate is 4.6% now.",
        "4.6%",
    ),
    ("The app is on Django 4.2.3", "We're on Django 5.0.6 since the weekend.", "5.0.6"),
    ("The app runs Django 4.2.3", "I bumped Django to 5.0.6.", "5.0.6"),
    ("The server has 8GB of memory", "We upgraded the server to 16GB of memory.", "16"),
    ("The server has 8GB of memory", "The server got an upgrade to 16GB of memory.", "16"),
    (
        "The exhibition opens on September 14",
        "The opening of the exhibition has been brought forward to September 7.",
        "September 7",
    ),
    (
        "The manuscript deadline is October 1",
        "The new deadline for the manuscript is October 20.",
        "October 20",
    ),
    (
        "The meeting with Dr. Lopez is at 10:00",
        "The meeting with Dr. Lopez is at 11:30 instead.",
        "11:30",
    ),
    ("Piano lessons are on Tuesday", "Piano lessons are on Thursday now.", "Thursday"),
    ("The puppy sleeps 18 hours a day", "The puppy sleeps 15 hours a day now.", "15"),
    (
        "My commute takes 50 minutes",
        "My commute takes only 35 minutes since the new line opened.",
        "35",
    ),
    (
        "The model has an accuracy of 78%",
        "The model achieved an accuracy of 83% after the tuning.",
        "83%",
    ),
    ("The model has an accuracy of 78%", "The latest accuracy of the model is 83%.", "83%"),
    ("The learning rate is 0.01", "I lowered the learning rate to 0.003.", "0.003"),
    ("The batch size is 32", "The batch size is 64 now.", "64"),
    ("The retry count is 3", "I changed the retry count from 3 to 5.", "5"),
    (
        "The subscription costs $12 a month",
        "The subscription costs $15 a month as of today.",
        "$15",
    ),
    ("We have 3 chickens", "We have 5 chickens now.", "5"),
    ("I own 17 vinyl records", "My vinyl collection is up to 23 records.", "23"),
    (
        "The conference expects 400 attendees",
        "As of this week the conference has 520 attendees registered.",
        "520",
    ),
    ("The grant proposal is 15 pages long", "The grant proposal has shrunk to 12 pages.", "12"),
    ("My salary is $72,000", "I got a raise, so my salary is $78,000 now.", "$78,000"),
    (
        "The freelance invoice total is $2,400",
        "The freelance invoice total came to $2,750 after the extra work.",
        "$2,750",
    ),
    (
        "The savings goal for the trip is $3,000",
        "I bumped the savings goal for the trip to $3,600.",
        "$3,600",
    ),
    (
        "The release date of version 2 is March 15",
        "We settled on March 29 as the release date of version 2.",
        "March 29",
    ),
    (
        "The apartment viewing is scheduled for May 17",
        "They had to reschedule, the apartment viewing is on May 21 now.",
        "May 21",
    ),
    (
        "I practice guitar for 30 minutes a day",
        "I've increased my guitar practice to 45 minutes a day.",
        "45",
    ),
    ("I practice guitar 30 minutes a day", "These days I practice guitar 45 minutes a day.", "45"),
    ("The class has 26 students", "Two more joined, the class has 28 students now.", "28"),
    ("The class has 26 students", "The class is 28 students strong now.", "28"),
    ("The dashboard loads in 4 seconds", "The dashboard loads in 1.5 seconds now.", "1.5"),
    (
        "The dashboard takes 4 seconds to load",
        "We got the dashboard load time down to 1.5 seconds.",
        "1.5",
    ),
    (
        "The queue has a backlog of 340 messages",
        "The backlog of the queue is currently 90 messages.",
        "90",
    ),
    ("The fundraiser has collected $6,400", "We've collected $7,900 for the fundraiser.", "$7,900"),
    ("The petition has 800 signatures", "The petition just hit 1,000 signatures.", "1,000"),
    ("I've visited 9 national parks", "I've visited 11 national parks now.", "11"),
    ("My daughter's reading level is at 65%", "My daughter's reading level is 72% now.", "72%"),
    (
        "The committee approved a word limit of 3,000 words",
        "The committee changed the word limit to 3,500 words.",
        "3,500",
    ),
    (
        "I'm trying to organize my recipe blog, which has 38 recipes so far, can you help me group them?",
        "I recently added a few desserts and my recipe blog now features 46 recipes, how do I group them by season?",
        "46",
    ),
    (
        "I've been working on my chess rating and it's at 1420, what openings should I study?",
        "My chess rating recently climbed to 1510, so which endgames should I study next?",
        "1510",
    ),
    (
        "I set aside $150 per month for my daughter's art supplies, is that too much?",
        "We've decided to bump the monthly allowance for my daughter's art supplies to $180, does that make sense?",
        "$180",
    ),
    (
        "My landlord wants the lease signed by July 1, 2024, what should I look for?",
        "The landlord extended the date for signing the lease to July 8, 2024, what else should I check?",
        "July 8",
    ),
    (
        "The translation project covers 24 documents, how can I split it up?",
        "The client added more files and the translation project grew to 31 documents, how do I adjust my plan?",
        "31",
    ),
    (
        "How should I handle my team of 5 designers during the rebrand?",
        "How should I handle my expanded team of 7 designers during the rebrand?",
        "7",
    ),
    (
        "I've scheduled a call with Priya for 3 PM on March 10 about the grant.",
        "Priya asked to reschedule, so our call about the grant is now set for March 12.",
        "March 12",
    ),
    (
        "My insertion code handles 500 records per second, how do I make it faster?",
        "After batching, my insertion code can now handle 2,200 records per second, what's next?",
        "2,200",
    ),
    (
        "I'm averaging 6,500 steps a day, is that healthy?",
        "I'm now averaging 8,200 steps a day, is that enough?",
        "8,200",
    ),
    (
        "The error rate of the payment webhook is around 4%, how do I lower it?",
        "I got the error rate of the payment webhook down to 1.5%, but how do I monitor it?",
        "1.5%",
    ),
    (
        "I've applied to 12 internships this spring, should I apply to more?",
        "I've applied to 17 internships this spring, and I'm still waiting, what should I do?",
        "17",
    ),
    (
        "The hackathon team consists of 4 people, how should we split the work?",
        "With Jamal joining, our hackathon team is now 5 people, how do we split work?",
        "5",
    ),
    (
        "Our conversion rate for the landing page sits at 2.4%.",
        "We've seen the conversion rate for the landing page rise to 3.1% after the redesign.",
        "3.1%",
    ),
    (
        "My physical therapy sessions are scheduled for 45 minutes twice a week.",
        "My physical therapist changed our sessions to 60 minutes twice a week.",
        "60",
    ),
    (
        "The closing date for the house is set for August 14, 2024.",
        "The bank delayed the closing of the house until August 28, 2024, what do I tell the movers?",
        "August 28",
    ),
    (
        "I read about 20 pages per night of the biography.",
        "Lately I'm reading 35 pages per night of the biography.",
        "35",
    ),
    (
        "My credit card balance is $2,300 and I want to pay it off.",
        "I've paid my credit card balance down to $1,450, what should I do next?",
        "$1,450",
    ),
    (
        "The new memory limit of the worker is 512MB.",
        "I had to increase the worker's memory limit to 768MB to stop the crashes.",
        "768",
    ),
    (
        "I've memorized 45 kanji for the exam.",
        "I've memorized 70 kanji for the exam, how do I keep going?",
        "70",
    ),
    (
        "I have 3 interviews lined up with startups.",
        "I have 5 interviews lined up with startups now.",
        "5",
    ),
    (
        "The daily active user count of the app is 900.",
        "The app's daily active user count has surpassed 1,150.",
        "1,150",
    ),
    (
        "The book launch party is on November 9 at the library.",
        "Because of the storm the book launch party will now be on November 16 at the library.",
        "November 16",
    ),
    (
        "My dad's blood pressure medication is 10 mg.",
        "The doctor raised my dad's blood pressure medication to 20 mg.",
        "20",
    ),
    (
        "I need to finish the data pipeline by April 12, 2024, can you help?",
        "My manager pushed the data pipeline deadline to April 19, 2024, how do I use the time?",
        "April 19",
    ),
    (
        "Test coverage for the auth module is 64%, how do I raise it?",
        "I've improved test coverage for the auth module to 81%, what's left?",
        "81%",
    ),
    (
        "I've set the session timeout to 20 minutes.",
        "I've adjusted the session timeout, it's 35 minutes now, is that safe?",
        "35",
    ),
    (
        "Nina and I agreed on a wedding photographer budget of $1,800.",
        "Nina and I revised the wedding photographer budget to $2,200.",
        "$2,200",
    ),
    (
        "I'm using a chunk size of 400 tokens for retrieval.",
        "I ended up using a chunk size of 600 tokens for retrieval.",
        "600",
    ),
    (
        "The video is 12 minutes long, can you help me trim the intro?",
        "I've cut the video to 9 minutes, is the pacing ok?",
        "9",
    ),
    (
        "The kids' summer camp costs $640.",
        "The price of the kids' summer camp went up to $710.",
        "$710",
    ),
    (
        "My score on the practice LSAT is 158, how can I improve?",
        "I scored 163 on my latest practice LSAT, what should I focus on?",
        "163",
    ),
    ("I walk the dog 2 times a day.", "I walk the dog 3 times a day now.", "3"),
    (
        "The team completed 30 story points in the sprint, is that good?",
        "Our current velocity is 36 story points per sprint.",
        "36",
    ),
]


@pytest.mark.parametrize(("old", "said", "new"), NEWER, ids=[each[1][:40] for each in NEWER])
def test_what_changed_stands_first_however_it_is_said(old: str, said: str, new: str) -> None:
    (line,) = changes(old, said)
    now, _, past = line.partition(" Previously")
    assert new in now
    assert old in past


TRAPS = [
    ("I have read 14 books for the reading challenge", "I've read 3 books on Roman history."),
    ("I've completed 12 of the 40 typing lessons", "I've completed 5 of the piano lessons."),
    ("The wedding guest list has 120 people", "We've invited 30 people to the rehearsal dinner."),
    (
        "The rent is due on the 3rd, and the deposit is $1,800",
        "The plumber asks for a deposit of $200.",
    ),
    ("My personal best for the 5K run is 27:30", "My personal best for the 10K run is 58:10."),
    ("The mortgage pre-approval is for $320,000", "The house on Elm Street now costs $350,000."),
    ("The vet appointment for Biscuit is on June 4", "The vet appointment for Luna is on June 11."),
    (
        "The vet appointment for Biscuit is on June 4",
        "The groomer's appointment for Biscuit is on June 11.",
    ),
    ("Our flight to Lisbon leaves at 7:45 am", "Our flight back from Lisbon leaves at 9:20 am."),
    ("Yoga class meets at 6:30 pm on Wednesdays", "The pottery class starts at 7 pm."),
    ("The kitchen renovation budget is $18,000", "The bathroom renovation budget is $9,000."),
    (
        "The kitchen renovation budget is $18,000",
        "I spent $2,100 of the kitchen renovation budget on tiles.",
    ),
    ("The kitchen renovation budget is $18,000", "The kitchen renovation budget has $6,000 left."),
    (
        "The marathon training plan is 16 weeks long",
        "I'm in week 12 of the marathon training plan.",
    ),
    (
        "The marathon training plan is 16 weeks long",
        "I've now done 5 weeks of the marathon training plan.",
    ),
    ("The unit test suite has 212 tests", "The unit test suite has 4 failing tests now."),
    ("The unit test suite has 212 tests", "I wrote 12 tests for the login page."),
    ("My Instagram account has 1,300 followers", "My TikTok account has 1,600 followers now."),
    ("My Instagram account has 1,300 followers", "I follow 1,600 accounts on Instagram now."),
    ("The thesis has 22,000 words", "The first chapter of the thesis has 6,000 words now."),
    ("I weigh 84 kg", "My suitcase weighs 21 kg now."),
    ("The emergency fund holds $4,200", "The vacation fund has grown to $1,000."),
    ("I have saved $4,200 in the emergency fund", "I put $300 into the emergency fund."),
    ("The loan interest rate is 5.9%", "The savings account interest rate is 2.1% now."),
    ("The app is on Django 4.2.3", "The app is on Celery 5.0.6 now."),
    ("The server has 8GB of memory", "The server has 200GB of disk now."),
    (
        "The server has 8GB of memory",
        "The build server was upgraded to 16GB of memory and the web server of 2GB stays.",
    ),
    ("The exhibition opens on September 14", "The exhibition closes on November 2."),
    (
        "The manuscript is due on October 1",
        "I sent the first chapters of the manuscript on September 3.",
    ),
    ("The meeting with Dr. Lopez is at 10:00", "The meeting with Dr. Chen is at 11:30."),
    ("The meeting with Dr. Lopez is at 10:00", "The meeting with Dr. Lopez took until 11:30."),
    ("Piano lessons are on Tuesday", "Violin lessons are on Thursday now."),
    ("The puppy sleeps 18 hours a day", "The cat sleeps 15 hours a day now."),
    ("My commute takes 50 minutes", "My lunch break takes 35 minutes now."),
    ("The model has an accuracy of 78%", "The model has a recall of 83% now."),
    ("The model has an accuracy of 78%", "The accuracy on the training set is 99% now."),
    ("The learning rate is 0.01", "The dropout rate is 0.3 now."),
    ("The batch size is 32", "The embedding size is 64 now."),
    ("The retry count is 3", "The worker count was changed from 2 to 5."),
    ("The subscription costs $12 a month", "The gym costs $15 a month as of today."),
    ("We have 3 chickens", "We have 5 ducks now."),
    ("I own 17 vinyl records", "I own 23 board games."),
    ("The conference expects 400 attendees", "The conference has 3 tracks now."),
    ("The grant proposal is 15 pages long", "I've written 12 pages of the novel."),
    ("My salary is $72,000", "My sister's salary is $78,000 now."),
    ("The freelance invoice total is $2,400", "The catering invoice total came to $2,750."),
    ("The savings goal for the trip is $3,000", "I have saved $1,200 for the trip now."),
    (
        "The release date of version 2 is March 15",
        "We settled on March 29 as the release date of version 3.",
    ),
    ("The apartment viewing is scheduled for May 17", "The house viewing is on May 21 now."),
    ("I practice guitar for 30 minutes a day", "I practice scales for 10 minutes a day."),
    ("I practice guitar 30 minutes a day", "I meditate 10 minutes a day now."),
    ("The class has 26 students", "The other class has 28 students now."),
    ("The class has 26 students", "Only 20 students of the class passed."),
    ("The dashboard loads in 4 seconds", "The settings page loads in 1.5 seconds now."),
    ("The fundraiser has collected $6,400", "The fundraiser has a goal of $10,000."),
    ("The petition has 800 signatures", "The petition needs 1,000 signatures."),
    ("I've visited 9 national parks", "I've visited 11 museums."),
    ("Our team won 4 of 6 games", "Their team has won 6 of 8 games now."),
    ("My daughter's reading level is at 65%", "My son's reading level is 72% now."),
    ("I walked 8 km with Nora on May 2", "I walked 11 km with Nora on May 9."),
    ("I paid $60 for the concert ticket", "I paid $85 for the concert ticket of my mother."),
    ("The workshop on June 3 has 14 participants", "The workshop on June 10 has 20 participants."),
    ("I studied Spanish for 2 hours yesterday", "I studied Spanish for 3 hours today."),
    ("Recipe: 200 g of flour for the pancakes", "The waffles now need 250 g of flour."),
    (
        "I'm trying to organize my recipe blog, which has 38 recipes so far, can you help me group them?",
        "How many of the 20 dessert recipes should go on the front page of my recipe blog?",
    ),
    ("My chess rating is 1420", "My brother's chess rating climbed to 1510"),
    (
        "I set aside $150 per month for my daughter's art supplies, is that too much?",
        "I set aside $80 per month for my daughter's piano lessons, is that fine?",
    ),
    (
        "The translation project covers 24 documents",
        "I've translated 9 documents of the translation project so far.",
    ),
    ("I'm averaging 6,500 steps a day", "I want to be averaging 10,000 steps a day."),
    ("I've applied to 12 internships this spring", "I've applied to 3 scholarships this spring."),
    ("I've memorized 45 kanji for the exam", "I've memorized 20 kanji this week for the exam."),
    ("I have 3 interviews lined up with startups", "I have 2 interviews with banks now."),
    ("The video is 12 minutes long", "The podcast is now 25 minutes long."),
    ("My score on the practice LSAT is 158", "I scored 92 on my latest chemistry quiz."),
    (
        "I need to finish the data pipeline by April 12, 2024",
        "I need to finish the dashboard by April 19, 2024",
    ),
    (
        "I've set the session timeout to 20 minutes.",
        "I've set the database timeout to 35 minutes now.",
    ),
    (
        "My manager Ana set a budget of $4,000 for the offsite",
        "My manager Ana set the budget for the holiday party to $2,500.",
    ),
    ("Our team has 5 designers", "Our team has 3 vacancies now."),
    ("I've added 40 songs to my gym playlist", "I've added 55 photos to my gym album."),
    ("My garden has 12 raised beds", "My garden has 4 apple trees now."),
    (
        "The error rate of the payment webhook is 4%",
        "The error rate of the email webhook is down to 1.5%.",
    ),
    ("I'm reading 20 pages a night", "I'm reading 2 books at the moment."),
    ("My credit card balance is $2,300", "My credit card limit was raised to $5,000."),
    ("I have a dentist appointment on June 2", "I now have an eye appointment on June 9."),
    ("We ran the test with 100 users", "We ran the test with 500 users."),
    ("I bought 3 shirts for $60", "I bought 2 sweaters for $90."),
    ("The video has 1,200 views", "The channel now has 3,000 views."),
    ("I drank 2 cups of coffee", "I now drink 3 cups of tea a day."),
]


@pytest.mark.parametrize(("old", "said"), TRAPS, ids=[each[1][:44] for each in TRAPS])
def test_another_thing_with_another_value_changes_nothing(old: str, said: str) -> None:
    assert changes(old, said) == []


def test_a_running_total_does_not_touch_other_deeds() -> None:
    others = ("I've applied to 12 scholarships", "We've hosted 12 dinners")
    (line,) = changes(
        ("I've applied to 12 internships this spring", *others),
        "I've applied to 17 internships this spring.",
    )
    assert "Previously: I've applied to 12 internships" in line


@pytest.mark.parametrize(
    ("old", "asked", "newer"),
    [
        (
            "My seed budget is $60",
            "Can you tell me how to make the most of my reduced seed budget of $50 while it rains?",
            "My reduced seed budget of $50.",
        ),
        (
            "I set a $1,000 yearly budget for courses",
            "What's the best way to spend the increased $1,200 yearly budget for courses, given that I teach?",
            "The increased $1,200 yearly budget for courses.",
        ),
        (
            "Olga's attendance rate reached 85% in April",
            "What's the best way to keep up Olga's 93% attendance rate, considering her late shifts?",
            "Olga's 93% attendance rate.",
        ),
        (
            "The travel allowance is $300",
            "How does the new $400 travel allowance change my plans?",
            "How does the new $400 travel allowance change my plans?",
        ),
    ],
)
def test_of_a_question_only_what_it_takes_for_granted_is_the_newer_line(
    old: str, asked: str, newer: str
) -> None:
    (line,) = changes(old, asked)
    assert line.startswith(f"- {newer} (2026-05-11) Previously: {old}")
