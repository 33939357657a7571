"""The audit log in sentences: each kind of entry has a title and a sentence of who did what, with names and dollars."""

import datetime
import json
from collections.abc import Callable, Mapping
from typing import Any

from pitboss import books
from pitboss.commands.description import counted, day_words, listed, role_phrase, seats_text
from pitboss.jackpot.descriptions import FUND_TITLES, fund_title, game_title
from pitboss.jackpot.state import wagers_at_seats
from pitboss.jackpot.titles import jackpot_title
from pitboss.law.papers import equipment_title
from pitboss.meters import units_of, units_text
from pitboss.room.approvals import APPROVALS, described, description_of
from pitboss.room.backups import BackupMade, BackupsPlanned
from pitboss.room.people.people import PEOPLE
from pitboss.rules import dollars, full_words
from pitboss.tabulator.descriptions import CAUSE_TITLES, wager_name

SENTENCES: dict[str, tuple[str, str]] = {
    "alarm-cleared": ("Alert resolved", "{who} resolved an alert{at}"),
    "alarm-taken": ("Alert assigned", "{who} took an alert{at}"),
    "amount-confirmed": ("Amount confirmed", "{who} confirmed the amount of {jackpot}"),
    "approval-asked": ("Approval requested", "{who} requested: {request}"),
    "approval-given": ("Approved", "{by} approved request {approval} of {who}"),
    "approval-refused": ("Declined or withdrawn", "{by} declined or withdrew request {approval}"),
    "approval-recorded": ("Approval letter recorded", "{who} recorded the approval of {game} at table {table}"),
    "approval-withdrawn": ("Approval withdrawn", "{who} withdrew approval {number} of table {table} from {since} on"),
    "backup-made": ("Backup made", "{backup_result}"),
    "backups-planned": ("Backup plan", "{who} {backup_plan}"),
    "batch-tabulated": ("Rounds counted", "{rounds_text} counted together{at}, up to round {round}"),
    "bonus-posted": ("Bonus posted", "{who} {adjusted} by {amount}"),
    "bonus-scheduled": ("Bonus scheduled", "{who} scheduled {cents_text} for {jackpot}"),
    "bonus-unscheduled": ("Bonus unscheduled", "{who} withdrew a scheduled amount of {jackpot}"),
    "books-restored": ("Books restored", "{person} restored the books from a backup"),
    "chips-collected": ("Chip count", "{who} counted {cents_text} with {counted_with}{at}, {shift} shift, {day}"),
    "configuration-prepared": ("Setup approved", "{who} set up table {table}"),
    "configuration-withdrawn": ("Setup withdrawn", "{who} withdrew a setup scheduled for table {table}"),
    "correction": ("Correction", "{who} corrected entry {corrects} of {jackpot}"),
    "count-corrected": ("Count corrected", "{who} took back {wagers} of {jackpot}{at}, round {round}"),
    "counter-read": ("Counter read", "{who} read the counter of table {table}: {reading}"),
    "time-decided": ("Time decided", "{person} and {second} decided that the clock is right"),
    "damage-decided": ("Damage decided", "{person} and {second} decided on damaged entries"),
    "dealer-changed": ("Dealer changed", "{dealer} deals{at}"),
    "dealer-tapped-in": ("Dealer tapped in", "{who} tapped in{at}"),
    "dealer-tapped-out": ("Dealer tapped out", "{who} tapped out{at}"),
    "dealt-round-ended": ("Round dealt", "A round was dealt at table {table}, and its shoe goes on"),
    "dealing-set": ("Dealing changed", "{who} set how table {table} deals"),
    "dealing-unlocked": ("Dealing unlocked", "{who} unlocked dealing"),
    "deck-logged": ("Deck log", "{who} logged a deck as {act}{at}"),
    "device-added": ("Device added", "{who} added the device {name}"),
    "device-changed": ("Device changed", "{who} changed the device {name}"),
    "display-confirmed": ("Display confirmed", "{who} confirmed what {name} shows"),
    "display-set": ("Display added or removed", "{who} registered or removed the display {name}"),
    "display-turned": ("Display status", "The display {name} is {condition}"),
    "dispute-settled": ("Dispute saved", "{who} saved dispute {number}{at}"),
    "equipment-down": ("Equipment out of service", "{who} took the equipment of table {table} out of service"),
    "equipment-restored": ("Equipment in service", "{who} returned the equipment of table {table} to service"),
    "escrow-arrived": ("Deposit received", "{who} confirmed a deposit of {amount} for {jackpot}"),
    "escrow-sent": ("Deposit sent", "{who} sent a deposit of {amount} for {jackpot}"),
    "escrow-withdrawn": ("Withdrawal", "{who} withdrew {amount} from the bank account of {jackpot}"),
    "exception-raised": ("Exception opened", "{who} opened an exception"),
    "exception-resolved": ("Exception resolved", "{who} resolved exception {number}"),
    "exception-taken": ("Exception assigned", "{owner} took exception {number}"),
    "fault-told": ("Equipment fault", "The tabulator reported a fault{at}"),
    "funds-removed": ("Funds removed", "{who} moved {amount} off {jackpot}, which is removed"),
    "head-signed": ("Log signed", "The server signed the audit log up to entry {sequence}"),
    "hit-closed": ("Jackpot closed", "{who} closed jackpot {hit}"),
    "hit-corrected": ("Jackpot corrected", "{who} corrected the seats of jackpot {hit}"),
    "hit-documented": ("Paperwork", "{who} did the paperwork of jackpot {hit}"),
    "hit-surveilled": ("Surveillance confirmed", "{who} confirmed jackpot {hit} on camera"),
    "hit-verified": ("Jackpot verified", "{who} verified jackpot {hit}"),
    "jackpot-changed": ("Jackpot changed", "{who} changed the terms of {jackpot}"),
    "jackpot-defined": ("Jackpot added", "{who} added {jackpot}"),
    "jackpot-opened": ("Meter started", "{jackpot} got its starting amount of {amount}"),
    "key-added": ("Key added", "{who} added a key that signs the audit log"),
    "late-noticed": ("Late wager", "A wager came late in round {round}{at}"),
    "lights-confirmed": ("Lights confirmed", "The logger confirmed rounds of table {table}"),
    "link-found": ("Link restored", "Tabulator {device} is connected again{at}"),
    "link-lost": ("Link lost", "Tabulator {device} stopped answering{at}"),
    "locked-out": ("Locked out", "Too many wrong sign-ins as {login}"),
    "maker-registered": ("Maker registered", "{who} registered {maker} as maker of the {part}"),
    "malfunction-known": ("Malfunction", "{who} recorded a malfunction{at}"),
    "malfunction-mended": ("Malfunction repaired", "{who} marked malfunction {malfunction} as repaired"),
    "malfunction-reported": ("Malfunction reported", "{who} reported malfunction {malfunction}: {reference}"),
    "message-refused": ("Message rejected", "A message of tabulator {device} was rejected{at}"),
    "meter-adjusted": ("Meter adjusted", "{who} {adjusted} by {amount}"),
    "other-seeded": ("Moved to another meter", "{who} moved {amount} of {jackpot} to another meter"),
    "link-allowed": ("Sign-in link allowed", "{who} was allowed a sign-in link for {login}"),
    "person-added": ("Person added", "{who} added {name} ({roles})"),
    "person-changed": ("Person changed", "{who} changed {name} ({roles})"),
    "play-closed": ("Jackpot play closed", "{who} closed play of {jackpot}"),
    "play-opened": ("Jackpot play opened", "{who} opened play of {jackpot}"),
    "play-suspended": ("Jackpot play suspended", "{who} suspended play of {jackpot}"),
    "paper-changed": ("Paper changed", "The {paper_name} of table {table} changed"),
    "paper-posted": ("Paper posted", "{who} posted the {paper_name} at table {table}"),
    "paper-removed": ("Paper removed", "{who} removed the {paper_name} of table {table}"),
    "press-ignored": ("Double press ignored", "A second press was ignored in round {round}{at}"),
    "prize-called": ("Prize recorded", "{who} {called}: {jackpot}{at}, round {round}, {won}"),
    "prize-paid": ("Prize paid", "{who} paid {handed} of {paid_of}{at}"),
    "prize-reversed": ("Small prize reversed", "{who} took back {chips} of {jackpot}{at}, round {round}"),
    "prize-rejected": ("Jackpot rejected", "{who} took back jackpot {hit} of {jackpot}"),
    "prize-shared": ("Prize shared", "{who} recorded who shares the prize of seat {seat}, jackpot {hit}"),
    "promotion-ended": ("Promotion ended", "{who} ended the promotion {name}"),
    "promotion-set": ("Promotion saved", "{who} saved the promotion {title}"),
    "receipts-booked": ("Booked as receipts", "{who} booked {amount} of {jackpot} as gross receipts"),
    "removal-documented": ("Removal documented", "{who} recorded that the money of {jackpot} was paid"),
    "removal-noticed": ("Removal notice", "{who} gave notice that {jackpot} is removed on {day}"),
    "room-set": ("Room settings", "{who} set the name of the room, shifts and license from {since_day} on"),
    "round-corrected": ("Round fixed", "{who} fixed round {round}{at}: {seats}, {wager} ({cause})"),
    "round-released": ("Round ended", "Round {round} ended{at}"),
    "round-seats-named": ("Seats named", "{who} named the seats of round {round}{at}"),
    "round-tabulated": ("Round counted", "Round {round} was counted{at}"),
    "round-voided": ("Round voided", "{who} voided round {round}{at} ({cause})"),
    "seats-marked": ("Seats of one person", "{who} marked seats that one person plays{at}"),
    "secret-changed": ("Sign-in changed", "{who} {secret} for {whose}"),
    "sequences-lost": ("Messages written off", "{who} wrote off messages {first} to {last} of tabulator {device}"),
    "shoe-bound": ("Shuffle locked", "{who} locked the shuffle of dealt round {round}{at}"),
    "shoe-closed": ("Shoe over", "The shoe of table {table} was closed, and its shuffle was shown"),
    "shoe-lost": ("Dealt round given up", "{who} gave up dealt round {round}{at}"),
    "shoe-revealed": ("Shuffle shown", "Dealt round {round} ended{at}, and its shuffle was shown"),
    "shuffler-set": ("Shuffler", "{who} recorded the shuffler of table {table}: {model}"),
    "access-traced": ("Access", "{who}: {what}, {page} ({count})"),
    "sign-ins-refused": ("Sign-ins refused", "{count} sign-ins were refused"),
    "sign-unconfirmed": ("Sign not confirmed", "The sign {name} did not confirm its amount"),
    "signed-in": ("Signed in", "{who} signed in"),
    "signed-out": ("Signed out", "{who} signed out"),
    "slip-printed": ("Slip printed", "{who} printed slip {slip}"),
    "slip-reprinted": ("Slip reprinted", "{who} reprinted slip {slip}"),
    "software-changed": ("Software changed", "The server started with Pitboss {version}, {software}"),
    "snapshot-sealed": ("Checkpoint", "A checkpoint of all balances was saved"),
    "table-closed": ("Table closed", "{who} closed table {table}"),
    "table-jackpots-resumed": ("Jackpots resumed", "{who} resumed jackpot play at table {table}"),
    "table-jackpots-suspended": ("Jackpots suspended", "{who} suspended jackpot play at table {table}"),
    "table-opened": ("Table opened", "{who} opened table {table}"),
    "table-posted": ("Setup active", "A new setup became active at table {table}"),
    "table-set-up": ("Equipment set up", "{who} set up the equipment of table {table}: {equipment}"),
    "terms-changed": ("Terms changed", "{who} changed the terms of {jackpot}"),
    "training-done": ("Training", "{who} did training: {right} of {asked} answers right"),
    "wager-confirmed": ("Wager confirmed", "{who} confirmed the wager of seat {seat} in round {round}{at}"),
    "wagers-counted": ("Wagers counted", "{wagers} of {jackpot} counted{at}, round {round}"),
    "wagers-refunded": ("Wagers refunded", "{wagers} of {jackpot} refunded{at}, round {round}"),
}  # fmt: skip
"""By kind of entry: its title, and the sentence with what stands in the entry in braces; the reason comes after it."""


