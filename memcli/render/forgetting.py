"""What is to be forgotten or purged, and what was: as lines and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcli.ids import TAIL
from memcli.render import shapes
from memcli.render.memories import line as memory_line
from memcli.render.plain import Style, entry_line
from memcli.render.text import one_line, wrap
from memcli.store.choosing import Picked, Wanted
from memcli.store.forget import Decided
from memcli.store.purge import Purged

STAYING_SHOWN = 5
TAILS_SHOWN = 8
_MEGABYTE = 1_000_000


def picked_lines(picked: Picked, person: str | None, columns: int, style: Style) -> list[str]:
    """The first of the entries, how many there are besides, and what else has to be known before saying yes."""
    lines = [entry_line(entry, columns, style) for entry in picked.first]
    more = len(picked.ids) - len(picked.first)
    if more:
        lines.append(style("dim", f"… and {count(more, 'entry', 'entries')} more"))
    if picked.mentioned and person is not None:
        name = one_line(person)
        heading = f"{count(picked.mentioned, 'entry', 'entries')} of others with {name} in the words; --mentions:"
        lines.append(wrap(heading, columns, "  "))
        lines += [entry_line(entry, columns, style) for entry in picked.mentions]
        more = picked.mentioned - len(picked.mentions)
        lines += [style("dim", f"… and {count(more, 'entry', 'entries')} more")] if more else []
    return lines


def what(picked: Picked) -> str:
    """`12 entries of 3 sessions, 2 memories`."""
    parts = []
    if picked.ids:
        sessions = count(picked.sessions, "session", "sessions")
        parts.append(f"{count(len(picked.ids), 'entry', 'entries')} of {sessions}")
    if memories := len(picked.memories) + len(picked.falling):
        parts.append(count(memories, "memory", "memories"))
    return ", ".join(parts)


def memories_lines(picked: Picked, wanted: Wanted, columns: int, style: Style) -> list[str]:
    """The memories that go, which of them with the entries, and the entries on which the others rest, which stay."""
    lines = [memory_line(memory, columns, style) for memory in picked.told]
    more = len(picked.memories) - len(picked.told)
    if more and picked.told:
        lines.append(style("dim", f"… and {count(more, 'memory', 'memories')} more"))
    elif more:
        lines.append(style("dim", f"{count(more, 'memory', 'memories')} that cannot be seen now"))
    if picked.falling:
        rest = "rests" if len(picked.falling) == 1 else "rest"
        number = count(len(picked.falling), "memory", "memories")
        lines.append(wrap(f"{number} that {rest} on nothing else: {tails(picked.falling)}", columns, "  "))
    if picked.named and wanted.person is not None:
        number = count(picked.named, "other memory", "other memories")
        has = "has" if picked.named == 1 else "have"
        lines.append(wrap(f"{number} {has} {one_line(wanted.person)} in the words; --mentions", columns, "  "))
    return lines + resting_lines(picked.resting, columns, named=bool(wanted.ids))


def resting_lines(entries: Sequence[str], columns: int, *, named: bool) -> list[str]:
    """That the evidence of memories stays, and which entries that are; `named` where the memories are, by id."""
    if not entries:
        return []
    what, stay = ("entry", "stays") if len(entries) == 1 else ("entries", "stay")
    way = ", --evidence takes that too" if named else ""
    return [wrap(f"the {what} behind it {stay}{way}: {tails(entries)}", columns, "  ")]


def tails(ids: Sequence[str]) -> str:
    """The ends of some ids, and that there are more."""
    more = "" if len(ids) <= TAILS_SHOWN else f" and {len(ids) - TAILS_SHOWN:,} more"
    return ", ".join(one[-TAIL:] for one in ids[:TAILS_SHOWN]) + more


def decided(done: Decided, falling: Sequence[str] = ()) -> str:
    """`2 entries, 1 memory`; `falling` are memories that went with the entries."""
    memories = len(done.memories) + len(falling)
    parts = [count(len(done.entries), "entry", "entries")] if done.entries else []
    return ", ".join(parts + ([count(memories, "memory", "memories")] if memories else []))


def originals_lines(picked: Picked, columns: int) -> list[str]:
    """That documents go whole, where others come from them too."""
    if not picked.originals:
        return []
    files = count(len(picked.originals), "original document goes", "original documents go")
    rest = count(picked.shared, "other entry comes", "other entries come")
    return [wrap(f"{files} too" + (f", from which {rest}; their words stay" if picked.shared else ""), columns, "  ")]


def purged_lines(done: Purged, columns: int, style: Style) -> list[str]:
    """What was cleared, and the proof."""
    cleared = done.cleared
    parts = [
        count(number, one, many)
        for number, one, many in (
            (cleared.entries, "entry", "entries"),
            (cleared.memories, "memory", "memories"),
            (cleared.questions, "question", "questions"),
            (cleared.changes, "decision", "decisions"),
            (cleared.vectors, "vector", "vectors"),
            (cleared.originals, "original", "originals"),
        )
        if number
    ]
    proof = done.proof
    searched = f"searched {count(proof.files, 'file', 'files')}, {proof.size / _MEGABYTE:,.1f} MB"
    texts = count(proof.texts, "text", "texts")
    lines = [wrap(f"purged {', '.join(parts)}", columns, "  ")]
    if proof.clean:
        lines.append(style("good", wrap(f"{searched}: none of {texts} left", columns, "  ")))
    else:
        lines.append(style("bad", wrap(f"{searched} for {texts}: words are left in", columns, "  ")))
        lines += [f"  {one_line(name)}" for name in proof.left]
    if proof.staying:
        shown = ", ".join(entry_id[-TAIL:] for entry_id in proof.staying[:STAYING_SHOWN])
        more = "" if len(proof.staying) <= STAYING_SHOWN else " and others"
        lines.append(wrap(f"the same words stand in what stays: {shown}{more}", columns, "  "))
    if proof.skipped:
        names = ", ".join(map(one_line, proof.skipped))
        lines.append(wrap(f"not searched, for words never go there: {names}", columns, "  "))
    return lines + resting_lines(done.kept, columns, named=False)


def picked_shape(picked: Picked) -> dict[str, Any]:
    """What `--dry-run --json` prints."""
    return {
        "version": shapes.VERSION,
        "dry_run": True,
        "entries": list(picked.ids),
        "sessions": picked.sessions,
        "first": [shapes.entry(entry) for entry in picked.first],
        "mentioned": picked.mentioned,
        "originals": list(picked.originals),
        "memories": sorted([*picked.memories, *picked.falling]),
        "named": picked.named,
        "resting": list(picked.resting),
    }


def decided_shape(done: Decided, verb: str) -> dict[str, Any]:
    """What a forget or a restore did; `verb` is "forgotten" or "restored"."""
    return {"version": shapes.VERSION, "run": done.run, verb: list(done.entries), "memories": list(done.memories)}


def purged_shape(done: Purged, beyond: Sequence[str]) -> dict[str, Any]:
    """What a purge did, its proof, and what it cannot reach."""
    cleared, proof = done.cleared, done.proof
    return {
        "version": shapes.VERSION,
        "run": done.run,
        "purged": {
            "entries": cleared.entries,
            "memories": cleared.memories,
            "questions": cleared.questions,
            "changes": cleared.changes,
            "vectors": cleared.vectors,
            "originals": cleared.originals,
        },
        "proof": {
            "clean": proof.clean,
            "texts": proof.texts,
            "files": proof.files,
            "bytes": proof.size,
            "left": list(proof.left),
            "staying": list(proof.staying),
            "skipped": list(proof.skipped),
        },
        "kept": list(done.kept),
        "beyond": list(beyond),
    }


def count(number: int, one: str, many: str) -> str:
    """`1 entry`, `1,200 entries`."""
    return f"{number:,} {one if number == 1 else many}"
