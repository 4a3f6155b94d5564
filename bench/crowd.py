"""Other people's talk, of our own making: what a store is full of besides the conversation that is asked about.

The same first names talk about the same kinds of things, a day at a time, so
that neither a name nor a topic tells whose it is. Made from templates by a
seed: the same number always gives the same dialogue. Nothing of it answers a
question of the benchmark but by chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

TURNS = 20
"""Turns a session."""
_SESSIONS = 50
"""Sessions a conversation."""

_GREETINGS = (
    "Hey {b}! How have you been?|Hi {b}, long time no see! What's new?|Good to hear from you, {b}!|"
    "Hello {b}, got a minute?|"
    "Hey {b}, how was your week?|Hi {b}! Hope all is well over there."
).split("|")
_NEWS = (
    "{when} I {did} with {who}, and it {went}.|I {did} {when}. It {went}, but I {felt} afterwards.|"
    "Guess what: {when} I {did}! {who_cap} came along and {liked} it.|{when_cap} {who} and I {did}; it {went}.|"
    "I finally {did}. It took {n} {unit}, and I {felt} the whole time.|"
    "{who_cap} said I should tell you that I {did} {when}."
).split("|")
_QUESTIONS = (
    "What made you want to do that?|How long have you been into {thing}?|Did {who} like it as well?|"
    "Where was that, in {place}?|"
    "Will you do it again next {unit_one}?|How much did the {thing} cost you?|Who taught you about {thing}?|"
    "What did you like best about {place}?|Do you still have the {thing} from {place}?"
).split("|")
_ANSWERS = (
    "Mostly because of {who}, who knows all about {thing}.|About {n} {unit} now, ever since {place}.|"
    "It was near {place}, next to the shop with the {thing}.|Not cheap: {n} dollars, but the {thing} was worth it.|"
    "{who_cap} did, and now wants a {thing} too.|I think so, as soon as the {thing} is ready.|"
    "The best part was the {thing}; nobody in {place} had seen one before.|"
    "I learned it from {who} during my time in {place}."
).split("|")
_SHORT = (
    "That sounds great, {b}!|Wow, congrats!|Thanks, {b}, that means a lot.|I'm so happy for you.|Take care, {b}!|"
    "Totally agree.|Haha, typical!|Oh no, sorry to hear that.|You can do it!|Let's catch up soon.|Same here.|"
    "Thanks for asking!|I'd love to see a picture of it.|Keep me posted!"
).split("|")
_DID = (
    "went camping by the lake|ran a charity race|joined a pottery class|adopted a puppy|visited a museum|"
    "signed up for a counseling course|opened a small online store|lost a job at the bank|rehearsed a dance piece|"
    "hosted a gaming party|finished a screenplay|won a video game tournament|baked a dairy-free cake|"
    "volunteered at the homeless shelter|ran for the city council|took a yoga class|went to a basketball game|"
    "started to learn the violin|read a fantasy novel|planned a trip to Ireland|painted a sunset|hiked a new trail|"
    "gave a talk at a school|talked to an adoption agency|fixed up an old car|met a mentor at a networking event|"
    "went surfing|wrote a blog post about education|bought new running shoes|had a picnic with the kids"
).split("|")
_WHEN = (
    "yesterday|last week|last Friday|two days ago|last weekend|this morning|last month|on Monday|a few days ago|"
    "three weeks ago|last summer|the day before yesterday"
).split("|")
_WHO = (
    "my sister|my brother|an old friend|my neighbor|a colleague|my cousin|the kids|my mom|my team|my roommate|"
    "my grandma|a friend from college|my partner|my coach"
).split("|")
_WENT = (
    "went really well|was harder than I thought|was such a blast|rained the whole day|changed how I see things".split(
        "|"
    )
)
_FELT = "felt proud|felt exhausted|felt free|felt nervous|felt grateful|felt a bit lost".split("|")
_LIKED = "loved|enjoyed|did not mind|could not stop talking about|filmed".split("|")
_THINGS = (
    "guitar|painting|necklace|bowl|tent|dance studio|clothing line|console|keyboard|script|recipe|cookbook|turtle tank|"
    "puppy bed|campaign poster|yoga mat|jersey|signed ball|violin|book series|travel journal|photo album|clarinet|"
    "figurine|trophy|tattoo|blog|letter|garden bench|old camera|quilt|kayak|bike|candle|film poster|chess set"
).split("|")
_PLACES = (
    "Chicago|Paris|Rome|Seattle|Oregon|Boston|Edinburgh|Vermont|Tampa|the lake|the mountains|the community center|"
    "the old library|the park|the beach|the gym|downtown|the festival|the workshop|the café on the corner"
).split("|")


def crowd(names: Sequence[str], entries: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Conversations in the benchmark's own shape, about `entries` turns in all, between two of the names each."""
    chance = random.Random(seed)
    number = 0
    while entries > 0:
        number += 1
        sessions = min(_SESSIONS, -(-entries // TURNS))
        entries -= sessions * TURNS
        pair = chance.sample(list(names), 2)
        yield {"sample_id": f"crowd-{number}", "conversation": _conversation(pair, sessions, chance), "qa": []}


def _conversation(pair: Sequence[str], sessions: int, chance: random.Random) -> dict[str, Any]:
    when = datetime(2022, 1, 3, 9) + timedelta(days=chance.randrange(300), minutes=chance.randrange(600))
    made: dict[str, Any] = {"speaker_a": pair[0], "speaker_b": pair[1]}
    for number in range(1, sessions + 1):
        when += timedelta(days=chance.randrange(2, 14), minutes=chance.randrange(600))
        made[f"session_{number}_date_time"] = f"{when:%I:%M %p} on {when.day} {when:%B, %Y}"
        made[f"session_{number}"] = [
            {"speaker": pair[place % 2], "dia_id": f"D{number}:{place + 1}", "text": _turn(place, pair, chance)}
            for place in range(TURNS)
        ]
    return made


def _turn(place: int, pair: Sequence[str], chance: random.Random) -> str:
    kind = chance.choice((_NEWS, _QUESTIONS, _ANSWERS, _SHORT)) if place % 4 else _NEWS
    if place < 2:
        kind = _GREETINGS
    return _fill(chance.choice(kind), pair[1 - place % 2], chance)


def _fill(template: str, other: str, chance: random.Random) -> str:
    who, when, unit = chance.choice(_WHO), chance.choice(_WHEN), chance.choice(("week", "month", "year"))
    return template.format(
        b=other,
        did=chance.choice(_DID),
        when=when,
        when_cap=when[0].upper() + when[1:],
        who=who,
        who_cap=who[0].upper() + who[1:],
        went=chance.choice(_WENT),
        felt=chance.choice(_FELT),
        liked=chance.choice(_LIKED),
        thing=chance.choice(_THINGS),
        place=chance.choice(_PLACES),
        n=chance.randrange(2, 30),
        unit=unit + "s",
        unit_one=unit,
    )
