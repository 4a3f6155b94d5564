"""A PDF document: one entry a page that has text."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from typing import Any

from memcli.errors import BadData
from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.text import clean, name_of
from memcli.types import Draft, Skip

_APP = "pdf"
_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, NotImplementedError, OSError,
    RecursionError, TypeError, ValueError, struct.error, zlib.error,
)  # fmt: skip
"""What reading a damaged PDF raises besides the library's own errors."""


def sniff(source: Source) -> bool:
    """The magic number, which may stand behind some bytes of rubbish."""
    return b"%PDF-" in source.head[:1024]


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Page by page. BadData where it cannot be opened; a page that cannot be read is a `Skip`."""
    try:
        import pypdf
        import pypdf.errors
    except ImportError as error:
        raise BadData(f"{source.name}: reading PDF needs the package pypdf.", "pip install pypdf") from error

    # The library talks through logging about every small fault; what matters is reported here.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
    broken = (*_BROKEN, pypdf.errors.PyPdfError)
    try:
        reader: Any = pypdf.PdfReader(io.BytesIO(source.read()))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadData(f"{source.name} is encrypted.", "open it with its password and print it to a new PDF")
        title = name_of(reader.metadata.title) if reader.metadata else None
        pages = list(range(len(reader.pages)))
    except broken as error:
        raise BadData(f"{source.name} is a PDF that cannot be read: {type(error).__name__}.") from error
    ordinal = 0
    for number in pages:
        where = f"page {number + 1}"
        try:
            text = clean(reader.pages[number].extract_text())
        except broken as error:
            yield Skip(where, f"not readable ({type(error).__name__})", damaged=True)
            continue
        if not text:
            yield Skip(where, "page without text")
            continue
        yield Draft(_APP, text, ordinal, None, "other", "document", None, title=title)
        ordinal += 1


FORMAT = Format(_APP, "PDF document", "document", sniff, parse)
