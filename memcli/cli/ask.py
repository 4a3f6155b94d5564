"""`mem ask`: evidence in well under a second, then a short answer that cites it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import asked_at, checked_scope, need_home, since_until
from memcli.cli.dialogue import Before, said_before, this_terminal
from memcli.cli.env import Env
from memcli.cli.options import Json, Scope, Since, Until, env_of
from memcli.errors import NOTHING_FOUND, NoInput, UsageError

if TYPE_CHECKING:
    from memcli.answering.known import Known, Over
    from memcli.llm.embed import Embedder
    from memcli.projection.database import Database
    from memcli.projection.vectors import Space
    from memcli.recall.followup.said import Exchange
    from memcli.recall.question import Plan, Query
    from memcli.recall.search import Evidence
    from memcli.recall.switches import Switches


def register(app: typer.Typer, summary: str) -> None:
    app.command("ask", help=summary)(ask)


def ask(
    context: typer.Context,
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="The question; - reads it from a pipe.")],
    k: Annotated[int, typer.Option("-k", min=1, max=50, help="Pieces of evidence at most.")] = 8,
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
    from memcli.recall.question import Query
    from memcli.recall.switches import switches

    since_ms, until_ms = since_until(env, since, until, as_of)
    asked = asked_at(env, as_of)
    query = Query(
        text,
        checked_scope(scope),
        since_ms,
        None if until is None else until_ms,
        k,
        as_of_ms=None if as_of is None else asked,
        now_ms=asked,
    )
    chosen = switches(env.settings.recall)
    before = None if no_dialogue or not chosen.follow_ups else said_before(env, text, dialogue)
    return _ask(env, query, before, chosen, no_llm=no_llm, record=not no_record, json=json)


def _ask(
    env: Env, query: Query, before: Before | None, chosen: Switches, *, no_llm: bool, record: bool, json: bool
) -> int:
    from memcli.answering.answer import answer
    from memcli.cli.models import models
    from memcli.importing.guard import ASKED_AS
    from memcli.lang.redact import redact
    from memcli.log.record import Question
    from memcli.render import answers, shapes
    from memcli.render.text import one_line

    with models(env, generator=not no_llm) as ready:
        found = _find(env, query, before, chosen, ready.embedder)
        understood = found.understood
        if found.asked_as is not None and not json:
            env.say(f"{ASKED_AS}{one_line(found.asked_as)})", dim=True)
        evidence_first = env.out_tty and not json and ready.generator is not None and bool(found.evidence)
        lines = answers.evidence_lines(understood, found.evidence, env.width, env.style, found.over)
        if evidence_first:
            env.print("\n".join(lines) + "\n")
            env.flush()
        result = answer(understood, found.evidence, lambda: ready.generator, found.names, found.known)
    for problem in (*ready.problems, found.notice, f"Quoted instead: {result.note}" if result.failed else None):
        if problem is not None:
            env.say(f"mem: {problem}")
    if json:
        shape = answers.answer_shape(
            query.text, found.asked_as, result, found.evidence, found.indexed, found.pending, found.over
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
    if record:
        cited = tuple(found.evidence[number - 1].entry.id for number in result.cited)
        ids = tuple(item.entry.id for item in found.evidence)
        asked = redact(query.text).text
        env.store.append_question(Question(asked, ids, cited, result.abstained, query.scope, this_terminal(env)))
    return NOTHING_FOUND if result.abstained else 0


@dataclass(frozen=True, slots=True)
class Found:
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
    indexed: int
    pending: int
    notice: str | None
    understood: str
    asked_as: str | None


def _find(env: Env, query: Query, before: Before | None, chosen: Switches, embedder: Embedder | None) -> Found:
    from memcli.answering.answer import look_up
    from memcli.cli.progress import bar
    from memcli.clock import wall_ms
    from memcli.errors import ModelFailed
    from memcli.projection import vectors
    from memcli.projection.sqlite import NoVectors
    from memcli.recall.people import speakers
    from memcli.recall.question import as_said
    from memcli.recall.search import plan_of, recall_both
    from memcli.store.store import Reading
    from memcli.tidy.index import count_pending

    def use(reading: Reading) -> Found:
        db = reading.db
        names = speakers(db)
        dialogue = () if before is None else before(db)
        understood = replace(query, text=_understood(query.text, dialogue, names))
        texts = list(dict.fromkeys(as_said(one.text, names) for one in (query, understood)))
        notice = None
        found: list[list[float]] = []
        space = vectors.space(db)
        if space is not None and embedder is not None:
            if space.model != embedder.model:
                notice = "The embedding model has changed: searched by words only until `mem tidy`."
            else:
                try:
                    found = list(embedder.embed(texts))
                    db.need_vectors()
                except ModelFailed as error:
                    notice = f"{error.message} Searched by words only."
                except NoVectors as error:
                    notice, found = f"Searched by words only: {error}.", []
        both = (found[0], found[-1]) if found else (None, None)
        pair = query, understood
        if chosen.topic_route and space is not None and found:
            pair = filed(env, query, found[0], space), filed(env, understood, found[-1], space)
        nearest: Sequence[Evidence] = recall_both(db, *pair, both, switches=chosen)
        if chosen.past_questions and both[1] is not None and embedder is not None:
            nearest = by_past_questions(env, db, understood, nearest, both[1], embedder)
        evidence, learnt, over = look_up(db, understood, nearest, env.settings.me, names, wall_ms(env.clock.moment()))
        visible, pending = int(db.meta("visible")), count_pending(db)
        if reading.behind_bytes:
            notice = f"{reading.behind_bytes:,} bytes of new entries are not indexed yet; another mem is writing."
        changed = understood.text if understood.text != query.text else None
        return Found(
            plan_of(db, understood, chosen),
            evidence,
            learnt,
            over,
            names,
            visible,
            visible - pending,
            pending,
            notice,
            understood.text,
            changed,
        )

    with bar(env, "Reading the log", "bytes") as update:
        return env.store.consult(use, update)


def _understood(question: str, dialogue: Sequence[Exchange], names: Sequence[str]) -> str:
    if not dialogue:
        return question  # and the rules are not even imported
    from memcli.recall.rewrite import rewrite

    return rewrite(question, dialogue, names).text


def filed(env: Env, query: Query, vector: Sequence[float], space: Space) -> Query:
    """The question with its topic (B6), where a tidy has put the shelves up."""
    from memcli.cli.common import own_taxonomy
    from memcli.recall.topics import known_shelves, topic_of

    shelves = known_shelves(env.home, own_taxonomy(env), space)
    return query if shelves is None else replace(query, topic=topic_of(vector, query.text, shelves))


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
