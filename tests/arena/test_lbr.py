"""Local best response: known answers, deal by deal, and in several settings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arena.open_book_agents import Linear, OpenBookAgent, Uniform, caller, folder
from holdem_env import Rules, Table, equity, equity_batch, evaluate
from holdem_env.agents import Agent, StrategyUnknown
from holdem_env.arena import local_best_response, local_best_responses
from holdem_env.arena.best_responses import lbr_table
from holdem_env.cards.combos import COMBO_CARDS, COMBOS, possible_combos
from holdem_env.cards.text import parse_cards
from holdem_env.encoders import get_actions
from holdem_env.equities.against_hands import shares_against_hands

DEEP = Rules.preset("heads-up-no-limit")


class ShovesHigh(OpenBookAgent):
    """All-in with two cards whose ranks add up to enough, else folds: free or not."""

    name = "shoves_high"
    ENOUGH = 17

    @classmethod
    def is_high(cls, hole):
        return (np.asarray(hole) // 4).sum(axis=-1) >= cls.ENOUGH

    def probabilities(self, tables, rules, rows):
        high = self.is_high(tables["hole"][rows, tables["actor"][rows], :2])
        shove = np.where(tables["raise_max"][rows] > 0, tables["raise_max"][rows], 0)
        return np.where(high, shove, -1)[:, None], np.ones((len(rows), 1))


def deals_of(rules: Rules, seed: int, deals: int) -> list[Table]:
    """The first hand of as many tables: what is played when this number of deals is asked for."""
    return [Table(rules, button=0, seed=seed, table_id=deal) for deal in range(deals)]


# Before the flop each new kind of hand takes 60 ms: the tests that begin there are short, and share a seed.
@pytest.mark.parametrize("actions", ["fc", "fcpa", "50%, 2x, all-in"])
def test_who_always_folds_loses_three_quarters_of_a_big_blind(actions: str) -> None:
    found = local_best_response(folder(), DEEP, hands=12, actions=actions, seed=2)
    assert (found.mean, found.half_width, found.hands, found.deals) == (750, np.inf, 12, 6)  # six equal deals are few


def test_calling_down_a_caller_is_worth_nothing() -> None:
    """Every hand is checked down, and each deal is played from both seats."""
    found = local_best_response(caller(), DEEP, hands=12, actions="fc", seed=2)
    assert (found.mean, found.half_width) == (0, np.inf)


def test_against_a_caller_it_bets_the_river_with_the_better_half_of_all_hands() -> None:
    """Two big blinds deep: one is in the middle by the river, the other goes in where more is beaten than not."""
    rules, deals = DEEP.replace(stacks=4), 60
    found = local_best_response(caller(), rules, hands=2 * deals, from_street=3, num_tables=deals, seed=5)
    won = 0.0
    for table in deals_of(rules, 5, deals):
        while not table.is_over:
            table.check_call()
        board = list(table.board)
        for own in range(2):
            mine, theirs = (list(table.hole_cards(seat)) for seat in (own, 1 - own))
            others = COMBO_CARDS[possible_combos(np.array(mine + board))]
            values = evaluate(np.concatenate([others, np.tile(board, (len(others), 1))], axis=1))
            beaten = np.sign(evaluate([mine + board])[0] - values).mean()
            result = np.sign(evaluate([mine + board])[0] - evaluate([theirs + board])[0])
            won += result * (2 if beaten > 0 else 1)
    assert found.mean == pytest.approx(1000 * won / (2 * deals))
    assert won > 0


def test_it_knows_what_an_all_in_means() -> None:
    """Ten big blinds: it calls the all-in with the hands that are good enough against those that go all-in."""
    rules, deals = DEEP.replace(stacks=20), 16
    found = local_best_response(ShovesHigh(), rules, hands=2 * deals, actions="fc", num_tables=deals, seed=2)
    won, calls, lays_down = 0.0, 0, 0
    for table in deals_of(rules, 2, deals):
        for own in range(2):
            hole, theirs = table.hole_cards(own), table.hole_cards(1 - own)
            hand = table.copy()
            if hand.actor == own:
                hand.check_call()
            if not ShovesHigh.is_high(list(theirs)):
                hand.fold()
            else:
                hand.raise_to(20)
                others = COMBO_CARDS[possible_combos(np.array(list(hole))) & ShovesHigh.is_high(COMBO_CARDS)]
                pairs = np.stack([np.broadcast_to(np.array(list(hole)), others.shape), others], axis=1)
                good = equity_batch(pairs)[:, 0].mean() > 18 / 40  # 18 more to win 40
                calls, lays_down = calls + good, lays_down + (not good)
                hand.play(0 if good else -1)
            won += hand.payoffs[own] / rules.big_blind
    assert found.mean == pytest.approx(1000 * won / (2 * deals))
    assert calls
    assert lays_down


def test_it_raises_where_enough_hands_fold() -> None:
    """As above, but it may raise: all-in, against an opponent that folds seven hands in ten."""
    rules = DEEP.replace(stacks=20)
    passive, active = (
        local_best_response(ShovesHigh(), rules, hands=12, actions=actions, seed=2) for actions in ("fc", "fcpa")
    )
    assert active.mean != passive.mean  # the same deals


@pytest.mark.slow
@pytest.mark.parametrize("from_street", [0, 1, 2, 3])
def test_it_beats_what_plays_at_random(from_street: int) -> None:
    found = local_best_response(Uniform(), DEEP.replace(stacks=20), hands=1_500, from_street=from_street)
    assert found.interval[0] > 0


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("structure", ["fixed_limit", "pot_limit"])
def test_other_structures(structure: str) -> None:
    rules = Rules(structure=structure, seats=2, blinds=(1, 2), stacks=200)
    found = local_best_response(Linear(1), rules, hands=10, from_street=2, num_tables=4)
    assert found.actions == ("limit" if structure == "fixed_limit" else "fcpa")
    assert found.hands == 16  # whole rounds of 4 deals
    assert str(found).startswith(f"local best response ({found.actions}, from street 2) against linear: ")


def test_uneven_stacks_count_only_what_can_be_called() -> None:
    """The agent has a big blind only. All the others' chips come back, so who calls risks nothing but that."""
    rules = DEEP.replace(stacks=(2, 200))
    found = local_best_response(caller(), rules, hands=12, actions="fcpa", seed=2)
    assert abs(found.mean) <= 1000


