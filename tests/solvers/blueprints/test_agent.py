"""BlueprintAgent: what it plays on the tree, between the sizes, off the tree, in games that it cannot play; and
the strategies in the box."""

from pathlib import Path

import numpy as np
import pytest

from holdem_env import Rules, Session, Table
from holdem_env.agents import make_agent
from holdem_env.agents.config_files import config_of, save_agent
from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.agents.names import agent_names
from holdem_env.agents.queries import asked_probabilities, asked_range_probabilities
from holdem_env.arena import play_match
from holdem_env.cards.combos import combo_number
from holdem_env.solvers.blueprints.agent import SHIPPED, BlueprintAgent
from holdem_env.solvers.blueprints.strategy_file import check_rules, read_header, save_strategy
from holdem_env.testing import check_agent

from .toys import RULES, by_strength, toy_strategy

ROW = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def strategy():
    return toy_strategy()


@pytest.fixture(scope="module")
def agent(strategy):
    return BlueprintAgent(strategy, search=None)


@pytest.fixture(scope="module")
def sensible():
    return BlueprintAgent(toy_strategy(level=by_strength), search=None)


def strategy_at(agent, table):
    """Move: probability, of the seat to act."""
    moves, probabilities = asked_probabilities(agent, table.records, table.rules, ROW)
    return {int(move): float(p) for move, p in zip(moves[0], probabilities[0], strict=True) if p > 0}


def expected(agent, table, node):
    """The strategy at a node for the cards of the seat to act."""
    tree, street = agent.strategy.tree, int(table.records["street"][0])
    holes = table.records["hole"][0, table.actor, :2].tolist()
    board = table.records["board"][0, : table.records["board_count"][0]].tolist()
    bucket = int(agent.strategy.cards.buckets(street, board)[combo_number(*holes)])
    probabilities = agent.strategy.probabilities(int(tree.decision[node]), bucket)
    first = int(tree.first_child[node])
    return {int(tree.move[first + k]): float(p) for k, p in enumerate(probabilities)}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("button", [0, 1])
@pytest.mark.parametrize("scale", [1, 50])
def test_on_the_tree_it_plays_the_strategy(agent, button, scale):
    rules = RULES.replace(blinds=(scale, 2 * scale), stacks=200 * scale)
    tree, random = agent.strategy.tree, np.random.default_rng(button)
    for seed in range(12):
        table, node = Table(rules, seed=seed, button=button), 0
        while not table.is_over:
            wanted = expected(agent, table, node)
            found = strategy_at(agent, table)
            assert found == pytest.approx({move * scale if move > 0 else move: p for move, p in wanted.items()})
            move = random.choice(list(wanted))
            node = tree.child(node, move)
            table.play(int(move) * (scale if move > 0 else 1))


def random_bet(table, random):
    """Any legal move, tiny and huge bets as well."""
    legal = table.legal
    moves = [0, 0] if not legal.call else [0, 0, -1]
    if legal.raise_min:
        ratio = legal.raise_max / legal.raise_min
        moves += [int(legal.raise_min * ratio ** (random.random() ** 2))] * 2
    return int(random.choice(moves))


def random_spots(rules, seeds, seed=5):
    """Tables in the middle of hands in which anybody plays anything."""
    random = np.random.default_rng(seed)
    for deal in range(seeds):
        table = Table(rules, seed=deal, button=int(random.integers(2)))
        for _ in range(int(random.integers(12))):
            if table.is_over:
                break
            table.play(random_bet(table, random))
        if not table.is_over:
            yield table


@pytest.mark.slow
def test_range_queries_are_the_probabilities_of_each_hand(agent):
    for table in random_spots(RULES, 25):
        seat = table.actor
        moves, probabilities = asked_range_probabilities(agent, table.records, RULES, ROW)
        own = combo_number(*table.records["hole"][0, seat, :2].tolist())
        found = {int(m): float(p) for m, p in zip(moves[0], probabilities[0, own], strict=True) if p > 0}
        assert found == pytest.approx(strategy_at(agent, table))


def test_a_bet_between_two_sizes_is_read_once_in_a_hand(agent):
    """What was played against either reading counts: the branches' weights are multiplied by it."""
    tree = agent.strategy.tree
    table = Table(RULES, seed=3, button=0)
    table.play(0)  # the small blind calls
    table.play(5)  # between the raises to 4 and 6: a = 0.5, b = 1, x = 3 / 4
    limp = tree.child(0, 0)
    a, b, x = 0.5, 1.0, 0.75
    share = (b - x) * (1 + a) / ((b - a) * (1 + x))
    readings = {tree.child(limp, 4): share, tree.child(limp, 6): 1 - share}
    weights = {node: p * expected(agent, table, node)[0] for node, p in readings.items()}
    mixed = sum(p * expected(agent, table, node)[0] for node, p in readings.items())
    assert strategy_at(agent, table)[0] == pytest.approx(mixed)
    table.play(0)
    table.play(0)  # the big blind checks the flop
    total = sum(weights.values())
    wanted = 0.0
    for node, weight in weights.items():
        flop = tree.child(tree.child(node, 0), 0)
        wanted += weight / total * expected(agent, table, flop)[0]
    assert strategy_at(agent, table)[0] == pytest.approx(wanted)


@pytest.mark.slow
def test_a_tiny_bet_is_mostly_called(sensible):
    """Against a bet of a hundredth of the pot nobody folds much."""
    for seed in range(30):
        table = Table(Rules.preset("heads-up-no-limit").replace(blinds=(50, 100), stacks=10_000), seed=seed, button=0)
        table.play(1_000)
        table.play(0)
        table.play(100)
        assert strategy_at(sensible, table).get(-1, 0.0) < 0.15


