"""A web page or another HTML document: one entry a heading section."""

from __future__ import annotations

import re

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.markup import TextMaker
from memcli.formats.source import Source
from memcli.formats.text import clean, name_of
from memcli.types import Draft, Skip

_APP = "html"
_OPENING = re.compile(
    r"(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])", re.I | re.S
)


def sniff(source: Source) -> bool:
    """A document type or the element that a page begins with."""
    return _OPENING.match(source.start.lstrip("\ufeff")) is not None


def parse(source: Source, options: ParseOptions) -> Parsed:
    """The page's text, cut at its headings. It is a document: nobody here said it."""
    maker = TextMaker(source.text())
    title = name_of(maker.title)
    ordinal = 0
    for section in maker.sections:
        text = clean("\n".join(section))
        if text:
            yield Draft(_APP, text, ordinal, None, "other", "document", None, title=title)
            ordinal += 1
    if not ordinal:
        yield Skip("the page", "empty")


FORMAT = Format(_APP, "HTML document", "document", sniff, parse)
