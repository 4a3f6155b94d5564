"""What a generator has to show before its answers are shown: a few notes, a question, what is right.

All of it is invented. The last ones cannot be answered from their notes: the
right thing is then to say so, and a sentence that looks like an answer is
what the test is there to find.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One question. `notes` are lines `date time speaker: words`, the best piece of evidence first.

    Each of `needs` must occur in the answer, in one of its spellings, which
    "|" separates; none of `spoils` may. Without `needs` the notes do not
    answer.
    """

    question: str
    notes: tuple[str, ...]
    needs: tuple[str, ...] = ()
    spoils: tuple[str, ...] = ()


CASES: tuple[Case, ...] = (
    Case(
        "What colour did Tomas paint the shed?",
        (
            "2026-03-02 18:12 Vera: The shed at our place needs a new roof first",
            "2026-03-02 18:10 Tomas: Finished painting the shed at last, it is dark green now",
            "2026-03-01 09:30 Vera: Did you paint the kitchen yellow in the end?",
        ),
        ("green",),
        ("yellow",),
    ),
    Case(
        "Where does Vera keep the spare key?",
        (
            "2026-02-11 20:01 Tomas: I locked myself out again, my key is on the kitchen table",
            "2026-02-11 20:03 Vera: The spare key lies under the third flower pot, don't tell anyone",
        ),
        ("pot",),
        ("kitchen",),
    ),
    Case(
        "How many hives does Tomas have?",
        (
            "2026-04-20 11:00 Tomas: I bought two more hives, so there are seven of them on the roof",
            "2026-04-20 11:02 Vera: My neighbour has 12 and sells honey",
        ),
        ("seven|7",),
        ("12", "twelve"),
    ),
    Case(
        "When did Vera start her new job?",
        (
            "2026-05-14 08:45 Vera: I started my new job last Monday (11 May 2026), everybody is nice so far",
            "2026-05-02 19:20 Tomas: My holiday starts on 20 June",
        ),
        ("11 may|may 11|2026-05-11",),
        ("june",),
    ),
    Case(
        "On which date does Tomas fly to Lisbon?",
        (
            "2026-06-01 07:15 Tomas: My flight to Lisbon is on the 19th of June at six in the morning",
            "2026-06-01 07:16 Vera: And I take the train to Porto on the 25th",
        ),
        ("19th|19 june|june 19|2026-06-19",),
        ("25",),
    ),
    Case(
        "Which instruments does Vera play?",
        (
            "2026-01-08 21:01 Tomas: I gave up the trumpet years ago",
            "2026-01-08 21:00 Vera: I play the cello, and since autumn the accordion as well",
        ),
        ("cello", "accordion"),
        ("trumpet",),
    ),
    Case(
        "What did Tomas buy at the market?",
        (
            "2026-07-04 12:30 Tomas: Back from the market with cherries, a goat cheese and a basket",
            "2026-07-04 12:31 Vera: I only found bread",
        ),
        ("cherries", "cheese", "basket"),
        ("bread",),
    ),
    Case(
        "At what time does choir practice begin?",
        (
            "2026-09-10 17:05 Vera: Correction: choir practice begins at 19:45 from now on, not at 19:00 any more",
            "2026-08-02 16:40 Vera: Choir practice begins at 19:00 every Thursday",
        ),
        ("19:45|7:45",),
    ),
    Case(
        "Where does Tomas work now?",
        (
            "2026-03-30 18:00 Tomas: I left the bank, since this month I work at the harbour office",
            "2025-10-12 18:00 Tomas: Long day at work, the bank closed its books",
        ),
        ("harbour",),
    ),
    Case(
        "Why did Vera cancel the trip?",
        (
            "2026-02-19 09:15 Tomas: Mine was cancelled too, the ferry was on strike",
            "2026-02-19 09:12 Vera: I cancelled the trip because the cat broke its leg",
        ),
        ("cat|leg",),
        ("ferry", "strike"),
    ),
    Case(
        "Who repaired Tomas's bicycle?",
        (
            "2026-05-23 10:10 Tomas: Old Mr Brandt repaired my bicycle and would not take any money",
            "2026-05-23 10:12 Vera: Lucas repairs mine",
        ),
        ("brandt",),
        ("lucas",),
    ),
    Case(
        "ハルさんの猫の名前は何ですか？",
        (
            "2026-04-03 20:15 ハル: うちの猫の名前はモカです。三歳になりました",
            "2026-04-03 20:16 ケン: うちの犬はソラです",
        ),
        ("モカ",),
        ("ソラ",),
    ),
    Case(
        "Is Vera's new bicycle red or blue?",
        (
            "2026-04-11 16:20 Vera: My new bicycle is blue, I nearly took the one with the basket",
            "2026-04-11 16:22 Tomas: Mine is still the old red one",
        ),
        ("blue",),
        ("red",),
    ),
    Case(
        "Did Tomas sell his old piano?",
        (
            "2026-06-08 21:00 Tomas: I did not sell my old piano in the end, it stays in the hall",
            "2026-06-08 21:02 Vera: We sold ours last year and I miss it",
        ),
        ("no",),
        ("yes",),
    ),
    Case(
        "Which countries did Vera travel to this year?",
        (
            "2026-10-20 11:40 Vera: Iceland was my second trip this year, cold and beautiful",
            "2026-03-29 18:05 Vera: Just back from Portugal, my first trip this year",
            "2026-10-20 11:43 Tomas: I stayed in Denmark all year",
        ),
        ("iceland", "portugal"),
        ("denmark",),
    ),
    Case(
        "What does Tomas grow on his balcony?",
        (
            "2026-05-30 09:12 Vera: I grow roses on my balcony, and they are doing badly",
            "2026-05-30 09:15 Tomas: On my balcony I grow tomatoes and a lemon tree",
        ),
        ("tomatoes", "lemon"),
        ("roses",),
    ),
    Case(
        "Who taught Vera to swim?",
        (
            "2026-07-19 14:01 Vera: It was my aunt Ilse who taught me to swim, in the cold lake behind her house",
            "2026-07-19 14:03 Tomas: My father taught me, and I was afraid of every wave",
        ),
        ("ilse|aunt",),
        ("father",),
    ),
    Case(
        "How does Tomas get to the office?",
        (
            "2026-02-24 07:55 Tomas: Since the tram is gone I get to the office by ferry, twenty minutes of sea air",
            "2026-02-24 07:58 Vera: I drive, there is no other way from here",
        ),
        ("ferry",),
        ("drive",),
    ),
    Case(
        "What did Vera's doctor tell her to give up?",
        (
            "2026-08-27 17:30 Tomas: My doctor says I should walk more and give up sugar",
            "2026-08-27 17:34 Vera: The doctor told me to give up coffee, at least in the evening",
        ),
        ("coffee",),
        ("walk", "sugar"),
    ),
    Case(
        "What is the name of the café where Tomas and Vera first met?",
        (
            "2026-12-01 20:10 Tomas: We first met at the Blue Heron, that little café by the canal, remember?",
            "2026-12-01 20:12 Vera: And now the Golden Goose has opened next door",
        ),
        ("heron",),
        ("goose",),
    ),
    Case(
        "What is the name of Vera's dentist?",
        (
            "2026-02-03 14:20 Vera: The dentist was gentle today, everything is fine",
            "2026-02-03 14:22 Tomas: Mine is called Dr Okafor, she is good too",
        ),
    ),
    Case(
        "How much did Tomas pay for the boat?",
        (
            "2026-06-12 13:00 Tomas: I bought the boat, it needs a new sail and 3 coats of paint",
            "2026-06-12 13:02 Vera: I paid 90 for my kayak",
        ),
    ),
    Case(
        "When did Vera visit the lighthouse?",
        (
            "2026-08-15 18:31 Vera: I would love to visit the lighthouse one day",
            "2026-08-15 18:30 Tomas: I visited the lighthouse yesterday (14 August 2026), 200 steps",
        ),
    ),
    Case(
        "What is Tomas allergic to?",
        (
            "2026-01-22 19:02 Tomas: Will do, I eat everything",
            "2026-01-22 19:00 Vera: I am allergic to hazelnuts, please check the cake",
        ),
    ),
    Case(
        "Which school does Vera's niece go to?",
        (
            "2026-09-01 08:00 Vera: My niece has her first day of school, she is so excited",
            "2026-09-01 08:05 Tomas: The school in Elm Street has a new gym",
        ),
    ),
    Case(
        "What did Tomas say about the new bridge?",
        (
            "2026-03-18 12:00 Vera: The new bridge opens in spring, they say",
            "2026-03-18 12:01 Tomas: I have to run, talk to you later",
        ),
    ),
    Case(
        "How old is Vera's brother?",
        (
            "2026-10-05 19:40 Vera: My brother had his birthday yesterday (4 October 2026), we ate far too much",
            "2026-10-05 19:44 Tomas: My brother turns 31 in spring",
        ),
    ),
    Case(
        "Which team does Tomas support?",
        (
            "2026-11-02 22:10 Tomas: What a match, the team played so well and I lost my voice",
            "2026-11-02 22:13 Vera: The Rovers are my team, always",
        ),
    ),
)
