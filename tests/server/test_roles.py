"""Each role tried against each route, by a generated matrix; a route that declares no role does not start."""

from __future__ import annotations

import re

import pytest
from fastapi import APIRouter, Response
from fastapi.testclient import TestClient
from starlette.routing import Route

from pitboss.server.access.door import Allowed
from pitboss.server.access.roles import DEVICE_KINDS, PEOPLE_ROLES
from pitboss.server.app import create_app
from pitboss.server.declared import UndeclaredRouteError, allowed_of, routes_of
from tests.server.making import House
from tests.server.matrix import stated

WHO = ("anyone", *PEOPLE_ROLES, *DEVICE_KINDS)
# What somebody does to his own secrets and session.
OWN = {"/sign-in", "/sign-out", "/account/password", "/account/pin", "/links/{code}"}


@pytest.fixture(scope="module")
def clients(shared: House) -> dict[str, TestClient]:
    return {role: shared.as_(role) for role in WHO}


def declared(house: House) -> dict[tuple[str, str], frozenset[str]]:
    found = {}
    for route in routes_of(house.app):
        allowed = allowed_of(route)
        assert allowed is not None
        for method in route.methods or ():
            found[method, route.path] = allowed.roles
    return found


def test_every_route_is_declared_as_the_matrix_says(shared: House) -> None:
    assert stated() == declared(shared)


@pytest.mark.parametrize("who", WHO)
def test_each_role_gets_through_where_it_may_and_nowhere_else(clients: dict[str, TestClient], who: str) -> None:
    wrong = []
    for (method, path), roles in stated().items():
        place = re.sub(r"\{[^}]*\}", "none", path)
        answer = clients[who].request(method, place, json={} if method != "GET" else None)
        told = answer.text
        turned_away = answer.status_code == 401 or (answer.status_code == 403 and " is no " in told)
        if turned_away == bool(roles & {who, "anyone"}) or answer.status_code >= 500:
            wrong.append(f"{who}: {method} {path} answers {answer.status_code} {told[:80]}")

    assert [] == wrong


def test_an_auditor_changes_nothing() -> None:
    changing = [path for (method, path), roles in stated().items() if method != "GET" and "auditor" in roles]

    assert OWN - {"/sign-in", "/links/{code}"} == set(changing)


def test_a_route_that_declares_no_role_does_not_start(shared: House) -> None:
    router = APIRouter()

    @router.get("/open-door")
    def open_door() -> str:
        return "come in"

    with pytest.raises(UndeclaredRouteError, match="GET /open-door"):
        create_app(shared.room, more=[router])


def test_a_kind_of_route_that_cannot_declare_a_role_does_not_start(shared: House) -> None:
    router = APIRouter()
    router.routes.append(Route("/side-door", lambda _: Response()))

    with pytest.raises(UndeclaredRouteError, match="/side-door"):
        create_app(shared.room, more=[router])


@pytest.mark.parametrize("roles", [(), ("king",), ("dealer", "king")])
def test_only_known_roles_can_be_declared(roles: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no roles to declare"):
        Allowed(*roles)
