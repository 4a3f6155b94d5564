"""What a person types or pipes as one note: always new, said now unless they say otherwise."""

from __future__ import annotations

from memcli.clock import iso
from memcli.importing.terms import Terms
from memcli.store.store import Store
from memcli.types import Entry, Moment


def note(store: Store, text: str, terms: Terms, moment: Moment | None = None, origin: str | None = None) -> Entry:
    """The entry of one typed note. Without a session it belongs to the notes of its day."""
    now = store.clock.moment()
    said = moment or now
    entry_id = store.ids.new()
    return Entry(
        id=entry_id,
        run=terms.run,
        session=terms.session or f"note:{iso(said.ms + (said.offset or 0) * 60_000)[:10]}",
        ordinal=now.ms,
        source_key=f"typed:{entry_id}",
        text=text,
        imported_at=now.ms,
        speaker=terms.speaker,
        role="user",
        trust="self",
        moment=said,
        scope=terms.scope,
        source="note",
        origin=origin,
        pin=terms.pin,
    )
