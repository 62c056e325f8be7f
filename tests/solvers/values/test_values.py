"""Search of one street: equities of pairs, the zero sum of networks, and what is solved where a network ends it."""

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.cards.combos import COMBO_CARDS, combo_number, possible_combos
from holdem_env.solvers import CardAbstraction
from holdem_env.solvers.blueprints import resolving
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.strategy_file import load_strategy
from holdem_env.solvers.public_game import PublicGame
from holdem_env.solvers.solver import Solver
from holdem_env.solvers.trees import BettingTree
from holdem_env.solvers.trees.walking import DECISION
from holdem_env.solvers.values.labels import Board, example, mixed, random_board, random_ranges
from holdem_env.solvers.values.network import (
    PLAYERS,
    SHIPPED,
    Buckets,
    Seen,
    ValueNetwork,
    inputs_of,
    load_values,
    save_values,
    shipped_values,
)
from holdem_env.solvers.values.pairs import pairs_of
from holdem_env.solvers.values.street import solve_street
from solvers.blueprints.test_agent import strategy_at
from solvers.blueprints.test_resolving import after
from solvers.blueprints.toys import by_strength, toy_strategy

CARDS = CardAbstraction("strength", flop=12, turn=12, river=6)
TURN = (0, 13, 27, 41)
GAME = Rules(seats=2, blinds=(1, 2), min_bet=1)


def network_of(street="river", says=0.0, deepest=50.0, cards=CARDS, seed=0):
    """A network that says little, at random, or nothing."""
    random, buckets = np.random.default_rng(seed), 12
    shape = inputs_of(buckets), PLAYERS * buckets
    layer = (says * random.normal(size=shape)).astype(np.float32), np.zeros(shape[1], np.float32)
    return ValueNetwork(street, cards, deepest, (layer,), {"examples": 0})


def some_ranges(board, seed=1):
    random = np.random.default_rng(seed)
    return np.where(possible_combos(np.array(board)), random.random((PLAYERS, 1326)) ** 3, 0.0)


def test_equities_are_those_of_solved_turns_and_add_up():
    pairs, ranges = pairs_of(TURN), some_ranges(TURN)
    tree = BettingTree.from_spot(GAME, "100%", "turn", 200, 900)
    solver = Solver(PublicGame(tree, GAME, TURN, ranges, isomorphic=False))
    wanted = solver.by_hand(solver.equities())[:, pairs.combos]
    others = ranges[::-1, pairs.combos].astype(np.float32)
    assert np.allclose(pairs.won(others) / pairs.met(others), wanted, atol=1e-4)
    cards = COMBO_CARDS[pairs.combos]
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    assert np.allclose((pairs.share + pairs.share.T)[apart], 1, atol=1e-6)
    assert not pairs.share[~apart].any()


def test_a_flops_equities_are_near_those_of_all_run_outs():
    pairs = pairs_of(TURN[:3])
    aces, kings = (np.flatnonzero(pairs.combos == combo_number(*hand))[0] for hand in ((51, 50), (47, 46)))
    assert pairs.share[aces, kings] + pairs.share[kings, aces] == pytest.approx(1)
    assert 0.8 < pairs.share[aces, kings] < 1


def test_what_one_wins_the_other_loses():
    random = np.random.default_rng(3)
    weight = random.random((4, PLAYERS, 12)).astype(np.float32)
    likely, ones = weight / weight.sum(axis=-1, keepdims=True), np.ones(12, np.float32)
    seen = Seen(likely, weight, 90 * ones, ones[:4])
    values = network_of(says=0.1)(seen)
    assert np.abs(values).max() > 0.1
    assert np.allclose((values * seen.weight).sum(axis=(1, 2)), 0, atol=1e-5)


def test_a_network_that_adds_nothing_to_equity_is_a_river_without_bets():
    """Then the same street can be solved to the end of the hand, by another solver."""
    ranges = some_ranges(TURN)
    tree = BettingTree.from_spot(GAME, {"turn": "100%, a | a", "river": "none"}, "turn", 100, 300)
    search = solve_street(tree, TURN, ranges, network_of(), 200)
    exact = Solver(PublicGame(tree, GAME, TURN, ranges, isomorphic=False))
    for node, strategy in search.strategies.items():
        exact.set_strategy(node, np.where(strategy.sum(axis=1, keepdims=True) > 0, strategy, 1 / strategy.shape[1]))
    for node in set(np.flatnonzero(tree.kind == DECISION).tolist()) - set(search.strategies):
        exact.set_strategy(node, np.ones((1326, 1)))  # the river's only moves are checks
    assert exact.exploitability() < 0.005 * 100
    played = exact.by_hand(exact.values(2)) + tree.put_in[0][:, None]
    known = ~np.isnan(played)
    assert np.allclose(search.values[known], played[known], atol=0.5)


