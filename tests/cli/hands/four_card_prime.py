"""Four Card Prime: best four of five against best four of six, Win Bonus and Bad Beat, Envy."""

from tests.cli.running import Hand

_MAIN = "--paytable Win-1 --paytable BB-1"
_LOW_DEALER = "--dealer 'Kd Jc 7s 6h 3c 2h'"
_ENVY_SEATS = (
    f"{_MAIN} {_LOW_DEALER} --seat '9h 9d 9c 9s 4d | ante-raise=5 | raise=1' "
    "--seat 'Kh Jd 7c 4s 2d | ante-raise=5 four-card-jackpot=1 | fold' --paytable FCJ-1 --meter 5000"
)

HANDS = (
    Hand(
        why="FCP-1: a flush beats a straight; no bonus for it",
        typed=f"{_MAIN} --dealer '9s 8d 7c 6h 2d 2c' --seat 'Kh 9h 5h 3h As | ante-raise=10 | raise=2'",
        comes_to={"ante-raise": (3000, 6000, "Flush or less")},
    ),
    Hand(
        why="FCP-3: trips win: the Ante even money and 2 to 1 on top, the Raise of three Antes even money",
        typed=f"{_MAIN} --dealer 'Kh Kd 7c 6s 3d 2c' --seat '9h 9d 9c Ks 4d | ante-raise=10 | raise=3'",
        comes_to={"ante-raise": (4000, 10_000, "Any Trips")},
    ),
    Hand(
        why="FCP-3: trips lose: the Raise is lost, the Ante stays and wins 2 to 1",
        typed=f"{_MAIN} --dealer 'Kh Kd Kc 6s 3d 2c' --seat '9h 9d 9c Qs 4d | ante-raise=10 | raise=3'",
        comes_to={"ante-raise": (4000, 3000, "Any Trips")},
    ),
    Hand(
        why="quads under quads: 100 to 1 on the Ante in BB-3",
        typed="--dealer 'Kh Kd Kc Ks 3d 2c' --seat '9h 9d 9c 9s 4d | ante-raise=5 | raise=1' --paytable Win-1 --paytable BB-3",
        comes_to={"ante-raise": (1000, 50_500, "Any Quads")},
    ),
    Hand(
        why="FCP-1: quads beat a straight flush; the Bad Beat of BB-2 pays it 40 to 1",
        typed="--dealer 'Qh Qd Qc Qs 3d 2c' --seat '5h 6h 7h 8h Kd | ante-raise=5 | raise=1' --paytable Win-1 --paytable BB-2",
        comes_to={"ante-raise": (1000, 20_500, "Any Straight Flush")},
    ),
    Hand(
        why="FCP-1: the same two pair: the player wins the copy, whatever the fifth and sixth cards are",
        typed=f"{_MAIN} --dealer 'Kc Ks 7h 7d Ac Qh' --seat 'Kh Kd 7c 7s 2d | ante-raise=5 | raise=1'",
        comes_to={"ante-raise": (1000, 2000, "Flush or less")},
    ),
    Hand(
        why="G-10: folded aces are still paid; three red and two black cards lose Prime",
        typed=f"{_MAIN} --dealer 'Kh Kd 7c 6s 4d 2c' --seat 'Ah Ad 9c 5s 3d | ante-raise=10 aces-baby=5 prime=5 | fold' "
        "--paytable AB-1 --paytable Prime-1",
        comes_to={"ante-raise": (1000, 0, None), "aces-baby": (500, 1000, "AA"), "prime": (500, 0, None)},
    ),
    Hand(
        why="FCP-4: straight and flush in one hand: the better paid counts; four red cards are Prime",
        typed=f"{_MAIN} --dealer 'Kh Kd 7d 6s 4d 2c' --seat '9h 8h 7c 6h 2h | ante-raise=5 aces-baby=5 prime=5 | raise=1' "
        "--paytable AB-6 --paytable Prime-1",
        comes_to={
            "ante-raise": (1000, 2000, "Flush or less"),
            "aces-baby": (500, 3500, "Flush"),
            "prime": (500, 1000, "Four one color"),
        },
    ),
    Hand(
        why="five red cards: 5 to 1 in Prime-2, and Aces Baby has nothing for ace-high",
        typed=f"{_MAIN} --dealer 'Ks Kd 7c 6s 3d 2c' --seat 'Ah Kh Qd 9d 4d | ante-raise=5 aces-baby=5 prime=5 | fold' "
        "--paytable AB-1 --paytable Prime-2",
        comes_to={"aces-baby": (500, 0, "Kings or less"), "prime": (500, 3000, "All five one color")},
    ),
    Hand(
        why="G-13: both jackpots at once: 10 % of one meter for five to a straight flush, $100 from the other table",
        typed=f"{_MAIN} --dealer 'Kh Kd 7c 6s 3d 2c' --seat '9h 8h 7h 6h 5h | ante-raise=5 five-card-jackpot=1 four-card-jackpot=1 | "
        "raise=1' --paytable PJ-1 --paytable FCJ-1 --meter five-card-jackpot=12,345.67 --meter four-card-jackpot=5,000",
        comes_to={
            "ante-raise": (1000, 12_000, "Any Straight Flush"),
            "five-card-jackpot": (100, 123_456, "Five-card Straight Flush"),
            "four-card-jackpot": (100, 10_000, "Straight Flush"),
        },
        jackpots={"five-card-jackpot": (123_456, 0, 0)},
    ),
    Hand(
        why="FCP-5: Envy goes to the seat with the wager, also if it folded; not to the hand itself",
        typed=f"{_MAIN} {_LOW_DEALER} --seat '9h 9d 9c 9s 4d | ante-raise=5 four-card-jackpot=1 | raise=1' "
        "--seat 'Kh Jd 7c 4s 2d | ante-raise=5 four-card-jackpot=1 | fold' --seat 'Ah Qd 8c 5s 3d | ante-raise=5 | fold' "
        "--paytable FCJ-1 --meter 5000",
        comes_to={
            "1 ante-raise": (1000, 14_500, "Any Quads"),
            "1 four-card-jackpot": (100, 30_000, "Quads"),
            "2 four-card-jackpot": (100, 1000, None),
            "3 ante-raise": (500, 0, None),
        },
    ),
    Hand(
        why="FCP-5: a hand without the wager triggers Envy",
        typed=_ENVY_SEATS,
        comes_to={"2 four-card-jackpot": (100, 1000, None)},
    ),
    Hand(
        why="FCP-5, the other reading: it does not",
        typed=f"{_ENVY_SEATS} --reading envy_trigger=wagered",
        comes_to={"2 four-card-jackpot": (100, 0, None)},
    ),
    Hand(
        why="FCP-5: two hands trigger: each has its own prize and the other's Envy",
        typed=f"{_MAIN} {_LOW_DEALER} --seat '9h 9d 9c 9s 4d | ante-raise=5 four-card-jackpot=1 | raise=1' "
        "--seat 'Ah Ad Ac As 4c | ante-raise=5 four-card-jackpot=1 | raise=3' --paytable FCJ-2 --meter '$5,000'",
        comes_to={
            "1 four-card-jackpot": (100, 40_000, "Quads"),
            "2 four-card-jackpot": (100, 502_500, "Four Aces"),
        },
        jackpots={"four-card-jackpot": (500_000, 0, 0)},
    ),
    Hand(
        why="FCP-6, G-6: FCJ-3 of a Bonus jackpot with the operator's Pays and Envy",
        typed=f"{_MAIN} {_LOW_DEALER} --seat '5d 6d 7d 8d Ks | ante-raise=5 four-card-jackpot=1 | raise=1' "
        "--seat 'Kh Jd 7c 4s 2d | ante-raise=5 four-card-jackpot=1 | fold' --jackpot-type bonus --paytable FCJ-3 --meter 1,000 "
        "--pays 'FCJ-3:Four Aces=100%' --pays FCJ-3:Quads=$250 --pays 'FCJ-3:Straight Flush=$80' --pays FCJ-3:Trips=$8 "
        "--envy 'FCJ-3:Four Aces=$50' --envy FCJ-3:Quads=$20 --envy 'FCJ-3:Straight Flush=$4'",
        comes_to={
            "1 four-card-jackpot": (100, 8000, "Straight Flush"),
            "2 four-card-jackpot": (100, 400, None),
        },
    ),
)
