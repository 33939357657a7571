"""The form of a configuration: every field with its choices, its words and what stands in it."""

from __future__ import annotations

from typing import NamedTuple

from pitboss import law
from pitboss.games import all_games, find_game
from pitboss.rules import Game, Slot, Wager
from pitboss.rules.pays import OperatorSet
from pitboss.rules.paytables import Row
from pitboss.server.views.paytables import titled
from pitboss.server.views.table_fields import Fields
from pitboss.table.configuration import DEALT

__all__ = ["AmountField", "Choice", "FormView", "ReadingField", "SlotField", "WagerField", "form_view"]


class Choice(NamedTuple):
    """One of several: its value, how it is called, and whether it stands there."""

    value: str
    title: str
    chosen: bool


class AmountField(NamedTuple):
    """An amount that the operator sets in a row of a pay table."""

    name: str
    title: str
    value: str


class SlotField(NamedTuple):
    """A place for one pay table, and the amounts that the chosen one leaves to the operator."""

    name: str
    title: str
    choices: tuple[Choice, ...]
    amounts: tuple[AmountField, ...]


class WagerField(NamedTuple):
    """A wager: whether it is offered, its pay tables, and its other fields as name, title and what stands there."""

    name: str
    title: str
    offered: bool
    is_base: bool
    slots: tuple[SlotField, ...]
    fields: tuple[tuple[str, str, str], ...]
    fixed_prizes: tuple[Choice, ...] = ()


class ReadingField(NamedTuple):
    """A clause with several readings."""

    name: str
    title: str
    source: str
    choices: tuple[Choice, ...]


class FormView(NamedTuple):
    """The whole form of one game."""

    game: str
    games: tuple[Choice, ...]
    tops: tuple[tuple[str, str, str, str], ...]
    selects: tuple[tuple[str, str, tuple[Choice, ...]], ...]
    readings: tuple[ReadingField, ...]
    wagers: tuple[WagerField, ...]
    jackpot_selects: tuple[tuple[str, str, tuple[Choice, ...]], ...]
    jackpots: tuple[WagerField, ...]


_PROFILES = {"wa-commercial": "commercial card room", "wa-tribal": "tribal casino"}
_DEALT = {"shuffler": "an automatic shuffler", "shoe": "a shoe", "by-hand": "the hand"}
_TYPES = {"progressive": "progressive: the meter grows with each wager", "bonus": "Bonus: the amount stays as posted"}
_SHARING = {"full": "each is paid in full", "split": "they share it"}
_FIXED = {"house": "the house", "meter": "the meter"}


def _choices(values: dict[str, str], chosen: str, empty: str | None = None) -> tuple[Choice, ...]:
    """Choices in their order; what stands there and is none of them stands there all the same."""
    known = {**({} if empty is None else {"": empty}), **values}
    if chosen not in known:
        known |= {chosen: chosen or "choose"}
    return tuple(Choice(value, title, value == chosen) for value, title in known.items())


def form_view(fields: Fields) -> FormView:
    """Lay out the form of the game that stands in it; of an unknown one there is none."""
    game = find_game(fields.get("game"))
    profiles = {name: _PROFILES.get(name, name) for name in law.PROFILES}
    dealt = {name: _DEALT.get(name, name) for name in DEALT}
    equipment = {name: name for name in game.approval.equipment}
    selects = [
        ("profile", "Kind of room", _choices(profiles, _of(fields, "profile", law.PROFILES[0]))),
        ("dealt", "Cards are dealt from", _choices(dealt, _of(fields, "dealt", DEALT[0]))),
        ("equipment", "Equipment", _choices(equipment, _of(fields, "equipment"), "none")),
    ]
    if game.decks_allowed:
        decks = {str(number): f"{number} decks" for number in game.decks_allowed}
        selects.append(("decks", "Shoe", _choices(decks, _of(fields, "decks", str(game.decks_allowed[0])))))
    sharing = _choices(_SHARING, _of(fields, "bonus_sharing"), "as the law has it")
    return FormView(
        game=game.title,
        games=tuple(Choice(each.name, each.title, each is game) for each in all_games()),
        tops=(
            ("on", "Rules of the day", _of(fields, "on"), "date"),
            ("seats", "Seats", _of(fields, "seats"), "text"),
            ("smallest_chip", "Smallest chip, dollars", _of(fields, "smallest_chip"), "text"),
        ),
        selects=tuple(selects),
        readings=tuple(_reading(game, fields, number) for number in range(len(game.switches))),
        wagers=tuple(_wager(game, fields, each) for each in game.wagers if not each.jackpot),
        jackpot_selects=(
            ("type", "Jackpots are", _choices(_TYPES, _of(fields, "type", "progressive"))),
            ("bonus_sharing", "Several winners of a Bonus row", sharing),
        ),
        jackpots=tuple(_wager(game, fields, each) for each in game.jackpots),
    )