def kind_title(kind: str) -> str:
    """Return the title of a kind of entry."""
    return SENTENCES[kind][0] if kind in SENTENCES else kind.replace("-", " ").capitalize()


def sentence_of(state: books.BookState, entry: books.Entry) -> str:
    """Return who did what by an entry; one that cannot be read is marked so (G-29)."""
    try:
        value = books.read_payload(entry.kind, entry.payload)
    except books.UnreadableError:
        return "This entry cannot be read"
    title, template = SENTENCES.get(entry.kind, (kind_title(entry.kind), ""))
    if not template:
        return f"{title}, by {entry.actor}"
    fields: Mapping[str, Any] = json.loads(entry.payload)
    return f"{template}{{why}}{{approved}}".format_map(_Words(state, entry, fields, value))


def booked_text(state: books.BookState, entry: books.Entry, name: str) -> str:
    """Return what an entry booked, for the person who has just booked or approved it; of a request who approves it.

    Somebody else reads nothing here: entries are read in the audit log.
    """
    fields = json.loads(entry.payload)
    if name not in (entry.actor, fields.get("approved_by")) or entry.kind not in SENTENCES:
        return ""
    pending = state.of(APPROVALS).get(entry.sequence)
    if pending is None:
        return f"{sentence_of(state, entry)}."
    whom = role_phrase(role for role in pending.approvers if role in pending.givers)
    return f"{description_of(state, pending).title}. It needs {whom}; not you."


