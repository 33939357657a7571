"""Three Card Prime: thirteen disputes and what may not be settled."""

from tests.cli.running import Hand

_ALL_SEVEN_SET = (
    "--pays 'A7P-4:7-card Straight Flush=$5,000' --pays A7P-4:Royal=$500 --pays 'A7P-4:Straight Flush=$100' "
    "--pays 'A7P-4:Four of a Kind=$50' --pays 'A7P-4:Full House=$12.50' --pays A7P-4:Flush=$5 --pays 'A7P-4:Straight or less=$0'"
)
_FLUSH_LOST = "--dealer '9d 8c 7h' --seat 'Kh 9h 4h 3c | ante-play=10 | play'"
_NOT_QUALIFIED = "--dealer 'Jh 9c 4d' --seat '8s 6d 2c Kh | ante-play=10 | play'"

HANDS = (
    Hand(
        why="the mini-royal wins 10 to 1 on Play, even money on the Ante; the dealer's red and black hand gives Prime 3 to 1",
        typed="--dealer 'Qd 9h 4c' --seat 'As Ks Qs 2d | ante-play=10 prime=5 | play' --paytable PW/BB-1 --paytable PRW-1",
        comes_to={"ante-play": (2000, 13000, "Mini-Royal"), "prime": (500, 2000, "Same Color Player Hand")},
    ),
    Hand(
        why="TCP-5: a straight under a straight: the Ante is lost, Play wins the Bad Beat 4 to 1",
        typed="--dealer 'Td 9h 8c' --seat '9s 8s 7d Kc | ante-play=5 | play' --paytable PW/BB-1",
        comes_to={"ante-play": (1000, 2500, "Straight")},
    ),
    Hand(
        why="TCP-3: no Queen: the Ante pushes and an eight-high is paid on Play all the same",
        typed=f"{_NOT_QUALIFIED} --paytable PW/BB-1",
        comes_to={"ante-play": (2000, 3000, "Flush and lower")},
    ),
    Hand(
        why="TCP-3, the other reading: Play is compared and lost",
        typed=f"{_NOT_QUALIFIED} --paytable PW/BB-1 --reading play_when_not_qualified=compare",
        comes_to={"ante-play": (2000, 1000, "Flush and lower")},
    ),
    Hand(
        why="TCP-4 as printed: an eight-high that loses to a dealer who does not qualify is paid 1 to 1",
        typed=f"{_NOT_QUALIFIED} --paytable PW/BB-4 --reading play_when_not_qualified=compare "
        "--reading bad_beat_flush_or_lower=as_printed",
        comes_to={"ante-play": (2000, 3000, "Flush and lower")},
    ),
    Hand(
        why="TCP-4: a flush under a straight loses both by rule 5",
        typed=f"{_FLUSH_LOST} --paytable PW/BB-2 --reading bad_beat_flush_or_lower=loses",
        comes_to={"ante-play": (2000, 0, "Flush and lower")},
    ),
    Hand(
        why="TCP-4, flush only: Play is paid 1 to 1, the Ante is lost",
        typed=f"{_FLUSH_LOST} --paytable PW/BB-2 --reading bad_beat_flush_or_lower=flush_only",
        comes_to={"ante-play": (2000, 2000, "Flush and lower")},
    ),
    Hand(
        why="TCP-6: a copy wins for the player",
        typed="--dealer 'Qd 9h 4c' --seat 'Qs 9c 4d 2h | ante-play=10 | play' --paytable PW/BB-1",
        comes_to={"ante-play": (2000, 4000, "Flush and lower")},
    ),
    Hand(
        why="TCP-8, G-10: folded, but the pair stands, and its fourth card is a deuce",
        typed="--dealer 'Ad 9h 4c' --seat '8c 8d 3h 2s | ante-play=10 pair-bonus=5 | fold' "
        "--paytable PW/BB-1 --paytable PB-1 --paytable PB/LD-2",
        comes_to={"ante-play": (1000, 0, None), "pair-bonus": (500, 1500, "Pair")},
    ),
    Hand(
        why="TCP-8: deuces in the hand are not loose; the fourth card is an eight",
        typed="--dealer 'Ad 9h 4c' --seat '2c 2d 3h 8s | ante-play=10 pair-bonus=5 | fold' "
        "--paytable PW/BB-1 --paytable PB-1 --paytable PB/LD-2",
        comes_to={"ante-play": (1000, 0, None), "pair-bonus": (500, 1000, "Pair")},
    ),
    Hand(
        why="TCP-9: two trips are a full house in the six cards",
        typed="--dealer '9d 9h 9c' --seat 'Kd Kh Ks 5c | ante-play=10 all-six=5 | play' --paytable PW/BB-1 --paytable A6-3",
        comes_to={"ante-play": (2000, 8000, "Trips"), "all-six": (500, 10500, "Full House")},
    ),
    Hand(
        why="nine to ace of diamonds: two hundred thousand to one",
        typed="--dealer 'Jd Td 9d' --seat 'Ad Kd Qd 3c | ante-play=1 prime=1 all-six=1 | play' "
        "--paytable PW/BB-1 --paytable PRW-1 --paytable A6-5",
        comes_to={
            "ante-play": (200, 1300, "Mini-Royal"),
            "prime": (100, 500, "Same Color Player and Dealer Hands"),
            "all-six": (100, 20_000_100, "Six-Card Royal Diamonds"),
        },
    ),
    Hand(
        why="G-4: three seats share the level of 10 %; a cent stays on the meter",
        typed="--dealer '9d 7c 4h' --seat 'Kc Qc Jc Ac | ante-play=5 final-four=1 | play' "
        "--seat 'Kh Qh Jh Ah | ante-play=5 final-four=1 | play' --seat 'Ks Qs Js As | ante-play=5 final-four=1 | play' "
        "--paytable PW/BB-1 --paytable F4P-1 --meter '$1,000.01'",
        comes_to={
            "1 ante-play": (1000, 4000, "Straight Flush"),
            "1 final-four": (100, 3333, "4-card Royal"),
            "2 final-four": (100, 3333, "4-card Royal"),
            "3 final-four": (100, 3333, "4-card Royal"),
        },
        jackpots={"final-four": (9999, 0, 1)},
    ),
    Hand(
        why="G-4: two levels in one round are both paid on the displayed amount; the house covers what the fund lacks",
        typed="--dealer '9d 7c 4h' --seat 'Kd Qd Jd Ad | ante-play=5 final-four=1 | play' "
        "--seat 'Kc Qc Jc Ac | ante-play=5 final-four=1 | play' --paytable PW/BB-1 --paytable F4P-1 --meter 1000",
        comes_to={
            "1 final-four": (100, 100_000, "4-card diamond Royal"),
            "2 final-four": (100, 10_000, "4-card Royal"),
        },
        jackpots={"final-four": (100_000, 10_000, 0)},
    ),
    Hand(
        why="TCP-10: ace, king, jack are no straight, whatever the fourth card is",
        typed="--dealer 'Qd 9h 4c' --seat 'As Ks Js Qs | ante-play=5 final-four=1 | play' "
        "--paytable PW/BB-1 --paytable F4P-1 --meter 500",
        comes_to={"ante-play": (1000, 2000, "Flush and lower"), "final-four": (100, 0, "initial hand < straight")},
    ),
    Hand(
        why="TCP-11: eight to ace of hearts over both hands takes the whole meter, though the hand itself loses",
        typed="--dealer 'Qh Jh Th' --seat 'Ah Kh 9h 8h | ante-play=5 prime=5 all-seven=1 | play' "
        "--paytable PW/BB-1 --paytable PRW-1 --paytable A7P-2 --meter 2,500",
        comes_to={
            "ante-play": (1000, 0, "Flush and lower"),
            "prime": (500, 2500, "Same Color Player and Dealer Hands"),
            "all-seven": (100, 250_000, "7-card Straight Flush"),
        },
        jackpots={"all-seven": (250_000, 0, 0)},
    ),
    Hand(
        why="G-6: Prime with the operator's amounts, 2.5 to 1",
        typed="--dealer 'Qd 9h 4c' --seat 'Kh 8h 3d Js | ante-play=5 prime=5 | play' --paytable PW/BB-1 --paytable PRW-2 "
        "--pays 'PRW-2:Same Color Player and Dealer Hands=5' --pays 'PRW-2:Same Color Player Hand=2.5' --pays PRW-2:others=Loss",
        comes_to={"ante-play": (1000, 2000, "Flush and lower"), "prime": (500, 1750, "Same Color Player Hand")},
    ),
    Hand(
        why="G-6: a Bonus jackpot with posted dollars and no percentage needs no meter",
        typed="--dealer 'Kc 9h 4c' --seat 'Kd Kh 4s 4d | ante-play=5 all-seven=1 | play' --jackpot-type bonus "
        f"--paytable PW/BB-1 --paytable A7P-4 {_ALL_SEVEN_SET}",
        comes_to={"ante-play": (1000, 2000, "Flush and lower"), "all-seven": (100, 1250, "Full House")},
    ),
)