def test_the_same_seed_plays_the_same() -> None:
    one, two, other = (
        local_best_response(Uniform(), DEEP, hands=20, from_street=3, seed=seed).mean for seed in (1, 1, 2)
    )
    assert one == two != other


@pytest.mark.parametrize(
    ("cards", "board"), [("AsKs", ""), ("2c2d", ""), ("7h2c", "AsKsQs"), ("AhAd", "2c3c4c5d"), ("6h7h", "2c3c4c5d9s")]
)
def test_equities_against_every_hand(cards: str, board: str) -> None:
    hole, seen = (np.array(list(parse_cards(text)), np.int64) for text in (cards, board))
    shares = shares_against_hands(hole, seen)
    can_be = possible_combos(np.concatenate([hole, seen]))
    assert shares.shape == (COMBOS,)
    assert not shares[~can_be].any()
    for number in np.random.default_rng(0).choice(np.flatnonzero(can_be), 12):
        exact = equity([hole.tolist(), COMBO_CARDS[number].tolist()], board=board).equity[0]
        assert shares[number] == pytest.approx(exact)


class NeverAsked(Agent):
    name = "silent"

    def act(self, tables, rules, rows):
        raise AssertionError


@pytest.mark.parametrize(
    ("agent", "rules", "options", "error", "words"),
    [
        (NeverAsked(), DEEP, {}, StrategyUnknown, "'silent' does not give"),
        (Uniform(), Rules.preset("six-max-no-limit"), {}, ValueError, "two seats; here are 6"),
        (Uniform(), Rules.preset("leduc"), {}, ValueError, "deck, hole_cards.* exact measure: exploitability"),
        (Uniform(), Rules.preset("omaha", seats=2), {}, ValueError, "hole_cards, hole_cards_used"),
        (Uniform(), DEEP.replace(blinds=(0, 0), ante=1), {}, ValueError, "no big blind"),
        (Uniform(), DEEP, {"from_street": 4}, ValueError, r"from_street: 4.*0 \(before the flop\) to 3 \(river\)"),
        (Uniform(), DEEP, {"hands": 0}, ValueError, "hands: 0"),
        (Uniform(), DEEP, {"actions": "fcap"}, ValueError, "fcpa"),
    ],
)
def test_bad_input_is_told_before_anything_is_played(agent, rules, options, error, words) -> None:
    with pytest.raises(error, match=words):
        local_best_response(agent, rules, **options)
    several = {"actions": ("actions", "fc"), "from_street": ("from_streets", 0)}
    for name, (names, first) in several.items():
        if name in options:
            options = {names: [first, options[name]]}
    with pytest.raises(error, match=words):
        local_best_responses(agent, rules, **options)