class _Words(dict[str, str]):
    """What stands in the braces of a sentence, worked out when it is asked for."""

    def __init__(
        self, state: books.BookState, entry: books.Entry, fields: Mapping[str, Any], value: books.Payload
    ) -> None:
        super().__init__()
        self.state, self.entry, self.fields, self.value = state, entry, fields, value

    def __missing__(self, key: str) -> str:
        derive = _DERIVED.get(key)
        return _plain(self.fields.get(key)) if derive is None else derive(self)

    @property
    def movement(self) -> books.Movement:
        """The money that the entry moves."""
        assert isinstance(self.value, books.Movement)
        return self.value

    @property
    def details(self) -> Mapping[str, Any]:
        """The details of a movement; of another entry its fields."""
        return self.value.details if isinstance(self.value, books.Movement) else self.fields


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return listed(value)
    return "" if value is None else str(value)


def _why(words: _Words) -> str:
    reason = str(words.fields.get("words") or words.fields.get("reason") or "").strip()
    return f": {reason}" if reason else ""


def _approved(words: _Words) -> str:
    name = words.fields.get("approved_by")
    return f" (approved by {name})" if name else ""


def _jackpot(words: _Words) -> str:
    definition = words.fields.get("definition")
    name = definition["name"] if isinstance(definition, dict) else None
    return jackpot_title(words.state, str(name or words.fields.get("jackpot") or words.fields.get("name") or ""))


