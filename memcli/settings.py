"""Where things are and what the person configured. Files: `$MEM_HOME`, `config.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.errors import UsageError

if TYPE_CHECKING:
    from memcli.memories import Class

MAX_RULES = 50
"""Rules in one scope, where no other number is configured: few by design (A3)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What `config.toml` says.

    `me`: the person's own names and aliases, empty until told. `half_lives`:
    days after which half of a memory's strength is left, for the classes that
    are to differ from the default (C4). `max_rules`: how many rules one scope
    may have. `recall`: which mechanisms of recall are switched on or off, by
    name; see `memcli.recall.switches`.
    """

    me: tuple[str, ...] = ()
    half_lives: Mapping[Class, float] = field(default_factory=dict)
    max_rules: int = MAX_RULES
    recall: Mapping[str, bool] = field(default_factory=dict)


def home_path(environ: Mapping[str, str]) -> Path:
    """`$MEM_HOME`, else the platform's folder for user data."""
    named = environ.get("MEM_HOME")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("mem")


def config_path(environ: Mapping[str, str]) -> Path:
    """`config.toml`: beside an explicit `$MEM_HOME`'s data, else in the platform's folder for configuration."""
    named = environ.get("MEM_HOME")
    if named:
        return Path(named).expanduser() / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("mem") / "config.toml"


def load(path: Path) -> Settings:
    """The settings in the file, defaults where there is none. Raises `UsageError` where it cannot be read."""
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.", "Check its permissions.") from error
    import tomllib

    try:
        values = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} is not readable as TOML: {error}.", "Correct it, or delete it to use the defaults."
        ) from error
    me = values.get("me", [])
    if not isinstance(me, list) or not all(isinstance(name, str) for name in me):
        raise UsageError(
            f'In {path}, `me` must be a list of names, such as me = ["Alex"].', "Run `mem init --me NAME`."
        )
    most = values.get("max_rules", MAX_RULES)
    if type(most) is not int or most < 0:
        raise UsageError(f"In {path}, `max_rules` must be a whole number, such as max_rules = 50.", "Correct it.")
    recall = values.get("recall", {})
    if not isinstance(recall, dict) or not all(isinstance(value, bool) for value in recall.values()):
        raise UsageError(
            f"In {path}, [recall] must hold switches, such as past_questions = true.", "Correct it, or delete it."
        )
    return Settings(tuple(me), _half_lives(values.get("half_lives", {}), path), most, recall)


def _half_lives(value: object, path: Path) -> dict[Class, float]:
    if value == {}:
        return {}
    from memcli.memories import CLASSES

    if isinstance(value, dict) and all(
        name in CLASSES and type(days) in (int, float) and days > 0 for name, days in value.items()
    ):
        return {name: float(days) for name, days in value.items()}
    raise UsageError(
        f"In {path}, [half_lives] must give days for classes, such as task_state = 21.",
        f"The classes are {', '.join(CLASSES)}; inf is for never.",
    )


def dump(settings: Settings) -> bytes:
    """The file of these settings."""
    import json

    names = ", ".join(json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f") for name in settings.me)
    text = f"# Who `me` is: your names as your chats write them.\nme = [{names}]\n"
    if settings.max_rules != MAX_RULES:
        text += f"# How many rules one scope may have.\nmax_rules = {settings.max_rules}\n"
    if settings.half_lives:
        lines = "".join(f"{name} = {days}\n" for name, days in settings.half_lives.items())
        text += f"\n# Days after which half of a memory's strength is left.\n[half_lives]\n{lines}"
    if settings.recall:
        text += "\n[recall]\n" + "".join(
            f"{json.dumps(name)} = {str(on).lower()}\n" for name, on in settings.recall.items()
        )
    return text.encode("utf-8", "replace")
