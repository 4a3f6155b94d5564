"""A text as tokens with their places and word classes; contractions come apart.

Tags: `p` personal pronoun in the subject form, `t` pointing word, `a` anyone and
everything, `d` determiner, `s` possessive, `i` preposition, `c` conjunction,
`q` question word, `b` be, `h` have, `o` do, `m` modal, `n` negation, `r` adverb,
`#` figure, `v` verb in any form, `w` other word, `N` capitalised word inside a
sentence or a known name, `'` possessive 's, `,` comma, `.` other sign.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from memcli.extract.english import words as w
from memcli.extract.english.verbs import form_of

_TOKEN = re.compile(
    r"\d+(?:[.,:/]\d+)*[^\W_]*%?|[A-Za-zÀ-ɏ](?:[\w]|[.&+/-](?=\w))*(?:['’][A-Za-zÀ-ɏ]+)*\.?|[^\W\d_]\w*|[^\w\s]", re.UNICODE
)
_SUFFIXES = ("n't", "'m", "'re", "'ve", "'ll", "'d", "'s")
_LOOSE = {
    "im": ("i", "'m"), "ive": ("i", "'ve"), "dont": ("do", "n't"), "doesnt": ("does", "n't"), "didnt": ("did", "n't"),
    "cant": ("can", "n't"), "wont": ("will", "n't"), "isnt": ("is", "n't"), "cannot": ("can", "not"),
    "thats": ("that", "'s"), "gonna": ("going", "to"), "wanna": ("want", "to"), "gotta": ("got", "to"),
    "wasnt": ("was", "n't"), "arent": ("are", "n't"), "havent": ("have", "n't"),
}  # fmt: skip

_CLASS: dict[str, str] = {}
for _tag, _words in (
    ("r", w.ADVERB), ("i", w.PREPOSITION), ("c", w.CONJUNCTION), ("d", w.DETERMINER), ("t", w.POINTING),
    ("a", w.ANYONE), ("q", w.ASKING), ("b", w.BE), ("h", w.HAVE), ("o", w.DO), ("m", w.MODAL), ("n", w.NEGATION),
    ("p", w.SUBJECT), ("p", frozenset(("me", "us", "him", "them"))), ("s", w.POSSESSIVE), ("p", w.OWNED),
    ("p", w.REFLEXIVE),
):  # fmt: skip
    _CLASS.update(dict.fromkeys(_words, _tag))
_CLASS.update({"that": "t", "this": "t", "these": "t", "those": "t", "her": "s", "so": "c", "when": "c", ",": ","})


class Token:
    """A word or sign: as written, in lower case, where it stands, its tag, and for verbs the base and the forms."""

    __slots__ = ("base", "end", "forms", "low", "start", "tag", "text")

    def __init__(self, text: str, low: str, start: int, end: int, tag: str, base: str = "", forms: str = "") -> None:
        self.text = text
        self.low = low
        self.start = start
        self.end = end
        self.tag = tag
        self.base = base
        self.forms = forms

    def __repr__(self) -> str:
        return f"{self.text}/{self.tag}"


def tokenise(text: str, start: int, end: int, people: Collection[str]) -> list[Token]:
    """The tokens of a stretch of a text; `people` are names in lower case, known whatever their case."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        found += _tokens(match[0], match.start(), people, not found or found[-1].tag == ".")
    _resolve_s(found)
    for index, token in enumerate(found[:-1]):
        if token.text in ("'", "‘") and found[index + 1].start == token.end:
            found[index + 1] = Token(found[index + 1].text, found[index + 1].low, token.end, found[index + 1].end, "w")
    for index, token in enumerate(found):
        if token.low == "may" and token.text[0] == "M":
            near = found[max(0, index - 1) : index + 2]
            if any(other.tag == "#" for other in near) or (index and found[index - 1].tag == "i"):
                token.tag = "N"
    return found


def _tokens(word: str, at: int, people: Collection[str], first: bool) -> list[Token]:
    low = word.lower().replace("’", "'")
    if low.endswith(".") and len(low) > 1 and low not in w.TITLES:
        cut = len(word) - 1
        return [*_tokens(word[:cut], at, people, first), Token(".", ".", at + cut, at + cut + 1, ".")]
    if "'" in low or low in _LOOSE:
        parts = _LOOSE.get(low) or _split(low)
        if parts is not None:
            cut = len(parts[0])
            head = _word(word[:cut], parts[0], at, people, first)
            return [head, _word(word[cut:], parts[1], at + cut, people, False)]
    return [_word(word, low, at, people, first)]


def _split(low: str) -> tuple[str, str] | None:
    if low == "can't":
        return "can", "'t"
    if low == "won't":
        return "wo", "n't"
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) > len(suffix):
            return low[: -len(suffix)], suffix
    return None


def _word(text: str, low: str, at: int, people: Collection[str], first: bool) -> Token:
    end = at + len(text)
    if low in ("n't", "'t"):
        return Token(text, "n't", at, end, "n")
    if low == "wo":
        return Token(text, "will", at, end, "m")
    tag = _CLASS.get(low)
    if low in people and (text[0].isupper() or tag is None):
        return Token(text, low, at, end, "N")
    if tag is not None:
        base, kinds = form_of(low) if tag in "bho" else ("", "")
        return Token(text, low, at, end, tag, "be" if tag == "b" else base, kinds)
    if not low[0].isalnum():
        return Token(text, low, at, end, "'" if low == "'s" else ".")
    if low[0].isdigit():
        return Token(text, low, at, end, "#")
    base, kinds = form_of(low)
    named = text[0].isupper() and not text.isupper() or (text.isupper() and 1 < len(text) < 6)
    if named and not (first and (kinds or low in w.OPENERS)):
        return Token(text, low, at, end, "N", base, kinds)
    return Token(text, low, at, end, "v" if kinds else "r" if low.endswith("ly") and len(low) > 4 else "w", base, kinds)


_VERBAL_HOSTS = w.SUBJECT | w.POINTING | w.ASKING | w.ANYONE | {"let"}


def _resolve_s(tokens: list[Token]) -> None:
    """Whether an 's is "is", "has" or a possessive."""
    for index, token in enumerate(tokens):
        if token.tag != "'":
            continue
        host = tokens[index - 1].low if index else ""
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        if host == "let":
            token.tag, token.low = "p", "us"
            continue
        if host not in _VERBAL_HOSTS and (after is None or not _after_verb(after)):
            continue
        nearest = next((later for later in tokens[index + 1 :] if later.tag not in "rn"), None)
        has = nearest is not None and (nearest.low in ("been", "got") or (nearest.tag == "v" and nearest.forms == "n"))
        token.tag, token.low, token.base = ("h", "has", "have") if has else ("b", "is", "be")


def _after_verb(token: Token) -> bool:
    return (
        token.tag in "dsbrinpa"
        or (token.tag == "v" and ("g" in token.forms or token.low == "been"))
        or token.low in w.PRAISE
    )