class Sized(KnownStrategy):
    """Bets or raises, whenever it may, by one rule; else calls."""

    def __init__(self, name, total, often=0.7):
        super().__init__()
        self.name, self.total, self.often = name, total, often

    def probabilities(self, tables, rules, rows):
        some = tables[rows]
        least, most = some["raise_min"], some["raise_max"]
        raises = np.clip(self.total(some), least, most)
        moves = np.stack([np.zeros(len(rows), np.int64), np.where(most > 0, raises, -2)], axis=1)
        probabilities = np.where(most > 0, self.often, 0.0)
        return moves, np.stack([1 - probabilities, probabilities], axis=1)


def over_pot(times):
    return lambda some: (some["bet_to_match"] + times * some["pot"]).astype(np.int64)


OPPONENTS = ["maniac", "random", "calling_station", Sized("tiny", over_pot(0.02))]
OPPONENTS += [Sized("least", lambda some: some["raise_min"], often=1.0), Sized("overbet", over_pot(1.7))]
OPPONENTS += [Sized("jam", over_pot(1000)), Sized("jam_rarely", over_pot(1000), often=0.05)]


@pytest.mark.slow
@pytest.mark.parametrize("opponent", OPPONENTS, ids=lambda agent: getattr(agent, "name", agent))
def test_it_does_not_lose_much_to_any_size(sensible, opponent):
    """A strategy made by hand, worth little; still no size takes hundreds of big blinds from it."""
    match = play_match(sensible, make_agent(opponent), RULES, hands=400)
    assert match.mean > -250, match


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("depth", [8, 40, 150, 400, (60, 300)])
def test_other_stacks(sensible, depth):
    stacks = tuple(2 * d for d in depth) if isinstance(depth, tuple) else 2 * depth
    rules = RULES.replace(stacks=stacks)
    for table in random_spots(rules, 40):
        assert asked_range_probabilities(sensible, table.records, rules, ROW)[1].sum() > 0
        assert sum(strategy_at(sensible, table).values()) == pytest.approx(1)
    assert play_match(sensible, make_agent("maniac"), rules, hands=100).mean > -1_500


def test_a_hand_of_very_many_moves(sensible):
    """A hundred least raises: more than a record remembers."""
    rules = RULES.replace(stacks=1_000)
    table = Table(rules, seed=1)
    for total in range(4, 2 * 80, 2):
        assert sum(strategy_at(sensible, table).values()) == pytest.approx(1)
        table.play(total)


def test_it_is_an_agent_by_the_rules(agent):
    check_agent(agent, positions=60)


def test_other_games_are_refused(agent):
    for rules in (
        Rules.preset("six-max-no-limit"),
        Rules.preset("heads-up-limit"),
        Rules.preset("heads-up-pot-limit"),
        RULES.replace(ante=1),
        RULES.replace(blinds=(1, 3), stacks=300),
    ):
        with pytest.raises(ValueError, match=r"cannot play .*: its strategy is for another game: "):
            agent.move(Table(rules, seed=1))


def test_a_session_with_rising_blinds(sensible):
    """The blinds rise and the stacks move; the game stays the same in big blinds."""
    rules = RULES.replace(session={"levels": [{"hands": 5}, {"hands": 5, "times": 3}, {"times": 8}], "num_hands": 30})
    levels = set()
    for seed in range(6):
        session = Session(rules, seed=seed)
        for table in session:
            levels.add(session.level)
            while not table.is_over:
                table.play(sensible.move(table) if table.actor == 0 else 0)
    assert levels >= {0, 1}


def test_files_are_agents(tmp_path, strategy, agent):
    path = tmp_path / "toy.strategy"
    save_strategy(path, strategy)
    loaded = make_agent(path)
    assert loaded.name == "toy"
    again = make_agent(config_of(loaded))
    for table in random_spots(RULES, 5):
        assert strategy_at(again, table) == strategy_at(loaded, table) == strategy_at(agent, table)
    save_agent(loaded, tmp_path / "toy.yaml")
    assert make_agent(tmp_path / "toy.yaml").path == str(path)
    with pytest.raises(ValueError, match="has no file"):
        config_of(agent)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["blueprint_100bb", "blueprint_20bb", "blueprint_limit"])
def test_names_in_the_box(name):
    from holdem_env.solvers.blueprints.agent import shipped_path

    if shipped_path(name).is_file():
        agent = make_agent(name)
        assert agent.name == config_of(agent)["agent"] == name
        check_agent(agent, positions=20)
    else:
        with pytest.raises(FileNotFoundError, match=f"holdem solve {name}"):
            make_agent(name)


GAMES = {
    "blueprint_100bb": Rules.preset("heads-up-no-limit"),
    "blueprint_20bb": Rules.preset("heads-up-no-limit").replace(stacks=40),
    "blueprint_limit": Rules.preset("heads-up-limit"),
}
FILES = sorted(SHIPPED.glob("*.strategy"))


def test_names_without_a_strategy_are_none_of_ours():
    assert set(GAMES) <= set(agent_names())
    assert {path.stem for path in FILES} <= set(GAMES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_is_for_its_game_and_says_how_it_was_made(path: Path):
    header = read_header(path)
    check_rules(path, Rules(**header.rules), GAMES[path.stem])
    assert header.training["deals"] > 0
    assert header.training["minutes"] > 0
    assert path.with_suffix(".md").read_text(encoding="utf-8").startswith(f"# {path.stem}\n")
