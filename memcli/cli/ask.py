"""`mem ask`: evidence in well under a second, then a short answer that cites it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import asked_at, checked_scope, need_home, since_until
from memcli.cli.dialogue import Before, said_before, this_terminal
from memcli.cli.env import Env
from memcli.cli.options import Depth, Json, Scope, Since, Until, env_of
from memcli.errors import NOTHING_FOUND, NoInput, UsageError

if TYPE_CHECKING:
    from memcli.answering.known import Known, Over
    from memcli.llm.embed import Embedder
    from memcli.projection.database import Database
    from memcli.recall.finding import Shelve
    from memcli.recall.followup.said import Exchange
    from memcli.recall.question import Plan, Query
    from memcli.recall.search import Evidence
    from memcli.recall.switches import Switches


def register(app: typer.Typer, summary: str) -> None:
    app.command("ask", help=summary)(ask)


def ask(
    context: typer.Context,
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="The question; - reads it from a pipe.")],
    k: Depth = None,
    no_llm: Annotated[bool, typer.Option("--no-llm", help="Quote the evidence, write nothing.")] = False,
    scope: Scope = None,
    since: Since = None,
    until: Until = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="What was true then, whenever it was told.")
    ] = None,
    dialogue: Annotated[
        str | None,
        typer.Option("--dialogue", metavar="FILE", help="What was said before the question; - reads it from a pipe."),
    ] = None,
    no_dialogue: Annotated[bool, typer.Option("--no-dialogue", help="Take the question as it stands.")] = False,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no note of this question.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how the question was understood and which signal gave what.")
    ] = False,
    json: Json = False,
) -> int:
    """Answer a question from what you kept, with citations.

    A question that leans on the one before it ("and in May?") is completed
    from what was asked in this terminal within the last half hour, or from
    the file given with --dialogue: lines `Q: ...` and `A: ...`, messages as
    JSON, or a transcript.
    """
    env = env_of(context)
    if dialogue is not None and no_dialogue:
        raise UsageError("--dialogue and --no-dialogue exclude each other.", "Leave one out.")
    text = " ".join(question).strip()
    if text == "-":
        if dialogue == "-":
            raise UsageError("Question and dialogue cannot both come from the pipe.", "Write the question out.")
        text = env.stdin.read().decode("utf-8", "replace").strip()
    if not text:
        raise NoInput("There is no question.", 'Ask one: mem ask "where did I put the keys?"')
    need_home(env)
    from memcli.recall.finding import FIXED
    from memcli.recall.question import Query
    from memcli.recall.switches import switches

    since_ms, until_ms = since_until(env, since, until, as_of)
    asked = asked_at(env, as_of)
    query = Query(
        text,
        checked_scope(scope),
        since_ms,
        None if until is None else until_ms,
        FIXED if k is None else k,
        as_of_ms=None if as_of is None else asked,
        now_ms=asked,
    )
    chosen = switches(env.settings.recall)
    before = None if no_dialogue or not chosen.follow_ups else said_before(env, text, dialogue)
    wanted = Wanted(adaptive=k is None, generator=not no_llm, record=not no_record, explain=explain, json=json)
    return _ask(env, query, before, chosen, wanted)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options ask for besides the question: how deep, whether written, noted, explained, as JSON."""

    adaptive: bool
    generator: bool
    record: bool
    explain: bool
    json: bool


def _ask(env: Env, query: Query, before: Before | None, chosen: Switches, wanted: Wanted) -> int:
    from memcli.answering.answer import answer
    from memcli.cli.models import models
    from memcli.importing.guard import ASKED_AS
    from memcli.lang.redact import redact
    from memcli.log.record import Question
    from memcli.render import answers, shapes
    from memcli.render.explain import plan_line
    from memcli.render.text import one_line

    with models(env, generator=wanted.generator) as ready:
        found = _consult(env, query, before, chosen, ready.embedder, adaptive=wanted.adaptive)
        understood = found.understood
        if found.asked_as is not None and not wanted.json:
            env.say(f"{ASKED_AS}{one_line(found.asked_as)})", dim=True)
        evidence_first = env.out_tty and not wanted.json and ready.generator is not None and bool(found.evidence)
        lines = answers.evidence_lines(
            understood, found.evidence, env.width, env.style, found.over, explain=wanted.explain
        )
        if wanted.explain and not wanted.json:
            env.say(plan_line(found.plan), dim=True)
        if evidence_first:
            env.print("\n".join(lines) + "\n")
            env.flush()
        result = answer(understood, found.evidence, lambda: ready.generator, found.names, found.known)
    for problem in (*ready.problems, found.notice, f"Quoted instead: {result.note}" if result.failed else None):
        if problem is not None:
            env.say(f"mem: {problem}")
    if wanted.json:
        shape = answers.answer_shape(
            query.text,
            found.asked_as,
            result,
            found.evidence,
            found.visible - found.pending,
            found.pending,
            found.over,
            explain=wanted.explain,
        )
        env.print(shapes.dump(shape | {"plan": answers.plan_shape(found.plan)}))
    else:
        env.print(answers.answer_text(result, env.width, env.style) + "\n")
        if not evidence_first and found.evidence:
            title = "Nearest, but no answer:" if result.abstained else None
            env.print("\n".join([*([env.style("dim", title)] if title else []), *lines]) + "\n")
        env.print(
            env.style("dim", answers.seal(0 if result.abstained else len(found.evidence), found.visible, found.pending))
        )
    env.flush()
    if wanted.record:
        cited = tuple(found.evidence[number - 1].entry.id for number in result.cited)
        ids = tuple(item.entry.id for item in found.evidence)
        asked = redact(query.text).text
        env.store.append_question(Question(asked, ids, cited, result.abstained, query.scope, this_terminal(env)))
    return NOTHING_FOUND if result.abstained else 0


