"""Nobody acts alone (issue 18, G-68, G-69): people are given roles by two, requests end, a PIN reaches its own table."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.books import EPOCH, ROOM, Answer, RefusedError
from pitboss.books.store.migrate import create_store
from pitboss.commands import By, Command, is_same_person
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.jackpot import AdjustFund, CloseJackpot, OpenJackpot
from pitboss.jackpot.hits.calls import RejectHit
from pitboss.jackpot.hits.handling import VerifyHit
from pitboss.meters import units_of
from pitboss.room.accounting import CollectChips, RaiseException, TakeException
from pitboss.room.approvals import Pending, description_of, ended_because, is_waiting
from pitboss.room.commands import BY_NAME, COMMANDS
from pitboss.room.people.people import AllowLink, SetPerson
from pitboss.room.room import Room
from pitboss.room.settings import SetRoom, SettingsDraft, ShiftDraft
from pitboss.tabulator import SuspendTable
from tests.pages.room import CardRoom, card_room
from tests.server.making import PASSWORD, cheap, command

ADMINISTRATOR, MANAGER, ACCOUNTING = By("Ada", "administrator"), By("Max", "manager"), By("Lee", "accounting")
PEOPLE = {
    "ada": "administrator",
    "bob": "administrator",
    "max": "manager",
    "lee": "accounting",
    "vic": "surveillance",
    "dan": "dealer",
    "sue": "supervisor",
}


def person(login: str, *roles: str, first: bool = True, active: bool = True, name: str = "") -> SetPerson:
    return SetPerson(login=login, name=name or login.capitalize(), roles=roles, active=active, first=first)


@pytest.fixture
def at(quick_path: Path) -> Iterator[CardRoom]:
    """A room in operation: its jackpots are open."""
    with card_room(quick_path / "room") as found:
        for login, role in PEOPLE.items():
            found.room.access.set_person(person(login, role), SYSTEM_ACTOR, id=command())
            found.room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        yield found


def ask(at: CardRoom, value: Command, by: By = ADMINISTRATOR) -> Answer:
    return at.room.do(value, by, id=command())


def give(at: CardRoom, answer: Answer, name: str, role: str) -> Answer:
    number = answer.entries[0].sequence
    return at.room.approvals.give(number, name=name, roles=frozenset({role}), id=command())


def refusal(at: CardRoom, answer: Answer, name: str, role: str) -> str:
    with pytest.raises(RefusedError) as error:
        give(at, answer, name, role)
    return "; ".join(error.value.problems)


@pytest.mark.parametrize(
    "value",
    [
        person("eve", "manager"),
        person("eve", "dealer"),
        person("dan", "supervisor", first=False),
        person("lee", "auditor", first=False),
        person("ada", "auditor", first=False),
    ],
    ids=lambda value: f"{value.login}-{value.roles[0]}",
)
def test_g_68_a_role_that_handles_money_and_ones_own_are_given_by_two(at: CardRoom, value: SetPerson) -> None:
    """Seen: one administrator made a manager and an accountant, and raised a progressive by $50,000."""
    before = at.room.access.people.people.get(value.login)
    answer = at.room.access.set_person(value, ADMINISTRATOR, id=command())

    assert is_waiting(answer)
    assert before == at.room.access.people.people.get(value.login)
    assert "administrator" not in at.room.approvals.waiting[answer.entries[0].sequence].approvers
    assert "asked for it" in refusal(at, answer, "ADA", "manager")
    give(at, answer, "Max", "manager")
    assert at.room.access.people.people[value.login].roles == value.roles


def test_g_68_who_it_is_about_does_not_approve_it(at: CardRoom) -> None:
    answer = ask(at, person("max", "manager", "accounting", first=False))
    assert "it is about Max" in refusal(at, answer, "Max", "manager")
    give(at, answer, "Lee", "accounting")


def test_g_68_an_auditor_or_a_second_administrator_needs_no_second_person(at: CardRoom) -> None:
    for value in (person("una", "auditor"), person("kim", "administrator"), person("dan", "dealer", first=False)):
        assert not is_waiting(ask(at, value))


def test_g_68_who_leaves_is_off_the_list_at_once_and_their_password_is_gone(at: CardRoom) -> None:
    at.room.access.set_person(person("max", "manager", first=False, active=False), ADMINISTRATOR, id=command())
    assert not at.room.access.people.people["max"].active
    assert at.room.vault.secret("max", "password") is None
    assert is_waiting(ask(at, person("max", "manager", first=False))), "coming back is giving the role again"


def test_g_68_the_last_who_could_approve_is_not_taken_off_the_list(at: CardRoom) -> None:
    for login in ("max", "vic"):
        ask(at, person(login, PEOPLE[login], first=False, active=False))
    with pytest.raises(RefusedError, match="last one who could approve"):
        ask(at, person("lee", "accounting", first=False, active=False))


def test_g_68_an_administrator_has_no_role_that_handles_money(at: CardRoom) -> None:
    with pytest.raises(RefusedError, match="no role that handles money"):
        ask(at, person("eve", "administrator", "manager"))


def test_g_68_a_link_for_somebody_with_a_password_is_allowed_by_two_and_once(at: CardRoom) -> None:
    """Seen: an administrator made a link for the manager, and was the manager."""
    access = at.room.access
    with pytest.raises(RefusedError, match="needs an approver"):
        access.make_link("max", "password", ADMINISTRATOR)
    assert access.link_waits("max")
    answer = ask(at, AllowLink(login="max", words="forgot it"))
    assert is_waiting(answer)
    assert "it is about Max" in refusal(at, answer, "Max", "manager")
    give(at, answer, "Lee", "accounting")
    assert access.make_link("max", "password", ADMINISTRATOR)
    with pytest.raises(RefusedError, match="needs an approver"):
        access.make_link("max", "password", ADMINISTRATOR)
    assert "Ada" == access.people.links["max"][-1].by
    assert access.sign_in("max", PASSWORD, address="192.0.2.1").has_new_link
    assert not access.sign_in("max", PASSWORD, address="192.0.2.1").has_new_link


def test_g_68_a_link_for_who_has_no_password_is_made_by_one(at: CardRoom) -> None:
    answer = ask(at, person("eve", "manager"))
    give(at, answer, "Max", "manager")
    assert at.room.access.make_link("eve", "password", ADMINISTRATOR)


def test_g_68_whom_somebody_brought_in_does_not_approve_for_them_for_a_day(at: CardRoom) -> None:
    answer = ask(at, person("eve", "accounting"))
    give(at, answer, "Max", "manager")
    raising = AdjustFund(name="final-four", units=units_of(50_000_00), words="found")
    for asked, second in ((raising, "Eve"), (person("ulf", "manager"), "Eve")):
        waiting = ask(at, asked, MANAGER if isinstance(asked, AdjustFund) else ADMINISTRATOR)
        assert "less than 24 hours ago" in refusal(at, waiting, second, "accounting")
    with pytest.raises(RefusedError, match="24 hours"):
        at.room.do(raising, By("Max", "manager", By("Eve", "accounting")), id=command())
    give(at, ask(at, AdjustFund(name="final-four", units=100, words="found"), MANAGER), "Lee", "accounting")


def test_g_68_what_another_does_later_frees_nobody_who_brought_somebody_in(at: CardRoom) -> None:
    """Seen: once the link was made, the manager who had approved a newcomer raised a meter with them at once."""
    access, raising = at.room.access, AdjustFund(name="final-four", units=units_of(50_000_00), words="found")
    give(at, ask(at, person("eve", "accounting")), "Max", "manager")
    assert access.make_link("eve", "password", ADMINISTRATOR)
    ask(at, person("eve", "accounting", first=False), By("Bob", "administrator"))
    assert "Max brought Eve in" in "; ".join(at.room.verify(raising, By("Max", "manager", By("Eve", "accounting"))))
    assert "Ada brought Eve in" in refusal(at, ask(at, person("ulf", "manager")), "Eve", "accounting")
    assert () == at.room.verify(raising, By("Ned", "manager", By("Eve", "accounting")))


def test_g_68_until_a_table_or_jackpot_opens_an_administrator_sets_people_up_alone(quick_path: Path) -> None:
    create_store(quick_path / "room")
    with Room(quick_path / "room", hashing=cheap()) as found:
        access = found.access
        for login in ("max", "lee"):
            assert not is_waiting(access.set_person(person(login, PEOPLE[login]), ADMINISTRATOR, id=command()))
            access.set_password(login, PASSWORD, SYSTEM_ACTOR)
            assert access.make_link(login, "password", ADMINISTRATOR)
        assert {} == access.people.introduced


@pytest.mark.parametrize("other", ["max", "MAX", "\uff2d\uff41\uff58", "\u041c\u0430\u0445", " Max "])
def test_g_68_names_are_compared_by_nfkc_and_as_they_look(other: str) -> None:
    """Seen: a name in other letters passed for a second person."""
    assert is_same_person("Max", other)


def test_g_68_a_name_has_letters_of_one_script(at: CardRoom) -> None:
    with pytest.raises(RefusedError, match="several scripts"):
        ask(at, person("eve", "auditor", name="Ev\u0435 Stone"))
    with pytest.raises(RefusedError, match="is taken"):
        ask(at, person("eve", "auditor", name="\u041c\u0430\u0445"))


AT_4, AT_6 = By("Sue", "supervisor", console="4"), By("Sue", "supervisor", console="6")


def test_g_49_a_pin_reaches_its_own_table_and_no_jackpot_that_is_played_elsewhere(at: CardRoom) -> None:
    """Seen: a supervisor's PIN at table 6 closed a jackpot of tables 4 and 5, and cleared alarms anywhere."""
    close = CloseJackpot(name="final-four", words="a pause")
    for by, value in (
        (AT_6, close),
        (AT_4, close),
        (AT_4, SuspendTable(table="6", words="dark")),
        (AT_6, OpenJackpot(name="aces", words="go on")),
    ):
        assert "G-49" in "; ".join(at.room.verify(value, by)), value
        with pytest.raises(RefusedError, match="its own console"):
            at.room.do(value, by, id=command())
    at.room.do(CloseJackpot(name="quads", words="a pause"), AT_6, id=command())


