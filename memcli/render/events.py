"""Events and topics as lines and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memcli.clock import iso
from memcli.ids import TAIL
from memcli.projection.events import Event
from memcli.render.memories import wall
from memcli.render.plain import Style
from memcli.render.text import clip, one_line, width, wrap

_TOPIC_SHARE = 0.4
"""How much of what the fixed columns leave a topic gets at most."""


def days(event: Event) -> str:
    """When it was, as a person reads it: a day, or the first and the last."""
    first, last = _day(event.first_ms), _day(event.last_ms)
    return first if first == last else f"{first} to {last}"


def _day(ms: int | None) -> str:
    return "time unknown" if ms is None else iso(ms)[:10]


def name(event: Event) -> str:
    """Its title; where entries have left since, what is left of its fact sheet until a tidy words it anew."""
    if event.title is not None:
        return one_line(event.title)
    return one_line(event.facts[0].text) if event.facts else "(to be titled by the next mem tidy)"


def line(event: Event, columns: int, style: Style) -> str:
    """One event on one line: id, first day, number of entries, title, category."""
    head = f"{one_line(event.id[-TAIL:])}  {_day(event.first_ms):<12}  {event.size:>3}  "
    room = max(24, columns - width(head) - 2)
    topic = clip(one_line("/".join(event.topic.split("/")[:2])), int(room * _TOPIC_SHARE))
    title = clip(name(event), room - width(topic))
    gap = " " * (room - width(title) - width(topic) + 2)
    return (
        f"{style('id', one_line(event.id[-TAIL:]))}  {style('time', f'{_day(event.first_ms):<12}')}  {event.size:>3}  "
        f"{title}{gap}{style('dim', topic)}"
    )


def planned_line(title: str, topic: str, size: int, is_new: bool, columns: int, style: Style) -> str:
    """An event that a tidy would form (+) or change (~), on one line: number of entries, title, category."""
    sign = "+" if is_new else "~"
    place = one_line("/".join(topic.split("/")[:2]))
    room = max(20, columns - 16 - width(place))
    name = "good" if is_new else "label"
    return f"{style(name, sign)} event {size:>4}  {clip(one_line(title), room)}  {style('dim', place)}"


def sheet(event: Event, columns: int, style: Style) -> list[str]:
    """The head and the fact sheet of one event."""
    about = f"{days(event)} · {event.topic} · {event.id[-TAIL:]}"
    lines = [style("answer", wrap(name(event), columns)), style("dim", wrap(one_line(about), columns))]
    for fact in event.facts:
        cited = f"[{fact.entry[-TAIL:]}]"
        lines.append(wrap(f"{one_line(fact.text)} {one_line(cited)}", columns, "  ", "- "))
    return lines


def shape(event: Event) -> dict[str, Any]:
    """An event for `--json`, without its entries."""
    return {
        "id": event.id,
        "title": event.title,
        "facts": [{"entry": fact.entry, "text": fact.text} for fact in event.facts],
        "topic": event.topic,
        "scope": event.scope,
        "first": wall(event.first_ms),
        "last": wall(event.last_ms),
        "size": event.size,
    }


class Count(NamedTuple):
    """How much lies under one topic itself."""

    topic: str
    events: int
    entries: int
    memories: int


def tree(counts: Sequence[Count], columns: int, style: Style) -> list[str]:
    """The topics with how much each has: domains, their categories, and behind these the topics that grew."""
    nodes: dict[str, tuple[int, int]] = {}
    for count in counts:
        parts = count.topic.split("/")
        for depth in range(1, len(parts) + 1):
            path = "/".join(parts[:depth])
            events, memories = nodes.get(path, (0, 0))
            nodes[path] = events + count.events, memories + count.memories
    lines = [style("dim", f"{'':24} {'events':>7} {'memories':>9}")]
    for domain in _children(nodes, ""):
        lines.append(f"{style('name', f'{one_line(domain):<24}')} {_numbers(nodes[domain])}")
        for category in _children(nodes, domain + "/"):
            leaves = [
                f"{one_line(leaf.rpartition('/')[2])} {nodes[leaf][0]}" for leaf in _children(nodes, category + "/")
            ]
            head = f"  {one_line(category.rpartition('/')[2]):<22} {_numbers(nodes[category])}"
            rest = clip(", ".join(leaves), max(8, columns - width(head) - 2))
            lines.append(f"{head}  {style('dim', rest)}" if rest else head)
    return lines


def _numbers(node: tuple[int, int]) -> str:
    return f"{node[0]:>7,} {node[1]:>9,}"


def _children(nodes: Mapping[str, tuple[int, int]], prefix: str) -> list[str]:
    """The paths one step below, the fullest first, "unsorted" last."""
    found = [path for path in nodes if path.startswith(prefix) and "/" not in path[len(prefix) :]]
    return sorted(found, key=lambda path: (path == "unsorted", -nodes[path][0], path))
