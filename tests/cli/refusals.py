"""What `pitboss settle` must refuse, as people mistype it, and what its one message must say."""

from __future__ import annotations

from tests.cli.running import Refusal

_TCP = "three-card-prime --dealer 'Qd 9h 4c' --paytable PW/BB-1"
_TCP_SEAT = "--seat 'As Ks Qs 2d | ante-play=10 | play'"
_DW = "deuces-wild --community 'Kh Qd 7c 3s' --paytable APR-A --paytable FCF-A --paytable TCT-A"
_STC = "super-three-card --paytable PT-FLT-STC-01"
_FCP = "four-card-prime --dealer 'Kd Jc 7s 6h 3c 2h' --paytable Win-1 --paytable BB-1"
_TDP = "three-card-double-play --dealer 'Kd Jc 8s 6h 2c' --paytable LWB-1"
_SIX = "As Ks Qs 9h 9d 4c"
_FCJ_3_SET = (
    "--paytable FCJ-3 --pays 'FCJ-3:Four Aces=100%' --pays FCJ-3:Quads=$250 --pays 'FCJ-3:Straight Flush=$80' --pays FCJ-3:Trips=$8 "
    "--envy 'FCJ-3:Four Aces=$50' --envy FCJ-3:Quads=$20 --envy 'FCJ-3:Straight Flush=$4'"
)

# Everything forgotten is asked for at once, each with the option that gives it.
MISSING = (
    Refusal(
        why="a game and nothing else",
        typed="three-card-prime",
        says=(
            "seats: must be a list of at least one seat [give it with --seat]",
            "dealer: is missing [give it with --dealer]",
        ),
    ),
    Refusal(
        why="three-card-prime: pay tables, dealer, decision, fourth card, Ante",
        typed="three-card-prime --seat 'As Ks Qs | prime=5 final-four=1'",
        says=(
            "Prime: state one of PRW-1, PRW-2",
            "Final Four Jackpot: state one of F4P-1, F4P-2, F4P-3, F4P-4",
            "[give it with --paytable]",
            "Ante and Play is required for every other wager (TCP rule 1; G-19)",
            "dealer: is missing [give it with --dealer]",
            "seat 1 decisions.play: is missing",
            "3 cards, but the seat is entitled to 4",
        ),
    ),
    Refusal(
        why="deuces-wild: three pay tables, community, selection",
        typed="deuces-wild --seat '9h 9d 2s 9c 4d | ante-play-raise=5 five-card-fortune=5 bonus-jackpot=1 | play raise'",
        says=(
            "APR-A, APR-B",
            "FCF-A, FCF-B",
            "BJ-A, BJ-B",
            "community: is missing [give it with --community]",
            "decisions.fortune: is missing",
        ),
    ),
    Refusal(
        why="super-three-card: decks, dealer, both pay tables",
        typed="super-three-card --seat 'As Ks Qs | ante-odds-play=5 twenty-one-plus-three=1 | play'",
        says=(
            "decks: is missing: expected 6 or 8",
            "[give it with --decks]",
            "PT-FLT-STC-01, PT-FLT-STC-02",
            "PT-BJS-213-01, PT-BJS-213-02",
            "dealer: is missing",
        ),
    ),
    Refusal(
        why="four-card-prime: two tables for the main wager, one for the jackpot, dealer, decision",
        typed="four-card-prime --seat '9h 9d 2s 9c 4d | ante-raise=5 four-card-jackpot=1'",
        says=(
            "state one of Win-1, Win-3 and one of BB-1, BB-2",
            "state one of FCJ-1, FCJ-2, FCJ-3",
            "dealer: is missing",
            "decisions.raise: is missing",
        ),
    ),
    Refusal(
        why="three-card-double-play: both meters",
        typed=f"{_TDP} --seat '{_SIX} | high-low=10 super-3s=1 super-six=1 | high=As+Ks+Qs double=no' --paytable S3J-1 --paytable S6J-1",
        says=(
            "meter of Super-3's Jackpot is missing",
            "meter of Super-Six Jackpot is missing",
            "[give it with --meter]",
        ),
    ),
    Refusal(
        why="G-6: every amount the operator must set, for three tables",
        typed="three-card-double-play --dealer 'Kd Jc 8s 6h 2c' --paytable LWB-7 --paytable S3J-5 --paytable S6J-5 "
        f"--seat '{_SIX} | high-low=10 super-3s=1 super-six=1 | high=As+Ks+Qs double=no'",
        says=(
            "no amount is set: Mini-Royal in Low side, Straight Flush, Trips, Straight, Flush, Pair, High Cards (TDP Appendix A; G-6)",
            "no amount is set: Double Mini-Royal, Mini-Royal with SF",
            "no amount is set: Six-card Straight Flush, Five-card Royal Flush",
        ),
    ),
    Refusal(
        why="G-6: FCJ-3 needs its Envy amounts too",
        typed=f"{_FCP} --seat '9h 9d 9c Ks 4d | ante-raise=10 four-card-jackpot=1 | raise=1' --jackpot-type bonus --meter 100 "
        "--paytable FCJ-3 --pays 'FCJ-3:Four Aces=100%'",
        says=(
            "no amount is set: Quads, Straight Flush, Trips",
            "no Envy amount is set: Four Aces, Quads, Straight Flush",
        ),
    ),
)

