"""A lasting instruction that names a project holds in that project, though it was typed outside it (B8).

Only a scope that exists can be named: "in the atlas repo, always run make
lint" is narrowed to `project:atlas` where something was kept there, and stays
with the person where nothing was. It never widens.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from memcli.projection.database import Database
from memcli.types import DEFAULT_SCOPE

_KINDS = ("project:", "domain:")
_PLACE = r"repo|repository|project|codebase|app|site|website|package|service|novel|book|thesis|blog"


def named_scopes(db: Database) -> frozenset[str]:
    """The projects and domains of the store: those that visible entries are in."""
    rows = db.rows("SELECT DISTINCT scope FROM entries WHERE state = 0 AND scope LIKE '%:%'")
    return frozenset(row[0] for row in rows if row[0].startswith(_KINDS))


def narrowed(scope: str, words: str, known: Collection[str]) -> str:
    """Where an instruction holds: in the one known project that its words name, else where it was said."""
    if scope != DEFAULT_SCOPE or not known:
        return scope
    found = {candidate for candidate in known if _names(words, candidate.partition(":")[2])}
    return found.pop() if len(found) == 1 else scope


def _names(words: str, name: str) -> bool:
    """ "In the atlas repo", "for project atlas", "atlas: …", "in atlas": not "meet Atlas at noon"."""
    if not name:
        return False
    what = re.escape(name).replace("\\-", "[- _]")
    return (
        re.search(
            rf"\b(?:in|for|on|within|inside|throughout) (?:(?:the|my|our|this) )?(?:(?:{_PLACE}) "
            rf")?[`'\"“]?{what}[`'\"”]?"
            rf"(?: (?:{_PLACE})\b|\s*(?:[,:;.!?)]|$)|\s+(?:always|never|please|use|run|do|don['’]?t|we|i|keep|write)\b)"
            rf"|^\W*{what}(?: (?:{_PLACE}))?:\s"
            rf"|\b{what} (?:{_PLACE})\b",
            words,
            re.IGNORECASE,
        )
        is not None
    )
