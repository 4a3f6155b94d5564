"""Which format is it? Content decides, the cheapest question first.

A format's module is loaded only when a cheap look says that it may be the one,
so that a short note costs nothing. What is JSON is never read as prose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module

from memcli.errors import BadData, UsageError
from memcli.formats.base import Format, ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Skip

JSON_FORMATS = (
    "claude-code",
    "chatgpt",
    "claude-ai",
    "telegram",
    "slack",
    "discord",
    "signal",
    "gemini",
    "locomo",
    "sharegpt",
    "llm",
    "jrnl",
    "openai",
)
"""Formats whose content can be JSON or JSON Lines, in the order they are asked."""

_Gate = Callable[[str], bool]


def _begins(*beginnings: str) -> _Gate:
    return lambda text: text.lstrip("\ufeff \t\n\u200e").startswith(beginnings)


def _digit_early(text: str) -> bool:
    return any(char.isdigit() for char in text[:4])


TEXT_FORMATS: tuple[tuple[str, _Gate], ...] = (
    ("vtt", lambda text: text.lstrip("\ufeff \n")[:6].upper() == "WEBVTT"),
    ("srt", lambda text: "-->" in text),
    ("mbox", _begins("From ")),
    ("eml", lambda text: ":" in text[:80] and "\nfrom:" in f"\n{text[:8000]}".lower()),
    ("gemini", _begins("<")),
    ("html", _begins("<")),
    ("org", lambda text: text.startswith(("*", "#+", "\ufeff")) or "\n* " in text or "\n#+" in text),
    ("signal", _begins("[")),
    ("whatsapp", _digit_early),
    ("imessage", lambda text: text[:3].isalpha() and ("AM" in text[:30] or "PM" in text[:30])),
    ("otter", lambda text: ":" in text and "  " in text[:60]),
    ("transcript", lambda text: text.count(":") + text.count("：") > 1 or text.count("# ") > 1),
    ("jrnl", _begins("[")),
    ("markdown", lambda text: "#" in text or text.startswith(("---", "\ufeff"))),
    ("note", lambda text: True),
)
"""Formats whose content is text, in the order they are asked, each with a cheap look at the first 64 KB."""

_DIGITS_OF_A_DATE = 8
_WIDE_HEAD_BYTES = 4 * 1024 * 1024

ASKED_FOR = ("bash-history", "zsh-history")
"""Formats that are read only when the person names them."""

_HISTORIES = tuple(name.replace("-", "_") for name in ASKED_FOR)

NAMES = tuple(sorted({*JSON_FORMATS, *(name for name, _ in TEXT_FORMATS), *ASKED_FOR, "pdf"}))


def by_name(name: str) -> Format:
    """The format of that name. UsageError, with the names there are, where there is none."""
    if name not in NAMES:
        raise UsageError(f"There is no format called {name!r}.", f"formats: {', '.join(NAMES)}")
    found: Format = import_module(f"memcli.formats.{name.replace('-', '_')}").FORMAT
    return found


def detect(source: Source) -> Format:
    """The format of a source. BadData where it is JSON of no known shape, or no text."""
    head = source.head
    if b"%PDF-" in head[:1024]:
        return by_name("pdf")
    if head.startswith((b"SQLite format 3\x00", b"PK\x03\x04")):
        raise _container(source)
    text = source.start
    if text.lstrip("\ufeff \t\n")[:1] in ("{", "[") and source.shape is not None:
        return _detect_json(source)
    if text.startswith(("#", ": ")) or source.name.endswith(_HISTORIES):
        _refuse_history(source)
    return next(format_ for name, gate in TEXT_FORMATS if gate(text) and (format_ := by_name(name)).sniff(source))


def parse(source: Source, format_: Format, options: ParseOptions) -> Iterator[Draft | Skip]:
    """What a source holds. BadData where all of it is damaged.

    What names no time takes the date of the options, or else that of the
    file's name, if there is one.
    """
    if options.date is None and sum(char.isdigit() for char in source.name) >= _DIGITS_OF_A_DATE:
        from memcli.formats.named import date_of_name

        options = options._replace(date=date_of_name(source.name))
    kept = 0
    damaged: Skip | None = None
    try:
        for item in format_.parse(source, options):
            if isinstance(item, Skip):
                damaged = item if item.damaged else damaged
            else:
                kept += 1
                if item.moment is None and options.date is not None:
                    item = replace(item, moment=options.date)
            yield item
    except RecursionError as error:
        raise BadData(f"{source.name} is nested too deeply to read.") from error
    if not kept and damaged:
        raise BadData(f"{source.name} could not be read: {damaged.where}: {damaged.reason}.", "nothing was kept of it")


def _detect_json(source: Source) -> Format:
    # What tells a format may stand behind a long list of something else.
    for seen in (source,) if source.whole else (source, Source(source.name, source.opener, _WIDE_HEAD_BYTES)):
        for name in JSON_FORMATS:
            format_ = by_name(name)
            if format_.sniff(seen):
                return format_
    shape = source.shape
    keys = ", ".join(shape.keys[:12]) if shape else ""
    named = f"keys {keys}" if keys else "no objects in it"
    raise BadData(
        f"{source.name}: JSON of a shape mem does not know: {named}.",
        f"say what it is with --as {'|'.join(JSON_FORMATS)}, or keep it as it is with --as note",
    )


def _container(source: Source) -> BadData:
    """What to say of a file that holds messages in a way that is not read here."""
    if source.head.startswith(b"PK"):
        return BadData(f"{source.name} is a zip archive.", "name the file: mem import FILE.zip")
    hint = "export it as text or JSON first"
    if b"attributedBody" in source.head or b"chat_message_join" in source.head:
        hint = "export it with imessage-exporter -f txt, and import that folder"
    elif b"prompt_fragments" in source.head or b"conversation_id" in source.head:
        hint = "export it: llm logs --json -n 0 > logs.json"
    return BadData(f"{source.name} is an SQLite database, and mem reads exports.", hint)


def _refuse_history(source: Source) -> None:
    """UsageError for the history of a shell, which is read only when asked for."""
    for name in ASKED_FOR:
        # Without times it is lines like any other: then its usual name tells.
        if by_name(name).sniff(source) or source.name.endswith(name.replace("-", "_")):
            raise UsageError(
                f"{source.name} is a shell's history; it may hold secrets and is only read when asked for.",
                f"to add it all the same: --as {name}",
            )