def _amount(words: _Words) -> str:
    """Return what an entry moves: to winners, the fund or the bank, each transfer once."""
    return units_text(sum(transfer.units for transfer in words.movement.transfers))


def _handed(words: _Words) -> str:
    """Return what a winner got: the prize, less the tax that was withheld of it."""
    prize = sum(transfer.units for transfer in words.movement.transfers)
    withheld = units_of(words.details.get("handed", (0, "", 0))[2])
    if not withheld:
        return units_text(prize)
    return f"{units_text(prize - withheld)} ({units_text(prize)} less {units_text(withheld)} tax withheld)"


def _chips(words: _Words) -> str:
    """Return what came back to the tray; that the meter gets back what it paid of it is the same money, moved on."""
    back = (transfer.units for transfer in words.movement.transfers if transfer.payer == "paid")
    return units_text(sum(back))


def _adjusted(words: _Words) -> str:
    transfer = words.movement.transfers[0]
    verb, fund = ("raised", transfer.payee) if transfer.payee in FUND_TITLES else ("lowered", transfer.payer)
    return f"{verb} {fund_title(words.state, words.movement.jackpot, fund)}"


def _wagers(words: _Words) -> str:
    return counted(wagers_at_seats(words.movement), "wager")


def _won(words: _Words) -> str:
    return "; ".join(
        f"seat {seat}, {full_words(row)}, {dollars(cents)}" for seat, row, cents in words.details.get("won", ())
    )


