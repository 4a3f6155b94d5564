"""The answer to a question: what a model says where its citation carries it, else the quote itself (D10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memcli.answering import prompt, support, timing, wanted
from memcli.answering.doubt import DOUBTS, Doubts, doubt
from memcli.answering.form import form_of
from memcli.answering.known import Known, Over, known, placed
from memcli.answering.passages import overlap, passage, sentences
from memcli.answering.settle import Settled, asks_what_was, settle
from memcli.answering.shorten import short
from memcli.answering.subject import concerns, subject_of
from memcli.answering.switches import SWITCHES, Switches
from memcli.answering.timing import NEAR_COSINE
from memcli.answering.writing import write
from memcli.errors import ModelFailed
from memcli.lang.words import content_terms, stem, stems
from memcli.llm.generate import Generator
from memcli.projection.database import Database
from memcli.recall.dating import day_of, times_told
from memcli.recall.question import Query
from memcli.recall.search import Evidence

Kind = Literal["generated", "concluded", "dated", "quote", "none"]
QUOTE_CHARS = 160
QUOTED_AMONG = 5


_CHANGED = re.compile(
    r"\b(?:wrong|correction|actually|no longer|any ?more|instead|changed|switched|stopped|moved to|from now on|is now|"
    r"are now|now in|now on|sold|replaced|gave up|cancelled|postponed|not .{1,30} but)\b"
    r"|, not \w|間違|訂正|変わ|やめ|改|不再|现在",
    re.IGNORECASE,
)


_WISHED = re.compile(
    r"\b(?:would|['’]d) (?:love|like)\b|\b(?:hope|want|wish|plan|planning|going)\w* to\b|\bone day\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown: the text with its citations, the numbers it cites (from 1), and how it came about.

    A "generated" answer stands in what it cites; a "concluded" one is drawn
    from it, as the question asked; a "dated" one is a time that code read.
    `note` says why a generated answer was not shown, where there was one;
    `failed` that the model could not even give one. `before` are quotes of
    what was so before, `open` says that two contradict each other and nobody
    could tell which holds.
    """

    text: str
    cited: tuple[int, ...]
    kind: Kind
    note: str | None = None
    failed: bool = False
    before: tuple[str, ...] = ()
    open: bool = False

    @property
    def abstained(self) -> bool:
        return self.kind == "none"


def answer(
    question: str,
    evidence: Sequence[Evidence],
    generator: Callable[[], Generator | None],
    names: Sequence[str] = (),
    learnt: Known | None = None,
    *,
    doubts: Doubts = DOUBTS,
    switches: Switches = SWITCHES,
) -> Answer:
    """Answer from the evidence alone.

    `names` are the speakers the store knows, `learnt` what is known of the
    evidence. The generator is asked for only when there is something to ask
    it about; one that fails is named in `note` and the quote stands in, and
    so it does where the words of a model rest on what is over, or where
    nobody could settle what holds.
    """
    settled = _settled(question, evidence, names, learnt)
    if settled is not None and settled.empty:
        return Answer(prompt.REFUSAL, (), "none")
    sure = settled is not None and settled.sure
    changed = settled is not None and bool(settled.before or settled.open)
    if not evidence or (switches.abstain and not sure and not answerable(question, evidence, names)):
        return Answer(prompt.REFUSAL, (), "none")
    if switches.abstain and not sure and not changed and doubt(question, evidence, names, doubts) > 0:
        return Answer(prompt.REFUSAL, (), "none")
    if settled is not None and settled.open:
        return quote(question, evidence, names, settled)
    stale = stale_numbers(question, evidence, names, learnt)
    when = timing.happened(question, evidence, names) if switches.dates and not changed else None
    if when is not None and when.number not in stale:
        return Answer(f"{when.text} [{when.number}]", (when.number,), "dated")
    note, failed = None, False
    try:
        ready = generator()
        if ready is not None:
            said = write(ready, prompt.build(question, evidence, stale))
            if support.refuses(said):
                return Answer(prompt.REFUSAL, (), "none")
            shown = check(said, question, evidence, names, switches)
            if shown is not None and (settled is None or not set(shown.cited) <= stale):
                return shown if settled is None else replace(shown, before=settled.before)
            note = "the model's own words were not supported by what it cited"
    except ModelFailed as error:
        note, failed = f"{error.message} {error.hint or ''}".rstrip(), True
    return replace(quote(question, evidence, names, settled), note=note, failed=failed)


