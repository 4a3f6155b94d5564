"""HTML to plain text: blocks become lines, list items get a dash, tags and scripts vanish."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3"
    " h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td th thead title tr ul".split()
)
_CELLS = frozenset({"td", "th"})
_SILENT = frozenset({"script", "style", "noscript", "template", "svg", "math", "head", "iframe", "object", "select"})
_VOID_SILENT = frozenset({"iframe", "object"})
_SPACES = re.compile(r"[ \t\r\f\v\n]+")
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class TextMaker(HTMLParser):
    """Collects the text of what it is fed as lines. `sections` are the lines between headings."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections: list[list[str]] = [[]]
        self.title: str | None = None
        self._line: list[str] = []
        self._prefix = ""
        self._silent: list[str] = []
        self._verbatim = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        elif tag == "body":
            # A head that was never closed must not silence the page.
            self._silent.clear()
        if tag in _SILENT:
            self._silent.append(tag)
        if tag in HEADINGS and not self._silent:
            self._break()
            if self.sections[-1]:
                self.sections.append([])
        if tag in _BLOCKS and tag not in _CELLS:
            self._break()
        if tag == "li":
            self._prefix = "- "
        elif tag == "pre":
            self._verbatim += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        if tag in _CELLS:
            self._line.append(" ")
        elif tag in _BLOCKS:
            self._break()
        if tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = f"{self.title or ''}{data}"
            return
        if self._silent:
            return
        if not self._verbatim:
            self._line.append(_SPACES.sub(" ", data))
            return
        for number, part in enumerate(data.split("\n")):
            if number:
                self._break(keep_indent=True)
            self._line.append(part)

    def finish(self) -> None:
        """Call once after the last feed: the last line has no end of its own."""
        self.close()
        self._break()

    def _break(self, keep_indent: bool = False) -> None:
        line = "".join(self._line)
        self._line.clear()
        line = line.rstrip() if keep_indent or self._verbatim else line.strip()
        if line:
            self.sections[-1].append(self._prefix + line)
            self._prefix = ""


def text_of_html(html: str) -> str:
    """The text of a piece of HTML, without blank lines between its blocks."""
    maker = made(html)
    return "\n".join(line for section in maker.sections for line in section)


def made(html: str) -> TextMaker:
    """A text maker that has read all of a document. HTML that is broken is read as far as it makes sense."""
    maker = TextMaker()
    try:
        maker.feed(html)
        maker.finish()
    except (AssertionError, ValueError):
        # html.parser asserts on some malformed declarations; what came before them is kept.
        maker._break()
    return maker
