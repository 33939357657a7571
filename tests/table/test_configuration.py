"""A table's configuration: every problem at once with key, line and clause; canonical text, hash and differences."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.games import all_games, find_game
from pitboss.rules import Game
from pitboss.table import default_configuration, differences, read_configuration
from pitboss.table.reading import line_of
from tests.examples import examples
from tests.table.playing import DAY, table_of

TCP = """\
game = "three-card-prime"
on = 2024-01-15
seats = 6
smallest_chip = "0.50"
equipment = "andromeda-3"

[readings]
play_when_not_qualified = "compare"

[wagers.ante-play]
paytables = ["PW/BB-1"]
minimum = "5"
maximum = "300.00"

[wagers.prime]
paytables = [{ id = "PRW-2", pays = { "Same Color Player and Dealer Hands" = "5", "Same Color Player Hand" = "3", others = "Loss" } }]
minimum = "1.00"
maximum = "25.00"

[jackpots]
type = "progressive"

[jackpots.final-four]
paytables = ["F4P-1"]
meter = "12,345.67"
"""


def messages(text: str) -> list[str]:
    return [str(problem) for problem in read_configuration(text).problems]


def changed(old: str, new: str) -> list[str]:
    """The problems after one change of the good configuration."""
    assert old in TCP
    return messages(TCP.replace(old, new))


def test_a_good_configuration_has_no_problems_and_says_what_differs() -> None:
    read = read_configuration(TCP)
    assert () == read.problems
    assert read.configuration is not None
    assert 1_234_567 == read.configuration.meters["final-four"]
    assert "seats = 6" in differences(read.configuration)
    assert 'readings.play_when_not_qualified = "compare"' in differences(read.configuration)
    assert "wagers.all-six: not offered" in differences(read.configuration)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("profile", ["wa-commercial", "wa-tribal"])
def test_every_default_table_may_open_and_differs_in_nothing(game: Game, profile: str) -> None:
    configuration = default_configuration(game, DAY, profile)
    assert () == differences(configuration)
    assert () == read_configuration(configuration.canonical).problems


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@given(seed=st.integers(min_value=0, max_value=2**32))
@examples(15)
def test_canonical_text_and_reading_are_inverse(game: Game, seed: int) -> None:
    rng = Random(seed)
    table = default_configuration(game, DAY + datetime.timedelta(days=rng.randint(0, 900)))
    configuration = replace(
        table,
        seats=rng.randint(1, table.seats),
        dealt=rng.choice(("shuffler", "shoe")),
        decks=rng.choice(game.decks_allowed) if game.decks_allowed else None,
        jackpot_type=rng.choice(("progressive", "bonus")),
        bonus_sharing="full",
        readings={switch.name: rng.choice(list(switch.readings)) for switch in game.switches},
        wagers={
            name: replace(wager, maximum_cents=wager.minimum_cents * rng.randint(1, 5))
            for name, wager in table.wagers.items()
        },
        jackpots={
            name: replace(jackpot, meter_cents=rng.randint(1, 10**8)) for name, jackpot in table.jackpots.items()
        },
    )
    again = read_configuration(configuration.canonical).configuration
    assert configuration == again
    assert again is not None
    assert configuration.content_hash == again.content_hash
    assert configuration.canonical == again.canonical


def test_equal_configurations_have_one_hash_and_different_ones_another() -> None:
    table = table_of("three-card-prime")
    assert table == default_configuration(find_game("three-card-prime"), DAY)
    assert hash(table) == hash(replace(table))
    assert table.content_hash != replace(table, seats=5).content_hash
    assert table.terms.content_hash == replace(table, seats=5).terms.content_hash


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('game = "three-card-prime"', 'game = "poker"', "line 1: game: unknown game 'poker'"),
        ("on = 2024-01-15", 'on = "2024"', "line 2: on: '2024' must be a date"),
        ("on = 2024-01-15\n", "", "on: is missing"),
        ("on = 2024-01-15", "on = 2015-09-24", "line 2: on: 2015-09-24: Three Card Prime was approved on 2015-09-25"),
        ("on = 2024-01-15", "on = 1999-01-01", "not on file"),
        ("seats = 6", "seats = 8", "line 3: seats: 8 seats, but at most 7 (G-16)"),
        ("seats = 6", "seats = true", "line 3: seats: True must be a positive whole number"),
        ("seats = 6", 'seats = 6\ndealt = "by-hand"', "line 4: dealt: in a commercial room"),
        ("seats = 6", 'seats = 6\ndealt = "thrown"', "dealt: 'thrown' must be one of shuffler, shoe, by-hand"),
        ("seats = 6", "seats = 6\ncolour = 1", "line 4: colour: unknown key"),
        ("seats = 6", "seats = 6\ndecks = 6", "decks: Three Card Prime is played with one 52-card deck"),
        ('smallest_chip = "0.50"', "smallest_chip = 0.5", "line 4: smallest_chip: 0.5 must be dollars in quotes"),
        ('smallest_chip = "0.50"', 'smallest_chip = "0.005"', "isn't an amount of money"),
        (
            'smallest_chip = "0.50"',
            'smallest_chip = "2.00"',
            "line 12: wagers.ante-play.minimum: $5.00 cannot be wagered",
        ),
        (
            'maximum = "300.00"',
            'maximum = "400.50"',
            "line 13: wagers.ante-play.maximum: $400.50 is over the single wager",
        ),
        ('minimum = "5"', 'minimum = "301"', "not above the maximum"),
        ('minimum = "5"\n', "", "wagers.ante-play.minimum: is missing"),
        ('"PW/BB-1"', '"PW/BB-9"', "line 11: wagers.ante-play.paytables: 'PW/BB-9' is no pay table"),
        ('"PW/BB-1"', '"PW/BB-1", "PW/BB-3"', "PW/BB-1 and PW/BB-3 cannot both be in force"),
        ('"PW/BB-1"', "", "no pay table for Ante and Play: state one of PW/BB-1"),
        ('others = "Loss"', 'others = "9"', "pays less than the row under it"),
        (', others = "Loss"', "", "line 16: wagers.prime.paytables.PRW-2: PRW-2 leaves to the operator"),
        (
            '"compare"',
            '"maybe"',
            "line 8: readings.play_when_not_qualified: 'maybe' must be one of pay, compare (TCP Appendix A note 4; TCP-3)",
        ),
        ("play_when_not_qualified", "foo", "readings.foo: Three Card Prime has no such switch"),
        ("[wagers.prime]", "[wagers.poker]", "line 15: wagers.poker: Three Card Prime has no such wager"),
        ("[wagers.prime]", "[wagers.final-four]", "wagers.final-four: Three Card Prime has no such wager"),
        ("[jackpots.final-four]", "[jackpots.prime]", "jackpots.prime: Three Card Prime has no such jackpot"),
        ('meter = "12,345.67"', "", "line 23: jackpots.final-four.meter: F4P-1 pays a percentage of the meter"),
        (
            'meter = "12,345.67"',
            'meter = "9"\nwager = "2"',
            "the jackpot wager of Three Card Prime is one dollar only (G-7)",
        ),
        ('type = "progressive"', 'type = "lucky"', "jackpots.type: 'lucky' must be one of progressive, bonus"),
        ('"andromeda-3"', '"andromeda-6"', "'andromeda-6' is not approved for Three Card Prime"),
        ('"andromeda-3"', '"milky-way"', "Milky Way can't run a progressive: its display doesn't move with each wager"),
    ],
)
def test_a_problem_has_its_key_its_line_and_what_is_wrong(old: str, new: str, words: str) -> None:
    found = changed(old, new)
    assert any(words in message for message in found), found


def test_all_problems_come_at_once() -> None:
    text = TCP.replace("seats = 6", "seats = 60").replace('"300.00"', '"900"').replace('"F4P-1"', '"F4P-7"')
    found = messages(text)
    assert 3 == len(found)


def test_g_13_one_jackpot_at_a_time_in_three_card_prime() -> None:
    found = messages(TCP + '[jackpots.all-seven]\npaytables = ["A7P-1"]\nmeter = "5"\n')
    assert ["line 20: jackpots: 2 jackpots, but Three Card Prime allows 1 at a time (REGULATION J-25; G-13)"] == found


def test_g_13_milky_way_runs_bonus_jackpots() -> None:
    assert [] == messages(TCP.replace('"andromeda-3"', '"milky-way"').replace('"progressive"', '"bonus"'))


def test_g_13_one_sensor_cannot_count_two_jackpots() -> None:
    table = replace(table_of("four-card-prime"), equipment="milky-way", jackpot_type="bonus")
    assert any("one sensor a position" in message for message in messages(table.canonical))


def test_g_15_what_rests_on_papers_we_do_not_hold_is_allowed_and_marked() -> None:
    read = read_configuration(TCP.replace('"andromeda-3"', '"andromeda-5a"'))
    assert () == read.problems
    assert ["line 5: equipment: Andromeda-5a is approved under rules not on file: must be confirmed (G-15)"] == [
        str(notice) for notice in read.notices
    ]
    for name, marked in (
        ("four-card-prime", 1),
        ("three-card-double-play", 1),
        ("deuces-wild", 1),
        ("super-three-card", 0),
    ):
        notices = read_configuration(table_of(name).canonical).notices
        assert marked == len(notices)
        assert all(notice.ruling == "G-15" for notice in notices)


def test_tcp_4_a_table_with_pw_bb_2_or_4_states_the_reading_outright() -> None:
    for table_id in ("PW/BB-2", "PW/BB-4"):
        found = changed('"PW/BB-1"', f'"{table_id}"')
        assert any("state the reading outright" in message and "TCP-4" in message for message in found)
        stated = TCP.replace('"PW/BB-1"', f'"{table_id}"').replace(
            "[readings]", '[readings]\nbad_beat_flush_or_lower = "loses"'
        )
        assert [] == messages(stated)


def test_dw_6_dealer_takes_best_opens_only_with_a_cap_on_fortune() -> None:
    table = replace(table_of("deuces-wild"), readings={"fortune_after_raise": "dealer_takes_best"})
    assert any("base_multiple_max" in message and "DW-6" in message for message in messages(table.canonical))
    capped = replace(table.wagers["five-card-fortune"], base_multiple_max=1)
    assert [] == messages(replace(table, wagers={**table.wagers, "five-card-fortune": capped}).canonical)


def test_fcp_6_fcj_3_is_for_a_bonus_jackpot_only() -> None:
    table = table_of("four-card-prime")
    pays = {"Four Aces": "100%", "Quads": "$300", "Straight Flush": "$100", "Trips": "$9"}
    envy = {"Four Aces": "$100", "Quads": "$10", "Straight Flush": "$5"}
    stated = ({"id": "FCJ-3", "pays": pays, "envy": envy},)
    jackpot = replace(table.jackpots["four-card-jackpot"], paytables=stated)
    progressive = replace(table, jackpots={"four-card-jackpot": jackpot})
    assert any("FCP-6" in message for message in messages(progressive.canonical))
    assert [] == messages(replace(progressive, jackpot_type="bonus").canonical)


def test_g_5_fixed_prizes_may_be_deducted_except_in_super_three_card() -> None:
    assert [] == messages(TCP + 'fixed_prizes = "meter"\n')
    table = table_of("super-three-card")
    jackpots = {name: replace(jackpot, fixed_prizes="meter") for name, jackpot in table.jackpots.items()}
    found = messages(replace(table, jackpots=jackpots).canonical)
    assert all("G-5" in message for message in found)
    assert 2 == len(found)


def test_g_14_the_table_maximum_times_the_raise_stays_within_the_limit() -> None:
    for name, wager, most in (("deuces-wild", "ante-play-raise", 20_000), ("four-card-prime", "ante-raise", 13_300)):
        table = table_of(name)
        assert most == table.wagers[wager].maximum_cents
        over = replace(table.wagers[wager], maximum_cents=most + 100)
        found = messages(replace(table, wagers={**table.wagers, wager: over}).canonical)
        assert any("G-14" in message for message in found)


def test_g_14_tribal_limits_are_configured_not_legislated() -> None:
    text = TCP.replace('maximum = "300.00"', 'maximum = "5000.00"').replace(
        "seats = 6", 'seats = 6\nprofile = "wa-tribal"'
    )
    assert [] == messages(text)


def test_g_19_the_base_wager_must_be_offered() -> None:
    table = table_of("super-three-card")
    without = {name: wager for name, wager in table.wagers.items() if name != "ante-odds-play"}
    assert any("G-19" in message for message in messages(replace(table, wagers=without).canonical))
    deuces = table_of("deuces-wild")
    alone = {"five-card-fortune": deuces.wagers["five-card-fortune"]}
    assert [] == messages(replace(deuces, wagers=alone, jackpots={}).canonical)


def test_g_4_bonus_prizes_are_shared_or_full_by_date_profile_and_game() -> None:
    prime, three = find_game("three-card-prime"), find_game("super-three-card")
    commercial = default_configuration(prime, DAY)
    assert "full" == commercial.bonus_sharing
    assert "split" == default_configuration(prime, datetime.date(2021, 6, 13)).bonus_sharing
    assert "full" == default_configuration(prime, datetime.date(2021, 6, 14)).bonus_sharing
    assert "split" == default_configuration(prime, DAY, "wa-tribal").bonus_sharing
    assert "full" == default_configuration(three, DAY).bonus_sharing
    assert "split" == default_configuration(three, DAY, "wa-tribal").bonus_sharing


def test_what_is_not_toml_is_said_with_its_place() -> None:
    assert ["configuration: not TOML: Expected '=' after a key in a key/value pair (at line 2, column 5)"] == messages(
        'game = "x"\nfoo bar\n'
    )


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3)
    )
)
@examples(40)
def test_arbitrary_values_anywhere_are_refused_not_crashed_on(value: object) -> None:
    if value is None:
        return
    text = json.dumps(value)
    for line in TCP.splitlines():
        key, equals, _ = line.partition(" = ")
        if equals:
            read_configuration(TCP.replace(line, f"{key} = {text}"))


def test_lines_are_found_in_every_way_toml_writes_a_key() -> None:
    text = '# note\na = 1\n[b]\n"c d" = 2\ne.f = 3\n[g."h i"]\nj = { k = 1 }\n'
    assert [2, 3, 4, 5, 6, 7, 7] == [
        line_of(text, path)
        for path in (
            ("a",),
            ("b",),
            ("b", "c d"),
            ("b", "e", "f"),
            ("g", "h i"),
            ("g", "h i", "j"),
            ("g", "h i", "j", "k"),
        )
    ]
    assert line_of(text, ("z",)) is None


def test_g_4_a_configuration_that_divides_a_bonus_is_refused_in_commercial_rooms_from_2021_06_14() -> None:
    three = find_game("super-three-card")
    for day, profile, rulings in (
        ("2021-06-13", "wa-commercial", []),
        ("2021-06-14", "wa-commercial", ["G-4"]),
        ("2026-11-15", "wa-tribal", []),
    ):
        table = default_configuration(three, datetime.date.fromisoformat(day), profile)
        split = replace(table, jackpot_type="bonus", bonus_sharing="split")
        assert rulings == [problem.ruling for problem in read_configuration(split.canonical).problems]


def test_g_26_equipment_and_a_second_jackpot_have_the_days_of_their_letters() -> None:
    prime = find_game("four-card-prime")
    for day, jackpots in (("2021-01-27", 1), ("2021-01-28", 2)):
        assert jackpots == len(default_configuration(prime, datetime.date.fromisoformat(day)).jackpots)
    both = replace(default_configuration(prime, datetime.date(2021, 1, 28)), on=datetime.date(2021, 1, 27))
    assert ["G-26"] == [problem.ruling for problem in read_configuration(both.canonical).problems]
    for day, rulings in (("2017-08-29", ["G-26"]), ("2017-08-30", [])):
        table = replace(default_configuration(prime, datetime.date.fromisoformat(day)), equipment="andromeda-5a")
        assert rulings == [problem.ruling for problem in read_configuration(table.canonical).problems]


def test_g_22_a_zero_in_a_to_1_cell_is_refused() -> None:
    prime = default_configuration(find_game("three-card-prime"), DAY)
    pays = {"Same Color Player and Dealer Hands": "4", "Same Color Player Hand": "3", "others": "0"}
    wagers = {**prime.wagers, "prime": replace(prime.wagers["prime"], paytables=({"id": "PRW-2", "pays": pays},))}
    (problem,) = read_configuration(replace(prime, wagers=wagers).canonical).problems
    assert ("G-22", True) == (problem.ruling, "say Push or Loss" in str(problem))
