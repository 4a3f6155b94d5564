"""The relations that a statement can be about, and whether a subject has one value for them or many (B2, C7).

A relation id is a word of the table, or one with a key behind a colon where
the thing that it is about is part of it: `favourite:tea`, `feels:cilantro`,
`verb:play`. The newer statement of a subject about a single-valued relation
replaces the older where their values differ; under a relation with many
values, only the same value said with the opposite `negated` contradicts.
`value` is in lower case, without article and without the time, which stands
in `begin_ms` and `end_ms`.
"""

from __future__ import annotations

from dataclasses import dataclass

from memcli.memories import Class, Kind


@dataclass(frozen=True, slots=True)
class Relation:
    """What a relation means, what a statement of it usually is, and whether it has a single value.

    `keyed` relations are written `id:key`; the key is a lower-case phrase.
    """

    id: str
    single: bool
    kind: Kind
    cls: Class
    meaning: str
    keyed: bool = False


_ROWS: tuple[Relation, ...] = (
    # who someone is
    Relation("name", True, "identity", "permanent", "what someone or something is called"),
    Relation("is", False, "fact", "semantic", "what someone or something is: value is the noun or adjective"),
    Relation("age", True, "identity", "permanent", "years old: value is the number"),
    Relation("birthday", True, "identity", "permanent", "day of birth: value as '9 november'"),
    Relation("born_in", True, "identity", "permanent", "place or year of birth"),
    Relation("comes_from", True, "identity", "permanent", "country or town of origin"),
    Relation("grew_up_in", True, "identity", "permanent", "where someone grew up"),
    Relation("allergic_to", False, "identity", "permanent", "one allergy a statement"),
    Relation("cannot_eat", False, "identity", "permanent", "what someone may not or cannot eat, never negated"),
    Relation("diet", True, "identity", "permanent", "vegetarian, vegan, halal …"),
    Relation("diagnosis", False, "identity", "permanent", "an illness or condition"),
    Relation("handedness", True, "identity", "permanent", "left- or right-handed"),
    Relation("weight", True, "event", "observation", "what someone weighs"),
    Relation("height", True, "identity", "permanent", "how tall someone is"),
    Relation("number", True, "fact", "semantic", "a phone, chip, room … number", keyed=True),
    # where
    Relation("lives_in", True, "fact", "semantic", "town, country or house of someone"),
    Relation("address", True, "fact", "semantic", "street address"),
    Relation("moves_to", True, "plan", "task_state", "a move that is planned: value is the place"),
    Relation("located", True, "fact", "semantic", "where a thing is or is kept"),
    Relation("floor", True, "fact", "semantic", "the floor of a flat or office"),
    # work and study
    Relation("job", True, "fact", "semantic", "main occupation"),
    Relation("works_at", True, "fact", "semantic", "main employer"),
    Relation("team", True, "fact", "semantic", "the team or group that somebody is in"),
    Relation("works_on", False, "fact", "semantic", "a project or subject of work"),
    Relation("studies", False, "fact", "semantic", "a subject or a school"),
    Relation("learns", False, "fact", "semantic", "a language or skill being learnt"),
    Relation("speaks", False, "fact", "semantic", "a language that someone speaks"),
    Relation("responsible_for", False, "fact", "semantic", "what someone owns or looks after at work"),
    # people
    Relation("partner", True, "fact", "semantic", "husband, wife, partner, girlfriend, boyfriend, fiancé(e)"),
    Relation("relative", False, "fact", "semantic", "key: sister, brother, mother …; value: the name", keyed=True),
    Relation("friend", False, "fact", "semantic", "a friend, flatmate, neighbour, colleague: value is the name"),
    Relation("role", True, "fact", "semantic", "key: dentist, manager, vet, landlord …; value: who it is", keyed=True),
    # things
    Relation("owns", False, "fact", "semantic", "a possession"),
    Relation("pet", False, "fact", "semantic", "an animal that someone has"),
    Relation("drives", True, "fact", "semantic", "the car or bike one uses"),
    Relation("bought", False, "event", "observation", "something acquired"),
    Relation("subscription", True, "fact", "semantic", "key: the service; value: its price", keyed=True),
    Relation("price", True, "fact", "semantic", "what something costs or brings; rent, fee, salary"),
    Relation("size", True, "fact", "semantic", "a measure, count or length of something"),
    Relation("colour", True, "fact", "semantic", "the colour of something"),
    # taste and habit
    Relation(
        "feels", True, "preference", "preference", "key: a thing; value: likes, loves, dislikes, hates", keyed=True
    ),
    Relation("favourite", True, "preference", "preference", "key: a kind; value: the favourite of it", keyed=True),
    Relation(
        "prefers", True, "preference", "preference", "key: what for, or empty; value: what is preferred", keyed=True
    ),
    Relation("afraid_of", False, "preference", "preference", "a fear"),
    Relation("habit", True, "preference", "preference", "key: what is done; value: how often or when", keyed=True),
    Relation("avoids", False, "preference", "preference", "what someone does not do, eat, drink, use; never negated"),
    Relation("gave_up", False, "event", "preference", "what someone stopped doing, eating, using"),
    Relation("uses", False, "preference", "preference", "a tool, brand or method in use"),
    Relation(
        "main_tool", True, "preference", "preference", "key: editor, browser …; value: the one in use", keyed=True
    ),
    # project
    Relation("version", True, "fact", "semantic", "the version of the subject"),
    Relation("port", True, "fact", "semantic", "the network port of the subject"),
    Relation("deadline", True, "plan", "task_state", "when the subject is due"),
    Relation("time", True, "plan", "task_state", "when the subject (a meeting, a lesson) takes place"),
    Relation("place", True, "plan", "task_state", "where the subject (a meeting, a party) takes place"),
    Relation("setting", True, "fact", "semantic", "key: what; value: what it is set to", keyed=True),
    Relation("title", True, "decision", "semantic", "the title of a work"),
    Relation("until", True, "fact", "task_state", "how long the subject runs"),
    # what shall be
    Relation("instruction", False, "instruction", "preference", "key: verb; value: the instruction", keyed=True),
    Relation("decision", False, "decision", "task_state", "something decided: value is what"),
    Relation("choice", False, "decision", "task_state", "what was chosen; negated: what was rejected"),
    Relation("plan", False, "plan", "task_state", "key: verb; value: the rest", keyed=True),
    Relation("goal", False, "plan", "task_state", "an aim"),
    Relation(
        "appointment", True, "plan", "task_state", "key: with whom or what for; its time in begin/end", keyed=True
    ),
    Relation("away", False, "plan", "task_state", "an absence; its time in begin/end"),
    # the rest
    Relation("note", False, "fact", "observation", "key: its label, may be empty; value: what it says", keyed=True),
    Relation("verb", False, "event", "observation", "key: the verb in its base form; value: its object", keyed=True),
    Relation("state", False, "fact", "semantic", "key: the verb in its base form; a lasting state", keyed=True),
)

RELATIONS: dict[str, Relation] = {row.id: row for row in _ROWS}


def relation_of(name: str) -> Relation:
    """The row of a relation id, keyed or not; an unknown id counts as an event with many values."""
    return RELATIONS.get(name.partition(":")[0], RELATIONS["verb"])


def is_single(name: str) -> bool:
    """Whether a subject has one value for this relation, so that a newer one replaces the older."""
    return relation_of(name).single
