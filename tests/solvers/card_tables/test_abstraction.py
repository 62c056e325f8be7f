"""Buckets of hands: the same for the same hands, in the order of strength, from wherever they are asked for."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import complaint, mentions
from examples import examples
from holdem_env import Rules
from holdem_env.cards.combos import COMBOS, combo_number, possible_combos
from holdem_env.equities.all_hands import count_hands
from holdem_env.solvers.card_tables.abstraction import MAX_BUCKETS, SIZES, CardAbstraction
from holdem_env.solvers.card_tables.boundaries import (
    KINDS,
    SHIPPED,
    find_limits,
    limits_of,
    save_shipped,
    strength_groups,
)
from holdem_env.solvers.card_tables.dealing import DealTables, deals_buckets
from holdem_env.solvers.card_tables.features import board_features
from holdem_env.solvers.card_tables.filling import BucketTable, load_rows, path_of, save_rows
from holdem_env.solvers.card_tables.isomorphism import RENAMED_COMBOS, RENAMINGS, boards, canonical_board

kinds = pytest.mark.parametrize("kind", KINDS)
decks = st.permutations(range(52))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem_env.solvers.card_tables.filling.cache_roots", lambda: [tmp_path])


@pytest.fixture(scope="module")
def abstractions() -> dict[str, CardAbstraction]:
    return {kind: CardAbstraction(kind) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(1, 3), decks, st.integers(0, 23))
@examples(15)
def test_a_renaming_of_suits_leaves_buckets_as_they_are(abstractions, kind, street, deck, renaming) -> None:
    board = np.array(deck[: SIZES[street]])
    renamed = board // 4 * 4 + RENAMINGS[renaming][board % 4]
    here, there = (abstractions[kind].buckets(street, cards) for cards in (board, renamed))
    np.testing.assert_array_equal(here, there[RENAMED_COMBOS[renaming]])
    np.testing.assert_array_equal(here >= 0, possible_combos(board))
    assert here.max() < 200


def test_renamings_that_leave_the_board_leave_buckets(abstractions) -> None:
    """On a board of one suit the other three are alike."""
    buckets = abstractions["ranges"].buckets(1, "As 9s 4s")
    assert buckets[combo_number(49, 45)] == buckets[combo_number(50, 46)]  # Ad Kd, Ah Kh
    for hands in ("Kd Qd", "Kc Qc", "Kh Qh"):
        one, two = (4 * "23456789TJQKA".index(card[0]) + "cdhs".index(card[1]) for card in hands.split())
        assert buckets[combo_number(one, two)] == buckets[combo_number(44, 40)]


@pytest.mark.slow
@pytest.mark.parametrize("street", [1, 2])
def test_stronger_hands_have_higher_buckets_of_strength(abstractions, street: int) -> None:
    board = [51, 30, 17, 2][: SIZES[street]]
    means, profiles = np.empty(COMBOS, np.int32), np.empty((COMBOS, 8), np.int32)
    board_features(np.array(board), len(board), means, profiles)
    order = np.argsort(means, kind="stable")
    assert (np.diff(abstractions["strength"].buckets(street, board)[order]) >= 0).all()


@kinds
def test_the_river_goes_by_strength_first(abstractions, kind: str) -> None:
    board = [51, 30, 17, 2, 9]
    halves = np.empty((1, COMBOS), np.int64)
    count_hands(np.array([board]), halves)
    groups, parts = (20, 10) if kind == "ranges" else (200, 1)
    expected = np.where(halves[0] < 0, -1, halves[0] * groups // 1981)
    found = abstractions[kind].buckets(3, board)
    np.testing.assert_array_equal(np.where(found < 0, -1, found // parts), expected)


def test_boards_that_typical_hands_hit_or_miss_have_other_buckets(abstractions) -> None:
    """The same rank among all hands is worth more against typical hands where the board is low."""
    mean_parts = []
    for board in ("2c 5d 7h 8s 3c", "As Kh Qd 9c 2h"):
        buckets = abstractions["ranges"].buckets(3, board)
        group, part = buckets // 10, buckets % 10
        mean_parts.append(part[(group >= 8) & (group < 12)].mean())
    assert mean_parts[0] > mean_parts[1] + 5


@pytest.mark.fast_cases(1)
@kinds
def test_buckets_are_used_and_alike_in_size(abstractions, kind: str) -> None:
    rng = np.random.default_rng(3)
    for street in (1, 2, 3):
        found = [abstractions[kind].buckets(street, rng.permutation(52)[: SIZES[street]]) for _ in range(20)]
        counts = np.bincount(np.concatenate(found)[np.concatenate(found) >= 0], minlength=200)
        assert (counts > 0).sum() > 150
        assert counts.max() < 0.06 * counts.sum()


def small_table(kind: str, size: int, rows: int, count: int = 200) -> BucketTable:
    """A table of the first canonical boards alone."""
    table = BucketTable(size, limits_of(kind, size, count))
    table.boards = table.boards._replace(cards=table.boards.cards[:rows])
    table.rows, table.filled = table.rows[:rows], table.filled[:rows]
    return table


@kinds
def test_board_by_board_and_whole_are_the_same(kind: str) -> None:
    whole, lazy = small_table(kind, 4, 70), small_table(kind, 4, 70)
    seen: list[tuple[int, int]] = []
    whole.fill(threads=2, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(32, 70), (64, 70), (70, 70)]
    assert whole.is_whole
    for row in (5, 69, 3):
        np.testing.assert_array_equal(lazy.row(row), whole.rows[row])
    assert lazy.filled.sum() == 3
    lazy.fill()
    np.testing.assert_array_equal(lazy.rows, whole.rows)


def deal_tables_of(abstraction: CardAbstraction, flop: list[int], turn: list[int]) -> DealTables:
    """Tables of which only the rows of these boards are filled."""
    for street, board in ((1, flop), (2, turn)):
        abstraction.buckets(street, board)
    flops, turns = boards(3), boards(4)
    rows = (abstraction._table(street).rows for street in (1, 2))
    arrays = (*rows, flops.row, flops.renaming, turns.row, turns.renaming, abstraction._limits(3))
    views = [array.view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return DealTables(*views)


@pytest.mark.fast_cases(1)
@kinds
def test_a_deal_has_the_buckets_that_agents_are_told(kind: str) -> None:
    abstraction = CardAbstraction(kind)
    rng = np.random.default_rng(1)
    for _ in range(12):
        cards = rng.permutation(52)[:9]
        hole, board = cards[:4].reshape(1, 2, 2), cards[4:][None]
        out = np.empty((1, 2, 4), np.int64)
        deals_buckets(deal_tables_of(abstraction, board[0, :3], board[0, :4]), hole, board, out)
        for street, size in enumerate(SIZES):
            seen = abstraction.buckets(street, board[0, :size])
            assert out[0, :, street].tolist() == [seen[combo_number(*map(int, hand))] for hand in hole[0]]


@pytest.mark.fast_cases(1)
@kinds
def test_hands_at_many_tables_have_the_same_buckets(kind: str) -> None:
    abstraction = CardAbstraction(kind)
    cards = np.array([np.random.default_rng(seed).permutation(52)[:7] for seed in range(16)])
    dealt = np.array([0, 3, 4, *[5] * 13])
    found = abstraction.hand_buckets(cards[:, :2], cards[:, 2:], dealt)
    for row, on_table, buckets in zip(cards, dealt, found, strict=True):
        for street, size in enumerate(SIZES):
            seen = abstraction.buckets(street, row[2 : 2 + size])[combo_number(*map(int, row[:2]))]
            assert buckets[street] == (seen if on_table >= size else -1)


def test_cards_are_taken_as_text_and_in_any_order(abstractions) -> None:
    one, two = (abstractions["potential"].buckets(1, board) for board in ("Ah Kd 2c", [0, 50, 45]))
    np.testing.assert_array_equal(one, two)
    assert one.dtype == np.int16
    assert len(np.unique(abstractions["potential"].buckets(0))) == 169


def test_a_file_is_read_and_a_damaged_one_is_not(tmp_path: Path) -> None:
    rows = np.arange(5 * COMBOS, dtype=np.uint16).reshape(5, COMBOS)
    path = tmp_path / "tables" / "some.npy"
    assert load_rows(path, 5) is None
    assert save_rows(rows, path)
    np.testing.assert_array_equal(load_rows(path, 5), rows)
    assert load_rows(path, 6) is None
    whole = path.read_bytes()
    for damaged in (
        whole[:-1],
        whole[:5000],
        b"",
        b"something else",
        bytes([*whole[:9000], whole[9000] ^ 1, *whole[9001:]]),
    ):
        path.write_bytes(damaged)
        assert load_rows(path, 5) is None
    with path.open("wb") as file:
        np.savez(file, rows=rows)
    assert load_rows(path, 5) is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not save_rows(np.zeros((2, COMBOS), np.uint16), tmp_path / "file" / "table.npy")


@pytest.fixture
def short_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of the first boards alone, so that whole ones are made in no time."""
    few = {size: boards(size)._replace(cards=boards(size).cards[:8]) for size in (3, 4)}
    for module in ("abstraction", "filling"):
        monkeypatch.setattr(f"holdem_env.solvers.card_tables.{module}.boards", few.__getitem__)


