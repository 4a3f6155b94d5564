"""Which words of an entry are its writer's own: code, quotations and pasted material are blanked out (C3).

A blanked text is as long as the text itself, so that what is found in it can
be cut out of the original, verbatim.
"""

from __future__ import annotations

import re

BLANK = "\ufffc"
"""Stands for every character that the writer only passed on. Line ends stay."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_CITED_LINE = re.compile(r"^[ \t]*(?:>|&gt;|\|)[^\n]*", re.MULTILINE)
_CODE_LINE = re.compile(r"(?:(?<=\n\n)|(?<=\n \n)|\A)(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)|^\[[^\]\n]*\]:[ \t]*#?[^\n]*", re.DOTALL | re.MULTILINE)
_TOKENS = re.compile(r"<\|[^|>\n]*\|>|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>")
_INLINE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(
    r"“[^”]{1,600}”|„[^“”]{1,600}[“”]|«[^»]{1,600}»|「[^」]{1,600}」|『[^』]{1,600}』"
    r"|(?<![\w\"])\"(?=\S)[^\"]{1,600}\"(?!\w)"
    r"|(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?![\w'])"
    r"|(?<![\w‘])‘[^‘\n]{1,400}’(?!\w)"
)
_QUOTE_HEAD = re.compile(
    r"^(?:On|Am|Le|El) [^\n]{4,120}\n?[^\n]{0,80}(?:wrote|schrieb|écrit|escribió):[ \t]*$.*\Z"
    r"|^-{2,} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht) ?-{2,}.*\Z",
    re.MULTILINE | re.DOTALL,
)
_HANDED_OVER = re.compile(
    r"(?:\b(?:translate|summari[sz]e|proof-?read|paraphrase|rephrase|rewrite|correct|edit|explain|analy[sz]e|review|"
    r"transcribe|fix the grammar|what(?:'s| is| does) (?:this|the|that|it)\b|what(?:'s| is) wrong|what do you think)\b"
    r"|\b(?:forwarded|copied|pasted|quoted|taken) from\b|\b(?:here is|here's) (?:the|a|my|his|her|their|what)\b"
    r"|\b(?:mail|email|message|letter|text|post|note) (?:from|by|of) (?!me\b|today\b|now\b)\w"
    r"|\bfound (?:this|it|the following)\b"
    r"|\bthe (?:mail|email|page|site|readme|wiki|post|article|log|text) (?:said|says)"
    r"|\b(?:übersetze|fasse zusammen|traduce|traduis)\b)[^\n:]*:",
    re.IGNORECASE,
)


def own_words(text: str) -> str:
    """The text with everything blanked that its writer did not say themselves: same length, same line ends."""
    for pattern in (_COMMENT, _FENCE, _CODE_LINE, _QUOTE_HEAD, _CITED_LINE, _TOKENS, _INLINE, _QUOTED):
        text = pattern.sub(_blank, text)
    handed = _HANDED_OVER.search(text)
    if handed is not None and not re.match(r"\s*(?:always|never|please|from now on)\b", text, re.IGNORECASE):
        text = text[: handed.end()] + _blanked(text[handed.end() :])
    return text


def _blank(match: re.Match[str]) -> str:
    return _blanked(match[0])


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", BLANK, text)
