"""`mem ask`: evidence in well under a second, then a short answer that cites it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import asked_at, checked_scope, need_home, since_until
from memcli.cli.env import Env
from memcli.cli.options import AsOf, Json, Scope, Since, Until, env_of
from memcli.errors import NOTHING_FOUND, NoInput

if TYPE_CHECKING:
    from memcli.llm.embed import Embedder
    from memcli.recall.question import Plan, Query
    from memcli.recall.search import Evidence


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
    as_of: AsOf = None,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no note of this question.")] = False,
    json: Json = False,
) -> int:
    """Answer a question from what you kept, with citations."""
    env = env_of(context)
    text = " ".join(question).strip()
    if text == "-":
        text = env.stdin.read().decode("utf-8", "replace").strip()
    if not text:
        raise NoInput("There is no question.", 'Ask one: mem ask "where did I put the keys?"')
    need_home(env)
    from memcli.recall.question import Query

    since_ms, until_ms = since_until(env, since, until, as_of)
    query = Query(text, checked_scope(scope), since_ms, until_ms, k, now_ms=asked_at(env, as_of))
    return _ask(env, query, no_llm=no_llm, record=not no_record, json=json)


def _ask(env: Env, query: Query, *, no_llm: bool, record: bool, json: bool) -> int:
    from memcli.answering.answer import answer
    from memcli.cli.models import models
    from memcli.lang.redact import redact
    from memcli.log.record import Question
    from memcli.render import answers, shapes

    with models(env, generator=not no_llm) as ready:
        found = _find(env, query, ready.embedder)
        evidence_first = env.out_tty and not json and ready.generator is not None and bool(found.evidence)
        lines = answers.evidence_lines(query.text, found.evidence, env.width, env.style)
        if evidence_first:
            env.print("\n".join(lines) + "\n")
            env.flush()
        result = answer(query.text, found.evidence, lambda: ready.generator, found.names)
    for problem in (*ready.problems, found.notice, f"Quoted instead: {result.note}" if result.failed else None):
        if problem is not None:
            env.say(f"mem: {problem}")
    if json:
        shape = answers.answer_shape(query.text, result, found.evidence, found.indexed, found.pending)
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
        env.store.append_question(Question(redact(query.text).text, ids, cited, result.abstained, query.scope))
    return NOTHING_FOUND if result.abstained else 0


@dataclass(frozen=True, slots=True)
class Found:
    """What the index gave for one question. `names` are the speakers the store knows."""

    plan: Plan
    evidence: Sequence[Evidence]
    names: Sequence[str]
    visible: int
    indexed: int
    pending: int
    notice: str | None


def _find(env: Env, query: Query, embedder: Embedder | None) -> Found:
    from memcli.cli.progress import bar
    from memcli.errors import ModelFailed
    from memcli.projection import vectors
    from memcli.projection.sqlite import NoVectors
    from memcli.recall.people import speakers
    from memcli.recall.question import as_said
    from memcli.recall.search import plan_of, recall
    from memcli.store.store import Reading
    from memcli.tidy.index import count_pending

    def use(reading: Reading) -> Found:
        db = reading.db
        names = speakers(db)
        notice = None
        vector = None
        space = vectors.space(db)
        if space is not None and embedder is not None:
            if space.model != embedder.model:
                notice = "The embedding model has changed: searched by words only until `mem tidy`."
            else:
                try:
                    vector = next(iter(embedder.embed([as_said(query.text, names)])))
                    db.need_vectors()
                except ModelFailed as error:
                    notice = f"{error.message} Searched by words only."
                except NoVectors as error:
                    notice, vector = f"Searched by words only: {error}.", None
        evidence = recall(db, query, vector)
        visible, pending = int(db.meta("visible")), count_pending(db)
        if reading.behind_bytes:
            notice = f"{reading.behind_bytes:,} bytes of new entries are not indexed yet; another mem is writing."
        return Found(plan_of(db, query), evidence, names, visible, visible - pending, pending, notice)

    with bar(env, "Reading the log", "bytes") as update:
        return env.store.consult(use, update)
