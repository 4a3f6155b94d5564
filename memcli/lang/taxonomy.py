"""The taxonomy that events and questions are filed by: domains and their categories, from an editable file (B6, B7)."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from memcli.errors import UsageError
from memcli.lang.words import STOP, stem, words

SHIPPED = Path(__file__).parent.parent / "taxonomy.toml"
"""The file in the package."""
NAME = "taxonomy.toml"
"""What the person's own is called, beside `config.toml`."""
_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Category:
    """One place to file under. `text` is what it is about, to be embedded; `seeds` the stems of its words."""

    domain: str
    name: str
    text: str
    seeds: frozenset[str]

    @property
    def path(self) -> str:
        return f"{self.domain}/{self.name}"


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """All categories in the order of the file. `edition` names what the file says: another text, another edition."""

    categories: tuple[Category, ...]
    edition: str

    def has(self, topic: str) -> bool:
        """Whether a topic still has its place."""
        return any(topic == item.path or topic.startswith(item.path + "/") for item in self.categories)


def load(own: Path) -> Taxonomy:
    """The person's own taxonomy, where there is one at that place, else the shipped one. Raises `UsageError`."""
    path = own if own.is_file() else SHIPPED
    try:
        raw = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read: {error}.", "Correct it, or delete it to use the shipped one."
        ) from error
    return parse(raw, str(path))


def parse(text: str, name: str = NAME) -> Taxonomy:
    """The taxonomy of a file's text. Raises `UsageError` where it is none."""
    import tomllib

    hint = "Correct it, or delete it to use the shipped one."
    try:
        domains = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not readable as TOML: {error}.", hint) from error
    found = []
    for domain, categories in domains.items():
        if not isinstance(categories, dict) or not _KEY.fullmatch(domain):
            raise UsageError(f"In {name}, “{domain}” is no domain: a [name] and its categories.", hint)
        for category, about in categories.items():
            if not isinstance(about, str) or not about.strip() or not _KEY.fullmatch(category):
                raise UsageError(f'In {name}, “{category}” is no category: name = "what it is about: words".', hint)
            found.append(_category(domain, category, about))
    if not found:
        raise UsageError(f"{name} has no category.", hint)
    return Taxonomy(tuple(found), f"{zlib.crc32(text.encode()):08x}")


def _category(domain: str, name: str, about: str) -> Category:
    seeds = {stem(word) for word in words(about.replace("-", " ")) if word not in STOP}
    return Category(domain, name, about.replace("-", " "), frozenset(seeds))
