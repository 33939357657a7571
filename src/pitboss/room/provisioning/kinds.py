"""What can be provisioned: for each kind its file, what names one of it, what stands there, and the command for it.

Files have the fields of the room's own commands, so that nothing is stated twice: what a command refuses is refused.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pitboss.books import ROOM, BookState
from pitboss.commands import Command, Now, write_fields
from pitboss.jackpot import JACKPOTS, ChangeJackpot, DefineJackpot, JackpotDraft
from pitboss.room.approval_records import RecordApproval, RegisterMaker, room_approvals
from pitboss.room.backups import BACKUPS, PlanBackups
from pitboss.room.configurations import CONFIGURATIONS, PostConfiguration, TableConfigurations
from pitboss.room.dealing.dealing import SetDealing
from pitboss.room.dealing.entries import DEALING
from pitboss.room.displays import DISPLAYS, RegisterDisplay
from pitboss.room.people.people import SetDevice, SetPerson, people_of
from pitboss.room.settings import SetRoom, SettingsDraft, next_day_of
from pitboss.room.slides import PROMOTIONS, SetSlide
from pitboss.table import read_configuration
from pitboss.tabulator import TABLES, SetUpTable

Fields = dict[str, Any]
Wanted = tuple[type[Command], Fields]
WORDS = "provisioned from files"


class Kind(NamedTuple):
    """A kind of thing that files state: `key` are the fields that name one of it, and are never changed."""

    name: str
    title: str
    key: tuple[str, ...]
    current: Callable[[BookState], Mapping[str, Fields]]
    """What stands there, by name, with the fields that files have."""
    wanted: Callable[[Now, Fields, bool], Wanted]
    """The command that makes it so, and its fields; whether there is none of this name yet."""

    def name_of(self, fields: Mapping[str, Any]) -> str:
        """Return the name of one, as files and the state have it."""
        return " ".join(str(fields[part]) for part in self.key if fields.get(part, "") != "")


def _room(state: BookState) -> dict[str, Fields]:
    calendar = state.of(ROOM)
    return {} if calendar is None else {"room": write_fields(SettingsDraft.of(calendar.history[-1][1]))}


def _set_room(now: Now, fields: Fields, is_new: bool) -> Wanted:
    before = _room(now.state).get("room", {})
    since = None if is_new else next_day_of(now.state, now.at).isoformat()
    return SetRoom, {"settings": {**before, **fields}, "since": since}


def _people(state: BookState) -> dict[str, Fields]:
    return {login: write_fields(person) for login, person in people_of(state).people.items()}


def _devices(state: BookState) -> dict[str, Fields]:
    return {name: write_fields(device) for name, device in people_of(state).devices.items()}


def _displays(state: BookState) -> dict[str, Fields]:
    return {name: {**record.display._asdict(), "active": record.active} for name, record in state.of(DISPLAYS).items()}


def _configurations(state: BookState) -> dict[str, Fields]:
    room: TableConfigurations = state.of(CONFIGURATIONS)
    texts = {}
    for table, history in room.tables.items():
        last = history.prepared[-1].hash if history.prepared else history.now.hash if history.now else ""
        if last:
            texts[table] = {"table": table, "configuration": room.texts[last]}
    return texts


def _post(now: Now, fields: Fields, is_new: bool) -> Wanted:
    there = _configurations(now.state).get(str(fields["table"]))
    wanted = {**fields, "words": WORDS}
    # What says the same in other words, or in another order, is the same configuration.
    if not is_new and there is not None and _read(fields["configuration"]) == _read(there["configuration"]):
        wanted |= {"configuration": there["configuration"], "override": ""}
    return PostConfiguration, wanted


def _read(text: str) -> Any:
    return read_configuration(text).configuration


def _equipment(state: BookState) -> dict[str, Fields]:
    return {name: write_fields(record.setup) for name, record in state.of(TABLES).tables.items()}


def _approvals(state: BookState) -> dict[str, Fields]:
    last = {}
    for record in room_approvals(state).records:
        fields: Fields = {"table": record.table, "game": record.game, "papers": write_fields(record.papers)}
        fields |= {"paytable": record.paytable, "is_example": record.is_example}
        last[_APPROVALS.name_of(fields)] = fields
    return last


def _makers(state: BookState) -> dict[str, Fields]:
    return {
        maker.part: {"part": maker.part, "maker": maker.maker, "licence": maker.licence, "is_example": maker.is_example}
        for maker in room_approvals(state).makers
    }


def _jackpots(state: BookState) -> dict[str, Fields]:
    return {name: write_fields(JackpotDraft.of(record.jackpot)) for name, record in state.of(JACKPOTS).jackpots.items()}


def _define(_: Now, fields: Fields, is_new: bool) -> Wanted:
    return (DefineJackpot if is_new else ChangeJackpot), {"jackpot": fields, "words": WORDS}


def _dealing(state: BookState) -> dict[str, Fields]:
    return {
        table: {"table": table, "cards": dealing.cards, "money": dealing.money, "approval": dealing.approval}
        for table, dealing in state.of(DEALING).items()
        if dealing.cards != "physical"
    }


def _slides(state: BookState) -> dict[str, Fields]:
    return {name: write_fields(slide) for name, slide in state.of(PROMOTIONS).items()}


def _backups(state: BookState) -> dict[str, Fields]:
    plan = state.of(BACKUPS).plan
    return {} if plan is None else {"backups": write_fields(plan)}


def _simple(cls: type[Command], *, words: bool = False, first: bool = False) -> Callable[..., Wanted]:
    def wanted(_: Now, fields: Fields, is_new: bool) -> Wanted:
        return cls, {**fields, **({"words": WORDS} if words else {}), **({"first": is_new} if first else {})}

    return wanted


def _of(cls: type[Command], field: str, *, words: bool = False) -> Callable[..., Wanted]:
    def wanted(_: Now, fields: Fields, is_new: bool) -> Wanted:  # noqa: ARG001 - one signature for all kinds
        return cls, {field: fields, **({"words": WORDS} if words else {})}

    return wanted


_APPROVALS = Kind(
    "approvals", "approval of table", ("table", "game", "paytable"), _approvals, _simple(RecordApproval, words=True)
)
KINDS: tuple[Kind, ...] = (
    # In the order in which one needs the other; people last, as from then on each proves who they are.
    Kind("room", "room", (), _room, _set_room),
    Kind("configurations", "setup of table", ("table",), _configurations, _post),
    Kind("dealing", "dealing at table", ("table",), _dealing, _simple(SetDealing, words=True)),
    Kind("jackpots", "jackpot", ("name",), _jackpots, _define),
    Kind("equipment", "equipment of table", ("table",), _equipment, _of(SetUpTable, "setup", words=True)),
    _APPROVALS,
    Kind("makers", "maker of", ("part",), _makers, _simple(RegisterMaker, words=True)),
    Kind("displays", "display", ("name",), _displays, _simple(RegisterDisplay)),
    Kind("devices", "device", ("name",), _devices, _simple(SetDevice, first=True)),
    Kind("slides", "promotion", ("name",), _slides, _of(SetSlide, "promotion")),
    Kind("backups", "backups", (), _backups, _simple(PlanBackups, words=True)),
    Kind("people", "person", ("login",), _people, _simple(SetPerson, first=True)),
)
BY_KIND = {kind.name: kind for kind in KINDS}
