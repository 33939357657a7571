"""What changes between two configurations of a table: settings, what rows pay, and what the game's letters say."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pitboss.games import find_game
from pitboss.law.papers import equipment_title
from pitboss.rules import Game, Slot, Terms, Wager, dollars, parse_dollars, pays_by_row, posted_rows
from pitboss.table.checks import check_configuration
from pitboss.table.configuration import Configuration, flat, value_text

_TOP = {
    "game": "Game",
    "on": "Rules as of",
    "profile": "Property type",
    "dealt": "Dealt from",
    "seats": "Seats",
    "smallest_chip": "Smallest chip",
    "decks": "Decks",
    "cut_card": "Cut card after",
    "equipment": "Equipment",
    "jackpots.type": "Jackpot type",
    "jackpots.bonus_sharing": "If several players win",
}
_KEYS = {
    "paytables": "pay tables",
    "minimum": "minimum",
    "maximum": "maximum",
    "base_multiple_max": "max multiple of base wager",
    "player_limit": "most paid to a player in one deal",
    "table_limit": "most paid at the table in one deal",
    "wager": "wager",
    "meter": "opening meter",
    "fixed_prizes": "fixed prizes paid by",
}


_MONEY = frozenset({"minimum", "maximum", "player_limit", "table_limit", "wager", "meter", "smallest_chip"})
_NOT_OFFERED = "not offered"
TO_CONFIRM = "Must be confirmed"
"""How what a table rests on begins, where it is no approval."""
_VALUES: Mapping[str, Mapping[str, str]] = {
    "profile": {"wa-commercial": "House-banked card room", "wa-tribal": "Tribal casino"},
    "dealt": {"shuffler": "Shuffler", "shoe": "Shoe", "by-hand": "By hand"},
    "jackpots.type": {"progressive": "Progressive", "bonus": "Bonus"},
    "jackpots.bonus_sharing": {"full": "Each paid in full", "split": "Split"},
}
"""Settings whose values are names: what people call them."""


def setting_words(path: str, value: str) -> str:
    """Return what people call the value of a setting."""
    return _VALUES.get(path, {}).get(value, value)


class ConfigurationChange(NamedTuple):
    """One thing that differs: where it stands in the text, what it is called, what it was and what it becomes."""

    path: str
    title: str
    was: str
    becomes: str


class Comparison(NamedTuple):
    """Everything that differs between two configurations; nothing at all where they are one."""

    settings: tuple[ConfigurationChange, ...]
    pays: tuple[ConfigurationChange, ...]
    approvals: tuple[ConfigurationChange, ...]

    @property
    def is_empty(self) -> bool:
        """True if nothing differs."""
        return not (self.settings or self.pays or self.approvals)


def title_of(path: str, game: Game) -> str:
    """Describe what a key of a configuration is about."""
    if path in _TOP:
        return _TOP[path]
    section, _, rest = path.partition(".")
    name, _, key = rest.partition(".")
    key = key.partition(".")[0]
    if not rest:
        return path
    if section == "readings":
        return f"Reading: {name.replace('_', ' ')}"
    wager = game.by_name.get(name)
    title = name if wager is None else wager.title
    return f"{title}: {_KEYS.get(key, key)}" if key else title


def compare(before: Configuration | None, after: Configuration) -> Comparison:
    """List what changes from one configuration to another; from none, everything is new."""
    return Comparison(
        tuple(_settings(before, after)), tuple(_pays(before, after)), tuple(_approval_changes(before, after))
    )


def _plain(value: Any, key: str = "") -> str:
    if isinstance(value, str):
        if key == "equipment":
            return equipment_title(value)
        named = find_game(value).title if key == "game" else _VALUES.get(key, {}).get(value, value)
        return dollars(parse_dollars(value)) if key.rpartition(".")[2] in _MONEY else named
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    if isinstance(value, Mapping) and "id" in value:
        return f"{value['id']} with amounts of its own"
    return value_text(value)


def _differing(was: Mapping[str, Any], becomes: Mapping[str, Any]) -> Iterator[str]:
    """The keys whose values differ, those of what was in their places among the new ones."""
    for key in dict.fromkeys((*was, *becomes)):
        if was.get(key) != becomes.get(key):
            yield key


def _texts_by_key(configuration: Configuration | None, other: Configuration | None) -> dict[str, str]:
    """What a configuration states, by key in words; a wager that the other one does not offer stands as a whole."""
    if configuration is None:
        return {}
    texts = {key: _plain(value, key) for key, value in flat(configuration.as_dict()).items()}
    if configuration.jackpot_type != "bonus":
        texts.pop("jackpots.bonus_sharing", None)
    for switch in find_game(configuration.game).switches:
        reading = configuration.readings.get(switch.name)
        if reading is not None:
            texts[f"readings.{switch.name}"] = switch.readings.get(reading, reading)
    theirs = () if other is None or other.game != configuration.game else other.offered
    for name in configuration.offered:
        if name not in theirs:
            section = "jackpots" if name in configuration.jackpots else "wagers"
            tables = texts[f"{section}.{name}.paytables"]
            texts = {key: text for key, text in texts.items() if not key.startswith(f"{section}.{name}.")}
            least, most = map(dollars, configuration.limits(name))
            texts[f"{section}.{name}"] = f"{tables}; {least if least == most else f'{least} to {most}'}"
    return texts


def _settings(before: Configuration | None, after: Configuration) -> Iterator[ConfigurationChange]:
    was, becomes = _texts_by_key(before, after), _texts_by_key(after, before)
    old, new = None if before is None else find_game(before.game), find_game(after.game)
    for key in _differing(was, becomes):
        game = new if key in becomes or old is None else old
        lacks = _NOT_OFFERED if key.count(".") == 1 and key.startswith(("wagers.", "jackpots.")) else ""
        lacks = "" if key in _TOP else lacks
        nothing = lacks if before is not None else ""
        yield ConfigurationChange(key, title_of(key, game), was.get(key, nothing), becomes.get(key, lacks))


class _Posted(NamedTuple):
    """A pay table in force: its id, and what each printed row pays."""

    id: str
    pays: Mapping[str, str]


def _tables(configuration: Configuration | None) -> dict[tuple[str, str], _Posted]:
    """What is paid by wager and slot, under the readings in force."""
    if configuration is None:
        return {}
    game, terms = find_game(configuration.game), configuration.terms_and_problems[0]
    return {
        (wager.heading(slot), slot.name): _posted(wager, slot, terms)
        for wager, slot in game.slots()
        if wager.name in configuration.offered and slot.name in terms.tables
    }


def _posted(wager: Wager, slot: Slot, terms: Terms) -> _Posted:
    rows = posted_rows(wager, slot, terms)
    envies = {row.printed: f", Envy {row.envy}" for row in rows if row.envy is not None}
    pays = {event: f"{words}{envies.get(event, '')}" for event, words in pays_by_row(rows).items()}
    return _Posted(terms.tables[slot.name].id, pays)


def _pays(before: Configuration | None, after: Configuration) -> Iterator[ConfigurationChange]:
    """Row by row what a wager pays otherwise, where it was offered and stays so."""
    was, becomes = _tables(before), _tables(after)
    for place in (key for key in was if key in becomes):
        old, new = was[place].pays, becomes[place].pays
        for event in _differing(old, new):
            path = f"{was[place].id} to {becomes[place].id}"
            yield ConfigurationChange(path, f"{place[0]}: {event}", old.get(event, "no row"), new.get(event, "no row"))


def letters_of(configuration: Configuration) -> dict[str, str]:
    """What a configuration rests on: the letters of its game, and what must be confirmed (G-15)."""
    approval = find_game(configuration.game).approval
    held = {True: "rules on file", False: "rules not on file"}
    letters = {f"Letter of {entry.date}, {entry.about}": held[entry.rules_held] for entry in approval.letters}
    _, notices = check_configuration(configuration)
    return letters | {f"{TO_CONFIRM}: {entry.words}": entry.ruling or entry.clause or "" for entry in notices}


def _approval_changes(before: Configuration | None, after: Configuration) -> Iterator[ConfigurationChange]:
    was, becomes = {} if before is None else letters_of(before), letters_of(after)
    for key in _differing(was, becomes):
        yield ConfigurationChange("approval", key, was.get(key, ""), becomes.get(key, ""))