MISTYPED = (
    Refusal(why="nothing at all", typed="", says=("name a GAME, or a file with --rounds",), code=2),
    Refusal(
        why="no such game",
        typed="three-card-primes",
        says=("unknown game 'three-card-primes'", "expected one of three-card-prime, deuces-wild"),
        code=2,
    ),
    Refusal(why="no such option", typed=f"{_TCP} --dealers 'As Ks Qs'", says=("No such option: --dealers",), code=2),
    Refusal(why="decks in words", typed=f"{_STC} --decks six", says=("'--decks'",), code=2),
    Refusal(
        why="two wrong cards in two places",
        typed="three-card-prime --dealer 'Qd 9h 4x' --seat 'As Ks Qs 1d | ante-play=10 | play' --paytable PW/BB-1",
        says=(
            "dealer: '4x' is not a card",
            "seat 1 cards: '1d' is not a card",
            "such as As or Td, or * for the joker",
        ),
    ),
    Refusal(
        why="two wagers misspelt",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | antepay=10 prim=5 | play'",
        says=("wagers.antepay: Three Card Prime has no such wager; it has: ante-play, prime", "wagers.prim:"),
    ),
    Refusal(
        why="no equals sign",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play 10 | play'",
        says=("write WAGER=DOLLARS, such as ante-play=10",),
    ),
    Refusal(
        why="half a dime",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10.005 | play'",
        says=("'10.005' isn't an amount of money: enter one like 65 or $65.00",),
    ),
    Refusal(
        why="nothing wagered",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=0 | play'",
        says=("must be a positive whole number",),
    ),
    Refusal(
        why="a decision misspelt: the unknown one is named, and the one that is missing",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 | plays'",
        says=("decisions.plays", "decisions.play: is missing"),
    ),
    Refusal(
        why="a fourth part",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 | play | now'",
        says=("CARDS | WAGERS | DECISIONS",),
    ),
    Refusal(
        why="a seat that is not there",
        typed=f"{_TCP} --seat '9: As Ks Qs 2d | ante-play=10 | play'",
        says=("from 1 to 7 (G-16)",),
    ),
    Refusal(
        why="one seat twice",
        typed=f"{_TCP} --seat '1: As Ks Qs 2d | ante-play=10 | play' --seat '1: Ad Kd 8s 2c | ante-play=10 | play'",
        says=("seat 1 stands twice",),
    ),
    Refusal(
        why="one card twice",
        typed=f"{_TCP} --seat 'As Ks Qs Qd | ante-play=10 | play'",
        says=("cards: Qd: more often than one 52-card deck holds (G-11)",),
    ),
    Refusal(
        why="too few for the dealer",
        typed=f"three-card-prime --dealer 'Qd 9h' --paytable PW/BB-1 {_TCP_SEAT}",
        says=("dealer: 2 cards, expected 3",),
    ),
    Refusal(
        why="no such pay table",
        typed=f"three-card-prime --dealer 'Qd 9h 4c' {_TCP_SEAT} --paytable PW/BB-9",
        says=(
            "'PW/BB-9' is no pay table of Three Card Prime",
            "`pitboss paytables --game three-card-prime` lists them",
        ),
    ),
    Refusal(
        why="two pay tables in one place",
        typed=f"{_TCP} {_TCP_SEAT} --paytable PW/BB-3",
        says=("PW/BB-1 and PW/BB-3 cannot both be in force",),
    ),
    Refusal(
        why="FCP-3: there is no Win-2",
        typed=f"{_FCP} --paytable Win-2",
        says=("'Win-2' is no pay table of Four Card Prime",),
    ),
    Refusal(
        why="amounts for a table not in force",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PRW-1 --pays PRW-2:others=Loss",
        says=("'PRW-2' is not in force: state it with --paytable",),
    ),
    Refusal(
        why="amounts without a row",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PRW-2 --pays PRW-2=5",
        says=("'PRW-2=5' must be ID:EVENT=CELL, such as 'PRW-2:others=Loss'",),
    ),
    Refusal(
        why="a row the table has not",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PRW-2 --pays 'PRW-2:Same Color=5'",
        says=(
            "PRW-2 has no row 'Same Color'",
            "no amount is set: Same Color Player and Dealer Hands, Same Color Player Hand, others",
        ),
    ),
    Refusal(
        why="G-6: an operator's row under the one below it",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PRW-2 --pays PRW-2:others=Loss "
        "--pays 'PRW-2:Same Color Player and Dealer Hands=2' --pays 'PRW-2:Same Color Player Hand=3'",
        says=("(2 to 1) pays less than the row under it", "(3 to 1)", "G-6"),
    ),
    Refusal(
        why="a reading without a value",
        typed=f"{_TCP} {_TCP_SEAT} --reading play_when_not_qualified",
        says=("must be NAME=READING",),
    ),
    Refusal(
        why="no such reading",
        typed=f"{_TCP} {_TCP_SEAT} --reading play_when_not_qualified=maybe",
        says=("'maybe' must be one of pay, compare", "TCP-3"),
    ),
    Refusal(
        why="a meter with a European comma",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 final-four=1 | play' --paytable F4P-1 --meter 1.234,50",
        says=("meters.final-four: '1.234,50' isn't an amount of money",),
    ),
    Refusal(
        why="a meter of no jackpot",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 final-four=1 | play' --paytable F4P-1 --meter final4=1,234.50",
        says=("meters.final4: is no jackpot wager of Three Card Prime", "meter of Final Four Jackpot is missing"),
    ),
    Refusal(
        why="a jackpot type of our own",
        typed=f"{_TCP} {_TCP_SEAT} --jackpot-type house",
        says=("'house' must be one of progressive, bonus",),
    ),
    Refusal(
        why="sharing of our own",
        typed=f"{_TCP} {_TCP_SEAT} --bonus-sharing half",
        says=("'half' must be one of full, split",),
    ),
    Refusal(
        why="an American date",
        typed=f"{_TCP} {_TCP_SEAT} --on 01/31/2024 --profile wa-commercial",
        says=("'01/31/2024' must be a date, such as 2024-01-31",),
    ),
)

