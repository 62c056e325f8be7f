"""A table as a seat may see it: nothing hidden is in it, and nothing done to it reaches the table."""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import IllegalMove, Rules, Session, Table
from holdem_env.agents.registry import make_agent
from holdem_env.encoders import get_observation, observation_names
from holdem_env.engine.record import NO_CARD, NOBODY, TABLE
from holdem_env.engine.seat_view import BLANKED, CARDS, PARTLY, PUBLIC, new_views, view_rows
from holdem_env.table.parts import Operation
from holdem_env.table.seat_view import FACE_UP, OWN, SeatView
from holdem_env.testing.sampled_tables import GAMES, random_positions, shuffle_hidden_cards
from rules.playing import check_down

HIDDEN_CARD = "??"
WITH_ERRORS = GAMES[1].replace(dealer_errors={"exposed_hole_card": 0.3, "extra_card": 0.2, "premature_flop": 0.5})
ALL_GAMES = (*GAMES, WITH_ERRORS, Rules.preset("omaha-hi-lo") if "omaha-hi-lo" in Rules.presets() else GAMES[0])


def views_of(tables, rules, rows, seats=None):
    """New views of rows."""
    out = new_views(len(rows))
    view_rows(tables, rules.record, rows, out, seats)
    return out


def test_every_field_of_a_table_is_public_partly_seen_or_blanked():
    """A new field of TABLE must be put into one of the three lists of engine/seat_view.py."""
    classified = [*PUBLIC, *PARTLY, *BLANKED]
    assert len(classified) == len(set(classified))
    assert set(classified) == set(TABLE.names)


@pytest.mark.parametrize("rules", ALL_GAMES, ids=str)
def test_public_fields_are_equal_and_blanked_ones_blank(rules):
    tables = random_positions(rules, 60, seed=4)
    rows = np.arange(60)[::2]
    views = views_of(tables, rules, rows)
    for name in PUBLIC:
        np.testing.assert_array_equal(views[name], tables[name][rows], err_msg=name)
    for name in BLANKED:
        assert np.isin(views[name], (NO_CARD, 0) if name in ("deck", "reshuffle_order") else 0).all(), name
    for k, row in enumerate(rows):
        t, seen = tables[row], views[k]
        count = int(t["board_count"])
        assert seen["board"].tolist() == [*t["board"][:count].tolist(), *[NO_CARD] * (5 - count)]
        for seat in range(rules.seats):
            known = t["was_dealt"][seat] and (seat == t["actor"] or t["shown"][seat] == 1)
            cards = t["hole"][seat, : rules.hole_cards].tolist() if known else [NO_CARD] * rules.hole_cards
            assert seen["hole"][seat, : rules.hole_cards].tolist() == cards


@pytest.mark.parametrize("rules", ALL_GAMES, ids=str)
def test_tables_that_differ_only_in_what_is_hidden_give_equal_views(rules):
    tables = random_positions(rules, 120, seed=8)
    rows = np.arange(120)
    seats = np.random.default_rng(3).integers(NOBODY, rules.seats, size=120)
    hidden = shuffle_hidden_cards(tables, rules, seats.tolist(), seed=5)
    for name in ("value", "low_value", "errors", "errors_injected", "orders_injected", "exposed_deal"):
        hidden[name] = np.random.default_rng(6).integers(0, 50, size=hidden[name].shape)
    assert hidden.tobytes() != tables.tobytes()
    assert views_of(hidden, rules, rows, seats).tobytes() == views_of(tables, rules, rows, seats).tobytes()


def test_cards_that_are_not_seen_are_unknown_cards():
    views = new_views(2)
    for name in CARDS:
        assert (views[name] == NO_CARD).all(), name
    view_rows(random_positions(GAMES[1], 2, seed=4), GAMES[1].record, np.arange(2), views)
    for name in ("deck", "reshuffle_order"):
        assert (views[name] == NO_CARD).all(), name


