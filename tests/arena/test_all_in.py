"""All-in expected value: the mean of what was won, and exact where it says so."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from holdem_agents.scripted import CallingStation, Maniac
from holdem_env import Rules, Table, equity
from holdem_env.agents import Agent
from holdem_env.arena import AllInValue, estimates, play_deals, rotations

HEADS_UP = Rules.preset("heads-up-no-limit")


class Shover(Agent):
    """All-in whenever it may be, else calls."""

    name = "shover"

    def act(self, tables, rules, rows):
        return tables["raise_max"][rows].astype(np.int64)


def shove_all(table: Table) -> Table:
    while not table.is_over:
        table.play(table.legal.raise_max or 0)
    return table


def value(table: Table) -> list[float]:
    return AllInValue().values(table.records, table.rules, np.zeros((1, table.rules.seats), np.int64), [])[0].tolist()


@pytest.mark.parametrize("deck", ["AsKdAhKc", "7c7d6h8s", "AhAdKhKd", "2c3c2d3d"])
def test_heads_up_before_the_flop_it_is_the_equity(deck):
    table = shove_all(Table(HEADS_UP, deck=deck, seed=1))
    shares = equity([str(table.hole_cards(seat)) for seat in (0, 1)]).equity
    assert value(table) == pytest.approx([400 * share - 200 for share in shares])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(4))
def test_after_the_flop_and_the_turn_it_is_the_mean_over_all_boards(seed):
    """Three seats, one folded with dead chips in the pot: each board is dealt and played out (R27, R28)."""
    rules = Rules(seats=3, blinds=(5, 10), stacks=(70, 335, 200), smallest_chip=5)
    for checks in (0, 2):  # all-in on the flop, on the turn
        table = Table(rules, seed=seed)
        for _ in range(3):
            table.check_call()
        for _ in range(3 * (checks > 0)):
            table.check_call()
        known = len(table.board)
        table.fold()  # its five chips... and its cards are out of the deck
        shove_all(table)
        deck = table.deck
        seen = {card for seat in range(3) for card in table.hole_cards(seat)} | set(table.board[:known])
        rest = [card for card in range(52) if card not in seen]
        places = [6 + 1 + 3 + 1, 6 + 1 + 3 + 1 + 2][-(5 - known) :]
        payoffs = []
        for cards in combinations(rest, 5 - known):
            other = list(deck)
            for place, card in zip(places, cards, strict=True):
                there = other.index(card)
                other[there], other[place] = other[place], other[there]
            again = Table(rules, deck=other)
            for move in table.records["made"]["move"][0, : table.records["moves"][0]]:
                again.play(move)
            payoffs.append(again.payoffs)
        assert value(table) == pytest.approx(np.mean(payoffs, axis=0).tolist())


def test_no_luck_left_or_no_showdown_is_worth_what_was_won():
    table = Table(HEADS_UP, seed=2)
    while table.street < 3:
        table.check_call()
    assert value(shove_all(table)) == table.payoffs
    table = Table(HEADS_UP, seed=2)
    table.raise_to(200)
    table.fold()
    assert value(table) == table.payoffs


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "rules",
    [
        HEADS_UP,
        Rules(seats=4, blinds=(1, 3), stacks=(50, 9, 25, 100), ante=1),
        Rules(seats=3, stacks=700, rake={"percent": 5, "cap": 60}),
        Rules.preset("omaha-hi-lo", seats=3, stacks=9),
        Rules.preset("leduc", stacks=3),
    ],
    ids=["heads-up", "side pots", "rake", "omaha-hi-lo", "leduc"],
)
def test_its_mean_is_the_mean_of_the_chips(rules):
    """Unbiased: the difference between result and value is luck alone, 0 within four standard errors, for every
    seat."""
    agents = [Shover(), Maniac(), CallingStation()]
    lineup = np.arange(rules.seats) % 3
    deals = play_deals(
        rules, agents, lineup, range(400 if rules.hole_cards == 4 else 1500), seed=8, columns=[AllInValue(samples=50)]
    )
    luck = deals.columns["chips"] - deals.columns["all_in"]
    assert np.abs(luck.sum(axis=2)).max() < 1e-6  # nobody's luck but another's misfortune
    for seat in range(rules.seats):
        for agent in range(min(3, rules.seats)):
            theirs = np.where(deals.seating[:, :, seat] == agent, luck[:, :, seat], 0).sum(axis=1)
            assert abs(theirs.mean()) <= 4 * theirs.std() / np.sqrt(len(theirs)) + 1e-9
    assert luck.std() > 0


def test_sampled_values_tell_so_and_agree_with_more_samples():
    table = shove_all(Table(Rules(seats=3, stacks=1000), seed=4))
    few, sampled = AllInValue(samples=2_000).with_method(table.records, table.rules)
    many, _ = AllInValue(samples=200_000).with_method(table.records, table.rules)
    assert sampled.tolist() == [True]
    assert np.abs(few - many).max() < 4 * 3000 / np.sqrt(2_000)
    assert np.abs(few - many).max() > 0


def test_rotations_of_a_deal_among_shovers_cancel():
    deals = play_deals(Rules(seats=3), [Shover()] * 3, [0, 1, 2], range(50), columns=[AllInValue(20)])
    for column in deals.columns:
        assert np.abs(deals.per_deal(1, column)).max() < 1e-9
    names = [each.name for each in estimates(deals)]
    assert names == ["raw", "all_in", "duplicate", "duplicate + all_in"]


def test_a_dealer_who_errs_is_refused():
    rules = Rules(seats=2, dealer_errors={"premature_turn": 0.1})
    with pytest.raises(ValueError, match="all-in expected value: a dealer who errs"):
        play_deals(rules, [Shover()] * 2, [0, 1], range(2), columns=[AllInValue()])


def test_rotations_give_everybody_every_seat_once():
    turned = rotations([3, 1, 2], 3)
    assert turned.tolist() == [[3, 1, 2], [2, 3, 1], [1, 2, 3]]
