"""A decision of the person's about one memory: made, and the memory shown as it is after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli.cli.env import Env

if TYPE_CHECKING:
    from memcli.govern.acts import Act


def decide_on(env: Env, tail: str, act: Act, *, json: bool) -> None:
    """Do what `act` makes of the memory whose id ends with `tail`, as a run of its own, and print the memory.

    Raises `NothingFound`, or `UsageError` where several memories end so.
    """
    from memcli.govern import find
    from memcli.render import memories, shapes

    run = env.store.ids.new()
    env.store.decide(lambda db: act(find.by_tail(db, tail), run))
    after = env.store.consult(lambda reading: find.by_tail(reading.db, tail))
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "memory": memories.shape(after)}))
    else:
        env.print(memories.block(after, env.width))