def test_views_are_written_again():
    rules = GAMES[1]
    first, second = random_positions(rules, 40, seed=1), random_positions(rules, 40, seed=2)
    rows, out = np.arange(40), new_views(40)
    view_rows(first, rules.record, rows, out)
    view_rows(second, rules.record, rows, out)
    assert out.tobytes() == views_of(second, rules, rows).tobytes()
    assert views_of(out, rules, rows).tobytes() == out.tobytes()  # a view of a view


def test_moves_and_board_of_earlier_hands_are_blank():
    rules = Rules(seats=2, session={"num_hands": 3})
    session = Session(rules, seed=3)
    check_down(session.deal())
    session.deal()
    assert session.table.records["board"].any()
    view = session.table.view()
    assert (view.records["board"] == NO_CARD).all()
    assert not view.records["made"].view(np.uint8).any()
    assert not view.moves


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", observation_names())
def test_encoders_observe_the_same_from_a_view(name):
    for rules in (GAMES[0], WITH_ERRORS):
        encoder = get_observation(name)
        try:
            size = encoder.size(rules)
        except ValueError:
            continue  # the encoder is for other games
        tables = random_positions(rules, 80, seed=5)
        rows = np.flatnonzero(tables["actor"] != NOBODY)
        seats = tables["actor"][rows].astype(np.int64)
        full, seen = np.empty((2, len(rows), size), np.float32)
        encoder.observe(tables, rules.record, rows, seats, full)
        encoder.observe(views_of(tables, rules, rows), rules.record, np.arange(len(rows)), seats, seen)
        np.testing.assert_array_equal(seen, full)


@pytest.mark.parametrize("name", ["tight_aggressive", "maniac", "pot_odds", "always_fold", "calling_station", "random"])
def test_scripted_agents_decide_the_same_from_a_view(name):
    """Their probabilities. Which move they draw depends on the numbers of the deal, which a view does not have."""
    agent = make_agent(name)
    for rules in GAMES:
        tables = random_positions(rules, 40, seed=6)
        rows = np.flatnonzero(tables["actor"] != NOBODY)
        views = views_of(tables, rules, rows)
        answers = agent.probabilities(tables, rules, rows), agent.probabilities(views, rules, np.arange(len(rows)))
        for whole, seen in zip(*answers, strict=True):
            np.testing.assert_array_equal(seen, whole)


@pytest.fixture
def table() -> Table:
    """Three players on the flop; seat 1 is to act."""
    table = Table(Rules(seats=3, blinds=(50, 100), stacks=5_000), button=0, seed=7)
    for move in (300, 0, -1, 0):
        table.play(move)
    return table


def test_a_view_has_what_the_table_says_openly(table):
    view = table.view(1)
    for name in ("street", "board", "pots", "pot", "stacks", "bets", "legal", "actor", "button", "posted", "payoffs"):
        assert getattr(view, name) == getattr(table, name), name
    for name in ("positions", "game", "rules", "is_over", "rake", "starting_stacks", "exposed"):
        assert getattr(view, name) == getattr(table, name), name
    assert view.seat == 1
    assert view.hole_cards() == view.hole_cards(1) == table.hole_cards(1)
    assert view.hole_cards(0) == view.hole_cards(2) == HIDDEN_CARD * 2
    assert (view.is_folded(2), view.is_shown(0)) == (True, False)
    assert [tuple(move) for move in view.moves] == [(0, 0, 300), (1, 0, 0), (2, 0, -1), (1, 1, 0)]
    assert view.positions[0].name == "BTN"
    assert repr(view) == "<SeatView: 3 seats, No limit 50/100, street 1, seat 0 to act>"
    hidden = str(table)
    for seat in (0, 2):
        hidden = hidden.replace(str(table.hole_cards(seat)), HIDDEN_CARD * 2)
    assert str(view) == hidden


def test_a_view_has_no_way_to_the_deck_nor_to_the_table(table):
    view = table.view(1)
    for name in ("deck", "seed", "play", "fold", "raise_to", "undo"):
        assert not hasattr(view, name)
    found, seen = [view], set()
    while found:
        thing = found.pop()
        if id(thing) in seen or isinstance(thing, type | type(pytest)):
            continue
        seen.add(id(thing))
        assert all(thing is not hidden for hidden in (table, table.records, table.log))
        if not isinstance(thing, Rules):
            found += gc.get_referents(thing)
    for name in ("seat", "street", "stacks"):
        complaint(setattr, view, name, 0, kind=AttributeError)


