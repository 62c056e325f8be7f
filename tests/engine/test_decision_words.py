"""Random words and opaque numbers: what views have in place of the seed and the table's number."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.compiled.compiler import kernel
from holdem_env.engine import batch, record
from holdem_env.engine.decision_words import keyed_hash
from holdem_env.engine.random_numbers import GOLDEN, MIX_1, MIX_3, mix
from holdem_env.engine.seat_view import new_views, view_rows

RULES = Rules.preset("heads-up-no-limit")
N = 100


def dealt(seed: int = 1, first: int = 0) -> record.Records:
    """Tables with a new hand."""
    tables = record.new_records(record.TABLE, N)
    batch.number_tables(tables, seed, first, 1)
    batch.deal_hands(tables, RULES.record, record.new_log(listening=False), np.arange(N))
    return tables


def seen(tables: record.Records, rotation: int = 0, seats: np.ndarray | None = None) -> record.Records:
    """Views of all."""
    views = new_views(len(tables))
    view_rows(tables, RULES.record, np.arange(len(tables)), views, seats, rotation)
    return views


def siphash_1_3(key: tuple[int, int], message: tuple[int, int]) -> int:
    """SipHash-1-3 of two words, as its paper has it, in plain integers."""
    whole = 2**64 - 1
    v = [
        key[0] ^ 0x736F6D6570736575,
        key[1] ^ 0x646F72616E646F6D,
        key[0] ^ 0x6C7967656E657261,
        key[1] ^ 0x7465646279746573,
    ]

    def turn(x: int, bits: int) -> int:
        return ((x << bits) | (x >> (64 - bits))) & whole

    def round_once() -> None:
        v[0] = (v[0] + v[1]) & whole
        v[1] = turn(v[1], 13) ^ v[0]
        v[0] = turn(v[0], 32)
        v[2] = (v[2] + v[3]) & whole
        v[3] = turn(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & whole
        v[3] = turn(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & whole
        v[1] = turn(v[1], 17) ^ v[2]
        v[2] = turn(v[2], 32)

    for word in (*message, 16 << 56):
        v[3] ^= word
        round_once()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        round_once()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


plain_mix = getattr(mix, "py_func", mix)  # Python cannot call the compiled one, which is merged into its callers


@kernel
def hashes(keys, firsts, seconds, out):
    """`keyed_hash` of arrays."""
    for k in range(keys.size):
        out[k] = keyed_hash(keys[k], firsts[k], seconds[k])


@pytest.mark.filterwarnings("ignore:overflow")
def test_the_hash_is_siphash_with_one_and_three_rounds():
    generator = np.random.default_rng(3)
    keys, firsts, seconds = generator.integers(2**64, size=(3, 50), dtype=np.uint64)
    out = np.empty(50, np.int64)
    hashes(keys, firsts, seconds, out)
    for key, first, second, hashed in zip(keys, firsts, seconds, out.tolist(), strict=True):
        parts = int(plain_mix(key + GOLDEN)), int(plain_mix((key ^ MIX_1) + MIX_3))
        assert hashed == siphash_1_3(parts, (int(first), int(second))) >> 1


def test_words_repeat_with_the_decision_and_with_nothing_else():
    views = seen(dealt())
    assert seen(dealt()).tobytes() == views.tobytes()
    others = 1 - views["actor"].astype(np.int64)
    for other in (seen(dealt(seed=2)), seen(dealt(first=N)), seen(dealt(), seats=others)):
        for name in ("seed", "table_id"):
            assert not np.isin(other[name], views[name]).any(), name
    assert len(np.unique(views["seed"])) == len(np.unique(views["table_id"])) == N
    assert (views["seed"] >= 0).all()
    assert (views["table_id"] >= 0).all()


def test_another_rotation_has_the_same_words_and_other_numbers():
    views, turned = seen(dealt()), seen(dealt(), rotation=1)
    np.testing.assert_array_equal(turned["seed"], views["seed"])
    assert not np.isin(turned["table_id"], views["table_id"]).any()


def test_a_view_of_a_view_has_its_words():
    views = seen(dealt())
    assert seen(views, rotation=1).tobytes() == views.tobytes()
    plain = new_views(N)
    view_rows(views, RULES.record, np.arange(N), plain)
    assert plain.tobytes() == views.tobytes()


def test_without_a_rotation_there_are_no_words():
    views = new_views(N)
    view_rows(dealt(), RULES.record, np.arange(N), views)
    assert not any(views[name].any() for name in ("seed", "table_id", "has_words"))


def test_a_seat_knows_its_table_again_during_the_hand():
    tables = dealt()
    first = seen(tables)
    log = record.new_log(listening=False)
    for _ in range(2):
        batch.play_moves(tables, RULES.record, log, np.arange(N), np.zeros(N, np.int64))
    later = seen(tables, seats=first["actor"].astype(np.int64))
    np.testing.assert_array_equal(later["table_id"], first["table_id"])
    assert not np.isin(later["seed"], first["seed"]).any()


def test_words_are_uniform_and_tell_nothing_of_the_deck():
    """Each bit is set half the time, and the parity of cards is no better guessed by any bit."""
    dealings = [dealt(seed=seed) for seed in range(20)]
    words = np.concatenate([seen(tables)["seed"] for tables in dealings])
    decks = np.concatenate([tables["deck"] for tables in dealings])
    bits = (words[:, None] >> np.arange(63)) & 1
    allowed = 5 * 0.5 / np.sqrt(len(words))
    assert np.abs(bits.mean(axis=0) - 0.5).max() < allowed
    for card in range(4):
        odd = decks[:, card] % 2
        assert np.abs((bits == odd[:, None]).mean(axis=0) - 0.5).max() < allowed