_STEPS = {"call": "reported a jackpot", "recall": "corrected a jackpot", "tray": "paid a small prize"}


def _paid_of(words: _Words) -> str:
    hit, title = words.details.get("hit"), _jackpot(words)
    return f"jackpot {hit}, {title}" if hit else f"{title} from the tray"


def _request(words: _Words) -> str:
    fields = json.loads(words.fields["said"])
    return described(words.state, words.fields["what"], fields, words.fields.get("prize_cents", 0)).title


def _day(words: _Words) -> str:
    day = getattr(words.value, "day", None)
    return day_words(day) if isinstance(day, datetime.date) else _plain(words.fields.get("day"))


def _wager(words: _Words) -> str:
    return wager_name(words.state, words.entry.table, str(words.fields.get("wager", "")))


def _backup_plan(words: _Words) -> str:
    assert isinstance(words.value, BackupsPlanned)
    plan = words.value.plan
    return "ended the backups" if plan is None else f"planned backups {plan.text} to {plan.directory}"


def _backup_result(words: _Words) -> str:
    assert isinstance(words.value, BackupMade)
    result = words.value.result
    return f"Backup {result.file} of {result.entries:,} entries" if result.is_good else "A backup failed"


_SECRETS = {
    "password": "set the password",
    "pin": "set the console PIN",
    "link": "made a sign-in link",
    "token": "made a token",
    "totp": "set up two-step sign-in",
}


def _whose(words: _Words) -> str:
    subject = str(words.fields["subject"])
    person = words.state.of(PEOPLE).people.get(subject)
    return subject if person is None else person.name


_DERIVED: dict[str, Callable[[_Words], str]] = {
    "backup_plan": _backup_plan,
    "backup_result": _backup_result,
    "who": lambda words: "Pitboss" if words.entry.actor == "pitboss" else words.entry.actor,
    "table": lambda words: words.entry.table or _plain(words.fields.get("table")),
    "at": lambda words: f" at table {words.entry.table}" if words.entry.table else "",
    "why": _why,
    "software": lambda words: "from source" if words.fields.get("source") else words.fields["digest"][:16],
    "approved": _approved,
    "jackpot": _jackpot,
    "amount": _amount,
    "chips": _chips,
    "handed": _handed,
    "adjusted": _adjusted,
    "wagers": _wagers,
    "won": _won,
    "called": lambda words: _STEPS.get(str(words.details.get("step")), "paid Envy"),
    "paid_of": _paid_of,
    "round": lambda words: _plain(words.details.get("round")),
    "hit": lambda words: _plain(words.details.get("hit")),
    "request": _request,
    "secret": lambda words: _SECRETS[words.fields["what"]],
    "whose": _whose,
    "game": lambda words: game_title(str(words.fields.get("game", ""))),
    "cents_text": lambda words: dollars(int(words.fields["cents"])),
    "rounds_text": lambda words: counted(int(words.fields["rounds"]), "round"),
    "seats": lambda words: seats_text(words.fields.get("seats", ())),
    "wager": _wager,
    "cause": lambda words: CAUSE_TITLES.get(str(words.fields.get("cause")), str(words.fields.get("cause"))),
    "day": _day,
    "since_day": lambda words: day_words(datetime.date.fromisoformat(words.fields["since"])),
    "paper_name": lambda words: str(words.fields["paper"]).replace("-", " "),
    "equipment": lambda words: equipment_title(words.fields.get("setup", words.fields).get("model", "")),
}