def test_nothing_done_to_a_view_reaches_the_table(table):
    before, text = table.records.tobytes(), str(table)
    view = table.view()
    view.records[:] = 1
    view.records["seats"]["stack"] = 9
    view.log.clear()
    view.stacks[0] = 7
    assert table.records.tobytes() == before
    assert str(table) == text
    assert table.log
    table.play(0)
    assert view.records["seats"]["stack"][0, 0] == 9


def test_the_nearest_raise(table):
    view = table.view()
    assert [view.nearest_raise(total) for total in (-5, 99, 100, 250.9, 10**6)] == [100, 100, 100, 250, 4700]
    chips = Table(Rules(seats=2, blinds=(50, 100), stacks=1_000, smallest_chip=50), seed=1)
    assert chips.view().nearest_raise(349) == 300
    chips.raise_to(1_000)
    assert chips.view().nearest_raise(2_000) is None


def test_a_view_stays_and_copies(table):
    view = table.view()
    text = str(view)
    table.play(200)
    assert str(view) == str(copy.deepcopy(view)) == str(pickle.loads(pickle.dumps(view))) == text


def test_the_log_shows_what_the_seat_saw(table):
    def cards(operations: list[Operation], kind: str) -> list[str]:
        return [str(operation.cards) for operation in operations if operation.kind == kind]

    view = table.view(1)
    assert [op._replace(cards=()) for op in view.log] == [op._replace(cards=()) for op in table.log]
    own = [str(op.cards) if op.seat == 1 else "??" for op in table.log if op.kind == "deal_hole"]
    assert cards(view.log, "deal_hole") == own
    assert cards(view.log, "burn") == ["??"]
    assert cards(view.log, "deal_board") == cards(table.log, "deal_board")


def test_dealer_errors_show_what_everybody_saw():
    rules = Rules(seats=3, blinds=(1, 2))
    table = Table(rules, seed=1, dealer_errors={"exposed_hole_card": 4})
    exposed = next(operation for operation in table.log if operation.kind == "expose")
    for seat in range(3):
        view = table.view(seat)
        assert view.exposed == exposed.cards
        assert [operation.cards for operation in view.log if operation.kind == "expose"] == [exposed.cards]
        replaced = [operation for operation in view.log if operation.kind == "replace_card"]
        assert (replaced[0].cards == HIDDEN_CARD) == (replaced[0].seat != seat)
    extra = Table(rules, seed=1, dealer_errors={"extra_card": 1}).view(0).log
    assert {str(operation.cards) for operation in extra if operation.kind in ("extra_card", "take_back")} == {"??"}
    early = check_down(Table(rules, seed=1, dealer_errors={"premature_flop": True}, reshuffles=None))
    kinds = {operation.kind for operation in early.log if operation.cards}
    assert {"deal_early", "take_back"} <= kinds
    shown = early.view(0)
    for seen, real in zip(shown.log, early.log, strict=True):
        if seen.kind in FACE_UP or seen.kind == "take_back":
            assert seen == real
        elif seen.kind not in OWN:
            assert HIDDEN_CARD * len(real.cards) == seen.cards


def test_shown_hands_are_seen_and_mucked_ones_never():
    table = check_down(Table(Rules(seats=2, blinds=(1, 2), muck=True), deck="AsKdAhQd", button=0))
    shown = [seat for seat in range(2) if table.is_shown(seat)]
    for seat in range(2):
        other = 1 - seat
        expected = table.hole_cards(other) if other in shown else HIDDEN_CARD * 2
        assert table.view(seat).hole_cards(other) == expected
        assert table.view(seat).hole_cards() == table.hole_cards(seat)


def test_when_nobody_is_to_act_name_a_seat(table):
    table.fold()
    assert table.is_over
    mentions(complaint(table.view), "0..2")
    mentions(complaint(table.view, 3), 3)
    assert isinstance(table.view(0), SeatView)
    complaint(table.play, 0, kind=IllegalMove)
