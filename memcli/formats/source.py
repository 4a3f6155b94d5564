"""Something to read: a name and a way to open it, again and again."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, Final

from memcli.errors import NoInput
from memcli.lang.decode import Encoding, decode, guess, open_text, open_utf8

if TYPE_CHECKING:
    from pathlib import Path

    from memcli.formats.shape import Shape

HEAD_BYTES = 64 * 1024


class Source:
    """A named run of bytes that can be opened more than once.

    What a sniffer needs (`head`, `start`, `shape`) is read and worked out
    once and kept. Nothing else about it changes.
    """

    def __init__(self, name: str, opener: Callable[[], BinaryIO], head_bytes: int = HEAD_BYTES) -> None:
        self.name: Final = name
        self.opener: Final = opener
        self._head_bytes: Final = head_bytes

    @classmethod
    def from_path(cls, path: Path, name: str | None = None) -> Source:
        """A file. NoInput on opening where it is not there or not readable."""

        def opener() -> BinaryIO:
            try:
                return path.open("rb")
            except OSError as error:
                raise NoInput(f"{path}: {error.strerror or error}") from error

        return cls(name or str(path), opener)

    @classmethod
    def from_bytes(cls, name: str, data: bytes) -> Source:
        """Bytes that are already here, as from a pipe."""
        return cls(name, lambda: io.BytesIO(data))

    @cached_property
    def _peek(self) -> bytes:
        with self.opener() as stream:
            return stream.read(self._head_bytes + 1)

    @property
    def head(self) -> bytes:
        """The first 64 KB (or as many bytes as the source was made to look at)."""
        return self._peek[: self._head_bytes]

    @property
    def whole(self) -> bool:
        """Whether `head` is all there is."""
        return len(self._peek) <= self._head_bytes

    @cached_property
    def encoding(self) -> Encoding:
        """How the bytes are read as text, judged by the head. BadData where it is not text."""
        return guess(self.head, self.whole)

    @cached_property
    def start(self) -> str:
        """The head as text, newlines as LF; a last line that the head cuts is left out."""
        text = unify(self.head.decode(self.encoding.name, "replace"))
        return text if self.whole or "\n" not in text else text[: text.rindex("\n") + 1]

    @cached_property
    def shape(self) -> Shape | None:
        """The JSON this is, as far as the head shows it; None where it is not JSON."""
        from memcli.formats.shape import shape_of

        return shape_of(self.head, self.whole, self.encoding)

    def read(self) -> bytes:
        """Every byte."""
        with self.opener() as stream:
            return stream.read()

    def text(self) -> str:
        """All of it as text, newlines as LF. BadData where it is not text."""
        return unify(decode(self.read())[0])

    def lines(self) -> Iterator[str]:
        """Line by line, without LF and with a CR where there is one, in constant memory."""
        with open_text(self.opener(), self.encoding) as stream:
            for line in stream:
                yield line[:-1] if line.endswith("\n") else line

    def utf8(self) -> BinaryIO:
        """A byte stream of the text as UTF-8, without a BOM."""
        return open_utf8(self.opener(), self.encoding)


def unify(text: str) -> str:
    """CRLF and CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
