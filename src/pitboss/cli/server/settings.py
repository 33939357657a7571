"""The settings of a server: typed, in the environment, in a TOML file, or what holds where nothing says so."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from pitboss.cli.books.sources import explaining
from pitboss.cli.output import TYPED_WRONG, print_rows, show_problems
from pitboss.server import monitoring

_ONCE = ("help", "settings", "show-settings", "json", "open")
"""What is asked of one start alone, and no setting of a server."""
_SOURCES = {"COMMANDLINE": "typed", "ENVIRONMENT": "environment", "DEFAULT_MAP": "settings file"}
_SECRETS = re.compile(r"(?<=://)[^/@\s]*(?=@)|(?<=password=)\S+")
_PREFIX = "PITBOSS_"
_OTHER_VARIABLES = frozenset({"TOKEN_FILE", "STATE_DIR", "CACHE_DIR", "DEVICE_TOKEN", "DEMO_SCREENS", "SETTINGS"})
"""What else reads the environment."""


def _options(context: typer.Context) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a server by the names of their options."""
    for parameter in context.command.params:
        name = max(parameter.opts, key=len).removeprefix("--")
        if name not in _ONCE:
            yield name, parameter


def defaults_of(file: Path | None, context: typer.Context) -> dict[str, Any]:
    """Return what a settings file sets, by parameter; refuse all that is wrong in it and in the environment at once."""
    problems: list[str] = []
    options = dict(_options(context))
    content = {} if file is None else _content(file, problems)
    unknown = sorted(content.keys() - options.keys())
    problems += [f"{file}: there is no setting {name}; there are: {', '.join(options)}" for name in unknown]
    for name, value in content.items():
        if name in options and (wrong := _value_problem(options[name], value, context)):
            problems.append(f"{file}: {name}: {wrong}")
    for parameter in options.values():
        text = os.environ.get(str(parameter.envvar or ""))
        if text:
            value = parameter.value_from_envvar(context)
            if wrong := _text_problem(parameter, value, context):
                problems.append(f"{parameter.envvar}: {wrong}")
    if problems:
        show_problems(map(hidden, problems), "The settings are wrong. Nothing was started.")
        raise SystemExit(TYPED_WRONG)
    return {str(options[name].name): value for name, value in content.items()}


def _content(file: Path, problems: list[str]) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        problems.append(f"{file}: {error.strerror or error}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(f"{file}: {error}")
    return {}


def _value_problem(parameter: Any, value: Any, context: typer.Context) -> str:
    """Return what is wrong with a value of the file: its kind, or what the option itself says."""
    if parameter.multiple:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return 'must be a list of texts, such as ["one", "two"]'
    elif getattr(parameter, "is_flag", False):
        return "" if isinstance(value, bool) else "must be true or false"
    elif isinstance(parameter.default, int):
        return "" if isinstance(value, int) and not isinstance(value, bool) else "must be a whole number"
    elif not isinstance(value, str):
        return "must be a text in quotes"
    return _text_problem(parameter, value, context)


def _text_problem(parameter: Any, value: Any, context: typer.Context) -> str:
    try:
        parameter.process_value(context, value)
    except typer.BadParameter as error:
        return error.message
    return ""


def unread_variables(context: typer.Context, environment: Mapping[str, str]) -> list[str]:
    """Return the variables of the environment that begin as ours and that nothing reads."""
    read = {str(parameter.envvar) for parameter in context.command.params if parameter.envvar}
    read |= {f"{_PREFIX}{name}" for name in _OTHER_VARIABLES}
    return sorted(name for name in environment if name.startswith(_PREFIX) and name not in read)


def show_settings(context: typer.Context, *, as_json: bool) -> None:
    """Print every setting with its value and where it comes from; nothing that could be a secret."""
    rows = []
    for name, parameter in _options(context):
        source = context.get_parameter_source(str(parameter.name))
        origin = _SOURCES.get(source.name if source else "", "default")
        rows.append((name, context.params[str(parameter.name)], origin, str(parameter.envvar or "")))
    unread = unread_variables(context, os.environ)
    if as_json:
        settings = {name: {"value": _plain(value), "from": origin} for name, value, origin, _ in rows}
        print(json.dumps({"settings": settings, "unread": unread}, indent=2))
        return
    print_rows(
        ("setting", "value", "from", "environment variable"),
        [(name, _value_text(value), origin, variable) for name, value, origin, variable in rows],
    )
    for name in unread:
        print(f"{name} is set, and nothing reads it")


def hidden(text: str) -> str:
    """Return a text without the passwords that an address or a connection may have in it."""
    return _SECRETS.sub("…", text)


def _plain(value: object) -> object:
    if value is None or isinstance(value, (bool, int)):
        return value
    return [hidden(str(item)) for item in value] if isinstance(value, (list, tuple)) else hidden(str(value))


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(hidden(str(item)) for item in value)
    return "" if value is None else hidden(str(value))


@explaining
def write_monitoring(folder: Path | None) -> int:
    """Write the files that watch a server from outside, or list them."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    for name in monitoring.NAMES:
        if folder is not None:
            (folder / name).write_text(monitoring.text(name), encoding="utf-8")
        print(name if folder is None else folder / name)
    return 0
