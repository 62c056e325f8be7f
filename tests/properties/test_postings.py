"""R6-R10: what the record keeps of antes, blinds and straddles is what the log says was posted, chip by chip."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from holdem_env import Rules, Session
from properties.games import choices, games, play_out
from rules.playing import logged_postings


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
