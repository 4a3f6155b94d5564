"""Where things are and what the person configured. Files: `$MEM_HOME`, `config.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memcli.errors import UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """What `config.toml` says. `me`: the person's own names and aliases, empty until told.

    `recall`: which mechanisms of recall are switched on or off, by name; see `memcli.recall.switches`.
    """

    me: tuple[str, ...] = ()
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
    recall = values.get("recall", {})
    if not isinstance(recall, dict) or not all(isinstance(value, bool) for value in recall.values()):
        raise UsageError(
            f"In {path}, [recall] must hold switches, such as past_questions = true.", "Correct it, or delete it."
        )
    return Settings(me=tuple(me), recall=recall)


def dump(settings: Settings) -> bytes:
    """The file of these settings."""
    import json

    names = ", ".join(json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f") for name in settings.me)
    text = f"# Who `me` is: your names as your chats write them.\nme = [{names}]\n"
    if settings.recall:
        text += "\n[recall]\n" + "".join(
            f"{json.dumps(name)} = {str(on).lower()}\n" for name, on in settings.recall.items()
        )
    return text.encode("utf-8", "replace")