def _of(fields: Fields, name: str, usual: str = "") -> str:
    return fields.get(name) or usual


def _reading(game: Game, fields: Fields, number: int) -> ReadingField:
    switch = game.switches[number]
    name = f"reading:{switch.name}"
    words = dict(switch.readings)
    usual = f"as we read it: {words[switch.default]}"
    choices = _choices(words, _of(fields, name), usual)
    return ReadingField(name, switch.name.replace("_", " "), f"{switch.clause.id}; {switch.ruling}", choices)


def _wager(game: Game, fields: Fields, wager: Wager) -> WagerField:
    def field(name: str, title: str) -> tuple[str, str, str]:
        return f"{name}:{wager.name}", title, _of(fields, f"{name}:{wager.name}")

    named: tuple[tuple[str, str, str], ...]
    if wager.jackpot:
        named = (field("wager", "Wager"), field("meter", "Meter when it opens"))
        fixed = _choices(_FIXED, _of(fields, f"fixed_prizes:{wager.name}", "house"))
    else:
        named = (field("minimum", "Minimum"), field("maximum", "Maximum"))
        if game.base is None or wager.name != game.base.name:
            named = (*named, field("cap", "At most times the base"))
        fixed = ()
    slots = tuple(_slot(game, fields, wager, slot) for slot in wager.slots if not slot.fixed)
    is_base = game.base is not None and wager.name == game.base.name
    offered = bool(_of(fields, f"offer:{wager.name}"))
    return WagerField(wager.name, titled(wager.title), offered, is_base, slots, named, fixed)


def _slot(game: Game, fields: Fields, wager: Wager, slot: Slot) -> SlotField:
    place = f"{wager.name}:{slot.name}"
    several = sum(not each.fixed for each in wager.slots) > 1
    chosen = _of(fields, f"table:{place}")
    title = f"Pay table, {slot.name.replace('-', ' ')}" if several else "Pay table"
    amounts: list[AmountField] = []
    table = game.paytables.get(chosen) if chosen in slot.ids else None
    for row in () if table is None else table.rows:
        amounts += _amounts(fields, place, row)
    ids = {table_id: _titled_table(game, table_id) for table_id in slot.ids}
    return SlotField(f"table:{place}", title, _choices(ids, chosen, "choose"), tuple(amounts))


def _titled_table(game: Game, table_id: str) -> str:
    return f"{table_id}, amounts set here" if game.paytables[table_id].operator_set else table_id


def _amounts(fields: Fields, place: str, row: Row) -> list[AmountField]:
    found = []
    for column, pay, printed in (("pays", row.pay, row.printed), ("envy", row.envy, row.envy_printed)):
        name = f"{column}:{place}:{row.event}"
        if isinstance(pay, OperatorSet) or _of(fields, name):
            title = row.event if column == "pays" else f"{row.event}, Envy"
            found.append(AmountField(name, f"{title} ({printed})" if printed else title, _of(fields, name)))
    return found
