"""Re-solving: the ranges by Bayes, the tree with the sizes played, each street solved once, and the time it takes."""

import numpy as np
import pytest

from holdem_env import Session, Table
from holdem_env.agents.config_files import config_of
from holdem_env.agents.queries import asked_range_probabilities
from holdem_env.agents.registry import without_search
from holdem_env.cards.combos import COMBOS, combo_number, possible_combos
from holdem_env.solvers.blueprints import resolving
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.resolving import is_complete, replayed, spot_of, with_floor
from holdem_env.solvers.subgames import exploitability

from .test_agent import ROW, strategy_at
from .toys import RULES, by_strength, toy_strategy

TO_RIVER = [4, 0, 4, 0, 8, 0]
"""A raise by half the pot, a call; on flop and turn bets of half the pot, and calls."""


@pytest.fixture(scope="module")
def strategy():
    return toy_strategy(level=by_strength)


@pytest.fixture
def agent(strategy, monkeypatch):
    monkeypatch.setitem(resolving.ITERATIONS, 3, 40)
    return BlueprintAgent(strategy, search="river")


@pytest.fixture
def solved(monkeypatch):
    """The trees that were solved."""
    calls, solve = [], resolving.solve_tree

    def counted(tree, *arguments, **named):
        calls.append(tree)
        return solve(tree, *arguments, **named)

    monkeypatch.setattr(resolving, "solve_tree", counted)
    return calls


def after(moves, seed=6, rules=RULES, button=0):
    table = Table(rules, seed=seed, button=button)
    for move in moves:
        table.play(move)
    return table


def test_before_the_street_it_plays_the_blueprint(agent, strategy, solved):
    table = after([4, 0])
    assert strategy_at(agent, table) == strategy_at(BlueprintAgent(strategy, None), table)
    assert not solved


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("button", [0, 1])
def test_ranges_are_bayes_over_the_moves_of_the_hand(agent, strategy, button):
    """The products of what range queries say of each move that was made."""
    plain = BlueprintAgent(strategy, None)
    table, ranges = Table(RULES, seed=6, button=button), np.ones((2, COMBOS))
    for move in TO_RIVER:
        moves, probabilities = asked_range_probabilities(plain, table.records, RULES, ROW)
        player = table.actor ^ button
        ranges[player] *= probabilities[0, :, moves[0].tolist().index(move)]
        table.play(move)
    found = agent._reach_probabilities(table.records, RULES, 0, len(TO_RIVER))[[button, 1 - button]]
    board = table.records["board"][0].tolist()
    possible = possible_combos(np.array(board))
    for player in range(2):
        wanted = np.where(possible, ranges[player], 0)
        assert np.allclose(np.where(possible, found[player], 0) / found[player][possible].sum(), wanted / wanted.sum())


def test_the_solution_has_the_real_pot_stacks_and_sizes(agent, solved):
    """A river bet of 13 into 32 is no size of the tree; it is put in."""
    table = after([*TO_RIVER, 13])
    answer = strategy_at(agent, table)
    tree = solved[0]
    assert int(tree.pot[0]) == table.pot - 13
    assert 13 in tree.move[tree.first_child[0] : tree.first_child[0] + tree.children[0]]
    assert sum(answer.values()) == pytest.approx(1)
    legal = table.legal
    assert all(move <= 0 or legal.raise_min <= move <= legal.raise_max for move in answer)
    (found,) = agent.resolver._solved.values()
    even = {node: 1 / int(tree.children[node]) for node in found.strategies}
    plays = {node: np.where(rows.any(axis=1)[:, None], rows, even[node]) for node, rows in found.strategies.items()}
    assert exploitability(tree, table.records["board"][0].tolist(), found.ranges, plays.get) < 0.05 * tree.pot[0]


@pytest.mark.slow
def test_a_river_is_solved_once_for_each_player_however_often_it_is_asked(agent, solved):
    table = after(TO_RIVER)
    strategy_at(agent, table)
    asked_range_probabilities(agent, table.records, RULES, ROW)
    rows = np.zeros(40, np.int64)
    asked_range_probabilities(agent, table.records, RULES, rows)
    table.play(0)
    strategy_at(agent, table)  # the other player, which knows what hands it has come with
    assert len(solved) == 2
    table.play(8)  # half the pot is 16
    strategy_at(agent, table)
    assert len(solved) == 3


