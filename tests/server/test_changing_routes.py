"""Every route that changes something runs a registered command, or stands on a list typed by hand with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from fastapi.routing import APIRoute

from pitboss.commands import Command
from pitboss.room.commands import COMMANDS
from pitboss.server.api.commands import command_routers
from pitboss.server.app import ROUTERS
from pitboss.server.auth import Allowed

EXCEPTIONS = {
    "POST /sign-in": "opens a session; room.access journals it as people/session",
    "POST /sign-out": "ends a session; room.access journals it as people/session",
    "POST /links/{code}": "uses a one-time link; room.access journals it as people/secret and people/session",
    "POST /session": "keeps one's own session; nothing is written",
    "POST /tap": "opens a session at a console; room.tap_in runs tables/dealer",
    "POST /account/password": "one's own secret; room.access journals it as people/secret",
    "POST /account/factor": "one's own secret; room.access journals it as people/secret",
    "POST /account/pin": "one's own secret; room.access journals it as people/secret",
    "POST /account/token": "one's own secret; room.access journals it as people/secret",
    "POST /api/v1/approvals/{number}/give": "runs the command that waits",
    "POST /api/v1/approvals/{number}/give-here": "runs the command that waits",
    "POST /api/v1/approvals/{number}/refuse": "the command that waits is not run",
    "POST /floor/approvals/{number}/{do}": "runs the command that waits, or does not",
    "POST /today/approvals/{number}/{do}": "runs the command that waits, or does not",
    "POST /office/jackpots/asked/{number}/{do}": "runs the command that waits, or does not",
    "POST /office/people/requests/{do}": "runs the command that waits, or does not",
    "POST /practice/{game}/{do}": "play chips of a session in memory; nothing is written",
    "POST /practice/{game}/drill/do": "answers of a session in memory; nothing is written",
    "POST /training/begin": "begins exercises in memory; nothing is written",
    "POST /training/answer": "marks an exercise in memory; nothing is written",
    "POST /office/tables": "leads to the form of a new table; nothing is written yet",
    "POST /api/v1/devices/messages": "a device's own protocol, answered as before over an upgrade",
    "POST /api/v1/displays/beat": "what a display shows now; room.displays runs displays/turn where that changes",
    "POST /api/v1/promotions/pictures": "stores a picture; the slide that shows it is set by promotions/set",
}
RUNNERS = {"do", "set_person", "set_device", "make_link", "make_token", "shuffle", "operate"}
"""The methods of a room, its access and its dealing that run a command."""
_CHANGING = {"POST", "PUT", "PATCH", "DELETE"}


def names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def reach(value: Any, commands: set[type[Command]], names: set[str], visited: set[int]) -> None:
    """Collect the commands and names that a function uses, itself or by what it calls in the server's modules."""
    if id(value) in visited or isinstance(value, Allowed):
        return
    visited.add(id(value))
    if isinstance(value, type):
        commands |= {value} if issubclass(value, Command) and value is not Command else set()
    elif isinstance(value, dict | tuple | list):
        for item in value.values() if isinstance(value, dict) else value:
            reach(item, commands, names, visited)
    elif isinstance(value, MethodType):
        reach(value.__func__, commands, names, visited)
    elif isinstance(value, FunctionType) and value.__module__.startswith("pitboss.server"):
        own = set(names_in(value.__code__))
        names |= own
        inner = [value.__globals__[name] for name in own if name in value.__globals__]
        modules = [vars(module) for module in inner if isinstance(module, ModuleType)]
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        for item in (*cells, *inner, *(module[name] for module in modules for name in own & module.keys())):
            reach(item, commands, names, visited)


def commands_run(endpoint: Any) -> set[type[Command]]:
    """Return the commands that an endpoint names, if it runs any: a page that only has their buttons runs none."""
    commands: set[type[Command]] = set()
    names: set[str] = set()
    reach(endpoint, commands, names, set())
    return commands if names & RUNNERS else set()


def changing_routes() -> dict[str, APIRoute]:
    routes = [route for router in (*ROUTERS, *command_routers()) for route in router.routes]
    return {
        f"{method} {route.path}": route
        for route in routes
        if isinstance(route, APIRoute)
        for method in sorted(_CHANGING.intersection(route.methods or ()))
    }


def test_every_route_that_changes_something_runs_registered_commands_or_is_an_exception() -> None:
    reached = {name: commands_run(route.endpoint) for name, route in changing_routes().items()}
    assert len(reached) > 100
    assert [name for name, commands in reached.items() if not commands and name not in EXCEPTIONS] == []
    assert {cls for commands in reached.values() for cls in commands} <= set(COMMANDS)


def test_every_exception_is_a_route_that_names_no_command() -> None:
    routes = changing_routes()
    assert [name for name in EXCEPTIONS if name not in routes] == []
    assert [name for name in EXCEPTIONS if commands_run(routes[name].endpoint)] == []


def test_a_route_that_runs_no_command_is_found() -> None:
    def silent() -> None:
        """Changes nothing by a command."""

    silent.__module__ = "pitboss.server.pages.silent"
    assert commands_run(silent) == set()