AGAINST_THE_RULES = (
    Refusal(
        why="G-12: five wagers",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 prime=5 pair-bonus=5 all-six=5 final-four=1 | play' --paytable PRW-1 "
        "--paytable PB-1 --paytable A6-1 --paytable F4P-1",
        says=(
            "5 wagers, but at most 4 of the options",
            "G-12",
            "PB/LD-1, PB/LD-2",
            "meter of Final Four Jackpot is missing",
        ),
    ),
    Refusal(
        why="G-13: two jackpots where one is allowed",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 final-four=1 all-seven=1 | play' --paytable F4P-1 --paytable A7P-1 "
        "--meter final-four=1000 --meter all-seven=1000",
        says=("Three Card Prime allows 1 jackpot at a time (G-13)",),
    ),
    Refusal(
        why="G-7: a two-dollar jackpot wager",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 final-four=2 | play' --paytable F4P-1 --meter 1,234.50",
        says=("the jackpot wager is $1.00, not $2.00", "G-7"),
    ),
    Refusal(
        why="G-14: over the limit of the day",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=500 | play' --on 2024-01-01 --profile wa-commercial",
        says=("$500.00: the largest single wager is $400.00 from 2023-08-20", "G-14"),
    ),
    Refusal(
        why="G-14: three times $101 is over the limit, though the hand was folded",
        typed=f"{_FCP} --seat '9h 9d 9c Ks 4d | ante-raise=101 | fold' --on 2022-01-01 --profile wa-commercial",
        says=("up to 3 times that on one spot", "$300.00 from 2009-01-01"),
    ),
    Refusal(
        why="G-12: of four wagers none is $5 or less",
        typed=f"{_DW} --seat '9h 9d 2s 4c 5c | ante-play-raise=6 three-card-treasure=6 five-card-fortune=6 bonus-jackpot=6 | "
        "play raise fortune=2s' --paytable BJ-A --meter 100 --jackpot-wager 6 --on 2024-01-01 --profile wa-commercial",
        says=("of four wagers at least one must be $5.00 or less", "DW footnote 3"),
    ),
    Refusal(
        why="DW-6: two cards selected that are not wild",
        typed=f"{_DW} --seat '9h 9d 2s 9c 4d | ante-play-raise=5 five-card-fortune=5 | play raise fortune=9h+9d'",
        says=("two or more cards may be selected only if all of them are wild", "DW-6"),
    ),
    Refusal(
        why="DW-6: the fifth card was not held when selecting",
        typed=f"{_DW} --seat '9h 9d 2s 9c 4d | ante-play-raise=5 five-card-fortune=5 | play raise fortune=4d'",
        says=("4d not among the 4 cards held when selecting",),
    ),
    Refusal(
        why="DW-6: where the dealer takes the best, nothing is selected",
        typed=f"{_DW} --seat '9h 9d 2s 9c 4d | ante-play-raise=5 five-card-fortune=5 | play raise fortune=2s' "
        "--reading fortune_after_raise=dealer_takes_best",
        says=("decisions.fortune", "no such decision to make"),
    ),
    Refusal(
        why="G-19: no decision without an Ante",
        typed=f"{_DW} --seat '9h 9d 2s | three-card-treasure=5 | play'",
        says=("decisions.play", "no such decision to make"),
    ),
    Refusal(
        why="G-16: Deuces Wild has six seats",
        typed=f"{_DW} --seat '7: 9h 9d 2s | three-card-treasure=5'",
        says=("from 1 to 6 (G-16)",),
    ),
    Refusal(
        why="G-6: dollars above a percentage in table D of a progressive",
        typed="deuces-wild --community 'Kh Qd 7c 3s' --seat '9h 9d 2s 9c 4d | bonus-jackpot=1' --paytable BJ-D --meter 100 "
        "--pays 'BJ-D:4 Wild Cards=$10' --pays 'BJ-D:3 Wild Cards=1%' --pays 'BJ-D:2 Wild Cards=1%'",
        says=("'4 Wild Cards' ($10) pays less than the row under it, '3 Wild Cards' (1% of the meter)",),
    ),
    Refusal(
        why="STC-1: seven identical aces out of six decks",
        typed=f"{_STC} --decks 6 --dealer 'Ah Ah Ah' --seat 'Ah Ah Ah | ante-odds-play=5 | play' --seat 'Ah 3c 4c | ante-odds-play=5 | play'",
        says=("Ah: more often than six 52-card decks", "G-11"),
    ),
    Refusal(
        why="seven decks",
        typed=f"{_STC} --decks 7 --dealer 'Qs 5c 2c' --seat 'As Ks 9d | ante-odds-play=5 | play'",
        says=("7 is not allowed: expected 6 or 8",),
    ),
    Refusal(
        why="STC-3: a surrendered hand gets no third card",
        typed=f"{_STC} --decks 6 --dealer Qs --seat 'As Ks 9d | ante-odds-play=5 | surrender'",
        says=("3 cards, but the seat is entitled to 2",),
    ),
    Refusal(
        why="FCP-2: a Raise of four Antes",
        typed=f"{_FCP} --seat '9h 9d 9c Ks 4d | ante-raise=10 | raise=4'",
        says=("4 must be 0, 1, 2 or 3", "FCP-2"),
    ),
    Refusal(
        why="FCP-6: FCJ-3 in a progressive",
        typed=f"{_FCP} --seat '9h 9d 9c Ks 4d | ante-raise=10 four-card-jackpot=1 | raise=1' --meter 100 {_FCJ_3_SET}",
        says=("FCJ-3 is for a Bonus jackpot only", "FCP-6"),
    ),
    Refusal(
        why="G-6: Envy that FCJ-1 prints",
        typed=f"{_FCP} --seat '9h 9d 9c Ks 4d | ante-raise=10 four-card-jackpot=1 | raise=1' --meter 100 --paytable FCJ-1 "
        "--envy FCJ-1:Quads=$50",
        says=("FCJ-1 does not leave the Envy of this row to the operator",),
    ),
    Refusal(
        why="TDP-6: the Low Hand above the High Hand",
        typed=f"{_TDP} --seat '{_SIX} | high-low=10 | high=9h+9d+4c double=no'",
        says=("the Low Hand ranks above the High Hand: turn them round", "TDP-6"),
    ),
    Refusal(
        why="TDP: two cards, and a card of the dealer's, in the High Hand",
        typed=f"{_TDP} --seat '{_SIX} | high-low=10 | high=As+Ks+Kd double=no'",
        says=("Kd not among the player's cards",),
    ),
    Refusal(
        why="TDP: the same card twice in the High Hand",
        typed=f"{_TDP} --seat '{_SIX} | high-low=10 | high=As+Ks+Ks double=no'",
        says=("three different cards of the six",),
    ),
)

