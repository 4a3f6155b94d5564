"""What `--json` prints: documented, versioned shapes. See `docs/json.md`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memcli.clock import iso, to_iso
from memcli.types import Entry

VERSION = 1


def dump(value: Mapping[str, Any]) -> str:
    """One JSON object on one line, ASCII only: safe on any terminal and in any pipe."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def entry(item: Entry) -> dict[str, Any]:
    """An entry with all its fields."""
    moment = item.moment
    return {
        "id": item.id,
        "text": item.text,
        "said_at": None if moment is None else to_iso(moment),
        "precision": "none" if moment is None else moment.precision,
        "offset": None if moment is None else moment.offset,
        "imported_at": iso(item.imported_at),
        "speaker": item.speaker,
        "role": item.role,
        "trust": item.trust,
        "session": item.session,
        "title": item.title,
        "ordinal": item.ordinal,
        "scope": item.scope,
        "source": item.source,
        "origin": item.origin,
        "source_key": item.source_key,
        "status": item.status,
        "pin": item.pin,
        "blob": item.blob,
        "run": item.run,
    }