def check(
    said: str,
    question: str,
    evidence: Sequence[Evidence],
    names: Sequence[str] = (),
    switches: Switches = SWITCHES,
) -> Answer | None:
    """A generated answer as it may be shown, None where its citation does not carry it.

    Only evidence about the question can carry it: it shares a word with the
    question, or is near in meaning, and where the question names one person,
    they said it or it names them.
    """
    claim = support.read_claim(said)
    if switches.shorten:
        claim = replace(claim, text=short(claim.text, question))
    if not claim.text:
        return None
    subject = subject_of(question, names)
    terms = [stem(word) for word in content_terms(question)]
    topic = set(_topic(question, names))
    lines = {
        number: prompt.line(item, terms)
        for number, item in enumerate(evidence, 1)
        if (item.cosine >= NEAR_COSINE or overlap(item.entry.text, topic))
        and (subject is None or concerns(item, subject))
    }
    if form_of(question) == "count":
        found = support.find_count(claim, question, lines, topic)
    else:
        found = support.find_support(claim, question, lines)
    if found is None:
        drawn = support.find_conclusion(claim, question, lines, topic) if switches.conclude else None
        return None if drawn is None else Answer(support.cite(drawn), drawn.cited, "concluded")
    if wanted.kind_of(question) == "time":
        found = _happened(found, evidence)
    return None if found is None else Answer(support.cite(found), found.cited, "generated")


def _happened(claim: support.Claim, evidence: Sequence[Evidence]) -> support.Claim | None:
    """The time that was told of, where a model gave the day on which it was told: "last week" is not today.

    None where several are told of, and where what was told is a wish or a plan.
    """
    if len(claim.cited) != 1:
        return claim
    entry = evidence[claim.cited[0] - 1].entry
    if claim.text.rstrip(".").casefold() != day_of(entry).casefold():
        return claim
    told = times_told(entry)
    if not told:
        return None if _WISHED.search(entry.text) else claim
    return replace(claim, text=told[0]) if len(told) == 1 else None


def quote(question: str, evidence: Sequence[Evidence], names: Sequence[str], settled: Settled | None) -> Answer:
    """The words of the best piece of evidence, whole where short, else the sentence nearest the question.

    Where it is known what holds, that piece; else the nearest, or a newer one that says that this has changed.
    """
    if settled is not None and not settled.empty:
        return Answer(settled.text, settled.cited, "quote", before=settled.before, open=settled.open)
    terms = _topic(question, names)
    number = _best(evidence, subject_of(question, names), terms)
    text = passage(evidence[number - 1].entry.text, terms, QUOTE_CHARS)
    return Answer(f"“{text}” [{number}]", (number,), "quote")