def test_range_queries_are_the_probabilities_of_each_hand(agent):
    table = after(TO_RIVER)
    moves, probabilities = asked_range_probabilities(agent, table.records, RULES, ROW)
    own = combo_number(*table.records["hole"][0, table.actor, :2].tolist())
    found = {int(m): float(p) for m, p in zip(moves[0], probabilities[0, own], strict=True) if p > 0}
    assert found == pytest.approx(strategy_at(agent, table))


def test_it_is_the_same_every_time(agent, strategy):
    again = BlueprintAgent(strategy, search="river")
    for seed in (6, 7):
        table = after(TO_RIVER, seed)
        assert strategy_at(agent, table) == strategy_at(again, table) == strategy_at(agent.clone(), table)


def test_a_time_limit_holds(strategy, monkeypatch):
    """With far too little time the blueprint plays; with some, what can be done in it, of iterations for hours."""
    monkeypatch.setitem(resolving.ITERATIONS, 3, 1_000_000)
    strategy_at(BlueprintAgent(strategy, search="river", iterations=20), after(TO_RIVER))  # compiles
    hurried = BlueprintAgent(strategy, search="river", seconds=1e-6)
    with pytest.warns(RuntimeWarning, match="too few"):
        played = strategy_at(hurried, after(TO_RIVER))
    strategy_at(hurried, after(TO_RIVER, seed=7))  # says it once
    assert played == strategy_at(BlueprintAgent(strategy, None), after(TO_RIVER))
    strategy_at(BlueprintAgent(strategy, search="river", seconds=0.5), after(TO_RIVER))


def test_the_floor_is_spread_over_all_hands():
    board = (0, 5, 10, 15, 20)
    ranges = np.zeros((2, COMBOS))
    ranges[0, combo_number(50, 51)] = 7.0
    found = with_floor(ranges, board, 0.1)
    assert found.sum(axis=1) == pytest.approx([1, 1])
    possible = possible_combos(np.array(board))
    assert found[0, combo_number(50, 51)] == pytest.approx(0.9 + 0.1 / possible.sum())
    assert np.allclose(found[1], possible / possible.sum())  # nobody plays so: all hands are as likely
    assert not found[:, ~possible].any()


def test_the_floor_is_the_opponents_alone(agent, strategy):
    """A player knows what hands it has come with itself."""
    table = after(TO_RIVER)
    strategy_at(agent, table)
    (solved,) = agent.resolver._solved.values()
    board = table.records["board"][0]
    possible = possible_combos(board)
    even = possible / possible.sum()
    bayes = with_floor(agent._reach_probabilities(table.records, RULES, 0, len(TO_RIVER)), tuple(board.tolist()), 0.0)
    own, opponent = table.actor, 1 - table.actor  # the button is seat 0
    assert solved.ranges[own] == pytest.approx(bayes[own], rel=1e-3, abs=1e-9)
    assert (solved.ranges[opponent][possible] >= agent.options.floor * even.max() - 1e-12).all()


@pytest.mark.slow
def test_guarded_rivers(strategy, monkeypatch):
    """The ways out are what the blueprint's own play is worth: a solution for each river, its values from range queries
    at every decision of the blueprint's river."""
    monkeypatch.setitem(resolving.ITERATIONS, 3, 40)
    guards, solve = [], resolving.solve_tree

    def noted(*arguments, **named):
        guards.append(named["guard"])
        return solve(*arguments, **named)

    monkeypatch.setattr(resolving, "solve_tree", noted)
    agent = BlueprintAgent(strategy, search="river", safe="gadget")
    assert config_of(agent)["safe"] == "gadget" if agent.path else agent.options.safe == "gadget"
    for moves in (TO_RIVER, [*TO_RIVER, 13], [5, 0, 3, 0, 7, 0]):  # a size that is not the tree's; a hand off the tree
        table = after(moves)
        assert sum(strategy_at(agent, table).values()) == pytest.approx(1)
        guard = guards[-1]
        assert guard.player == table.actor
        possible = possible_combos(table.records["board"][0])
        assert guard.ways_out[possible].min() > -table.legal.raise_max
        assert guard.ways_out[possible].max() < table.pot + table.legal.raise_max
    first, second = guards[:2]
    assert (first.player, second.player) == (1, 0)
    weights = agent._reach_probabilities(after(TO_RIVER).records, RULES, 0, len(TO_RIVER))
    shares = [np.average(guard.ways_out, weights=weights[1 - guard.player] * possible) for guard in (second, first)]
    assert sum(shares) == pytest.approx(32, rel=0.1)  # the pot; cards that both hold are not weighed


