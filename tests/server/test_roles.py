"""Each role tried against each route, by a generated matrix; a route that declares no role does not start."""

from __future__ import annotations

import asyncio
import re

import httpx2
import pytest
from fastapi import APIRouter, Response
from fastapi.testclient import TestClient
from starlette.routing import Route

from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES
from pitboss.server.app import create_app
from pitboss.server.auth import Allowed, UndeclaredRouteError, allowed_of, routes_of
from tests.server.making import ADDRESS, House
from tests.server.matrix import stated

WHO = ("anyone", *PEOPLE_ROLES, *DEVICE_KINDS)
# What somebody does to their own secrets and session.
OWN = {
    "/sign-in",
    "/sign-out",
    "/session",
    "/account/password",
    "/account/pin",
    "/account/factor",
    "/account/token",
    "/links/{code}",
}


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


async def asked(house: House, who: TestClient) -> dict[tuple[str, str], tuple[int, str]]:
    """Ask for every route, in one loop; a client for each request would take most of the time."""
    transport = httpx2.ASGITransport(app=house.app, client=("192.0.2.7", 50_000))
    headers, found = dict(who.headers), {}
    async with httpx2.AsyncClient(transport=transport, base_url=ADDRESS, headers=headers, cookies=who.cookies) as one:
        for method, path in stated():
            place = re.sub(r"\{[^}]*\}", "none", path)
            answer = await one.request(method, place, json={} if method != "GET" else None)
            found[method, path] = (answer.status_code, answer.text)
    return found


@pytest.mark.parametrize("who", WHO)
def test_each_role_gets_through_where_it_may_and_nowhere_else(
    shared: House, clients: dict[str, TestClient], who: str
) -> None:
    wrong = []
    for (method, path), (status, told) in asyncio.run(asked(shared, clients[who])).items():
        turned_away = status == 401 or (status == 403 and "have access to this page" in told)
        if turned_away == bool(stated()[method, path] & {who, "anyone"}) or status >= 500:
            wrong.append(f"{who}: {method} {path} answers {status} {told[:80]}")

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
