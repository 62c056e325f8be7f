"""The `shown_cards` observation: the cards tabled in the last hand, and those that lie face up in this one."""

from __future__ import annotations

import numpy as np
import pytest

from encoders.seeing import observe
from holdem_env import Rules, Session, Table, Tables
from holdem_env.encoders import get_observation
from holdem_env.engine.record import MUCKED, SHOWN
from rules.playing import check_down
from rules.sitting import fold_out

DECK = 52
BOARD = "??2c7d8h??Qs??Kc"  # with burn cards


def shown_to(table: Table, observer: int = 0) -> list[tuple[set[int], set[int]]]:
    """What an observer sees of each seat: the cards of the last hand, and of this one."""
    seats = table.rules.seats
    parts = observe("shown_cards", table, observer)[: 2 * DECK * seats].reshape(seats, 2, DECK)
    last, now = ([set(np.flatnonzero(part).tolist()) for part in parts[:, k]] for k in range(2))
    return [(last[(seat - observer) % seats], now[(seat - observer) % seats]) for seat in range(seats)]


def three_hands(showing: str = "automatic") -> Table:
    """The button is at seat 2. Seat 0 has aces, seat 1 fives, seat 2 jacks."""
    rules = Rules(seats=3, blinds=(1, 2), stacks=200, showing=showing)  # type: ignore[arg-type]
    return Table(rules, button=2, deck="As5sJsAd5dJd" + BOARD)


def test_before_the_showdown_nothing_is_shown() -> None:
    table = three_hands()
    while not table.is_over:
        assert not observe("shown_cards", table, 0).any()
        table.check_call()


@pytest.mark.parametrize("observer", range(3))
def test_at_the_end_those_who_showed_are_seen_and_those_who_mucked_are_not(observer: int) -> None:
    table = check_down(three_hands())
    aces = set(table.hole_cards(0))
    assert shown_to(table, observer) == [(aces, aces), (set(), set()), (set(), set())]


def test_an_all_in_is_face_up_at_once() -> None:
    table = Table(Rules(seats=3, blinds=(1, 2), stacks=(200, 50, 200), showing="manual"), button=2, seed=1)
    table.raise_to(50)
    table.fold()
    table.check_call()  # seats 1 and 2 are in, and only seat 2 has chips
    assert table.is_over
    assert [bool(now) for _, now in shown_to(table)] == [False, True, True]


def test_in_manual_showing_what_was_chosen_is_seen() -> None:
    table = three_hands("manual")
    while not table.is_showing:
        table.check_call()
    assert [bool(now) for _, now in shown_to(table)] == [True, False, False]
    table.muck(1)
    table.show(2)
    aces, jacks = set(table.hole_cards(0)), set(table.hole_cards(2))
    assert shown_to(table) == [(aces, aces), (set(), set()), (jacks, jacks)]


def test_in_the_next_hand_the_cards_are_those_of_the_last() -> None:
    session = Session(Rules(seats=3, blinds=(1, 2), stacks=200), button=2, seed=1)
    aces = set(check_down(session.deal(deck="As5sJsAd5dJd" + BOARD)).hole_cards(0))
    following = session.deal()
    assert shown_to(following, 1) == [(aces, set()), (set(), set()), (set(), set())]
    fold_out(following)  # nobody shows
    assert shown_to(following) == [(set(), set())] * 3
    assert shown_to(session.deal()) == [(set(), set())] * 3


def random_end(table: Table, generator: np.random.Generator) -> Table:
    """Play a hand to its end, mostly by calling, so that there are showdowns."""
    while not table.is_over:
        draw = generator.random()
        raise_min = table.legal.raise_min
        table.play(-1 if draw < 0.05 else raise_min if draw > 0.8 and raise_min else 0)
    return table


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    "rules",
    [
        Rules(seats=4, blinds=(1, 2), stacks=400),
        Rules(seats=2, structure="fixed_limit", blinds=(1, 2), stacks=400, muck=False),
        Rules.preset("omaha-hi-lo"),
        Rules(seats=3, blinds=(1, 2), stacks=(30, 60, 400), face_up_all_in=False),
        Rules.preset("leduc"),
    ],
    ids=["no limit", "everybody shows", "omaha hi-lo", "short stacks", "leduc"],
)
def test_what_is_seen_of_the_last_hand_was_tabled_and_no_other_card(rules: Rules) -> None:
    generator = np.random.default_rng(0)
    shown = mucked = 0
    for seed in range(6):
        session = Session(rules.replace(session={"kind": "cash", "num_hands": 12, "rebuy": 60}), seed=seed)
        last: Table | None = None
        for table in session:
            for observer in range(rules.seats):
                for seat, (before, now) in enumerate(shown_to(table, observer)):
                    tabled = last is not None and last.is_shown(seat)
                    assert before == (set(last.hole_cards(seat)) if last and tabled else set())
                    assert table.is_over or not now
            last = random_end(table, generator)
            states = last.records["shown"][0].tolist()
            shown, mucked = shown + states.count(SHOWN), mucked + states.count(MUCKED)
    assert shown > 30
    assert mucked > 3 or not rules.muck


def test_hands_that_stand_alone_remember_the_last_one_too() -> None:
    rules = Rules(seats=3, blinds=(1, 2), stacks=100)
    tables = Tables(rules, 20, observation="flat+shown_cards", seed=3)
    width = get_observation("flat").size(rules)
    twins = [twin_of(tables, row) for row in range(20)]
    compared = 0
    for step in range(200):
        actions = tables.random_actions(step)
        moves = tables.choices[np.arange(20), actions]
        for twin, move in zip(twins, moves, strict=True):
            twin.play(move)
        tables.step(actions)
        for row in np.flatnonzero(tables.done):
            ended, twins[row] = twins[row], twin_of(tables, row)
            assert ended.is_over
            seen = tables.observation[row, width:].reshape(3, 2, DECK)
            for k in range(3):
                seat = (int(tables.actor[row]) + k) % 3
                tabled = set(ended.hole_cards(seat)) if ended.is_shown(seat) else set()
                assert set(np.flatnonzero(seen[k, 0]).tolist()) == tabled
                compared += bool(tabled)
    assert compared > 100


def twin_of(tables: Tables, row: int) -> Table:
    """The running hand of one of many tables, at its beginning."""
    t = tables.records[row]
    return Table(tables.rules, button=int(t["button"]), seed=tables.seed, hand=int(t["hand"]), table_id=row)


def test_a_new_episode_remembers_nothing() -> None:
    tables = Tables(Rules.preset("heads-up-limit"), 30, observation="shown_cards", seed=1)
    for step in range(40):
        tables.step(tables.random_actions(step))
    assert tables.observation.any()
    tables.reset(seed=1)
    assert not tables.observation.any()


def test_a_new_session_remembers_nothing() -> None:
    rules = Rules(seats=2, blinds=(1, 2), stacks=100, session={"num_hands": 1})
    tables = Tables(rules, 30, observation="shown_cards", seed=1)
    for _ in range(40):
        tables.step(np.ones(30, np.int64))  # everybody calls
        assert not tables.observation.any()
    assert tables.session_over.any() or tables.records["session_hands"].any()
