"""`mem ask`: evidence in well under a second, then a short answer that cites it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import checked_scope, need_home, since_until
from memcli.cli.env import Env
from memcli.cli.options import Json, Scope, Since, Until, env_of
from memcli.errors import NOTHING_FOUND, NoInput

if TYPE_CHECKING:
    from memcli.llm.embed import Embedder
    from memcli.recall.finding import Found
    from memcli.recall.question import Query


def register(app: typer.Typer, summary: str) -> None:
    app.command("ask", help=summary)(ask)


def ask(
    context: typer.Context,
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="The question; - reads it from a pipe.")],
    k: Annotated[
        int | None, typer.Option("-k", min=1, max=50, help="So many pieces of evidence, not as many as seem worth it.")
    ] = None,
    no_llm: Annotated[bool, typer.Option("--no-llm", help="Quote the evidence, write nothing.")] = False,
    scope: Scope = None,
    since: Since = None,
    until: Until = None,
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

    since_ms, until_ms = since_until(env, since, until)
    query = Query(text, checked_scope(scope), since_ms, until_ms)
    if k is not None:
        query = replace(query, k=k)
    return _ask(env, query, adaptive=k is None, no_llm=no_llm, record=not no_record, json=json)


def _ask(env: Env, query: Query, *, adaptive: bool, no_llm: bool, record: bool, json: bool) -> int:
    from memcli.answering.answer import answer
    from memcli.cli.models import models
    from memcli.lang.redact import redact
    from memcli.log.record import Question
    from memcli.render import answers, shapes

    with models(env, generator=not no_llm) as ready:
        consulted = _find(env, query, ready.embedder, adaptive=adaptive)
        found = consulted.found
        evidence_first = env.out_tty and not json and ready.generator is not None and bool(found.evidence)
        lines = answers.evidence_lines(query.text, found.evidence, env.width, env.style)
        if evidence_first:
            env.print("\n".join(lines) + "\n")
            env.flush()
        result = answer(query.text, found.evidence, lambda: ready.generator, found.names)
    for problem in (*ready.problems, consulted.notice, f"Quoted instead: {result.note}" if result.failed else None):
        if problem is not None:
            env.say(f"mem: {problem}")
    if json:
        indexed = consulted.visible - consulted.pending
        env.print(shapes.dump(answers.answer_shape(query.text, result, found.evidence, indexed, consulted.pending)))
    else:
        env.print(answers.answer_text(result, env.width, env.style) + "\n")
        if not evidence_first and found.evidence:
            title = "Nearest, but no answer:" if result.abstained else None
            env.print("\n".join([*([env.style("dim", title)] if title else []), *lines]) + "\n")
        shown = 0 if result.abstained else len(found.evidence)
        env.print(env.style("dim", answers.seal(shown, consulted.visible, consulted.pending)))
    env.flush()
    if record:
        cited = tuple(found.evidence[number - 1].entry.id for number in result.cited)
        ids = tuple(item.entry.id for item in found.evidence)
        env.store.append_question(Question(redact(query.text).text, ids, cited, result.abstained, query.scope))
    return NOTHING_FOUND if result.abstained else 0


@dataclass(frozen=True, slots=True)
class Consulted:
    """What the index gave for one question, and how much of the store is in it."""

    found: Found
    visible: int
    pending: int
    notice: str | None


def _find(env: Env, query: Query, embedder: Embedder | None, *, adaptive: bool) -> Consulted:
    from memcli.cli.progress import bar
    from memcli.recall.finding import find
    from memcli.store.store import Reading
    from memcli.tidy.index import count_pending

    def use(reading: Reading) -> Consulted:
        db = reading.db
        found = find(db, query, embedder, adaptive=adaptive)
        notice = found.notice
        if reading.behind_bytes:
            notice = f"{reading.behind_bytes:,} bytes of new entries are not indexed yet; another mem is writing."
        return Consulted(found, int(db.meta("visible")), count_pending(db), notice)

    with bar(env, "Reading the log", "bytes") as update:
        return env.store.consult(use, update)