def test_a_file_keeps_a_network(tmp_path):
    network = network_of(says=0.1)
    save_values(network, tmp_path / "n.safetensors")
    again = load_values(tmp_path / "n.safetensors")
    assert (again.street, again.cards, again.deepest, again.training) == ("river", CARDS, 50.0, {"examples": 0})
    assert np.allclose(again.layers[0][0], network.layers[0][0], atol=1e-3)


def test_files_that_are_no_networks_are_refused(tmp_path):
    mentions(complaint(load_values, tmp_path / "none.safetensors", kind=FileNotFoundError), "none.safetensors")
    path = tmp_path / "n.safetensors"
    path.write_bytes(b"nothing")
    mentions(complaint(load_values, path), "must be a value network")
    save_values(network_of(cards=CardAbstraction("strength", flop=12, turn=13, river=6)), path)
    mentions(complaint(load_values, path), 13)
    for number in (np.nan, np.inf):
        network = network_of()
        network.layers[0][0][0, 0] = number
        save_values(network, path)
        mentions(complaint(load_values, path), "finite", "n.safetensors")
    mentions(complaint(load_strategy, path), "kind must be 'strategy', got 'values'")


@pytest.fixture
def strategy():
    return toy_strategy(level=by_strength)


@pytest.fixture
def searched(monkeypatch):
    """The streets whose end a network valued."""
    calls, solve = [], resolving.solve_street

    def counted(tree, *arguments):
        calls.append(int(tree.street[0]))
        return solve(tree, *arguments)

    monkeypatch.setattr(resolving, "solve_street", counted)
    monkeypatch.setattr(resolving, "shipped_values", network_of)
    monkeypatch.setattr(resolving, "STREET_ITERATIONS", 12)
    for street in (2, 3):
        monkeypatch.setitem(resolving.ITERATIONS, street, 20)
    return calls


@pytest.mark.slow
def test_streets_are_searched_one_after_the_other(strategy, searched):
    agent = BlueprintAgent(strategy, search="flop")
    for moves in ([4, 0], [4, 0, 5, 0], [4, 0, 5, 0, 9, 0]):
        assert sum(strategy_at(agent, after(moves)).values()) == pytest.approx(1)
    assert searched == [1, 1, 2]  # the flop again with the bet that was made; the river to the end of the hand


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{"rake": 5}, {"structure": "pot_limit"}, {"stacks": 600}])
def test_what_a_network_was_not_trained_for_is_solved_or_played_plainly(changes, strategy, searched, monkeypatch):
    solved, solve = [], resolving.solve_tree
    monkeypatch.setattr(resolving, "solve_tree", lambda *a, **named: solved.append(a) or solve(*a, **named))
    rules = strategy.rules.replace(**changes)
    resolver = BlueprintAgent(strategy, search="flop").resolver
    table = after([4, 0], rules=rules)
    assert resolver.answer(table.records, rules, 0) is None
    for move in (0, 0):
        table.play(move)
    assert resolver.answer(table.records, rules, 0) is not None
    assert not searched
    assert len(solved) == 1


def test_turns_are_exact_where_that_is_asked_for(strategy, searched):
    agent = BlueprintAgent(strategy, search="turn", values="exact", iterations=10)
    assert sum(strategy_at(agent, after([4, 0, 4, 0])).values()) == pytest.approx(1)
    assert not searched


def test_without_a_network_the_blueprint_plays_flops(strategy, monkeypatch):
    monkeypatch.setattr(resolving, "shipped_values", lambda street: None)
    table = after([4, 0])
    plain = strategy_at(BlueprintAgent(strategy, None), table)
    assert strategy_at(BlueprintAgent(strategy, search="flop"), table) == plain


def test_examples_are_what_is_won_beyond_equity():
    random = np.random.default_rng(5)
    cards = random_board(4, random)
    board = Board.of(cards, CARDS)
    strength = board.pairs.share.sum(axis=1)
    ranges = mixed(*(random_ranges(strength, board.pairs.combos, random) for _ in range(2)), random)
    assert np.allclose(ranges.sum(axis=1), 1)
    found = example(board, ranges, 2.0, random, None)
    assert np.isfinite(found.gain).all()
    assert (found.trust >= 0).all()
    assert abs((found.gain * found.seen.weight[0]).sum()) < 0.1  # but for the card, what one gains the other loses
    flop = Board.of(cards[:3], CARDS)
    found = example(flop, ranges, 2.0, random, network_of())
    assert np.isfinite(found.gain).all()
    assert Buckets.on(CARDS, cards[:3], flop.pairs).hands.sum() == 1176


@pytest.mark.parametrize("street", ["turn", "river"])
def test_bundled_networks_are_small_and_have_cards(street):
    network, path = shipped_values(street), SHIPPED / f"{street}.safetensors"
    assert network.street == street
    assert path.stat().st_size < 8e6
    assert "percent of the pot" in path.with_suffix(".md").read_text()
