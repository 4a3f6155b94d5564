"""What a person types or pipes as one note: always new, said now unless they say otherwise."""

from __future__ import annotations

from collections import Counter

from memcli.clock import day
from memcli.importing.hiding import Hiding
from memcli.importing.terms import Terms
from memcli.store.store import Store
from memcli.types import Entry, Moment


def note(
    store: Store,
    text: str,
    terms: Terms,
    moment: Moment | None = None,
    origin: str | None = None,
    piped: bool = False,
) -> tuple[Entry, Counter[str]]:
    """The entry of one typed note, and what was hidden in it. Without a session it belongs to the notes of its day.

    A note whose speaker is named, and is not the person, is somebody else's words.
    """
    hiding = Hiding(keep=terms.keep_secrets)
    now = store.clock.moment()
    said = moment or now
    entry_id = store.ids.new()
    mine = terms.speaker is None or terms.speaker.casefold() in {name.casefold() for name in terms.me}
    entry = Entry(
        id=entry_id,
        run=terms.run,
        session=hiding.label(terms.session) or f"note:{day(said)}",
        ordinal=now.ms,
        source_key=f"{'piped' if piped else 'typed'}:{entry_id}",
        text=hiding.text(text),
        imported_at=now.ms,
        speaker=hiding.label(terms.speaker),
        role="user" if mine else "other",
        trust="self" if mine else "other",
        moment=said,
        scope=terms.scope,
        source="note",
        origin=hiding.label(origin),
        pin=terms.pin,
    )
    return entry, hiding.counts
