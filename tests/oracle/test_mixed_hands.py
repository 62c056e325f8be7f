"""R19 against the oracle: random sessions in which hold'em, Omaha, hi-lo and short deck take turns.

Card by card: which phase a hand is in, whose deck it has, who is dealt what, and what each hand is paid and shows.
"""

from __future__ import annotations

import random

import pytest

from holdem_env import Rake, Rules, Session, Table
from oracle.dealing import Dealer
from oracle.phases import Phases
from oracle.test_high_low import award

GAMES = ("six-max-no-limit", "holdem-hi-lo", "omaha", "omaha-hi-lo", "short-deck", "omaha-36", "royal-holdem")
HAND = {  # hole cards, how many are used, cards in the deck, ranking, split
    "six-max-no-limit": (2, None, 52, "standard", "high"),
    "holdem-hi-lo": (2, None, 52, "standard", "high_low"),
    "omaha": (4, 2, 52, "standard", "high"),
    "omaha-hi-lo": (4, 2, 52, "standard", "high_low"),
    "short-deck": (2, None, 36, "short_deck", "high"),
    "omaha-36": (4, 2, 36, "short_deck", "high"),
    "royal-holdem": (2, None, 20, "standard", "high"),
}


def random_session(rng):
    """A session, its phases, and its seed."""
    seats = rng.randint(2, 5)
    phases = []
    for game in rng.sample(GAMES, rng.randint(2, 5)):
        phase = {"game": game, rng.choice(["hands", "hands", "orbits"]): rng.randint(1, 3)}
        if rng.random() < 0.5:
            phase["structure"] = rng.choice(["fixed_limit", "pot_limit", "no_limit"])
        if rng.random() < 0.3:
            phase["blinds"] = (10, 20)
        phases.append(phase)
    rules = Rules(
        seats=seats,
        blinds=(5, 10),
        ante=rng.choice([0, 0, 5]),
        smallest_chip=rng.choice([1, 5]),
        stacks=400,
        rake=rng.choice([None, None, Rake(percent=5, cap=10)]),
        face_up_all_in=False,
        session={"phases": phases, "button": rng.choice(["dead", "moving"]), "kind": "cash", "rebuy": 400},
    )
    seed = rng.randrange(2**40)
    return Session(rules, seed=seed), phases, seed


def play(table, rng):
    while not table.is_over:
        draw, legal = rng.random(), table.legal
        if draw < 0.06:
            table.fold()
        elif draw < 0.25 and legal.raise_min is not None:
            table.raise_to(rng.choice([legal.raise_min, legal.raise_min, legal.raise_max]))
        else:
            table.check_call()


def check_cards(table, seats):
    """Every card that was dealt came off the top of the deck, one at a time, burns between the streets (R4)."""
    order = [(table.button + 1 + k) % seats for k in range(seats)]
    dealer = Dealer(table.deck, order, hole_cards=table.game.hole_cards)
    dealer.deal_hands()
    streets = sum(operation.kind == "deal_board" for operation in table.log)
    for street in range(1, streets + 1):
        dealer.deal_street(street)
    assert {seat: list(table.hole_cards(seat)) for seat in order} == dealer.hands
    assert list(table.board) == dealer.board
    kinds = ("deal_hole", "burn", "deal_board")
    dealt = [(deed.kind, deed.seat, tuple(deed.cards)) for deed in table.log if deed.kind in kinds]
    assert dealt == [deed for deed in dealer.deeds if deed[0] in kinds]


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("number", range(12))
def test_r19_r04_r32_mixed_sessions_are_dealt_and_settled_as_by_the_oracle(number):
    rng = random.Random(f"mixed hands {number}")
    session, phases, seed = random_session(rng)
    seats, oracle = session.rules.seats, Phases(phases, session.rules.seats)
    showdowns, seen = 0, set()
    for hand in range(45):
        table = session.deal()
        big = next(deed.seat for deed in table.log if deed.kind == "post_big_blind")
        phase = oracle.of_next_hand(big)
        assert session.phase == phase
        game = table.game
        found = game.hole_cards, game.hole_cards_used, len(game.deck), game.ranking, game.split
        assert found == HAND[phases[phase]["game"]]
        assert table.deck == Table(game, seed=seed, hand=hand).deck
        assert sorted(table.deck) == sorted(game.deck)
        play(table, rng)
        check_cards(table, seats)
        live = [seat for seat in range(seats) if not table.is_folded(seat)]
        if len(live) > 1:
            payoffs, shown = award(table)
            assert table.payoffs == payoffs, table
            assert [(op.seat, op.kind) for op in table.log if op.kind in ("show", "muck")] == shown, table
            showdowns += 1
        seen.add(phase)
        assert sum(session.stacks) + session.chips_taken_away == session.chips_brought_in
    assert showdowns > 15
    assert len(seen) == len(phases)
