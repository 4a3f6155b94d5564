"""What a question allows at all: visible, of the right scope, said in the right time, no tool output unless asked.

What the filters leave out is not there, not even as a neighbour.
"""

from __future__ import annotations

from memcli.recall.question import Query

# The wall clock where it was said: `--since 2026-05-20` means that day there.
WALL_MS = "(e.said_ms + COALESCE(e.offset, 0) * 60000)"


def condition(query: Query) -> tuple[str, tuple[object, ...]]:
    """An SQL condition on the entries row `e`, and its values. An unknown time is in no range."""
    clauses, values = ["e.state = 0"], list[object]()
    if not query.include_tools:
        clauses.append("e.role NOT IN ('tool', 'system')")
    if query.scope is not None:
        clauses.append("e.scope = ?")
        values.append(query.scope)
    if query.within:
        clauses.append(f"e.scope IN ({', '.join('?' * len(query.within))})")
        values.extend(query.within)
    if query.since_ms is not None or query.until_ms is not None:
        clauses.append("e.precision <> 'none'")
    if query.since_ms is not None:
        clauses.append(f"{WALL_MS} >= ?")
        values.append(query.since_ms)
    if query.until_ms is not None:
        clauses.append(f"{WALL_MS} < ?")
        values.append(query.until_ms)
    return " AND ".join(clauses), tuple(values)


def is_narrow(query: Query) -> bool:
    """Whether the filters may leave out most of the store."""
    return query.scope is not None or bool(query.within) or query.since_ms is not None or query.until_ms is not None
