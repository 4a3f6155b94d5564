"""What a sentence does besides stating: ask, suppose, wish, joke, ask for something. Only statements are kept (B3)."""

from __future__ import annotations

import re

from memcli.extract.english import words as w
from memcli.extract.parse import Clause
from memcli.extract.tokens import Token

_UNREAL = re.compile(
    r"\b(?:if|wish|wishes|imagine|supposing|suppose|what if|pretend|hopefully|maybe(?! (?:once|twice|two|three|"
    r"\d))|perhaps|might|fingers crossed|"
    r"built in a day|fingers crossed|crossing my fingers|sky's the limit|time flies|makes perfect|"
    r"just kidding|kidding|jk|joking|yeah right|said no one|in your dreams|as though|let'?s hope|dreamt that)\b|/s\b",
    re.IGNORECASE,
)
_CERTAIN = re.compile(r"\b(?:if (?:needed|necessary|possible|required))\b", re.IGNORECASE)
_CONDITION = re.compile(r"^\W*(?:if|when|whenever) (?:you|i|we|a|an|the|it|someone|there)\b", re.IGNORECASE)
_LASTING = re.compile(
    r"\b(?:from now on|always|never|every time|in (?:the )?future|going forward|henceforth|remember (?:that|to)|"
    r"(?:please|pls) (?:remember|don'?t|stop|use|keep|avoid)|make sure|at all times|don'?t ever|ever again|by "
    r"default)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:no longer|any ?more|actually|now|nowadays|instead|used to|scratch|correction|changed|switched|moved|"
    r"turns out|"
    r"not \w+ but|gave up|quit|stopped|since (?:last|yesterday)|from \w+ on|I meant|back to)\b|, not\b",
    re.IGNORECASE,
)
_INVERTED = frozenset("p t d s N a".split())


def unreal(sentence: str) -> bool:
    """Whether a sentence supposes, wishes or jokes."""
    if " if " in sentence:
        sentence = _CERTAIN.sub("", sentence)
    return _UNREAL.search(sentence) is not None


def conditional(sentence: str) -> bool:
    """Whether a sentence names the condition under which something is to be done."""
    return _CONDITION.match(sentence) is not None


def lasting(sentence: str) -> bool:
    """Whether a sentence says that it holds from now on."""
    return _LASTING.search(sentence) is not None


def changed(sentence: str) -> bool:
    """Whether a sentence says that something was otherwise before."""
    return _CHANGED.search(sentence) is not None


def asks(tokens: list[Token]) -> bool:
    """Whether a sentence without a question mark asks all the same, or only exclaims."""
    at = 0
    while at < len(tokens) and (tokens[at].low in w.OPENERS or tokens[at].tag in ",."):
        at += 1
    if at >= len(tokens):
        return True
    first = tokens[at]
    if first.tag == "q" and first.low not in ("when",):
        return True
    if first.tag in "bhom" and first.low not in ("been", "being", "having"):
        after = at + 1
        while after < len(tokens) and tokens[after].tag == "n":
            after += 1
        return after < len(tokens) and tokens[after].tag in _INVERTED and first.low not in ("had", "got", "did")
    return False


def open_modal(clause: Clause) -> bool:
    """Whether the verb only says what could or should be."""
    verb = clause.verb
    if verb.modal in ("would", "'d", "could", "might", "may", "should"):
        if verb.modal in ("would", "'d") and verb.base in ("love", "like", "prefer") and not verb.negated:
            return False
        return not (verb.modal == "'d" and verb.head == verb.first)
    return False
