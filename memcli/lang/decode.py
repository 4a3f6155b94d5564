"""Bytes to text: byte order mark, strict UTF-8, an educated guess, Windows-1252; never binary data.

What was assumed is said in a note, so that a person can be told. Newlines are
left alone: some formats need to know a CR from a CRLF.
"""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO, NamedTuple

from memcli.errors import BadData

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF sound, film or image"),
    (b"OggS", "an Ogg sound"),
    (b"ID3", "an MP3 sound"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF-", "a PDF document"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x7fELF", "an executable"),
    (b"MZ\x90", "an executable"),
    (b"\xcf\xfa\xed\xfe", "an executable"),
    (b"\xca\xfe\xba\xbe", "an executable"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x08\x1b"))
_TOO_MANY_CONTROLS = 0.03
_HINT = "mem keeps text: notes, chats, mail, PDF and HTML documents"
_COHERENT = 0.1
"""Below this share of a known language's letter order, a guess between Latin code pages is a coin toss."""


def _legacy(error: UnicodeError) -> tuple[str, int]:
    """A codec error handler: read the bytes that are not UTF-8 as Windows-1252, so that none is lost."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


LEGACY = "mem-legacy"
codecs.register_error(LEGACY, _legacy)


# A named tuple: a dataclass takes a millisecond to make, on the way of every `mem add`.
class Encoding(NamedTuple):
    """How bytes are read: a codec's name, and a note for the person where it was not plain UTF-8."""

    name: str
    note: str | None = None

    @property
    def errors(self) -> str:
        """The codec error handler that loses nothing."""
        return LEGACY if self.name.startswith("utf-8") else "replace"


def binary_kind(data: bytes) -> str | None:
    """What binary data this is ("a PNG image", "binary data"), or None where it can be text."""
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"\x00\x00\xfe\xff")):
        return None
    if b"\x00" in data:
        return "binary data"
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return "binary data" if controls > 2 and controls > len(data) * _TOO_MANY_CONTROLS else None


def guess(data: bytes, whole: bool = True) -> Encoding:
    """The encoding of `data`, or of what `data` is the beginning of. BadData where it is not text."""
    if kind := binary_kind(data):
        raise BadData(f"This is {kind}, not text.", _HINT)
    for bom, name in _BOMS:
        if data.startswith(bom):
            return Encoding(name, None if name == "utf-8-sig" else f"read as {name.upper()}")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, whole)
    except UnicodeDecodeError:
        name = _guess_legacy(data)
        return Encoding(name, f"not UTF-8: read as {name}")
    return Encoding("utf-8")


def decode(data: bytes) -> tuple[str, str | None]:
    """All of `data` as text, and a note of what was assumed. BadData where it is not text."""
    encoding = guess(data)
    return data.decode(encoding.name, encoding.errors), encoding.note


def open_text(stream: BinaryIO, encoding: Encoding) -> io.TextIOWrapper:
    """A text stream over a byte stream. Lines end at LF alone and keep their CR; a BOM is dropped."""
    return io.TextIOWrapper(stream, encoding.name, encoding.errors, newline="\n")


def open_utf8(stream: BinaryIO, encoding: Encoding) -> BinaryIO:
    """The same text as UTF-8 bytes without a BOM, for parsers that read nothing else."""
    if encoding.name == "utf-8":
        return stream
    if encoding.name == "utf-8-sig":
        stream.read(len(codecs.BOM_UTF8))
        return stream
    recoder = codecs.EncodedFile(stream, "utf-8", encoding.name, "replace")
    return io.BufferedReader(_Raw(recoder))


class _Raw(io.RawIOBase):
    """A readable raw stream over a codec's recoder, whose reads may be longer than asked for."""

    def __init__(self, recoder: codecs.StreamRecoder) -> None:
        self._recoder = recoder
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if not self._left:
            self._left = self._recoder.read(len(buffer))
        chunk, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        if not self.closed:
            self._recoder.stream.close()
        super().close()


def _guess_legacy(data: bytes) -> str:
    """The likeliest 8-bit or multibyte encoding.

    The guesser is good at scripts and poor at telling Latin code pages apart
    in a short text, so Latin text is Windows-1252 unless a language speaks
    for something else.
    """
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None or best.encoding.startswith(("utf_16", "utf_32", "utf_7")):
        return "cp1252"
    letters = [char for char in str(best) if char.isalpha() and char > "\x7f"]
    latin = sum(char < "ɐ" for char in letters)
    if best.encoding == "ascii" or latin * 2 >= len(letters):
        return str(best.encoding) if best.coherence >= _COHERENT else "cp1252"
    return "cp1252" if _mixes_scripts(str(best)) else str(best.encoding)


def _mixes_scripts(text: str) -> bool:
    """Whether most foreign letters stand inside Latin words: the mark of a wrong code page."""
    mixed = foreign = 0
    for before, char in zip(" " + text, text, strict=False):
        if char.isalpha() and char >= "ɐ":
            foreign += 1
            mixed += before.isalpha() and before < "ɐ"
    return mixed * 3 > foreign