def test_g_49_a_hit_of_another_table_is_not_verified_by_pin(at: CardRoom) -> None:
    at.press("4", final_four=[1, 2])
    hit = at.call("final-four", "4", 1, "4-card diamond Royal")
    verify = VerifyHit(hit=hit, cards={1: "As Ks Qs"}, lights=(1,))
    assert "about table 4" in "; ".join(at.room.verify(verify, AT_6))
    assert "G-49" not in "; ".join(at.room.verify(verify, AT_4))


def test_g_49_what_a_pin_may_do_is_declared_with_the_command(at: CardRoom) -> None:
    """Papers, payments, counts of chips, disputes and people need a sign-in."""
    declared = {cls.spec.name for cls in COMMANDS if cls.spec.pin}
    assert all({"dealer", "supervisor"} & set(BY_NAME[name].spec.roles) for name in declared)
    assert set() == declared & {"hits/pay", "hits/document", "hits/print", "desk/collect", "floor/dispute"}
    raised = RaiseException(key="chips", words="missing", people=())
    assert "a PIN is not enough" in "; ".join(at.room.verify(raised, AT_4))


def test_g_49_a_pin_approves_what_is_about_its_own_table_alone(at: CardRoom) -> None:
    opening = OpenJackpot(name="final-four", words="go on")
    second = By("Sue", "supervisor", console="4")
    assert "about table 5" in "; ".join(at.room.verify(opening, By("Max", "manager", second)))
    assert "G-49" not in "; ".join(at.room.verify(opening, By("Max", "manager", By("Sue", "supervisor"))))


