"""Hands in PokerStars' format, made up for the tests, and their replay."""

from __future__ import annotations

from holdem_env.history import HandRecord, pokerstars

CASH = """\
PokerStars Zoom Hand #2201:  Hold'em No Limit (€0.05/€0.10 EUR) - 2026/02/03 9:05:07 CET [2026/02/03 3:05:07 ET]
Table 'Ceres II' 6-max Seat #2 is the button
Seat 1: Ann: the 1st (€4.20 in chips)
Seat 2: bob (x) (€1 in chips)
Seat 3: Chloé (€12.55 in chips)
Seat 5: dan (€10 in chips) is sitting out
Seat 6: eve collected (€3 in chips)
Chloé: posts small blind €0.05
eve collected: posts big blind €0.10
*** HOLE CARDS ***
Dealt to Ann: the 1st [Ah Ad]
dan said, "eve collected: folds"
Ann: the 1st: raises €0.20 to €0.30
bob (x): raises €0.70 to €1 and is all-in
Chloé is disconnected
Chloé: calls €0.95
eve collected: folds
Chloé has timed out
Ann: the 1st: raises €3.20 to €4.20 and is all-in
Chloé: calls €3.20
*** FLOP *** [2c 7h Jd]
*** TURN *** [2c 7h Jd] [7c]
*** RIVER *** [2c 7h Jd 7c] [Kh]
*** SHOW DOWN ***
Chloé: shows [Qc Qd] (two pair, Queens and Sevens)
Ann: the 1st: shows [Ah Ad] (two pair, Aces and Sevens)
Ann: the 1st collected €6.14 from side pot
bob (x): shows [Ks Kc] (a full house, Kings full of Sevens)
bob (x) collected €2.86 from main pot
*** SUMMARY ***
Total pot €9.50 Main pot €2.86. Side pot €6.14. | Rake €0.50
Board [2c 7h Jd 7c Kh]
Seat 1: Ann: the 1st showed [Ah Ad] and won (€6.14) with two pair, Aces and Sevens
Seat 2: bob (x) (button) showed [Ks Kc] and won (€2.86) with a full house, Kings full of Sevens
Seat 3: Chloé (small blind) showed [Qc Qd] and lost with two pair, Queens and Sevens
Seat 6: eve collected (big blind) folded before Flop
"""

TOURNAMENT = """\
PokerStars Hand #31: Tournament #900, $10+$1 USD Hold'em No Limit - Level IV (50/100) - 2026/02/03 20:00:00 ET
Table '900 3' 9-max Seat #4 is the button
Seat 1: Ann (1500 in chips)
Seat 4: Bob (90 in chips)
Seat 7: Cy (2,010 in chips) is sitting out
Seat 9: Di (700 in chips) out of hand (moved from another table into small blind)
Ann: posts the ante 10
Bob: posts the ante 10
Cy: posts the ante 10
Cy: posts small blind 50
Ann: posts big blind 100
*** HOLE CARDS ***
Dealt to Bob [5c 5d]
Bob: calls 80 and is all-in
Cy: folds
Uncalled bet (20) returned to Ann
*** FLOP *** [2h 3h 4h]
*** TURN *** [2h 3h 4h] [9d]
*** RIVER *** [2h 3h 4h 9d] [9c]
*** SHOW DOWN ***
Ann: shows [Kd Qd] (a pair of Nines)
Bob: shows [5c 5d] (two pair, Nines and Fives)
Bob collected 240 from pot
Bob wins the $2 bounty for eliminating nobody
*** SUMMARY ***
Total pot 240 | Rake 0
Board [2h 3h 4h 9d 9c]
Seat 1: Ann (big blind) showed [Kd Qd] and lost with a pair of Nines
Seat 4: Bob (button) showed [5c 5d] and won (240) with two pair, Nines and Fives
Seat 7: Cy (small blind) folded before Flop
"""

LIMIT = """\
PokerStars Game #7:  Hold'em Limit ($3/$6 USD) - 2026/02/03 20:00:00 ET
Table 'Io' 10-max Seat #1 is the button
Seat 1: Ann ($60 in chips)
Seat 2: Bob ($60 in chips)
Seat 3: Cy ($60 in chips)
Bob: posts small blind $1
Cy: posts big blind $3
*** HOLE CARDS ***
Ann: raises $3 to $6
Bob: folds
Cy: calls $3
*** FLOP *** [2h 3h 4h]
Cy: checks
Ann: bets $3
Cy: raises $3 to $6
Ann: calls $3
*** TURN *** [2h 3h 4h] [9d]
Cy: bets $6
Ann: folds
Uncalled bet ($6) returned to Cy
Cy collected $23.75 from pot
Cy: shows [As] (high card Ace)
*** SUMMARY ***
Total pot $25 | Rake $1.25
Board [2h 3h 4h 9d]
Seat 1: Ann (button) folded on the Turn
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cy (big blind) collected ($23.75)
"""

