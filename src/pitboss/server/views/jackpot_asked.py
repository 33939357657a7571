"""What somebody asks a second person for about a jackpot, in words: a definition whole, a change by what changes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import Jackpot
from pitboss.server.views.audit import Field
from pitboss.server.views.jackpot_form import percent_text
from pitboss.server.views.speaking import dollars

__all__ = ["asked_fields"]

Said = Mapping[str, Any]


def _money(cents: Any) -> str:
    return "none" if cents is None else dollars(cents)


def _rate(text: str) -> str:
    try:
        return f"{percent_text(Fraction(text))} %"
    except (ValueError, ZeroDivisionError):
        return text


def _offer(said: Said) -> str:
    paytable = said["paytable"]
    stated = paytable if isinstance(paytable, Mapping) else {"id": paytable}
    try:
        title = find_game(said["game"]).title
    except UnknownGameError:
        title = said["game"]
    set_by_us = [
        f"{event} {cell}{' Envy' if column == 'envy' else ''}"
        for column in ("pays", "envy")
        for event, cell in sorted(dict(stated.get(column, {})).items())
    ]
    return f"{title}, {said['wager']}, {stated.get('id')}{f' ({chr(59).join(set_by_us)})' if set_by_us else ''}"


def _told(said: Said) -> dict[str, str]:
    meter = said["meter"]
    found = {
        "type": meter["jackpot_type"],
        "pay tables": "; ".join(_offer(each) for each in said["offers"]),
        "wager": _money(meter.get("wager_cents", 100)),
        "seed": _money(meter["seed_cents"]),
        "reseed": _money(meter["reseed_cents"]),
        "to the display": _rate(meter.get("display_rate", "0")),
        "to the reserve": _rate(meter.get("reserve_rate", "0")),
        "cap": _money(meter.get("cap_cents")),
        "most wagers in one count": str(meter.get("batch_wagers_max") or "not set"),
        "dollar prizes paid by": said.get("fixed_prizes", "house"),
        "small prizes below": _money(said.get("small_prize_cents", 0)),
        "display": said["display"],
        "several winners": said.get("bonus_sharing", "full"),
        "tables": ", ".join(each["table"] for each in said["tables"]) or "none",
    }
    if meter["jackpot_type"] == "bonus":
        for name in ("reseed", "to the display", "to the reserve", "cap"):
            del found[name]
    return found


def _as_said(jackpot: Jackpot) -> Said:
    """A jackpot in force as people would say it."""
    said = jackpot.to_json()
    offers = [{**each, "paytable": each["stated"] or each["paytable"]} for each in said["offers"]]
    tables = [{"table": each[0]} for each in said["tables"]]
    return {**said, "offers": offers, "tables": tables}


def asked_fields(said: Said, before: Jackpot | None) -> tuple[Field, ...]:
    """Tell a definition, or of a change what was and what is asked for."""
    now = _told(said)
    if before is None:
        return tuple(Field(name, text) for name, text in now.items())
    was = _told(_as_said(before))
    return tuple(
        Field(name, f"{was.get(name, 'none')} \N{RIGHTWARDS ARROW} {text}")
        for name, text in now.items()
        if was.get(name) != text
    ) or (Field("definition", "stays as it is"),)