@pytest.mark.usefixtures("short_boards")
def test_whole_tables_are_kept_and_made_again_if_damaged(tmp_path: Path) -> None:
    first = CardAbstraction("strength")
    tables = first.deal_tables(threads=2)
    assert tables.flop.shape == (8, COMBOS)
    assert not tables.turn.flags.writeable
    second = CardAbstraction("strength")
    assert second._table(1).is_whole
    path = path_of(first._street_digest(2))
    assert path.parent.parent == tmp_path
    path.write_bytes(path.read_bytes()[:-7])
    third = CardAbstraction("strength")
    assert not third._table(2).is_whole
    np.testing.assert_array_equal(third.deal_tables().turn, tables.turn)
    assert CardAbstraction("strength")._table(2).is_whole


def test_digests_tell_abstractions_apart() -> None:
    digests = [CardAbstraction(kind).digest for kind in KINDS]
    digests += [CardAbstraction("strength", river=100).digest, CardAbstraction("ranges", river=100).digest]
    assert len(set(digests)) == 5
    assert CardAbstraction("ranges").digest == digests[2]


def test_a_configuration_gives_the_same_abstraction_again() -> None:
    made = CardAbstraction("strength", flop=10, turn=20, river=30)
    again = CardAbstraction.from_config(made.config())
    assert again == made
    assert hash(again) == hash(made)
    assert made.config() == {"kind": "strength", "flop": 10, "turn": 20, "river": 30}
    assert made.bucket_counts.tolist() == [169, 10, 20, 30]
    assert repr(made) == "CardAbstraction('strength', flop=10, turn=20, river=30)"


