"""3 Card Double Play: two hands of six cards, the Low Hand's prize, divisions however the player set them."""

from tests.cli.running import Hand

_KING_HIGH = "--dealer 'Kd Jc 8s 6h 2c' --paytable LWB-1"
_NINES = "As Ks Qs 9h 9d 4c"
_FOUR_KINGS = (
    "--dealer 'Jd Jc 8s 6h 2c' --paytable LWB-1 --paytable P3-1 "
    "--seat 'Ks Kd Kh As Qs Kc | high-low=10 pick-3=5 | high=Ks+Kd+Kh double=no'"
)
_PICK_5_SET = (
    "--pays P5-6:Royal=400 --pays 'P5-6:Straight Flush=80' --pays P5-6:Quads=40 --pays 'P5-6:Full House=15' --pays P5-6:Flush=10 "
    "--pays P5-6:Straight=5 --pays P5-6:Trips=3 --pays 'P5-6:Two Pairs=2.5'"
)

HANDS = (
    Hand(
        why="TDP-2: both hands win: High even money, Low 1.5 to 1 for its pair",
        typed=f"{_KING_HIGH} --seat '{_NINES} | high-low=10 | high=As+Ks+Qs double=no'",
        comes_to={"high-low": (2000, 4500, "Pair")},
    ),
    Hand(
        why="rule 4: doubled: four chips",
        typed=f"{_KING_HIGH} --seat '{_NINES} | high-low=10 | high=As+Ks+Qs double'",
        comes_to={"high-low": (4000, 9000, "Pair")},
    ),
    Hand(
        why="G-3: quarters: 1.5 to 1 on 25 cents is 37 cents, and the double is rounded by itself",
        typed=f"{_KING_HIGH} --seat '{_NINES} | high-low=0.25 | high=As+Ks+Qs double=yes'",
        comes_to={"high-low": (100, 224, "Pair")},
    ),
    Hand(
        why="rule 9: only the High Hand wins: the Low is lost",
        typed=f"--dealer 'Td Tc 8s 6h 2c' --paytable LWB-1 --seat '{_NINES} | high-low=10 | high=As+Ks+Qs double=no'",
        comes_to={"high-low": (2000, 2000, None)},
    ),
    Hand(
        why="TDP-1: the Low Hand copies the dealer's: both win; LWB-5 pays 1 to 1",
        typed="--dealer 'Kd Qc 9s 3h 2c' --paytable LWB-5 --seat 'As Ad 4s Kh Qd 9c | high-low=10 | high=As+Ad+4s double=no'",
        comes_to={"high-low": (2000, 4000, "High Cards")},
    ),
    Hand(
        why="TDP-1: two equal hands may be set; TDP-4: three pairs are Double pairs; and Pick-5 pays the operator's 2.5",
        typed="--dealer 'Jd Tc 8s 3h 2c' --paytable LWB-1 --paytable P3-1 --paytable P5-6 "
        f"--seat 'Kh Qd 9c Kc Qs 9h | high-low=10 pick-3=5 pick-5=5 | high=Kh+Qd+9c double=no' {_PICK_5_SET}",
        comes_to={
            "high-low": (2000, 4500, "High Cards"),
            "pick-3": (500, 1500, "Double pairs"),
            "pick-5": (500, 1750, "Two Pairs"),
        },
    ),
    Hand(
        why="TDP-3: set as trips and a straight, but the six cards hold a mini-royal and trips",
        typed=_FOUR_KINGS,
        comes_to={"high-low": (2000, 7000, "Straight"), "pick-3": (500, 50_500, "Mini-Royal + Trips/SF")},
    ),
    Hand(
        why="TDP-3, the other reading: as set",
        typed=f"{_FOUR_KINGS} --reading pick3_basis=as_set",
        comes_to={"high-low": (2000, 7000, "Straight"), "pick-3": (500, 3000, "Single Trips or SF")},
    ),
    Hand(
        why="Appendix B, note 2: a mini-royal and a pair of queens; the queen of spades counts once",
        typed="--dealer 'Jd Jc 8s 6h 3c' --paytable LWB-1 --paytable P3-1 "
        "--seat 'As Ks Qs Qd Qh 2c | high-low=10 pick-3=5 | high=As+Ks+Qs double=no'",
        comes_to={"high-low": (2000, 4500, "Pair"), "pick-3": (500, 10_500, "One Mini-Royal")},
    ),
    Hand(
        why="TDP-4: a straight and a flush side by side; the straight is the High Hand",
        typed="--dealer 'Kd Qc 8s 6h 2c' --paytable LWB-5 --paytable P3-10 "
        "--seat 'Ah 9h 4h 7c 6d 5s | high-low=10 pick-3=5 | high=7c+6d+5s double=no'",
        comes_to={"high-low": (2000, 5000, "Flush"), "pick-3": (500, 3000, "Double Flush or Straight")},
    ),
    Hand(
        why="TDP-5: two trips are a full house of five; the Low trips pay 5 to 1",
        typed="--dealer 'Ad Qc 8s 6h 2c' --paytable LWB-1 --paytable P5-1 "
        "--seat '9h 9d 9c Kh Kd Kc | high-low=10 pick-5=5 | high=Kh+Kd+Kc double=no'",
        comes_to={"high-low": (2000, 8000, "Trips"), "pick-5": (500, 8000, "Full House")},
    ),
    Hand(
        why="G-3: 10 % of $7,654.32 is rounded down",
        typed="--dealer 'Ad Qc 8s 6c 2c' --paytable LWB-1 --paytable S3J-1 --meter 7,654.32 "
        "--seat 'As Ks Qs 5h 6h 7h | high-low=10 super-3s=1 | high=As+Ks+Qs double=no'",
        comes_to={"high-low": (2000, 13_000, "Straight Flush"), "super-3s": (100, 76_543, "Mini-Royal with SF")},
        jackpots={"super-3s": (76_543, 0, 0)},
    ),
    Hand(
        why="TDP-5, G-13: nine to ace of hearts takes one whole meter and a tenth of the other",
        typed="--dealer 'Ad Qc 8s 6d 2c' --paytable LWB-2 --paytable S3J-1 --paytable S6J-1 "
        "--meter super-3s=1,000 --meter super-six=3,000 "
        "--seat 'Ah Kh Qh Jh Th 9h | high-low=10 super-3s=1 super-six=1 | high=Ah+Kh+Qh double=no'",
        comes_to={
            "high-low": (2000, 5000, "Straight Flush"),
            "super-3s": (100, 10_000, "Mini-Royal with SF"),
            "super-six": (100, 300_000, "Six-card Straight Flush"),
        },
        jackpots={"super-3s": (10_000, 0, 0), "super-six": (300_000, 0, 0)},
    ),
    Hand(
        why="G-4: two royals of five share 10 %; seats 3 and 6 by their own numbers",
        typed="--dealer 'Ad Qc 8s 6d 4c' --paytable LWB-1 --paytable S6J-2 --meter 1,000.10 "
        "--seat '3: Ah Kh Qh Jh Th 2c | high-low=10 super-six=1 | high=Ah+Kh+Qh double=no' "
        "--seat '6: As Ks Qs Js Ts 3c | high-low=10 super-six=1 | high=As+Ks+Qs double=no'",
        comes_to={
            "3 high-low": (2000, 2000, None),
            "3 super-six": (100, 5000, "Five-card Royal Flush"),
            "6 super-six": (100, 5000, "Five-card Royal Flush"),
        },
        jackpots={"super-six": (10_000, 0, 1)},
    ),
    Hand(
        why="G-4: a Bonus jackpot: every winner has the full posted prize",
        typed="--dealer 'Ad Qc 8s 6d 4c' --paytable LWB-1 --paytable S6J-2 --meter 1,000.10 --jackpot-type bonus "
        "--seat 'Ah Kh Qh Jh Th 2c | high-low=10 super-six=1 | high=Ah+Kh+Qh double=no' "
        "--seat 'As Ks Qs Js Ts 3c | high-low=10 super-six=1 | high=As+Ks+Qs double=no'",
        comes_to={
            "1 super-six": (100, 10_001, "Five-card Royal Flush"),
            "2 super-six": (100, 10_001, "Five-card Royal Flush"),
        },
        jackpots={"super-six": (0, 20_002, 0)},
    ),
)