def test_spots_are_what_everybody_saw():
    one, other = after([*TO_RIVER, 13]), after([*TO_RIVER, 13], button=1)
    spot = spot_of(one.records, RULES, 0)
    assert spot.moves == ((4, 0), (4, 0), (8, 0), (13,))
    assert spot == spot_of(one.view().records, RULES, 0)
    assert spot.moves == spot_of(other.records, RULES, 0).moves
    assert is_complete(spot, one.records, 0)
    assert int(replayed(spot)["pot"][0]) == one.pot
    assert not is_complete(spot._replace(moves=((4, 0), (4, 0), (8, 0), ())), one.records, 0)


@pytest.mark.slow
def test_the_turn_and_the_river_after_it(strategy, monkeypatch, solved):
    """The river's ranges are those after the turn's solution."""
    monkeypatch.setitem(resolving.ITERATIONS, 2, 10)
    monkeypatch.setitem(resolving.ITERATIONS, 3, 20)
    agent = BlueprintAgent(strategy, search="turn", values="exact")
    table = after([4, 0, 4, 0])
    assert sum(strategy_at(agent, table).values()) == pytest.approx(1)
    for move in (5, 0):
        table.play(move)
    assert sum(strategy_at(agent, table).values()) == pytest.approx(1)
    streets = [int(tree.street[0]) for tree in solved]
    assert streets == [2, 2, 3]  # the turn again, with the bet that was made


def test_other_stacks_sessions_and_wild_hands(agent):
    session = Session(RULES.replace(session={"levels": [{"hands": 2}, {"times": 2}], "num_hands": 5}), seed=8)
    for table in session:
        while not table.is_over:
            table.play(agent.move(table) if table.actor == 0 else 0)
    table = after([6, 18, 54, 0, 2, 0, 0, 3, 0, 5], rules=RULES.replace(stacks=(300, 120)))
    assert sum(strategy_at(agent, table).values()) == pytest.approx(1)


WRONG = [({"search": "preflop"}, "must be"), ({"search": "flop", "values": "exact"}, "flops are")]
WRONG += [({"values": "rollouts"}, "got 'rollouts'"), ({"search": "river", "seconds": 0}, "above 0")]
WRONG += [({"iterations": 3}, "10 or more"), ({"search": "river", "floor": 2}, "0 to 1")]
WRONG += [({"search": "river", "safe": "maxmargin"}, "got 'maxmargin'")]
WRONG += [({"search": "turn", "safe": "gadget"}, "is for search='river'")]


@pytest.mark.parametrize(("wrong", "says"), WRONG)
def test_wrong_arguments(strategy, wrong, says):
    with pytest.raises(ValueError, match=says):
        BlueprintAgent(strategy, **wrong)


def test_by_default_it_searches_on_rivers_but_not_in_training(strategy):
    from holdem_agents.playing import searching_from

    agent = BlueprintAgent(strategy)
    assert agent.resolver.first == 3
    assert without_search(agent).resolver is None
    asked = BlueprintAgent(strategy, search="turn")
    assert without_search(asked) is asked
    at_table = searching_from("turn", agent)
    assert (at_table.options.search, at_table.options.seconds) == ("turn", 2.0)
    assert at_table.resolver.options is at_table.options
    assert searching_from("turn", BlueprintAgent(strategy, seconds=0.5)).options.seconds == 0.5
    assert searching_from("none", agent).resolver is None
    assert searching_from("river", asked) is asked
    with pytest.raises(ValueError, match="--search must be"):
        searching_from("preflop", agent)


def test_iterations_are_those_asked_for_and_are_counted(strategy):
    agent = BlueprintAgent(strategy, iterations=20)
    strategy_at(agent, after(TO_RIVER))
    spent = agent.resolver.spent
    assert (spent.solutions, spent.iterations) == (1, 20)
    assert str(spent).startswith("1 solution of 20 iterations, 0.")


def test_clones_solve_nothing_twice_and_count_together(strategy):
    """Unless a clock cuts solutions short. So AIVAT, which asks again, and a match's report have those of clones."""
    agent = BlueprintAgent(strategy, iterations=20)
    for one in (agent.clone(), agent, agent.clone()):
        strategy_at(one, after(TO_RIVER))
    assert agent.resolver.spent.solutions == 1
    limited = BlueprintAgent(strategy, seconds=9.0)
    assert limited.clone().resolver is not limited.resolver