# Reported to the product: it settles, or says less than it should. The day it is mended, the case moves up.
REPORTED = (
    Refusal(
        why="one wager twice with two amounts must not be settled for the last",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 ante-play=20 | play'",
        says=("ante-play",),
    ),
    Refusal(
        why="play and fold at once",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 | play fold'",
        says=("play is stated twice",),
    ),
    Refusal(
        why="one meter with two amounts",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 final-four=1 | play' --paytable F4P-1 --meter 1,000 --meter 2,000",
        says=("--meter",),
    ),
    Refusal(
        why="one reading stated both ways",
        typed=f"{_TCP} {_TCP_SEAT} --reading play_when_not_qualified=pay --reading play_when_not_qualified=compare",
        says=("play_when_not_qualified",),
    ),
    Refusal(
        why="one row set to two amounts",
        typed=f"{_TCP} --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PRW-1 "
        "--pays 'PRW-1:Same Color Player Hand=5' --pays 'PRW-1:Same Color Player Hand=7'",
        says=("Same Color Player Hand",),
    ),
    Refusal(
        why="an unreadable card must not hide the missing pay table, dealer and wager's name",
        typed="three-card-prime --seat 'As Ks Qs 1d | ante-play=10 prim=5 | play'",
        says=("'1d' is not a card", "PW/BB-1, PW/BB-2", "wagers.prim", "dealer: is missing"),
    ),
    Refusal(
        why="both decisions of 3 Card Double Play are missing",
        typed=f"{_TDP} --seat '{_SIX} | high-low=10'",
        says=("decisions.high: is missing", "decisions.double: is missing"),
    ),
)
