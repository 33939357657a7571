"""Random pay tables for a round: printed ones, operator-set ones with amounts, some custom cells."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .tables import OPERATOR_SET, Cell, family, may_be_nothing, parse_cell, transcription

if TYPE_CHECKING:
    from random import Random


def number_text(value: Fraction) -> str:
    if value.denominator == 1:
        return f"{value.numerator:,}" if value >= 1000 and value.numerator % 2 else str(value.numerator)
    assert value.denominator == 2, value
    return f"{value.numerator // 2}.5"


def dollars_text(value: Fraction) -> str:
    if value.denominator == 1:
        return f"${value.numerator:,}"
    return f"${value.numerator // value.denominator}.{int(value % 1 * 100):02d}"


def percent_text(value: Fraction) -> str:
    return number_text(value).replace(",", "") + "%"


def tables_of(game: str, slot: str) -> list[str]:
    return [t["id"] for t in transcription().values() if t["game"] == game and family(t["id"]) == slot]


def random_entry(rng: Random, game: str, slot: str, jackpot_type: str) -> Any:
    """An id, or an object with amounts, that is legal for the slot."""
    ids = [i for i in tables_of(game, slot) if not (i == "FCJ-3" and jackpot_type == "progressive")]
    table_id = rng.choice(ids)
    table = transcription()[table_id]
    if any(row["printed"] in OPERATOR_SET or row.get("envy") in OPERATOR_SET for row in table["rows"]):
        entry: dict[str, Any] = {"id": table_id, "pays": operator_pays(rng, table, jackpot_type)}
        if table_id == "FCJ-3":
            entry["envy"] = operator_envy(rng)
        if not entry["pays"]:
            return table_id
        return entry
    if rng.random() < 0.12:
        pays = custom_pays(rng, table)
        if pays:
            return {"id": table_id, "pays": pays}
    return table_id


def operator_pays(rng: Random, table: dict[str, Any], jackpot_type: str) -> dict[str, str]:
    """Amounts for the operator-set cells, from the bottom row up, never less than the row under."""
    pays: dict[str, str] = {}
    under = Fraction(0)
    percent = Fraction(0)
    deuces = family(table["id"]) == "BJ"
    for row in reversed(table["rows"]):
        printed, event = row["printed"], row["event"]
        if printed not in OPERATOR_SET:
            cell = parse_cell(printed)
            assert cell is not None
            under = cell.value
            continue
        as_percent = printed == "Jackpot" or (printed == "Bonus or Jackpot" and rng.random() < 0.5)
        if deuces and jackpot_type == "progressive":
            as_percent = True
            if event == "5 Wild Cards" and rng.random() < 0.5:
                continue  # 100 % unless set
        if as_percent:
            choices = [
                Fraction(x, 2) for x in (1, 2, 5, 10, 20, 25, 40, 66, 100, 150, 200) if Fraction(x, 2) >= percent
            ]
            percent = rng.choice(choices)
            pays[event] = percent_text(percent)
            continue
        if may_be_nothing(table["id"], event, "printed") and rng.random() < 0.9:
            if table["odds"] == "for":
                pays[event] = "$0"
            elif family(table["id"]) == "Win" or rng.random() < 0.1:
                pays[event] = "Push"
            else:
                pays[event] = "Loss"
            continue
        step = rng.choice([Fraction(0), Fraction(1), Fraction(rng.randint(1, 20)), Fraction(rng.randint(1, 4000))])
        under = max(under + step, Fraction(1))
        if deuces and event == "5 Wild Cards":
            under = max(under, Fraction(20_000))
        if table["odds"] == "to" and rng.random() < 0.2 and under.denominator == 1:
            under += Fraction(1, 2)
        pays[event] = dollars_text(under) if table["odds"] == "for" else number_text(under)
    return pays


def operator_envy(rng: Random) -> dict[str, str]:
    low = rng.randint(0, 5)
    middle = low + rng.randint(0, 20)
    return {
        "Straight Flush": f"${low}",
        "Quads": f"${max(1, middle)}",
        "Four Aces": f"${max(1, middle) + rng.randint(0, 300)}",
    }


def custom_pays(rng: Random, table: dict[str, Any]) -> dict[str, str]:
    """One printed cell changed, staying between its neighbours."""
    if table["id"] in ("P3-16", "Win-or-Copy"):
        return {}
    cells: list[Cell] = []
    for row in table["rows"]:
        cell = parse_cell(row["printed"])
        assert cell is not None
        cells.append(cell)
    place = rng.randrange(len(cells))
    event, cell = table["rows"][place]["event"], cells[place]
    if cell.kind not in ("number", "dollars", "percent") or cell.value == 0 or event == "Flush and lower":
        return {}
    above = cells[place - 1] if place else None
    below = cells[place + 1] if place + 1 < len(cells) else None
    most = above.value if above is not None and above.kind == cell.kind else cell.value * 2
    least = below.value if below is not None and below.kind == cell.kind else min(cell.value, Fraction(1))
    if cell.kind == "percent":
        most = min(most, Fraction(100))
    halves = [Fraction(x, 2) for x in range(int(least * 2), int(most * 2) + 1)] or [cell.value]
    value = rng.choice(halves)
    if cell.kind == "number":
        return {event: number_text(value)}
    if cell.kind == "percent":
        return {event: percent_text(max(value, Fraction(1, 2)))}
    return {event: dollars_text(value)}
