"""Message contents made of parts, and calls of tools: shared by the formats of AI chats."""

from __future__ import annotations

import json
from dataclasses import dataclass

from memcli.formats.text import clean, mapping, name_of, sequence, string

IMAGE = "[image]"
_TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})
_IMAGES = frozenset({"image", "image_url", "input_image", "image_file", "image_asset_pointer"})


@dataclass(frozen=True)
class Parts:
    """The text of a content, and whether there was an image or something else without text."""

    text: str
    image: bool = False
    other: bool = False

    @property
    def shown(self) -> str:
        """The text; where there is none but an image, a placeholder for it."""
        return self.text or (IMAGE if self.image else "")


def parts_of(content: object) -> Parts:
    """Read a content that is a text, an object with a text, or a list of such parts."""
    if isinstance(content, str):
        return Parts(clean(content))
    texts: list[str] = []
    image = other = False
    for part in sequence(content) or [content]:
        if isinstance(part, str):
            texts.append(part)
            continue
        block = mapping(part)
        kind = string(block.get("type") or block.get("content_type"))
        words = string(block.get("text")) or string(block.get("refusal"))
        if kind in _IMAGES:
            image = True
        elif words and (kind in _TEXTS or not kind):
            texts.append(words)
        elif block:
            other = True
    return Parts(clean("\n\n".join(text.strip("\n") for text in texts if text.strip())), image, other)


def call_text(name: object, arguments: object) -> str:
    """A tool call as text: `Name: {compact json}`. Arguments that are a text of JSON are read as JSON."""
    tool = name_of(name) or "tool"
    if isinstance(arguments, str):
        try:
            parsed = json.loads(arguments)
        except (ValueError, RecursionError):
            return clean(f"{tool}: {clean(arguments)}")
        arguments = parsed if isinstance(parsed, dict | list) else arguments
    if isinstance(arguments, str):
        return clean(f"{tool}: {clean(arguments)}")
    return clean(f"{tool}: {compact(arguments)}")


def compact(value: object) -> str:
    """A value as JSON without spaces, in its own order, non-ASCII kept."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