def test_g_49_a_pin_declines_what_it_could_approve_and_nothing_else(at: CardRoom) -> None:
    """Seen: with four digits at one table somebody declined, or withdrew, requests about others and about money."""
    at.press("4", final_four=[1, 2])
    reject = RejectHit(hit=at.call("final-four", "4", 1, "4-card diamond Royal"), words="a card short")
    raising = AdjustFund(name="final-four", units=100, words="found")
    decline, supervisor = at.room.approvals.refuse, By("Sue", "supervisor")
    first, second, money = (
        ask(at, *each).entries[0].sequence for each in ((reject, supervisor),) * 2 + ((raising, MANAGER),)
    )
    how = {"name": "Max", "roles": frozenset({"manager"}), "words": "no"}
    for number, console in ((first, "6"), (money, "4")):
        with pytest.raises(RefusedError, match="G-49"):
            decline(number, **how, id=command(), console=console)  # type: ignore[arg-type]
    decline(first, **how, id=command(), console="4")  # type: ignore[arg-type]
    decline(money, **how, id=command())  # type: ignore[arg-type]
    assert [second] == list(at.room.approvals.waiting)


@pytest.mark.parametrize("name", ["lee", "LEE", "\uff2c\uff45\uff45"])
def test_m_07_whom_an_exception_is_about_does_not_look_into_it_however_they_are_named(at: CardRoom, name: str) -> None:
    """Seen: an exception about "lee" was taken and resolved by Lee."""
    raised = RaiseException(key="till", words="a difference", people=(name,))
    number = at.room.do(raised, MANAGER, id=command()).entries[0].sequence
    assert "is about Lee" in "; ".join(at.room.verify(TakeException(number=number), ACCOUNTING))


