"""HTML to plain text: blocks become lines, list items get a dash, tags and scripts vanish.

Read in one pass, whatever the page: the standard library's parser takes
quadratic time over a page of broken tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3"
    " h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td th thead title tr ul".split()
)
_CELLS = frozenset({"td", "th"})
_RAW = frozenset({"script", "style", "noscript", "template", "iframe", "object", "select", "svg", "math", "textarea"})
"""Elements whose content is no text of the page; skipped to their end tag."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SPACES = re.compile(r"[ \t\r\f\v\n]+")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]{0,40})(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>?")


class TextMaker:
    """The text of a page as lines. `sections` are the lines from one heading to the next."""

    def __init__(self, html: str) -> None:
        self.sections: list[list[str]] = [[]]
        self.title: str | None = None
        self._line: list[str] = []
        self._prefix = ""
        self._verbatim = 0
        self._in_title = False
        for closing, tag, words in _tokens(html):
            if not tag:
                self._words(words)
            elif closing:
                self._end(tag)
            else:
                self._start(tag)
        self._break()

    def _start(self, tag: str) -> None:
        if tag == "title":
            self._in_title = self.title is None
        if tag in HEADINGS:
            self._break()
            if self.sections[-1]:
                self.sections.append([])
        if tag in _BLOCKS and tag not in _CELLS:
            self._break()
        if tag == "li":
            self._prefix = "- "
        elif tag == "pre":
            self._verbatim += 1

    def _end(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag in _CELLS:
            self._line.append(" ")
        elif tag in _BLOCKS:
            self._break()
        if tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)

    def _words(self, words: str) -> None:
        text = unescape(words)
        if self._in_title:
            self.title = f"{self.title or ''}{text}"
        elif not self._verbatim:
            self._line.append(_SPACES.sub(" ", text))
        else:
            for number, part in enumerate(text.split("\n")):
                if number:
                    self._break()
                self._line.append(part)

    def _break(self) -> None:
        line = "".join(self._line)
        self._line.clear()
        line = line.rstrip() if self._verbatim else line.strip()
        if line:
            self.sections[-1].append(self._prefix + line)
            self._prefix = ""


def text_of_html(html: str) -> str:
    """The text of a piece of HTML, without blank lines between its blocks."""
    return "\n".join(line for section in TextMaker(html).sections for line in section)


def _tokens(html: str) -> Iterator[tuple[bool, str, str]]:
    """(is an end tag, tag, "") for each tag, and (False, "", words) for what stands between them."""
    at = 0
    while at < len(html):
        start = html.find("<", at)
        if start < 0:
            yield False, "", html[at:]
            return
        if start > at:
            yield False, "", html[at:start]
        match = _TAG.match(html, start)
        if match is not None:
            tag = match[2].lower()
            at = match.end()
            if tag in _RAW and not match[1]:
                at = _after_raw(html, tag, at)
            else:
                yield bool(match[1]), tag, ""
        elif html.startswith("<!--", start):
            at = _behind(html, "-->", start + 4)
        elif html.startswith("<![CDATA[", start):
            end = html.find("]]>", start)
            yield False, "", html[start + 9 : end if end >= 0 else len(html)].replace("&", "&amp;")
            at = end + 3 if end >= 0 else len(html)
        elif html.startswith(("<!", "<?"), start):
            at = _behind(html, ">", start)
        else:
            yield False, "", "<"
            at = start + 1


def _behind(html: str, mark: str, at: int) -> int:
    """The place behind a mark; the end, where there is none: a comment that never closes hides the rest."""
    found = html.find(mark, at)
    return found + len(mark) if found >= 0 else len(html)


def _after_raw(html: str, tag: str, at: int) -> int:
    """The place behind the end tag of an element that is not text."""
    end = re.compile(rf"</{re.escape(tag)}[^<>]*>?", re.IGNORECASE).search(html, at)
    return end.end() if end else len(html)
