"""Parses the options of `pitboss settle` into a round record; what cannot be parsed is collected, not guessed."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitboss.cards import CardError, card_text, parse_cards
from pitboss.cli.arguments import read_file
from pitboss.cli.output import game_or_exit, whole_number
from pitboss.rules import Game, MoneyError, Problem, Wager, parse_dollars
from pitboss.table import read_configuration, record_terms

_YES, _NO = ("yes", "y", "true"), ("no", "n", "false")
_FOLDS = ("fold", "surrender")
# Stands in the record for an amount that could not be read and was reported already.
_UNREAD_CENTS = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The options of `pitboss settle`, unchecked."""

    game: str | None
    seats: list[str]
    boards: dict[str, str | None]
    paytables: list[str]
    pays: list[str]
    envy: list[str]
    readings: list[str]
    meters: list[str]
    plain: dict[str, Any]
    jackpot_wagers: list[str]
    config: Path | None

    @property
    def anything(self) -> bool:
        """True if any part of a round was typed."""
        lists = (self.seats, self.paytables, self.pays, self.envy, self.readings, self.meters, self.jackpot_wagers)
        values = (*self.boards.values(), *self.plain.values())
        return any(lists) or any(value is not None for value in values) or bool(self.game or self.config)


@dataclass(slots=True)
class TypedReader:
    """Parses the options into a round record; `beside` holds the terms of a table that a record has no field for."""

    typed: Typed
    problems: list[Problem] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any] | None:
        """Build the record; nothing where not even the game could be read."""
        record = self._configured()
        if record is None:
            return None
        game = game_or_exit(self.typed.game or record["game"])
        if record.get("game", game.name) != game.name:
            self._refuse("--config", f"is of {record['game']}, not of {game.name}")
            return None
        record["game"] = game.name
        record |= {key: value for key, value in self.typed.plain.items() if value is not None}
        for name, text in self.typed.boards.items():
            if text is not None and name != game.board.name:
                self._refuse(f"--{name}", f"{game.title} has none: it takes --{game.board.name}")
            elif text is not None:
                record[name] = self._cards(text, name)
        self._paytables(game, record)
        self._readings(record)
        if self.typed.seats:
            record["seats"] = self._seats(game)
        self._amounts_by_jackpot(game, record, "meters", self.typed.meters, "--meter")
        self._amounts_by_jackpot(game, record, "jackpot_wager_cents", self.typed.jackpot_wagers, "--jackpot-wager")
        return record

    def _refuse(self, path: str, words: str) -> None:
        self.problems.append(Problem(path, words))

    def _configured(self) -> dict[str, Any] | None:
        if self.typed.config is None:
            return {}
        read = read_configuration(read_file(self.typed.config))
        configuration = read.configuration
        if configuration is None or read.problems:
            self.problems += read.problems
            return None
        record, self.beside = record_terms(configuration)
        return record

    def _cards(self, text: str, path: str) -> list[str]:
        try:
            return [card_text(card) for card in parse_cards(text)]
        except CardError as error:
            self._refuse(path, str(error))
            return []

    def _dollars(self, text: str, path: str) -> int:
        try:
            return parse_dollars(text)
        except MoneyError as error:
            self._refuse(path, str(error))
            return _UNREAD_CENTS

    def _once(self, values: dict[str, Any], name: str, value: Any, path: str) -> None:
        """Add the value typed for a name; a second one is refused, even where both agree."""
        if name in values:
            self._refuse(path, f"{name} is stated twice")
        values[name] = value

    def _readings(self, record: dict[str, Any]) -> None:
        typed: dict[str, Any] = {}
        for text in self.typed.readings:
            name, equals, value = text.partition("=")
            if not equals:
                self._refuse("--reading", f"{text!r} must be NAME=READING")
                continue
            self._once(typed, name.strip(), value.strip(), "--reading")
        if typed:
            record["readings"] = {**record.get("readings", {}), **typed}

    def _paytables(self, game: Game, record: dict[str, Any]) -> None:
        tables: dict[str, list[Any]] = {name: list(ids) for name, ids in record.get("paytables", {}).items()}
        typed: dict[str, list[str]] = {}
        for text in self.typed.paytables:
            wager_and_id = self._wager_of(game, text)
            if wager_and_id is not None:
                typed.setdefault(wager_and_id[0], []).append(wager_and_id[1])
        for name, ids in typed.items():
            tables[name] = [*self._unchanged_tables(game.by_name.get(name), tables.get(name, []), ids), *ids]
        amounts = self._operator_amounts()
        record["paytables"] = {
            name: [{"id": entry, **amounts.pop(entry)} if entry in amounts else entry for entry in ids]
            if all(isinstance(entry, str) for entry in ids)
            else ids
            for name, ids in tables.items()
        }
        for table_id in amounts:
            self._refuse("--pays", f"{table_id!r} is not in force: state it with --paytable")

    @staticmethod
    def _unchanged_tables(wager: Wager | None, configured: list[Any], typed: list[str]) -> list[Any]:
        """Keep the configured tables whose slot was not typed anew."""
        slots = [] if wager is None else [slot for slot in wager.slots if not set(slot.ids) & set(typed)]
        return [
            entry
            for entry in configured
            if any((entry if isinstance(entry, str) else entry.get("id")) in slot.ids for slot in slots)
        ]

    def _operator_amounts(self) -> dict[str, dict[str, dict[str, str]]]:
        amounts: dict[str, dict[str, dict[str, str]]] = {}
        for column, texts in (("pays", self.typed.pays), ("envy", self.typed.envy)):
            for text in texts:
                table_id, colon, rest = text.partition(":")
                event, equals, cell = rest.rpartition("=")
                if not colon or not equals:
                    self._refuse(f"--{column}", f"{text!r} must be ID:EVENT=CELL, such as 'PRW-2:others=Loss'")
                    continue
                cells = amounts.setdefault(table_id.strip(), {}).setdefault(column, {})
                self._once(cells, event.strip(), cell.strip(), f"--{column}")
        return amounts

    def _wager_of(self, game: Game, text: str) -> tuple[str, str] | None:
        """Find the wager that a pay table id belongs to; `WAGER=ID` says it outright."""
        name, equals, table_id = text.partition("=")
        searched_id = (table_id if equals else text).strip()
        for wager, slot in game.slots():
            for slot_id in slot.ids:
                if searched_id.lower() == slot_id.lower() and name.strip().lower() in (
                    wager.name,
                    text.strip().lower(),
                ):
                    return wager.name, slot_id
        if equals:
            return name.strip(), searched_id
        words = f"{text!r} is no pay table of {game.title}; `pitboss paytables --game {game.name}` lists them"
        self._refuse("--paytable", words)
        return None

    def _amounts_by_jackpot(self, game: Game, record: dict[str, Any], key: str, texts: list[str], option: str) -> None:
        """Read `WAGER=DOLLARS`, or `DOLLARS` alone where only one jackpot can be meant."""
        typed: dict[str, Any] = {}
        wagered = {name for seat in record.get("seats", []) for name in seat["wagers"]}
        names = [wager.name for wager in game.jackpots]
        meant = [name for name in names if name in wagered] or [name for name in names if name in record["paytables"]]
        for text in texts:
            name, equals, amount = text.partition("=")
            if not equals and len(meant) != 1:
                self._refuse(option, f"{text!r}: say which jackpot it is, WAGER=DOLLARS")
                continue
            name, amount = (name.strip().lower(), amount) if equals else (meant[0], text)
            self._once(typed, name, self._dollars(amount, f"{key}.{name}"), option)
        if typed:
            before = record.get(key, {})
            record[key] = {**(before if isinstance(before, dict) else {}), **typed}

    def _seats(self, game: Game) -> list[dict[str, Any]]:
        seats: list[dict[str, Any]] = []
        for text in self.typed.seats:
            last = seats[-1]["seat"] if seats else 0
            seats.append(self._seat(game, text, last + 1))
        return seats

    def _seat(self, game: Game, text: str, number: int) -> dict[str, Any]:
        cards, wagers, decisions, *more = [*(piece.strip() for piece in text.split("|")), "", ""]
        head, colon, tail = cards.partition(":")
        seat_number = whole_number(head.strip()) if colon else None
        if seat_number is not None:
            number, cards = seat_number, tail
        path = f"seat {number}"
        if any(more):
            self._refuse(path, f"{text!r} must be 'CARDS | WAGERS | DECISIONS'")
        pieces: list[str] = []
        marks: dict[str, Any] = {}
        for piece in decisions.split():
            name, equals, value = piece.strip(",").partition("=")
            if name.lower() == "turned" and not equals:
                marks["turned"] = True
            elif name.lower() == "person" and equals:
                self._once(marks, "person", value, path)
            else:
                pieces.append(piece)
        seat = {
            "seat": number,
            "cards": self._cards(cards, f"{path} cards"),
            "wagers": self._wagers(wagers, path),
            "decisions": self._decisions(game, " ".join(pieces), path),
        }
        return seat | marks

    def _wagers(self, text: str, path: str) -> dict[str, int]:
        wagers: dict[str, int] = {}
        for piece in text.split():
            name, equals, amount = piece.strip(",").partition("=")
            if not equals:
                self._refuse(f"{path} wagers", f"{piece!r}: write WAGER=DOLLARS, such as {name.lower()}=10")
                continue
            cents = self._dollars(amount, f"{path} wagers.{name.lower()}")
            self._once(wagers, name.lower(), cents, f"{path} wagers")
        return wagers

    def _decisions(self, game: Game, text: str, path: str) -> dict[str, Any]:
        decisions: dict[str, Any] = {}
        for piece in text.split():
            name, equals, value = piece.strip(",").partition("=")
            name = name.lower()
            if not equals and name in _FOLDS:
                name, answer = _fold(game, decisions)
            else:
                answer = self._answer(game, name, value if equals else "yes", f"{path} decisions.{name}")
            self._once(decisions, name, answer, f"{path} decisions")
        return decisions

    def _answer(self, game: Game, name: str, value: str, path: str) -> Any:
        if name in game.card_decisions:
            return self._cards(value.replace("+", " "), path)
        lowered = value.lower()
        if lowered in _YES + _NO:
            return lowered in _YES
        number = whole_number(value)
        return value if number is None else number


def _fold(game: Game, decisions: dict[str, Any]) -> tuple[str, Any]:
    """Return which decision a fold is: the first one, or the second of a hand that was played on."""
    if "play" not in game.decisions:
        return game.decisions[0], 0
    if decisions.get("play") and game.falls_away:
        return next(iter(game.falls_away)), False
    return "play", False
