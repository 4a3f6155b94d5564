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
from functools import lru_cache

from memcli.extract.english import words as w
from memcli.extract.english.verbs import form_of

_TOKEN = re.compile(
    r"\d+(?:[.,:/]\d+)*[^\W_]*%?|[A-Za-zÀ-ɏ](?:[\w]|[.&+/-](?=\w))*(?:['’][A-Za-zÀ-ɏ]+)*\.?|[^\W\d_]\w*|[^\w\s]",
    re.UNICODE,
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
    first = True
    quoted = -1
    for match in _TOKEN.finditer(text, start, end):
        at = match.start()
        for part, low, begin, stop, tag, base, forms, closed in _specs(match[0], first):
            if low in people and (part[0].isupper() or not closed):
                tag = "N"
            if at + begin == quoted:
                tag, base, forms = "w", "", ""
            found.append(Token(part, low, at + begin, at + stop, tag, base, forms))
            first = tag == "."
            if low in ("'", "‘"):
                quoted = at + stop if quoted < 0 else -1
    _resolve_s(found)
    for index, token in enumerate(found):
        if token.low in ("like", "likes", "liked") and token.tag in "iv" and index and index + 1 < len(found):
            before = found[index - 1]
            if (
                before.tag in "rnm"
                or before.low in w.SUBJECT
                or before.low == "to"
                or before.low in ("both", "kids", "really")
            ):
                token.tag, token.base, token.forms = "v", "like", form_of(token.low)[1]
        if token.low == "may" and _is_month(found, index):
            token.tag = "N"
    if _names_something(found, people):
        found[0].tag = "N"
    return found


_Spec = tuple[str, str, int, int, str, str, str, bool]


@lru_cache(maxsize=32_768)
def _specs(word: str, first: bool) -> tuple[_Spec, ...]:
    """What a word is by itself: its parts, each with its text, its small letters, its place, tag, base, forms."""
    low = word.lower().replace("’", "'")
    if low.endswith(".") and len(low) > 1 and low not in w.TITLES:
        cut = len(word) - 1
        return (*_specs(word[:cut], first), (".", ".", cut, cut + 1, ".", "", "", True))
    if "'" in low or low in _LOOSE:
        parts = _LOOSE.get(low) or _split(low)
        if parts is not None:
            cut = len(parts[0])
            return (_spec(word[:cut], parts[0], 0, first), _spec(word[cut:], parts[1], cut, False))
    return (_spec(word, low, 0, first),)


def _split(low: str) -> tuple[str, str] | None:
    if low == "can't":
        return "can", "'t"
    if low == "won't":
        return "wo", "n't"
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) > len(suffix):
            return low[: -len(suffix)], suffix
    return None


def _spec(text: str, low: str, at: int, first: bool) -> _Spec:
    end = at + len(text)
    if low in ("n't", "'t"):
        return text, "n't", at, end, "n", "", "", True
    if low == "wo":
        return text, "will", at, end, "m", "", "", True
    tag = _CLASS.get(low)
    if tag is not None:
        base, forms = form_of(low) if tag in "bho" else ("", "")
        return text, low, at, end, tag, "be" if tag == "b" else base, forms, True
    if not low[0].isalnum():
        return text, low, at, end, "'" if low == "'s" else ".", "", "", True
    if low[0].isdigit():
        return text, low, at, end, "#", "", "", True
    base, forms = form_of(low)
    named = (text[0].isupper() and not text.isupper()) or (text.isupper() and 1 < len(text) < 6)
    if named and not (first and (forms or low in w.OPENERS)):
        return text, low, at, end, "N", base, forms, False
    tag = "v" if forms else "r" if low.endswith("ly") and len(low) > 4 else "w"
    return text, low, at, end, tag, base, forms, False


def _names_something(tokens: list[Token], people: Collection[str]) -> bool:
    """Whether a sentence begins with a name that looks like an order: "Iron Man is …"."""
    if len(tokens) < 3 or tokens[1].tag != "N" or tokens[1].low in people or tokens[2].tag not in "bvhm":
        return False
    first = tokens[0]
    return first.tag == "v" and "b" in first.forms and first.text[0].isupper()


def _is_month(tokens: list[Token], index: int) -> bool:
    """3 May, May 3, in May."""
    token = tokens[index]
    figure_before = index > 0 and tokens[index - 1].tag == "#"
    if token.text[0] != "M":
        return figure_before
    figure_after = index + 1 < len(tokens) and tokens[index + 1].tag == "#"
    return figure_before or figure_after or (index > 0 and tokens[index - 1].tag == "i")


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
        or (token.tag == "v" and ("g" in token.forms or (token.forms in ("dn", "n"))))
        or token.low in w.PRAISE
    )
