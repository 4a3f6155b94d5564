"""The answer to a question: what a model says where its citation carries it, else the quote itself (D10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memcli.answering import prompt, support, timing, wanted
from memcli.answering.dating import day_of, times_told
from memcli.answering.doubt import DOUBTS, Doubts, doubt
from memcli.answering.form import form_of
from memcli.answering.passages import overlap, passage, sentences
from memcli.answering.shorten import short
from memcli.answering.subject import concerns, subject_of
from memcli.answering.switches import SWITCHES, Switches
from memcli.answering.writing import write
from memcli.errors import ModelFailed
from memcli.lang.words import content_terms, stem
from memcli.llm.generate import Generator
from memcli.recall.search import Evidence

Kind = Literal["generated", "concluded", "dated", "quote", "none"]
NEAR_COSINE = 0.45
QUOTE_CHARS = 280
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
    `failed` that the model could not even give one.
    """

    text: str
    cited: tuple[int, ...]
    kind: Kind
    note: str | None = None
    failed: bool = False

    @property
    def abstained(self) -> bool:
        return self.kind == "none"


def answer(
    question: str,
    evidence: Sequence[Evidence],
    generator: Callable[[], Generator | None],
    names: Sequence[str] = (),
    *,
    doubts: Doubts = DOUBTS,
    switches: Switches = SWITCHES,
) -> Answer:
    """Answer from the evidence alone.

    `names` are the speakers the store knows. The generator is asked for only
    when there is something to ask it about; one that fails is named in
    `note` and the quote stands in.
    """
    if not evidence or (switches.abstain and not answerable(question, evidence, names)):
        return Answer(prompt.REFUSAL, (), "none")
    if switches.abstain and doubt(question, evidence, names, doubts) > 0:
        return Answer(prompt.REFUSAL, (), "none")
    when = timing.happened(question, evidence, names) if switches.dates else None
    if when is not None:
        return Answer(f"{when.text} [{when.number}]", (when.number,), "dated")
    note, failed = None, False
    try:
        ready = generator()
        if ready is not None:
            said = write(ready, prompt.build(question, evidence))
            if support.refuses(said):
                return Answer(prompt.REFUSAL, (), "none")
            shown = check(said, question, evidence, names, switches)
            if shown is not None:
                return shown
            note = "the model's own words were not supported by what it cited"
    except ModelFailed as error:
        note, failed = f"{error.message} {error.hint or ''}".rstrip(), True
    return replace(quote(question, evidence, names), note=note, failed=failed)


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
    topic = {stem(word) for word in content_terms(question, {name.casefold() for name in names})}
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


def quote(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> Answer:
    """The words of the best piece of evidence, whole where short, else the sentence nearest the question."""
    terms = [stem(word) for word in content_terms(question, {name.casefold() for name in names})]
    number = _best(evidence, subject_of(question, names), terms)
    text = passage(evidence[number - 1].entry.text, terms, QUOTE_CHARS)
    return Answer(f"“{text}” [{number}]", (number,), "quote")


def _best(evidence: Sequence[Evidence], subject: str | None, terms: Sequence[str]) -> int:
    """Which piece to quote: the first that tells something, unless a newer one says that this has changed (C7).

    Where the question names a person, it is about them if any is. A newer one
    must share as many words with the question and have a word for a change or
    a correction.
    """
    telling = [
        number
        for number, item in enumerate(evidence, 1)
        if not all(part.endswith(("?", "？")) for part in sentences(item.entry.text))
    ]
    about = [number for number in telling if subject is None or concerns(evidence[number - 1], subject)]
    ranked = about or telling or [1]
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
    low = {name.casefold() for name in names}
    terms = {stem(word) for word in content_terms(question, low)}
    near = [item for item in evidence if item.cosine >= NEAR_COSINE]
    shared = [item for item in evidence if overlap(item.entry.text, terms)]
    about = shared or near if terms else list(evidence)
    subject = subject_of(question, names)
    return any(subject is None or concerns(item, subject) for item in about)