# Bob returns: he posts both blinds. Dee has missed the small blind alone. The button lies at the empty seat 5.
RETURNING = """\
PokerStars Hand #8:  Hold'em No Limit ($0.50/$1 USD) - 2026/02/03 20:00:00 ET
Table 'Io' 9-max Seat #5 is the button
Seat 1: Ann ($60 in chips)
Seat 2: Bob ($60 in chips)
Seat 4: Cy ($60 in chips)
Seat 7: Dee ($60 in chips)
Seat 8: Ed ($60 in chips)
Ann: posts big blind $1
Bob: posts small & big blinds $1.50
Dee: posts small blind $0.50
*** HOLE CARDS ***
Bob: checks
Cy: calls $1
Dee: folds
Ed: folds
Ann: checks
*** FLOP *** [2h 3h 4h]
Ann: bets $2
Bob: folds
Cy: folds
Uncalled bet ($2) returned to Ann
Ann collected $4 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot $4 | Rake $0
Board [2h 3h 4h]
Seat 1: Ann (big blind) collected ($4)
"""

PLAY_MONEY = """\
PokerStars Hand #9:  Hold'em Pot Limit (5/10) - 2026/02/03 20:00:00 ET
Table 'Io' 2-max (Play Money) Seat #2 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (1000 in chips)
Bob: posts small blind 5
Ann: posts big blind 10
*** HOLE CARDS ***
Bob: folds
Ann collected 10 from pot
*** SUMMARY ***
Total pot 10 | Rake 0
Seat 1: Ann (big blind) collected (10)
Seat 2: Bob (button) (small blind) folded before Flop
"""

STRADDLE = """\
PokerStars Home Game Hand #10: {Club #5}  Hold'em No Limit ($1/$2 USD) - 2026/02/03 20:00:00 ET
Table 'Io' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Cy ($100 in chips)
Seat 4: Dee ($100 in chips)
Bob: posts small blind $1
Cy: posts big blind $2
Dee: posts straddle $4
*** HOLE CARDS ***
Ann: calls $4
Bob: folds
Cy: folds [9c 9d]
Dee: checks
*** FLOP *** [2h 3h 4h]
Dee: checks
Ann: bets $6.50
Dee: folds
Uncalled bet ($6.50) returned to Ann
Ann collected $11 from pot
*** SUMMARY ***
Total pot $11 | Rake $0
Board [2h 3h 4h]
"""

MUCKED = """\
PokerStars Hand #11:  Hold'em No Limit ($1/$2 USD) - 2026/02/03 20:00:00 ET
Table 'Io' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
Ann: calls $1
Bob: checks
*** FLOP *** [2h 3h 4h]
Bob: checks
Ann: checks
*** TURN *** [2h 3h 4h] [Kc]
Bob: checks
Ann: checks
*** RIVER *** [2h 3h 4h Kc] [Kd]
Bob: checks
Ann: checks
*** SHOW DOWN ***
Bob: shows [Ks 9c] (three of a kind, Kings)
Ann: mucks hand
Bob collected $4 from pot
*** SUMMARY ***
Total pot $4 | Rake $0
Board [2h 3h 4h Kc Kd]
Seat 1: Ann (button) (small blind) mucked [7c 7d]
Seat 2: Bob (big blind) showed [Ks 9c] and won ($4) with three of a kind, Kings
"""

OMAHA = """\
PokerStars Hand #12:  Omaha Hi/Lo Pot Limit ($1/$2 USD) - 2026/02/03 20:00:00 ET
Table 'Io' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** HOLE CARDS ***
Ann: raises $4 to $6
Bob: calls $4
*** FLOP *** [2h 3h 9s]
Bob: checks
Ann: checks
*** TURN *** [2h 3h 9s] [Kc]
Bob: checks
Ann: checks
*** RIVER *** [2h 3h 9s Kc] [7d]
Bob: bets $12
Ann: calls $12
*** SHOW DOWN ***
Bob: shows [Ks Kd Qc Qd] (HI: three of a kind, Kings)
Ann: shows [Ac 4c Td 9c] (HI: a pair of Nines; LO: 7,4,3,2,A)
Bob collected $18 from pot
Ann collected $18 from pot
*** SUMMARY ***
Total pot $36 | Rake $0
Board [2h 3h 9s Kc 7d]
Seat 1: Ann (button) (small blind) showed [Ac 4c Td 9c] and won ($18) with HI: a pair of Nines; LO: 7,4,3,2,A
Seat 2: Bob (big blind) showed [Ks Kd Qc Qd] and won ($18) with HI: three of a kind, Kings
"""

# Two players, and the big blind has the button.
BIG_BLIND_ON_THE_BUTTON = """\
PokerStars Game #13:  Hold'em Limit ($1/$2 USD) - 2026/02/03 20:00:00 ET
Table 'Io' Seat #6 is the button
Seat 6: Ann ($40 in chips)
Seat 7: Bob ($24.75 in chips)
Bob: posts small blind $0.50
Ann: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [3s 4s]
Bob: calls $0.50
Ann: checks
*** FLOP *** [2h 3h 4h]
Bob: bets $1
Ann: folds
Uncalled bet ($1) returned to Bob
Bob collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
Board [2h 3h 4h]
"""

ALL = [CASH, TOURNAMENT, LIMIT, RETURNING, PLAY_MONEY, STRADDLE, MUCKED, OMAHA, BIG_BLIND_ON_THE_BUTTON]


def replayed(text: str) -> HandRecord:
    """The hand of a text, which replays to its stated result."""
    hand = pokerstars.loads(text)
    table = hand.replay()
    assert table.is_over
    assert table.payoffs == hand.payoffs
    assert sum(table.payoffs) == -table.rake
    return hand
