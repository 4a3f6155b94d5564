""" "You like tea", where no name is known to say "Alex likes tea" of: statements are told in the third person."""

from __future__ import annotations

import re

from memcli.extract.english.verbs import third

YOU = "You"
_FORMS = {"is": "are", "was": "were", "has": "have", "does": "do"}
_NOT = re.compile(r"(is|was|has|does)(n['’]t)")
_ADVERBS = (
    "never|always|often|usually|also|really|still|just|already|only|rarely|sometimes|now|generally|normally|mostly"
)
_CLAUSE = r"^|[.;:,] |\b(?:that|and|but|because|since|when|while|if|so|says|said|thinks|knows|where|what) "
_SAID = re.compile(rf"({_CLAUSE})You ((?:(?:{_ADVERBS}) )*)([A-Za-z]+(?:['’]t)?)")
_WHOSE = re.compile(r"\bYou['’]s\b")
_ES = re.compile(r"(?:s|sh|ch|x|z|o)es$")


def agreeing(text: str) -> str:
    """The sentence with the verbs behind "You" in their second person, and "Your" for "You's"."""
    return _SAID.sub(
        lambda match: f"{match[1]}You {match[2]}{_second(match[3])}",
        _WHOSE.sub(lambda match: "your" if match.start() else "Your", text),
    )


def _second(verb: str) -> str:
    denied = _NOT.fullmatch(verb)
    if denied is not None:
        return _FORMS[denied[1]] + denied[2]
    if verb in _FORMS:
        return _FORMS[verb]
    bases = [verb[:-2], verb[:-1]] if _ES.search(verb) else [verb[:-1]]
    if verb.endswith("ies") and len(verb) > 4:
        bases.insert(0, verb[:-3] + "y")
    return next((base for base in bases if base and verb.endswith("s") and third(base) == verb), verb)
