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
    r"(?:sure|yeah|right),? and (?:i['’]?m|i am|pigs)|queen of \w+|king of \w+|just kidding|haha,? no|kidding|"
    r"jk|joking|"
    r"yeah right|said no one|in your dreams|as though|let'?s hope|dreamt that)\b|/s\b",
    re.IGNORECASE,
)
_CERTAIN = re.compile(
    r"\b(?:if (?:needed|necessary|possible|required|asked|told)|(?<=, )if (?:you|any(?:one|body)|no(?:body| "
    r"one)) (?:know|need|want|like|mind|care|object)s?\b[^.!?]*$|(?:only|never|always) [a-z]+s (?:[\w'’]+ ){0,4}?if)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^\W*(?:if|when|whenever) (?:you|i|we|a|an|the|it|someone|there)\b", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:no longer|any ?more|actually|now|nowadays|instead|used to|scratch|correction|changed|switched|moved|"
    r"turns out|"
    r"not \w+ but|gave up|quit|stopped|since (?:last|yesterday)|from \w+ on|I meant|back to)\b|, not\b",
    re.IGNORECASE,
)
_OBJECTS = frozenset("me him them us".split())
_INVERTED = frozenset("p t d s N a".split())


def unreal(sentence: str) -> bool:
    """Whether a sentence supposes, wishes or jokes."""
    if " if " in sentence:
        sentence = _CERTAIN.sub("", sentence)
    return _UNREAL.search(sentence) is not None


def conditional(sentence: str) -> bool:
    """Whether a sentence names the condition under which something is to be done."""
    return _CONDITION.match(sentence) is not None


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
        return (
            after < len(tokens)
            and tokens[after].tag in _INVERTED
            and tokens[after].low not in _OBJECTS
            and first.low not in ("had", "got", "did")
        )
    return False


def open_modal(clause: Clause) -> bool:
    """Whether the verb only says what could or should be."""
    verb = clause.verb
    if verb.modal in ("would", "'d") and any(token.low == "rather" for token in clause.tokens[verb.first : verb.end]):
        return False
    if verb.modal in ("would", "'d", "could", "might", "may", "should"):
        if verb.modal in ("would", "'d") and verb.base in ("love", "like", "prefer") and not verb.negated:
            return False
        return not (verb.modal == "'d" and verb.head == verb.first)
    return False