def test_encoders_of_your_own() -> None:
    assert local_best_response(folder(), DEEP, hands=4, actions=get_actions("pot, all-in", DEEP), seed=2).mean == 750


def test_each_of_the_actions_from_each_street() -> None:
    found = list(local_best_responses(folder(), DEEP, 12, ["fc", "50%, all-in"], [0, 3]))
    assert [(each.actions, each.from_street) for each in found] == [
        *(("fc", 0), ("fc", 3), ("50%, all-in", 0), ("50%, all-in", 3))
    ]
    assert {(each.mean, each.hands) for each in found} == {(750, 12)}
    assert str(found[2]).startswith("local best response (50%, all-in, from street 0) against folder: +750")


def test_one_part_is_what_local_best_response_plays() -> None:
    (found,) = local_best_responses(Uniform(), DEEP, 40, ["fcpa"], [2], seed=3)
    assert found == local_best_response(Uniform(), DEEP, 40, "fcpa", 2, seed=3)


@pytest.mark.slow
def test_parts_have_other_decks_and_do_not_depend_on_processes(monkeypatch) -> None:
    played: list[int] = []
    monkeypatch.setattr(lbr_table, "PART_HANDS", 64)
    (one,) = local_best_responses("random", DEEP, 128, ["fc"], [3], jobs=1, progress=played.append)
    (two,) = local_best_responses("random", DEEP, 128, ["fc"], [3], jobs=2)
    (first,) = local_best_responses("random", DEEP, 64, ["fc"], [3])
    assert one == two
    assert played == [64, 64]
    assert one.mean != first.mean


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_has_changed_is_another_agent(tmp_path: Path, monkeypatch, jobs: int) -> None:
    """Processes that are still there from the call before read the agent's file again."""
    monkeypatch.setattr(lbr_table, "PART_HANDS", 8)
    config, names, found = tmp_path / "agent.json", ("calling_station", "tight_aggressive"), []
    for name in names:
        config.write_text(json.dumps({"agent": name}))
        found += local_best_responses(str(config), DEEP, 32, ["fcpa"], [3], jobs=jobs)
    wanted = [next(local_best_responses(name, DEEP, 32, ["fcpa"], [3])) for name in names]
    assert [each.mean for each in found] == [each.mean for each in wanted]


def test_usual_settings() -> None:
    assert lbr_table.usual_actions(DEEP) == ("fc", "fcpa", lbr_table.OFF_TREE)
    assert lbr_table.usual_actions(Rules.preset("heads-up-limit")) == ("fc", "limit")
    found = list(local_best_responses(folder(), Rules.preset("heads-up-limit"), 4))
    assert len(found) == 8
    assert not any(lbr_table.is_published(each, Rules.preset("heads-up-limit")) for each in found)
