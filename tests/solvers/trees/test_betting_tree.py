"""Betting trees of every structure, against playouts on a Table, and trees that a function grows."""

from __future__ import annotations

import re

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import IllegalMove, Rake, Rules, Session, Table
from holdem_env.solvers.trees import BettingTree, TooLarge
from holdem_env.solvers.trees.bet_sizes import BetSizes
from holdem_env.solvers.trees.growing import grown_tree
from holdem_env.solvers.trees.walking import FOLDED, SHOWDOWN
from solvers.trees.comparing import check_playouts, check_shape, record_of

NO_LIMIT = Rules.preset("heads-up-no-limit", stacks=40)
GAMES = {
    "no limit": (NO_LIMIT, "50%, 100%, all-in"),
    "menus by wager": (NO_LIMIT, "33%, 75%, all-in | 2.5x, all-in | all-in"),
    "menus by street": (NO_LIMIT, {"preflop": "2.5x | 3x | all-in", "flop": "50% | all-in", "all": "75%, all-in"}),
    "most wagers": (NO_LIMIT, {"all": "min, 100%", "most_wagers": 2}),
    "menus by player": (NO_LIMIT, {"ip": "3x | none", "oop": {"flop": "33% | pot, all-in", "all": "75%, all-in"}}),
    "no bets": (NO_LIMIT, {"preflop": "100%, all-in", "all": "none"}),
    "sizes that do not ascend": (NO_LIMIT, "all-in, 3x, 100%, 50%"),
    "limit": (Rules.preset("heads-up-limit"), None),
    "limit, short stacks": (Rules.preset("heads-up-limit", stacks=(7, 13)), None),
    "limit, no cap": (Rules.preset("heads-up-limit", stacks=20, max_raises=None), None),
    "pot limit": (Rules.preset("heads-up-pot-limit", stacks=60), "50%, pot, all-in"),
    "antes": (NO_LIMIT.replace(ante=1), "60%, all-in"),
    "big-blind ante": (NO_LIMIT.replace(big_blind_ante=2), "60%, all-in"),
    "uneven stacks": (NO_LIMIT.replace(stacks=(17, 60)), "60%, 150%, all-in"),
    "rake": (NO_LIMIT.replace(rake=Rake(percent=5, cap=3)), "60%, all-in"),
    "rake without a flop": (NO_LIMIT.replace(rake=Rake(percent=10, no_flop_no_drop=False)), "60%, all-in"),
    "chips of five": (Rules(seats=2, blinds=(5, 10), stacks=300, smallest_chip=5), "33%, 66%, all-in"),
    "half-bet rule": (NO_LIMIT.replace(reopen_fraction=0.5, stacks=(21, 50)), "min, 66%, all-in"),
    "everybody chooses to show": (NO_LIMIT.replace(showing="manual"), "60%, all-in"),
    "kuhn": (Rules.preset("kuhn"), None),
    "leduc": (Rules.preset("leduc"), None),
    "flop hold'em": (Rules.preset("flop-holdem"), None),
    "short deck": (Rules.preset("short-deck", seats=2, stacks=30), "50%, all-in"),
    "omaha": (Rules.preset("omaha", seats=2, stacks=30), "pot"),
}


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("game", GAMES)
def test_playouts_at_a_table_are_in_the_tree(game):
    rules, sizes = GAMES[game]
    tree = BettingTree.from_rules(rules, sizes)
    check_shape(tree)
    for button in range(2):
        stacks = rules.starting_stacks[::-1] if button else rules.starting_stacks
        dealt = tree.rules
        check_playouts(tree, lambda seed: Table(dealt, stacks=stacks, button=button, seed=seed), 60)  # noqa: B023


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_each_player_has_the_moves_of_its_sizes(street):
    own = {"ip": {street: "100%, all-in | none", "all": "none"}, "oop": {street: "50% | all-in", "all": "none"}}
    tree = BettingTree.from_spot(NO_LIMIT, own, street, pot=20, stacks=90)
    assert tree.moves(0) == [0, 10]
    checked, bet = tree.child(0, 0), tree.child(0, 10)
    assert tree.moves(checked) == [0, 20, 90]
    assert tree.moves(bet) == [-1, 0]  # in position there is no raise
    assert tree.moves(tree.child(checked, 20)) == [-1, 0, 90]
    assert "ip 100%, all-in | none; oop 50% | all-in" in tree.describe()


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("street", ["flop", "turn", "river"])
@pytest.mark.parametrize("pot", [1, 12, 35])
@pytest.mark.parametrize("rake", [None, 5])
def test_spots(street, pot, rake):
    rules = NO_LIMIT.replace(rake=rake)
    tree = BettingTree.from_spot(rules, "50%, all-in | 2.5x, all-in", street, pot, (33, 30))
    board = "2c3c4c5h9d"[: {"flop": 6, "turn": 8, "river": 10}[street]]
    check_shape(tree)
    assert tree.put_in[0].tolist() == [pot // 2, pot - pot // 2]
    check_playouts(tree, lambda seed: Table.from_position(rules, (33, 30), board, pot, seed=seed), 60)


def test_spots_of_other_games():
    leduc = Rules.preset("leduc")
    tree = BettingTree.from_spot(leduc, None, 1, 4, 50)
    check_shape(tree)
    check_playouts(tree, lambda seed: Table.from_position(leduc, 50, "Qs", 4, seed=seed), 20)
    assert "street 1" in tree.describe()


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("button", [0, 1])
@pytest.mark.parametrize("moves", [(), (6,), (6, 0), (6, 0, 0, 9), (4, 0, 0, 0)])
def test_a_tree_from_a_hand_that_is_being_played(button, moves):
    rules = NO_LIMIT.replace(ante=1, big_blind_ante=3, stacks=(40, 33))

    def being_played(seed):
        table = Table(rules, button=button, seed=seed)
        for move in moves:
            table.play(move)
        return table

    start = being_played(0)
    tree = BettingTree.from_record(rules, record_of(start), "50%, all-in | all-in")
    check_shape(tree)
    assert tree.street[0] == start.street
    check_playouts(tree, being_played, 60)


def test_a_tree_from_a_position():
    """The pot of a position is nobody's in the record."""

    def at_the_turn(seed):
        table = Table.from_position(NO_LIMIT, (50, 60), "2c3c4c", 15, button=1, seed=seed)
        for move in (5, 0):
            table.play(move)
        return table

    tree = BettingTree.from_record(NO_LIMIT, record_of(at_the_turn(0)), "75%, all-in")
    check_shape(tree)
    assert tree.put_in[0].tolist() == [12, 13]
    check_playouts(tree, at_the_turn, 60)


def test_a_record_is_left_as_it_was():
    table = Table(NO_LIMIT, seed=3)
    records = record_of(table)
    before = records.tobytes()
    BettingTree.from_record(NO_LIMIT, records, "all-in")
    assert records.tobytes() == before


def test_moves_that_were_played_are_in_the_tree():
    table = Table(NO_LIMIT, seed=1)
    table.play(0)
    table.play(0)
    played = [3, 9, 0, -1]  # the last one folds where checking is free
    tree = BettingTree.from_record(NO_LIMIT, record_of(table), "50%, all-in", played)
    node = 0
    for move in played:
        assert move in tree.moves(node)
        assert tree.moves(node) == sorted({*table.abstract_moves("50%, all-in"), move})
        node = tree.child(node, move)
        table.play(move)
    assert tree.kind[node] == FOLDED
    assert tree.path(node) == ["bet 3", "raise to 9", "call", "fold"]
    plain = BettingTree.from_record(NO_LIMIT, record_of(Table(NO_LIMIT)), "50%, all-in")
    assert len(plain) == len(BettingTree.from_record(NO_LIMIT, record_of(Table(NO_LIMIT)), "50%, all-in", [4, 8]))


def test_cards_do_not_matter_even_hidden_ones():
    table = Table(NO_LIMIT, seed=5)
    for _ in range(4):
        table.play(0)
    views = [table.view(seat).records for seat in range(2)]
    hidden = record_of(table)
    for name in ("hole", "deck", "board"):
        hidden[name] = -1
    first, *others = (
        BettingTree.from_record(NO_LIMIT, records, "75%, all-in", [0, 9]) for records in (table.records, *views, hidden)
    )
    for tree in others:
        for name in ("kind", "move", "pot", "put_in", "payoff", "street"):
            assert (getattr(tree, name) == getattr(first, name)).all()


def test_a_hand_of_a_session():
    rules = NO_LIMIT.replace(session={"kind": "cash", "num_hands": 5})
    tree = BettingTree.from_record(rules, record_of(Table(rules, seed=2)), "all-in")
    assert len(tree) == len(BettingTree.from_rules(NO_LIMIT, "all-in"))


def test_a_hand_of_a_later_stage():
    """R39: the blinds of the hand are those of its level."""
    levels = [{"blinds": (1, 2), "hands": 1}, {"blinds": (5, 10)}]
    rules = NO_LIMIT.replace(session={"levels": levels})
    session = Session(rules, seed=4)
    session.deal().fold()
    table = session.deal()
    tree = BettingTree.from_record(rules, record_of(table), "all-in")
    assert tree.pot[0] == 15
    assert tree.moves(0) == table.abstract_moves("all-in")


def test_known_sizes():
    """Counted by hand, or by others."""
    assert len(BettingTree.from_rules("kuhn")) == 9
    limit = BettingTree.from_rules("heads-up-limit")
    assert (len(limit), limit.decisions) == (16_584, 6_378)
    deep = BettingTree.from_rules("heads-up-no-limit", "50%, 100%, all-in")
    assert (len(deep), deep.decisions) == (124_322, 48_224)
    assert (deep.kind == SHOWDOWN).sum() == (deep.kind == FOLDED).sum()


def test_kuhn_in_full():
    tree = BettingTree.from_rules("kuhn")
    paths = {" ".join(tree.path(node)): tree.payoff[node].tolist() for node in range(9) if tree.kind[node]}
    assert paths == {
        "check check": [[1, -1], [-1, 1], [0, 0]],
        "check bet 1 fold": [[1, -1]] * 3,
        "check bet 1 call": [[2, -2], [-2, 2], [0, 0]],
        "bet 1 fold": [[-1, 1]] * 3,
        "bet 1 call": [[2, -2], [-2, 2], [0, 0]],
    }


def test_all_in_before_the_first_decision():
    rules = Rules(seats=2, blinds=(1, 2), stacks=(1, 50))
    tree = BettingTree.from_rules(rules, "all-in")
    assert len(tree) == 1
    assert tree.kind.tolist() == [SHOWDOWN]
    assert tree.payoff[0].tolist() == [[1, -1], [-1, 1], [0, 0]]
    assert tree.decisions == 0
    check_shape(tree)


def test_words():
    tree = BettingTree.from_rules(NO_LIMIT, "100%, all-in")
    node = 0
    for move in (0, 6, 0, 0, 12):
        node = tree.child(node, move)
    assert tree.path(node) == ["call", "raise to 6", "call", "check", "bet 12"]
    mentions(complaint(tree.child, 0, 5), 0, 5, 6)
    assert "nodes" in repr(tree)
    text = tree.describe()
    assert f"{len(tree):,} nodes, {tree.decisions:,} decisions" in text
    assert [line.split()[0] for line in text.splitlines()[2:]] == ["preflop", "flop", "turn", "river"]
    assert "fixed limit" in BettingTree.from_rules("heads-up-limit").describe()


def test_arrays_are_as_told():
    tree = BettingTree.from_rules(NO_LIMIT, "all-in")
    types = {np.int8: "kind street player wagers", np.int32: "parent first_child children decision"}
    types[np.int64] = "move pot put_in payoff"
    for kind, names in types.items():
        assert {getattr(tree, name).dtype for name in names.split()} == {np.dtype(kind)}
    assert tree.payoff.shape == (len(tree), 3, 2)
    assert tree.put_in.shape == (len(tree), 2)
    with pytest.raises(ValueError, match="read-only"):
        tree.move[0] = 3


def test_size_is_told_before_memory_is_taken():
    sizes = "min, 33%, 50%, 66%, 100%, 150%, all-in"
    large = complaint(BettingTree.from_rules, "heads-up-no-limit", sizes, most_nodes=50_000, kind=TooLarge)
    assert re.search(r"about [\d,]+000,000 nodes or [\d.]+ GiB of memory, more than the 50,000 nodes", large)
    small = complaint(BettingTree.from_rules, NO_LIMIT, "50%, 100%, all-in", most_nodes=5_000, kind=TooLarge)
    assert re.search(r"about 1[01],000 nodes or 1\.1 MiB", small)  # it has 10,418
    count = BettingTree.count(NO_LIMIT, "50%, all-in")
    tree = BettingTree.from_rules(NO_LIMIT, "50%, all-in", most_nodes=count)
    assert len(tree) == count
    assert tree.memory == 101 * count
    river = BettingTree.from_spot(NO_LIMIT, "50%, all-in", "river", 10, (20, 30))
    assert BettingTree.count(NO_LIMIT, "50%, all-in", (20, 30), "river", 10) == len(river)


@pytest.mark.parametrize(
    ("rules", "sizes", "words"),
    [
        (Rules(), "pot", "these rules have 6; give seats=2"),
        (NO_LIMIT.replace(session={"kind": "cash", "num_hands": 5}), "pot", "rules.stages"),
        (NO_LIMIT.replace(dealer_errors={"extra_card": 0.1}), "pot", "dealer_errors=None"),
        (Rules.preset("kuhn", max_raises=None, stacks=1_000), None, "1,000 moves and more"),
        ("acpc-nolimit-2p", "every", "at most 5,000 are allowed"),
    ],
)
def test_games_without_a_betting_tree(rules, sizes, words):
    assert re.search(words, complaint(BettingTree.from_rules, rules, sizes))


IMPOSSIBLE = [({"pot": 0}, "pot: 0 is not"), ({"street": "preflop"}, "from_rules")]
IMPOSSIBLE += [({"street": "rivr"}, "no 'rivr': did you mean 'river'"), ({"street": 4}, "no street 4")]
IMPOSSIBLE += [({"stacks": (0, 10)}, "seat 0 has 0"), ({"stacks": (10,)}, "2 seats"), ({"sizes": "50%, 5q"}, "'5q'")]
IMPOSSIBLE += [({"sizes": {"flop": "50%"}}, "none for the river")]


@pytest.mark.parametrize(("changes", "words"), IMPOSSIBLE)
def test_spots_that_cannot_be(changes, words):
    with pytest.raises(ValueError, match=words):
        BettingTree.from_spot(NO_LIMIT, **{"street": "river", "pot": 10, "stacks": 20, "sizes": "50%", **changes})


def test_records_that_cannot_be():
    table = Table(NO_LIMIT)
    mentions(complaint(BettingTree.from_record, NO_LIMIT, record_of(table), "all-in", [3], kind=IllegalMove), 3)
    table.fold()
    mentions(complaint(BettingTree.from_record, NO_LIMIT, record_of(table), "all-in"), "nobody is to act")


@pytest.mark.parametrize(
    ("sizes", "moves"),
    [
        ("100%", [["check", "bet 100"], ["fold", "call", "raise to 250"]]),
        ("100%, 300%", [["check", "bet 100", "bet 250"], ["fold", "call", "raise to 250"]]),
        ("300%", [["check", "bet 250"], ["fold", "call"]]),
        ("10x", [["check", "bet 10"], ["fold", "call", "raise to 100"]]),
    ],
)
def test_sizes_above_the_stack_are_all_in(sizes: str, moves: list[list[str]]) -> None:
    """As in other solvers; without them a tree would have no bets."""
    tree = BettingTree.from_spot(Rules(seats=2, blinds=(1, 2), min_bet=1), sizes, 3, 100, 250)
    for node in (0, int(tree.first_child[0]) + 1):
        first = int(tree.first_child[node])
        words = [tree.path(child)[-1] for child in range(first, first + int(tree.children[node]))]
        assert words == moves.pop(0)


WIDE = 150
SIZES = BetSizes("all-in")


def every_raise(nodes, tables):
    """Check or call, and the lowest raises that a player has, up to WIDE of them."""
    found = []
    for table in tables:
        low, high = int(table["raise_min"]), int(table["raise_max"])
        raises = np.arange(low, min(low + WIDE, high + 1)) if low > 0 else np.zeros(0, np.int64)
        found.append(np.append(0, raises))
    return found


def river() -> Table:
    table = Table("heads-up-no-limit", seed=1, stacks=400)
    for move in (0, 0, 0, 0, 0, 0):
        table.play(move)
    assert table.street == 3
    return table


def test_a_player_may_have_more_moves_than_a_byte_counts() -> None:
    table = river()
    player = int(table.actor != table.button)
    tree = grown_tree(table.game, table.records, SIZES, player, every_raise)
    assert tree.children[0] == WIDE + 1
    first = tree.first_child[0]
    assert (tree.parent[first : first + WIDE + 1] == 0).all()
    assert tree.moves(0)[-1] == table.records["raise_min"][0] + WIDE - 1
    inner = np.flatnonzero(tree.children)
    assert (np.bincount(tree.parent[1:], minlength=len(tree))[inner] == tree.children[inner]).all()
    assert tree.children.sum() == len(tree) - 1


def test_more_nodes_than_allowed_are_refused_before_they_are_made() -> None:
    table = river()
    with pytest.raises(TooLarge, match="more than the 100 nodes allowed"):
        grown_tree(table.game, table.records, SIZES, 1, every_raise, most_nodes=100)
