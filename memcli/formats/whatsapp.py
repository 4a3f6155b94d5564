"""WhatsApp's text export, from Android and iOS.

It has no ids and no zone. Lines of the app itself, media and deleted messages
are told from what people wrote by their spelling and by invisible marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from memcli.errors import BadData
from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.text import clean, name_of
from memcli.formats.whatsapp_lines import Head, date_order, read_head
from memcli.types import Draft, Skip

_APP = "whatsapp"
_SENDER = re.compile(r"(?P<name>[^:\n\"“”«»]{1,60}):(?: |\Z)(?P<text>.*)", re.DOTALL)
_SYSTEM = re.compile(
    r"end-to-end encrypted|Ende-zu-Ende|cifrado|chiffr|crittografat|criptografia"
    r"|\b(?:created (?:this )?group|changed (?:the|this group's|their|to)|added you|joined using|joined from"
    r"|was added|were added|left the group|removed \S+|security code|pinned a message|turned (?:on|off) disappearing"
    r"|disappearing messages|now an admin|no longer an admin|deleted this group|updated the message timer"
    r"|hat die Gruppe|hat \S+ hinzugefügt|hat den Betreff|creó el grupo|cambió el asunto|a créé le groupe"
    r"|blocked this contact|started a (?:video |voice )?call)\b",
    re.IGNORECASE,
)
_MEDIA = re.compile(
    r"<[^<>\n]{2,40}(?:omitted|ausgeschlossen|omitido|omitidos|omis|omessi|omessa|weggelaten|utelämnad|pominięto)>"
    r"|\u200e?<(?:attached|Anhang|adjunto|pièce jointe|allegato|anexado|bijgevoegd)[^<>\n]*>"
    r"|\u200e(?:image|video|audio|sticker|GIF|document|Contact card|Bild|Video|Audio|Sticker|Dokument|Kontaktkarte"
    r"|imagen|imagem|immagine|vidéo|[^\n]{1,60}) (?:omitted|weggelassen|omitid[oa]|absente?|omess[oa]|weggelaten)"
    r"|\S[^\n]{0,80}\.\w{2,5} \((?:file attached|Datei angehängt|archivo adjunto|fichier joint|file allegato"
    r"|arquivo anexado|bestand bijgevoegd)\)",
    re.IGNORECASE,
)
_DELETED = re.compile(
    r"\u200e?(?:This message was deleted|You deleted this message|Diese Nachricht wurde gelöscht"
    r"|Du hast diese Nachricht gelöscht|Se eliminó este mensaje|Eliminaste este mensaje|Ce message a été supprimé"
    r"|Questo messaggio è stato eliminato|Mensagem apagada|Esta mensagem foi apagada|Dit bericht is verwijderd)"
    r"\b[^\n]{0,30}\Z"
)
_EDITED = re.compile(
    r"[ \u200e]*<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje"
    r"|Ce message a été modifié|Questo messaggio è stato modificato|Esta mensagem foi editada"
    r"|Dit bericht is bewerkt)\.?>"
)
_CALL = re.compile(
    r"\u200e?(?:(?:Missed |Silenced |Declined )?(?:group )?(?:voice|video) call\b|null\Z|Waiting for this message"
    r"|Verpasster (?:Sprach|Video)anruf|Llamada perdida|Appel (?:vocal|vidéo) manqué)",
    re.IGNORECASE,
)
_WRITTEN = ("\u200ePOLL:", "\u200eUMFRAGE:", "\u200eENCUESTA:", "\u200eLocation:")
_LOOK = 40


def sniff(source: Source) -> bool:
    """A message's head on the first line, or on three lines, in spellings that only WhatsApp has."""
    lines = [line for line in source.start.split("\n", 400) if line.strip()]
    heads = [head for line in lines[:_LOOK] if (head := read_head(line))]
    if not lines or not heads:
        return False
    first = lines[0].lstrip("\u200e\u200f\ufeff")
    # Teams and others bracket a date and a minute too: here brackets come with seconds or a comma.
    told = "," in first[:16] or (heads[0].seconds and not heads[0].year_first) or not first.startswith("[")
    return told and (read_head(lines[0]) is not None or len(heads) >= 3)


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry a message. BadData where the dates can be read two ways and nobody said which."""
    heads = (head for line in source.lines() if (head := read_head(line)))
    order = date_order(heads) or options.date_order
    if order is None:
        example = next((head for line in source.lines() if (head := read_head(line))), None)
        if example is not None:
            raise BadData(
                f"{source.name}: {example.a}/{example.b} can be a day and a month either way round.",
                "say which with --date-order dmy or --date-order mdy",
            )
    ordinal = 0
    for head, text in _messages(source):
        place = "line before the first message" if head is None else _place(head, order)
        found = _read(head, text)
        if isinstance(found, str):
            yield Skip(place, found)
            continue
        name, words = found
        yield Draft(_APP, words, ordinal, name, "other", "other", head.moment(order) if head else None)
        ordinal += 1


def _place(head: Head, order: str | None) -> str:
    moment = head.moment(order)
    clock = head.clock // 60_000
    return f"{head.a}.{head.b}., {clock // 60}:{clock % 60:02}" if moment is None else _shown(moment.ms)


def _shown(ms: int) -> str:
    from memcli.clock import iso

    return iso(ms)[:16].replace("T", " ")


def _messages(source: Source) -> Iterator[tuple[Head | None, str]]:
    """Heads with all lines of their message.

    Where messages end in CRLF and lines within them in LF (iOS), what looks
    like a head behind a bare LF is somebody's paste.
    """
    strict = _ends_with_crlf(source)
    head: Head | None = None
    lines: list[str] = []
    ended = True
    for raw in source.lines():
        found = read_head(raw) if ended or not strict else None
        line = raw.rstrip("\r")
        ended = raw.endswith("\r")
        if found is None:
            lines.append(line)
            continue
        if head is not None or any(text.strip("\ufeff\u200e ") for text in lines):
            yield head, "\n".join(lines)
        head, lines = found, [found.rest.rstrip("\r")]
    if head is not None or any(text.strip() for text in lines):
        yield head, "\n".join(lines)


def _ends_with_crlf(source: Source) -> bool:
    """Whether CRLF and bare LF are both there, and at least half of the heads near the start follow a CRLF."""
    ended, bare = True, False
    after = {True: 0, False: 0}
    for raw in islice(source.lines(), 2000):
        if read_head(raw):
            after[ended] += 1
        ended = raw.endswith("\r")
        bare = bare or not ended
    # The first head follows nothing.
    return bare and after[True] > 1 and after[True] > after[False]


def _read(head: Head | None, text: str) -> tuple[str | None, str] | str:
    """Who and what, or the reason to leave it out."""
    if head is None:
        words = clean(text)
        return (None, words) if words else "empty message"
    match = _SENDER.match(text)
    if match is None or _SYSTEM.search(match["name"]):
        return "service message"
    words = match["text"]
    if _DELETED.match(words):
        return "deleted message"
    if _CALL.match(words) or (words.startswith("\u200e") and _SYSTEM.search(words)):
        return "service message"
    marked = "<" in words or "(" in words or "\u200e" in words
    bare = _MEDIA.sub("", words) if marked else words
    if bare != words:
        # The words beside or below an attachment are its caption.
        caption = clean(_EDITED.sub("", bare))
        return (_name(match["name"]), caption) if caption else "media without text"
    if words.startswith("\u200e") and not words.startswith(_WRITTEN):
        return "service message"
    said = clean(_EDITED.sub("", words) if marked else words)
    return (_name(match["name"]), said) if said else "empty message"


def _name(raw: str) -> str | None:
    """A sender without the tilde that marks somebody who is not in the phone book."""
    name = name_of(raw)
    return name.lstrip("~ ") or name if name else None


FORMAT = Format(_APP, "WhatsApp chat", "chat", sniff, parse)