def look_up(
    db: Database,
    query: Query,
    evidence: Sequence[Evidence],
    me: Sequence[str],
    names: Sequence[str],
    now_ms: int,
) -> tuple[list[Evidence], Known, dict[int, Over]]:
    """The evidence with what is known of it, and which of it is over, by number.

    What holds now of something that the evidence tells of is evidence too,
    even where no word of the question stands in it: it comes last.
    """
    terms = _topic(query.text, names)
    pieces = list(evidence)
    least = min((item.score for item in evidence), default=0.0)
    at_ms = now_ms if query.as_of_ms is None else query.as_of_ms
    found = {item.entry.id for item in evidence}
    for entry in placed(db, query.text, terms, at_ms):
        if entry.id not in found and query.allows(entry):
            found.add(entry.id)
            pieces.append(Evidence(entry, least, {}))
    learnt = known(db, pieces, me, names, now_ms, query.as_of_ms)
    there = {item.entry.id for item in pieces}
    for item in (*evidence[:QUOTED_AMONG], *pieces[len(evidence) :]):
        memory = learnt.relevant(item.entry.id, terms)
        held = None if memory is None else learnt.now(memory)
        for other in () if held is None else (held, *learnt.against(held)):
            more = learnt.more.get(other.quotes[-1].entry)
            if more is None or not query.allows(more) or any(quote.entry in there for quote in other.quotes):
                continue
            there.add(more.id)
            pieces.append(Evidence(more, least, {}))
    stale: dict[int, Over] = {}
    for number, item in enumerate(pieces, 1):
        over = learnt.over(item.entry.id, terms)
        if over is not None:
            stale[number] = over
    return pieces, learnt, stale


def stale_numbers(
    question: str, evidence: Sequence[Evidence], names: Sequence[str], learnt: Known | None
) -> frozenset[int]:
    """The numbers of the evidence that is over, as far as the question goes."""
    if learnt is None or (not learnt.past and asks_what_was(question)):
        return frozenset()
    terms = _topic(question, names)
    return frozenset(number for number, item in enumerate(evidence, 1) if learnt.over(item.entry.id, terms) is not None)


def _settled(question: str, evidence: Sequence[Evidence], names: Sequence[str], learnt: Known | None) -> Settled | None:
    if learnt is None or not evidence:
        return None
    subject = subject_of(question, names)
    return settle(
        question, _telling(evidence, subject), evidence, subject, stems(question), _topic(question, names), learnt
    )


def _topic(question: str, names: Sequence[str]) -> list[str]:
    """The stems of a question without the names in it."""
    return [stem(word) for word in content_terms(question, {name.casefold() for name in names})]


def _telling(evidence: Sequence[Evidence], subject: str | None) -> list[int]:
    """The numbers of the pieces that tell something and do not only ask; where a person is named, those about them."""
    telling = [
        number
        for number, item in enumerate(evidence, 1)
        if not all(part.endswith(("?", "？")) for part in sentences(item.entry.text))
    ]
    about = [number for number in telling if subject is None or concerns(evidence[number - 1], subject)]
    return about or telling or [1]


def _best(evidence: Sequence[Evidence], subject: str | None, terms: Sequence[str]) -> int:
    """Which piece to quote: the first that tells something, unless a newer one says that this has changed.

    That is guessed by words, where no statements are known (C7). The newer one
    must share as many words with the question and have a word for a change or
    a correction.
    """
    ranked = _telling(evidence, subject)
    first = ranked[0]
    shared = overlap(evidence[first - 1].entry.text, terms)
    for number in ranked[1:QUOTED_AMONG]:
        item = evidence[number - 1]
        tells_change = overlap(item.entry.text, terms) >= shared and _CHANGED.search(item.entry.text)
        if tells_change and _newer(item, evidence[first - 1]):
            first = number
    return first


def _newer(one: Evidence, other: Evidence) -> bool:
    a, b = one.entry.moment, other.entry.moment
    return a is not None and b is not None and a.ms > b.ms


def answerable(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> bool:
    """Whether the evidence is about the question at all.

    Some word of the question beyond names must occur in it, or it must be
    near in meaning. And where the question names one person, the evidence
    must be theirs or name them: what another said of himself is no answer.
    Where a phone number is asked for, some piece must have one.
    """
    if not evidence:
        return False
    kind = wanted.kind_of(question)
    if kind == "phone" and not any(wanted.has(item.entry.text, kind) for item in evidence):
        return False
    terms = set(_topic(question, names))
    near = [item for item in evidence if item.cosine >= NEAR_COSINE]
    shared = [item for item in evidence if overlap(item.entry.text, terms)]
    about = shared or near if terms else list(evidence)
    subject = subject_of(question, names)
    return any(subject is None or concerns(item, subject) for item in about)