def test_g_31_shifts_of_a_room_in_operation_change_by_two(at: CardRoom) -> None:
    """Seen: one administrator moved the gaming day of a room at play."""
    calendar = at.room.state.of(ROOM)
    assert calendar is not None
    draft = SettingsDraft.of(calendar.history[-1][1])
    moved = replace(draft, shifts=(ShiftDraft(name="early", begins="05:00"),))
    answer = ask(at, SetRoom(settings=moved, since=datetime.date(2030, 1, 5)))
    assert is_waiting(answer)
    assert "Shifts" in [change.label for change in description_of(at.room.state, waiting_of(at, answer)).changes]
    give(at, answer, "Lee", "accounting")


def waiting_of(at: CardRoom, answer: Answer) -> Pending:
    return at.room.approvals.waiting[answer.entries[0].sequence]


@pytest.mark.parametrize("name", ["Nobody at all", "dan", "LEE", "\uff2c\uff45\uff45"])
def test_g_45_who_counted_with_one_works_here_and_confirms(at: CardRoom, name: str) -> None:
    """Seen: counted with "Nobody at all", a dealer, or oneself in other letters."""
    calendar = at.room.state.of(ROOM)
    assert calendar is not None
    shift = calendar.shift(EPOCH + datetime.timedelta(microseconds=at.room.clock()))
    count = CollectChips(day=shift.day, shift=shift.name, table="4", cents=100, counted_with=name)
    assert "G-45" in "; ".join(at.room.verify(count, ACCOUNTING))
    assert () == at.room.verify(replace(count, counted_with="max"), ACCOUNTING)


def test_g_69_a_request_ends_with_its_asker_its_role_and_its_shift(at: CardRoom) -> None:
    """Seen: what somebody had asked for in another shift, who had left since, was approved and done."""
    raising = AdjustFund(name="final-four", units=100, words="found")
    gone, changed, late = (ask(at, raising, By(name, role)) for name, role in REQUESTS)
    at.room.access.set_person(person("max", "manager", first=False, active=False), ADMINISTRATOR, id=command())
    at.room.access.set_person(person("lee", "dealer", first=False), SYSTEM_ACTOR, id=command())
    assert "Max no longer works here" in refusal(at, gone, "Vic", "manager")
    assert "Lee is no longer accounting" in refusal(at, changed, "Vic", "manager")
    pending = waiting_of(at, late)
    assert "" == ended_because(at.room.state, pending, pending.asked)
    assert "shift is over" in ended_because(at.room.state, pending, pending.asked + 24 * 3_600_000_000)
    at.room.approvals.end_over(id=command())
    assert [pending.number] == list(at.room.approvals.waiting)
    assert {"Max no longer works here.", "Lee is no longer accounting."} == {
        json.loads(entry.payload)["words"] for entry in at.books.store.entries(BOOK) if entry.kind == "approval-refused"
    }


REQUESTS = (("Max", "manager"), ("Lee", "accounting"), ("Ned", "manager"))


def test_g_69_so_many_requests_of_one_person_wait(at: CardRoom) -> None:
    raising = AdjustFund(name="final-four", units=100, words="found")
    for _ in range(20):
        ask(at, raising, MANAGER)
    with pytest.raises(RefusedError, match="Max has 20 requests waiting"):
        ask(at, raising, MANAGER)
    ask(at, raising, ACCOUNTING)
