"""The header of a GGUF file: enough to tell what it is and whether it is whole.

A file may come from anywhere, so every length is checked against the file
before it is believed.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)

# The scalar value types of the format, by their number.
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9

# Tensor type -> (values in a block, bytes of a block). Unknown types are only
# checked to start inside the file.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110),
    22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8),
    29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip

_MAX_KEYS = 10_000
_MAX_TENSORS = 100_000
_MAX_DIMS = 4


class BadHeader(ValueError):
    """Not a GGUF file, or one that ends too early."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF says about itself. `embeds` is whether it yields one vector a text."""

    architecture: str
    name: str
    embedding_length: int
    context_length: int
    embeds: bool


def read_header(path: Path) -> Header:
    """Read the header of `path`. Raises BadHeader, or OSError when it cannot be opened."""
    with path.open("rb") as file:
        try:
            view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise BadHeader("the file is empty") from None
        with view:
            try:
                return _parse(_Cursor(view))
            except (struct.error, UnicodeDecodeError, OverflowError) as error:
                raise BadHeader(f"the header is damaged ({error})") from None


class _Cursor:
    """A position in the file that cannot leave it."""

    def __init__(self, view: mmap.mmap) -> None:
        self.view = view
        self.at = 0

    def take(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.view):
            raise BadHeader("the file ends inside its header")
        part = self.view[self.at : end]
        self.at = end
        return part

    def skip(self, size: int) -> None:
        if self.at + size > len(self.view):
            raise BadHeader("the file ends inside its header")
        self.at += size

    def number(self, form: str) -> int:
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(value)

    def text(self) -> str:
        return self.take(self.number("<Q")).decode("utf-8")


def _parse(cursor: _Cursor) -> Header:
    if cursor.take(4) != _MAGIC:
        raise BadHeader("the file is not a GGUF")
    version = cursor.number("<I")
    if version not in _VERSIONS:
        raise BadHeader(f"GGUF version {version} is not known")
    tensors = cursor.number("<Q")
    keys = cursor.number("<Q")
    if keys > _MAX_KEYS or tensors > _MAX_TENSORS:
        raise BadHeader("the header is damaged (absurd counts)")
    values: dict[str, object] = {}
    for _ in range(keys):
        key = cursor.text()
        values[key] = _value(cursor, cursor.number("<I"))
    _check_tensors(cursor, tensors, values)
    architecture = str(values.get("general.architecture", ""))
    if not architecture:
        raise BadHeader("the file does not name its architecture")
    return Header(
        architecture=architecture,
        name=str(values.get("general.name", "")),
        embedding_length=_whole(values.get(f"{architecture}.embedding_length")),
        context_length=_whole(values.get(f"{architecture}.context_length")),
        # Pooling 1, 2, 3: mean, first or last token. Generators have none.
        embeds=_whole(values.get(f"{architecture}.pooling_type")) in (1, 2, 3),
    )


def _value(cursor: _Cursor, kind: int) -> object:
    if kind in _SCALARS:
        form = _SCALARS[kind]
        (scalar,) = struct.unpack(form, cursor.take(struct.calcsize(form)))
        return scalar
    if kind == _STRING:
        return cursor.text()
    if kind == _ARRAY:
        _skip_array(cursor)
        return None
    raise BadHeader(f"the header is damaged (value type {kind})")


def _skip_array(cursor: _Cursor) -> None:
    kind = cursor.number("<I")
    count = cursor.number("<Q")
    if kind in _SCALARS:
        cursor.skip(count * struct.calcsize(_SCALARS[kind]))
    elif kind == _STRING:
        for _ in range(count):
            cursor.skip(cursor.number("<Q"))
    else:
        raise BadHeader(f"the header is damaged (array of type {kind})")


def _check_tensors(cursor: _Cursor, count: int, values: dict[str, object]) -> None:
    """Refuse a file that is shorter than its tensors need."""
    ends = [0]
    for _ in range(count):
        cursor.skip(cursor.number("<Q"))
        dims = cursor.number("<I")
        if dims > _MAX_DIMS:
            raise BadHeader("the header is damaged (tensor shape)")
        elements = 1
        for _ in range(dims):
            elements *= cursor.number("<Q")
        kind = cursor.number("<I")
        offset = cursor.number("<Q")
        per_block, size = _BLOCKS.get(kind, (1, 0))
        ends.append(offset + elements // per_block * size)
    alignment = _whole(values.get("general.alignment")) or 32
    start = -(-cursor.at // alignment) * alignment
    if start + max(ends) > len(cursor.view):
        raise BadHeader("the file is cut short")


def _whole(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) else 0