@pytest.mark.parametrize(
    ("count", "layout"), [(200, (20, 10)), (50, (10, 5)), (1, (1, 1)), (199, (199, 1)), (8, (4, 2))]
)
def test_buckets_of_the_river_are_laid_out_in_groups(count: int, layout: tuple[int, int]) -> None:
    assert strength_groups(count) == layout


def test_few_buckets_and_one() -> None:
    few = CardAbstraction("strength", turn=1, river=1)
    for street in (2, 3):
        found = few.buckets(street, [51, 30, 17, 2, 9][: SIZES[street]])
        assert set(found) == {-1, 0}


REFUSED = [({"kind": "strenght"}, ValueError, "strength"), ({"flop": 0}, ValueError, "flop: 0")]
REFUSED += [({"river": MAX_BUCKETS + 1}, ValueError, "1 to 4,096"), ({"turn": 2.5}, TypeError, "turn")]
REFUSED += [({"turn": True}, TypeError, "turn")]


@pytest.mark.parametrize(("given", "error", "words"), REFUSED)
def test_what_cannot_be_is_refused(given, error, words) -> None:
    assert re.search(words, complaint(lambda: CardAbstraction(**given), kind=error))


BAD_BOARDS = [(1, "Ah Kd", "3 cards, not 2"), (4, "", "street"), (0, "Ah", "0 cards"), (1, "Ah Ah Kd", "different")]
BAD_BOARDS += [(1, "Ah ?? 2c", "known")]


@pytest.mark.parametrize(("street", "board", "words"), BAD_BOARDS)
def test_boards_that_cannot_be_are_refused(abstractions, street, board, words) -> None:
    assert re.search(words, complaint(abstractions["strength"].buckets, street, board))


@pytest.mark.parametrize(
    "preset", ["kuhn", "leduc", "royal-holdem", "omaha", "flop-holdem", "short-deck", "holdem-hi-lo"]
)
def test_other_games_are_refused(preset: str) -> None:
    mentions(complaint(CardAbstraction.check_rules, Rules.preset(preset)), "Texas hold'em")
    CardAbstraction.check_rules(Rules.preset("heads-up-no-limit"))


def test_some_shipped_boundaries_are_what_the_code_finds() -> None:
    np.testing.assert_array_equal(limits_of("ranges", 5, 200), find_limits("ranges", 5, 200))
    np.testing.assert_array_equal(limits_of("strength", 4, 200), find_limits("strength", 4, 200))


@pytest.mark.modes
def test_the_shipped_file_is_what_the_code_makes(tmp_path: Path) -> None:
    save_shipped(tmp_path / "boundaries.npz")
    assert (tmp_path / "boundaries.npz").read_bytes() == SHIPPED.read_bytes()


@pytest.mark.modes
def test_a_whole_table_of_flops_is_that_of_single_boards() -> None:
    """Half a minute on one core."""
    whole, lazy = (BucketTable(3, limits_of("ranges", 3, 200)) for _ in range(2))
    whole.fill(threads=2)
    for row in range(0, 1755, 97):
        np.testing.assert_array_equal(lazy.row(row), whole.rows[row])
    assert canonical_board(boards(3).cards[97])[0] == 97
    assert all(one <= two for one, two in pairwise(limits_of("strength", 3, 200)[0]))
