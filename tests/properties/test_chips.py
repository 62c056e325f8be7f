"""R40 and R13 for any game: chips are never made or lost, and stay whole; R6-R10: what was posted is kept as logged."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from holdem_env import Rules, Session
from properties.games import choices, games, move_for, play_out
from rules.playing import logged_postings


def check_chips(table):
    in_pots = sum(pot.amount for pot in table.pots)
    amounts = [*table.stacks, *table.bets, *(pot.amount for pot in table.pots), table.rake]
    assert min(amounts) >= 0
    assert all(amount % table.rules.smallest_chip == 0 for amount in amounts)
    assert sum(table.stacks) + sum(table.bets) + in_pots + table.rake == sum(table.starting_stacks)


@given(games(), choices)
def test_r40_chips_are_conserved_at_every_moment(game, moves):
    table = game.deal()
    check_chips(table)
    for choice in [*moves, *[(1, 0)] * 100]:
        if table.is_over:
            break
        table.play(move_for(table, choice))
        check_chips(table)
    assert table.is_over
    assert table.bets == [0] * game.rules.seats
    assert table.pots == []
    assert table.records["pot"][0] == 0
    assert sum(table.payoffs) == -table.rake
    assert table.payoffs == [now - then for now, then in zip(table.stacks, table.starting_stacks, strict=True)]


@given(games(), choices)
def test_r40_the_log_accounts_for_every_chip(game, moves):
    table = game.deal()
    play_out(table, moves)
    chips, street = list(table.starting_stacks), [0] * game.rules.seats
    for operation in table.log:
        seat, amount = operation.seat, operation.amount
        if operation.kind in ("post_ante", "post_big_blind_ante"):
            chips[seat] -= amount
        elif operation.kind in ("post_small_blind", "post_big_blind", "post_straddle", "call"):
            chips[seat] -= amount
            street[seat] += amount
        elif operation.kind in ("bet", "raise"):
            chips[seat] -= amount - street[seat]
            street[seat] = amount
        elif operation.kind in ("return_uncalled", "push_pot"):
            chips[seat] += amount
        elif operation.kind == "deal_board":
            street = [0] * game.rules.seats
    assert chips == table.stacks


@given(games(), choices)
def test_r20_nobody_wins_more_from_another_than_it_put_in_itself(game, moves):
    table = game.deal()
    play_out(table, moves)
    dead = sum(operation.amount for operation in table.log if operation.kind == "post_big_blind_ante")
    for seat, payoff in enumerate(table.payoffs):
        most = sum(min(stack, table.starting_stacks[seat]) for stack in table.starting_stacks) + dead
        assert -table.starting_stacks[seat] <= payoff <= most


@given(games(), choices)
def test_r08_r09_what_was_posted_is_known_until_the_end(game, moves):
    table = game.deal()
    posted = table.posted
    assert posted == logged_postings(table)
    play_out(table, moves)
    assert table.posted == posted


def come_and_go(session: Session, chance: random.Random) -> None:
    """Players sit out, come back, and buy a few chips; stacks are often too short for what is due."""
    for seat in range(session.rules.seats):
        what = chance.random()
        if session.stacks[seat] == 0:
            session.top_up(seat, chance.randint(1, 60))
        elif what < 0.2:
            session.sit_out(seat)
        elif what < 0.7 and session.is_away(seat):
            session.sit_in(seat, post=chance.random() < 0.8)


@examples(60, derandomize=True)
@given(st.integers(0, 2**32))
def test_r10_what_was_posted_for_missed_blinds_is_known(seed):
    chance = random.Random(seed)
    seats = chance.choice([2, 3, 4, 6])
    rules = Rules(
        seats=seats,
        blinds=(5, 10),
        ante=chance.choice([0, 2]),
        big_blind_ante=chance.choice([0, 7]),
        straddle=20 if seats > 2 else 0,
        stacks=60,
        session={"kind": "cash", "button": chance.choice(["dead", "moving"])},
    )
    session = Session(rules, seed=seed)
    for _ in range(25):
        come_and_go(session, chance)
        if sum(stack > 0 and not session.is_away(seat) for seat, stack in enumerate(session.stacks)) < 2:
            continue
        table = session.deal()
        posted = table.posted
        assert posted == logged_postings(table)
        while not table.is_over:
            if chance.random() < 0.4:
                table.no_action()
            else:
                table.check_call()
        assert table.posted == posted
