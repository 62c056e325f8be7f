"""Strategy files: they come back as they were written, and what is damaged or foreign is refused."""

import re
import shutil
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.solvers.blueprints import shipped
from holdem_env.solvers.blueprints.strategy import MAX_LEVEL, Strategy, decision_rows, entries_of, quantised
from holdem_env.solvers.blueprints.strategy_file import (
    STRATEGY_SUFFIX,
    WHAT,
    StrategyHeader,
    load_strategy,
    read_header,
    save_strategy,
)
from holdem_env.solvers.files import opened, packed, write
from holdem_env.solvers.trees.bet_sizes import BetSizes
from holdem_env.solvers.trees.betting_tree import BettingTree

BUCKETS = (3, 9)


def strategy_of(seed=0, game="leduc", given_sizes="pot"):
    rules, sizes = Rules.preset(game), BetSizes.parse(given_sizes)
    tree = BettingTree.from_rules(rules, sizes)
    average = np.random.default_rng(seed).random(entries_of(tree, BUCKETS), np.float32)
    levels = quantised(average, decision_rows(tree, BUCKETS))
    return Strategy(rules, sizes, tree, {"kind": "any"}, BUCKETS, levels, {"command": "holdem solve x", "deals": 7})


@pytest.fixture(scope="module")
def strategy():
    return strategy_of()


@pytest.fixture
def path(tmp_path, strategy):
    path = tmp_path / "leduc.strategy"
    save_strategy(path, strategy)
    return path


def write_changed(path, levels=None, **changes):
    """Write the file again with other fields in its header, or other levels, and a digest that fits."""
    with opened(path, StrategyHeader, WHAT) as (header, arrays):
        kept = arrays["levels"].copy()
    changed = StrategyHeader.model_construct(**dict(header) | changes)
    write(path, STRATEGY_SUFFIX, changed, {"levels": kept if levels is None else levels})


def test_sizes_by_player_come_back(tmp_path):
    strategy = strategy_of(game="leduc-nolimit", given_sizes={"ip": "pot | none", "oop": {"preflop": "none", 1: "min"}})
    save_strategy(tmp_path / "own.strategy", strategy)
    loaded = load_strategy(tmp_path / "own.strategy")
    assert loaded.sizes == strategy.sizes
    assert np.array_equal(loaded.tree.move, strategy.tree.move)


def test_comes_back_as_it_was(path, strategy):
    loaded = load_strategy(path)
    assert loaded.rules == strategy.rules
    assert loaded.sizes == strategy.sizes
    assert loaded.buckets == BUCKETS
    assert dict(loaded.cards_config) == {"kind": "any"}
    assert dict(loaded.training) == read_header(path).training == {"command": "holdem solve x", "deals": 7}
    assert np.array_equal(loaded.offset, strategy.offset)
    assert np.array_equal(loaded.probability, strategy.probability)
    assert len(loaded.tree) == len(strategy.tree)


def test_writing_twice_gives_the_same_file(path, tmp_path, strategy):
    save_strategy(tmp_path / "again.strategy", strategy)
    assert (tmp_path / "again.strategy").read_bytes() == path.read_bytes()


def test_probabilities_stand_where_the_layout_says(strategy):
    for decision in range(strategy.tree.decisions):
        node = strategy.nodes[decision]
        children, street = int(strategy.tree.children[node]), int(strategy.tree.street[node])
        shares = strategy.probabilities(decision)
        assert shares.shape == (BUCKETS[street], children)
        assert np.allclose(shares.sum(axis=1), 1)
        at = strategy.offset[decision] + 2 * children
        levels = strategy.probability[at : at + children]
        assert np.allclose(strategy.probabilities(decision, 2), levels / levels.sum())


def test_levels_are_within_half_a_step_of_the_likeliest():
    strategy = strategy_of()
    average = np.random.default_rng(3).random(strategy.probability.size, np.float32)
    levels = quantised(average, strategy.rows)
    given = replace(strategy, probability=average)
    quantum = replace(strategy, probability=levels)
    for decision in range(strategy.tree.decisions):
        sums, rounded = given.levels(decision).astype(float), quantum.levels(decision).astype(float)
        best = sums.max(axis=1, keepdims=True)
        assert np.abs(rounded / MAX_LEVEL - sums / best).max() <= 0.5 / MAX_LEVEL + 1e-6
        assert (rounded.max(axis=1) == MAX_LEVEL).all()


def test_rows_that_were_never_visited_are_played_evenly(strategy):
    nothing = quantised(np.zeros(strategy.probability.size, np.float32), strategy.rows)
    assert (nothing == 1).all()


def test_the_game_is_checked(path):
    load_strategy(path, "leduc")
    mentions(complaint(load_strategy, path, {"preset": "leduc", "big_bet": 6}), "leduc.strategy", "big_bet", 4, 6)


def test_every_changed_byte_and_every_cut_is_found(path, tmp_path):
    content = path.read_bytes()
    places = range(0, len(content), 7)
    changed = [content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :] for place in places]
    for damaged in (*changed, *(content[:end] for end in (0, 5, 9, 40, len(content) // 2, len(content) - 1)), b"hello"):
        path.write_bytes(damaged)
        mentions(complaint(load_strategy, path), "leduc.strategy: must be a strategy file")
    mentions(complaint(load_strategy, tmp_path / "none.strategy", kind=FileNotFoundError), "no such file")


HEADERS = [({"format": 9}, "format must be 2, got 9"), ({"decisions": -1}, "header is wrong: decisions")]
HEADERS += [({"entries": 2**39}, "at most"), ({"buckets": (3, 10)}, "makes another betting tree")]
HEADERS += [({"buckets": (3,)}, "buckets of 1 streets, for a game of 2"), ({"kind": "solution"}, "kind must be")]
HEADERS += [({"tree": "0" * 64}, "makes another betting tree"), ({"rules": {"seats": 77}}, "seats")]
HEADERS += [({"sizes": "much"}, "much")]


@pytest.mark.parametrize(("changes", "message"), HEADERS)
def test_headers_that_do_not_fit_are_refused(path, changes, message):
    write_changed(path, **changes)
    assert re.search(message, complaint(load_strategy, path))


def test_levels_that_would_unpack_to_more_are_refused(path):
    write_changed(path, packed(np.zeros(10**7, np.uint8)))
    mentions(complaint(load_strategy, path), "levels must be")


def test_facts_that_are_not_plain_data_are_refused(tmp_path, strategy):
    with pytest.raises(ValueError, match="plain data"):
        save_strategy(tmp_path / "x.strategy", replace(strategy, training={"deals": object()}))
    assert not list(tmp_path.iterdir())


CARDS = {"kind": "strength", "flop": 200, "turn": 200, "river": 200}


@pytest.mark.parametrize(
    "other",
    [{**CARDS, "flop": 4096}, {**CARDS, "river": None}, {**CARDS, "turn": -1}, {**CARDS, "kind": "x"}, {"x": 1}],
)
def test_buckets_are_those_of_the_cards(tmp_path, other):
    path = tmp_path / "changed.strategy"
    shutil.copy(files(shipped) / "blueprint_20bb.strategy", path)
    write_changed(path, cards=other)
    mentions(complaint(load_strategy, path), "changed.strategy")