@dataclass(frozen=True, slots=True)
class Consulted:
    """What the index gave for one question. `names` are the speakers the store knows.

    `known` is what is known of the evidence, `over` which pieces of it are no longer true, by number.

    `understood` is the question as it is understood, `asked_as` the same where that is not as it was asked.
    """

    plan: Plan
    evidence: Sequence[Evidence]
    known: Known
    over: Mapping[int, Over]
    names: Sequence[str]
    visible: int
    pending: int
    notice: str | None
    understood: str
    asked_as: str | None


def _consult(
    env: Env, query: Query, before: Before | None, chosen: Switches, embedder: Embedder | None, *, adaptive: bool
) -> Consulted:
    from memcli.answering.answer import look_up
    from memcli.cli.progress import bar
    from memcli.clock import wall_ms
    from memcli.recall.finding import find
    from memcli.store.store import Reading
    from memcli.tidy.index import count_pending

    def use(reading: Reading) -> Consulted:
        db = reading.db
        dialogue = () if before is None else before(db)
        understood = replace(query, text=_understood(query.text, dialogue, db))
        shelve = shelving(env, db) if chosen.topic_route else None
        found = find(db, query, embedder, understood=understood.text, adaptive=adaptive, switches=chosen, shelve=shelve)
        nearest = found.evidence
        if chosen.past_questions and found.vector is not None and embedder is not None:
            nearest = by_past_questions(env, db, understood, nearest, found.vector, embedder)
        now_ms = wall_ms(env.clock.moment())
        evidence, learnt, over = look_up(db, understood, nearest, env.settings.me, found.names, now_ms)
        notice = found.notice
        if reading.behind_bytes:
            notice = f"{reading.behind_bytes:,} bytes of new entries are not indexed yet; another mem is writing."
        return Consulted(
            found.plan,
            evidence,
            learnt,
            over,
            found.names,
            int(db.meta("visible")),
            count_pending(db),
            notice,
            understood.text,
            understood.text if understood.text != query.text else None,
        )

    with bar(env, "Reading the log", "bytes") as update:
        return env.store.consult(use, update)


def _understood(question: str, dialogue: Sequence[Exchange], db: Database) -> str:
    if not dialogue:
        return question  # and the rules are not even imported
    from memcli.recall.people import speakers
    from memcli.recall.rewrite import rewrite

    return rewrite(question, dialogue, speakers(db)).text


def shelving(env: Env, db: Database) -> Shelve | None:
    """How a question is filed under a topic (B6), where a tidy has put the shelves up."""
    from memcli.cli.common import own_taxonomy
    from memcli.projection import vectors
    from memcli.recall.topics import known_shelves, topic_of

    space = vectors.space(db)
    shelves = None if space is None else known_shelves(env.home, own_taxonomy(env), space)
    return None if shelves is None else lambda vector, text: topic_of(vector, text, shelves)


def by_past_questions(
    env: Env, db: Database, query: Query, evidence: Sequence[Evidence], vector: Sequence[float], embedder: Embedder
) -> Sequence[Evidence]:
    """The evidence with its documents' chunks chosen by what was asked before (D7); as it is where that cannot be."""
    from memcli.errors import ModelFailed
    from memcli.projection.vectors import Space
    from memcli.recall.history import asked_before, choose_chunks, embedded, is_document
    from memcli.recall.people import speakers
    from memcli.store.cache import VectorCache

    if not any(is_document(item.entry) for item in evidence):
        return evidence
    cache = VectorCache(env.home.cache, Space(embedder.model, embedder.dim))
    try:
        past, _ = embedded(asked_before(db), speakers(db), embedder, cache)
    except ModelFailed:  # it has just embedded the question; what it found stands
        return evidence
    return choose_chunks(db, query, evidence, vector, past)
