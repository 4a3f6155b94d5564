"""A follow-up question as one that can be understood alone (D1).

"And in May?" after "How much did I spend on books in April?" is "How much did
I spend on books in May?". Rules, no model: what points back is resolved from
the dialogue, what is missing is taken from the question before, and a question
that lacks nothing stays as it is. A rewriting can be wrong, so nobody may
search with it alone: see `recall_both`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memcli.lang.words import has_cjk
from memcli.recall.followup.choice import Found
from memcli.recall.followup.ellipsis import Kind, complete, keywords, lacks, uncut
from memcli.recall.followup.frame import Frame, frame_of
from memcli.recall.followup.manner import manner_of
from memcli.recall.followup.persons import Past
from memcli.recall.followup.refer import is_thin, references
from memcli.recall.followup.said import LOOKED_BACK, Exchange

__all__ = ["LOOKED_BACK", "Exchange", "Rewritten", "rewrite"]

ANSWER_CHARS = 2_000
"""What an answer has beyond this is not looked at."""
MOST_CHARS = 400
"""A longer question says what it means, and a longer rewriting says too much."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The question as it is to be understood; `reason` says what was done, None where nothing was."""

    text: str
    reason: str | None = None


def rewrite(question: str, dialogue: Sequence[Exchange], names: Collection[str] = ()) -> Rewritten:
    """The question completed from the dialogue, whose newest exchange is the last; as it is where it lacks nothing.

    `names` are the speakers the store knows: they are recognised in lower
    case too. The same arguments always give the same. No earlier question
    stands whole in the result, but one that is a single word.
    """
    past: list[Exchange] = []
    for exchange in dialogue[-LOOKED_BACK:]:
        past.insert(0, Exchange(_rewritten(exchange.question, past, names).text, exchange.answer[:ANSWER_CHARS]))
    found = _rewritten(question, past, names)
    if found.reason is None:
        return found
    return Rewritten(_apart(found.text, question, [exchange.question for exchange in dialogue]), found.reason)


def _rewritten(question: str, past: Sequence[Exchange], names: Collection[str]) -> Rewritten:
    if not past or not question.strip() or len(question) > MOST_CHARS:
        return Rewritten(question)
    if has_cjk(question):
        from memcli.recall.followup import cjk

        made = cjk.complete(question, past, names)
        if made is None:
            return Rewritten(question)
        text, behind, reason = made
        return _finished(question, text, behind, reason)
    frame = frame_of(question, manner_of(question, past[0].question), names)
    return _completed(frame, [_past(exchange, names) for exchange in past])


def _past(exchange: Exchange, names: Collection[str]) -> Past:
    return Past(exchange, frame_of(exchange.question, manner_of(exchange.question, ""), names))


def _completed(frame: Frame, past: Sequence[Past]) -> Rewritten:
    before = past[0]
    found = references(frame, past)
    kind = None if found.listed else lacks(frame)
    text, rest = _edited(frame, found), True
    if kind in ("asking", "part"):
        text, rest = complete(frame, kind, before.frame)
    elif kind is None and not found.edits and (same := uncut(frame, before.frame)) is not None:
        return _finished(frame.text, same, [], "the same about somebody else")
    elif kind is None:
        weak = frame.led or any(frame.tokens[at].low in frame.manner.else_words for at in frame.words)
        thin = is_thin(frame, found)
        if not (found.leans or (weak and thin)):
            return Rewritten(frame.text)
        rest = found.hangs or frame.led or thin
    behind = list(found.behind)
    if rest:
        behind += _rest(frame, text, before, found, kind)
    reason = "; ".join(found.notes) or (_REASONS[kind] if kind else "it goes on with what was asked before")
    return _finished(frame.text, text, behind, reason)


_REASONS: dict[Kind, str] = {
    "asking": "the same, asked otherwise",
    "part": "the same about something else",
    "bare": "its verb is in the question before",
    "open": "more of what was asked before",
}


def _edited(frame: Frame, found: Found) -> str:
    """The question without what leads it, and with what points back replaced."""
    begin = frame.tokens[frame.begin].start if frame.begin < len(frame.tokens) else 0
    parts, at = [], 0 if not frame.led else begin
    for first, last, new in sorted(found.edits):
        parts += [frame.text[at : frame.tokens[first].start], new]
        at = frame.tokens[last - 1].end
    return "".join([*parts, frame.text[at:]])


def _rest(frame: Frame, text: str, before: Past, found: Found, kind: Kind | None) -> list[str]:
    """What the exchange before was about, as far as the text does not say it: words of its question, its answer."""
    said = {token.low for token in frame_of(text, frame.manner, frame.known).tokens}
    topic = keywords(before.frame, said, timed=not frame.times)
    gist = "" if found.listed or kind == "part" else before.gist
    if gist and all(word.lower().strip(".,") in said for word in gist.split()):
        gist = ""
    return [part for part in (topic, gist) if part]


def _finished(question: str, text: str, behind: Sequence[str], reason: str) -> Rewritten:
    """The text with what belongs behind it in brackets, a question mark at its end where there was one."""
    bare = text.strip().rstrip("?？ ")
    more = ", ".join(dict.fromkeys(part for part in behind if part and part not in bare))
    whole = f"{bare} ({more})" if more else bare
    asked = question.rstrip()
    whole += asked[-1] if asked.endswith(("?", "？")) else ""
    first = 1 if asked.startswith("¿") else 0
    whole = "¿" + whole if first and not whole.startswith("¿") else whole
    if question[first : first + 1].isupper():
        whole = whole[:first] + whole[first : first + 1].upper() + whole[first + 1 :]
    if whole == question or not bare or len(whole) > MOST_CHARS + len(question):
        return Rewritten(question)
    return Rewritten(whole, reason)


def _apart(text: str, question: str, earlier: Sequence[str]) -> str:
    """The text with a comma in every earlier question that stands in it whole.

    No past question enters a prompt: only the words by which it resolves this one do.
    """
    for asked in earlier:
        bare = asked.strip(" ?？。.!¿¡")
        if bare.casefold() in question.casefold():
            continue
        cut = len(bare) // 2 if has_cjk(bare) else bare.find(" ")
        if cut > 0:
            apart = f"{bare[:cut]}, {bare[cut:].lstrip()}".replace("\\", r"\\")
            text = re.sub(rf"{re.escape(bare)}(?![\w'’])", apart, text, flags=re.IGNORECASE)
    return text
