"""What holds for every observation encoder: it fills its space, leaks nothing, a batch is what single tables are."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest

from encoders.seeing import ENCODERS, GAMES, ONE_ROW, hands, observe
from errors import complaint, mentions
from holdem_env import Rules, Table, Tables
from holdem_env.compiled.records import new_records
from holdem_env.compiled.tricks import CHECKS
from holdem_env.encoders import get_observation, observation_names, register_observation
from holdem_env.engine import batch, record
from holdem_env.testing import check_encoder

each_encoder = pytest.mark.parametrize("name", ENCODERS)
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")


@each_encoder
@each_game
def test_layout_divides_its_axis_without_gaps(name: str, rules: Rules) -> None:
    encoder = get_observation(name)
    layout, shape = encoder.layout(rules), encoder.shape(rules)
    assert layout[0][1] == 0
    assert all(before[2] == after[1] for before, after in pairwise(layout))
    assert all(first < last for _, first, last in layout)
    assert layout[-1][2] == shape[encoder.layout_axis]
    assert len({meaning for meaning, _, _ in layout}) == len(layout)
    assert encoder.size(rules) == np.prod(shape)
    assert encoder.space(rules).shape == shape
    assert encoder.space(rules).dtype == np.float32
    assert encoder.name == name


@pytest.mark.fast_cases(20)
@each_encoder
@each_game
def test_every_seat_sees_numbers_of_the_space_at_any_time(name: str, rules: Rules) -> None:
    encoder = get_observation(name)
    space = encoder.space(rules)
    for table in hands(rules, 2):
        for seat in range(rules.seats):
            seen = observe(encoder, table, seat)
            assert space.contains(seen)
            assert seen.any() or name == "shown_cards"  # before a card is shown there is nothing to see
            np.testing.assert_array_equal(observe(encoder, table, seat), seen, "not deterministic")


@pytest.mark.skipif(CHECKS, reason="the engine refuses a table whose hidden cards were never dealt")
@pytest.mark.fast_cases(20)
@each_encoder
@each_game
def test_hidden_cards_are_not_seen(name: str, rules: Rules) -> None:
    encoder = get_observation(name)
    generator = np.random.default_rng(0)
    for table in hands(rules, 2, seed=1):
        for seat in range(rules.seats):
            other = table.copy()
            known = [*table.hole_cards(seat), *table.board]
            rest = generator.permutation([card for card in range(52) if card not in known]).astype(np.int8)
            t = other.records[0]
            t["deck"][:] = generator.permutation(52)
            t["seed"], t["table_id"], t["hand"] = 5, 6, 7
            for k, neighbour in enumerate(s for s in range(rules.seats) if s != seat):
                if name == "shown_cards" and table.is_shown(neighbour):
                    continue  # what was shown is what it is to see
                t["hole"][neighbour] = rest[4 * k : 4 * k + 4] if 4 * k + 4 <= len(rest) else rest[:4]
            t["hole"][seat, rules.hole_cards :] = rest[:2]
            t["board"][len(table.board) :] = rest[: 5 - len(table.board)]
            np.testing.assert_array_equal(observe(encoder, other, seat), observe(encoder, table, seat))


@pytest.mark.fast_cases(20)
@each_encoder
@each_game
def test_a_batch_is_what_single_tables_are(name: str, rules: Rules) -> None:
    encoder = get_observation(name)
    states = [(table.records.copy(), seat % rules.seats) for seat, table in enumerate(hands(rules, 6, seed=2))]
    order = np.random.default_rng(0).permutation(len(states))
    tables = new_records(states[0][0].dtype, len(states))
    for row, (one, _) in enumerate(states):
        tables[row] = one[0]
    seats = np.array([states[row][1] for row in order])
    size = encoder.size(rules)
    together = np.full((len(order), size), np.nan, np.float32)
    encoder.observe(tables, rules.record, order, seats, together)
    for k, row in enumerate(order):
        alone = np.full((1, size), np.nan, np.float32)
        encoder.observe(states[row][0], rules.record, ONE_ROW, seats[k : k + 1], alone)
        np.testing.assert_array_equal(together[k], alone[0])


@pytest.mark.fast_cases(20)
@each_encoder
@each_game
def test_seats_are_counted_from_the_observer(name: str, rules: Rules) -> None:
    """The same hand with everybody one chair on looks the same."""
    if len(set(rules.starting_stacks)) > 1:
        stacks = rules.starting_stacks
    else:
        stacks = tuple(chips * (1 + k % 3) for k, chips in enumerate(rules.starting_stacks))
    moved = (stacks[-1], *stacks[:-1])
    one, two = Table(rules, stacks=stacks, button=0, seed=3), Table(rules, stacks=moved, button=1, seed=3)
    moves = np.random.default_rng(0).integers(0, 3, 60)
    for count, move in enumerate(moves):
        for seat in range(count % 2, rules.seats, 2):
            np.testing.assert_array_equal(observe(name, one, seat), observe(name, two, (seat + 1) % rules.seats))
        if one.is_over:
            break
        raises = move == 2 and one.legal.raise_min is not None
        for table in (one, two):
            table.play(table.legal.raise_min if raises else 0)


@each_encoder
@pytest.mark.parametrize("rules", [game for game in GAMES if game.seats > 2], ids=lambda rules: f"{rules.seats} seats")
def test_a_seat_that_is_not_dealt_in(name: str, rules: Rules) -> None:
    """Broke in a session, it looks on."""
    encoder = get_observation(name)
    tables = new_records(record.TABLE, 1)
    batch.number_tables(tables, 1, 0, 0)
    batch.shuffle_decks(tables, rules.record, len(rules.deck))
    tables["seats"]["stack"][0, : rules.seats] = 10_000
    tables["seats"]["stack"][0, 1] = 0
    batch.start_hands(tables, rules.record, record.new_log(listening=False))
    assert not tables["was_dealt"][0, 1]
    for seat in range(rules.seats):
        out = np.full((1, encoder.size(rules)), np.nan, np.float32)
        encoder.observe(tables, rules.record, ONE_ROW, np.array([seat]), out)
        assert encoder.space(rules).contains(out[0].reshape(encoder.shape(rules)))


@pytest.mark.fast_cases(2)
@each_encoder
def test_tables_keep_the_shape_and_are_pickled_with_it(name: str) -> None:
    rules = Rules(seats=3, blinds=(1, 2), stacks=100)
    tables = Tables(rules, 5, observation=name, seed=4)
    assert tables.observation.shape == (5, *get_observation(name).shape(rules))
    twin = pickle.loads(pickle.dumps(tables))
    threads = Tables(rules, 5, observation=name, seed=4, threads=2)
    for _ in range(20):
        for one in (tables, twin, threads):
            one.step(np.ones(5, int))
        np.testing.assert_array_equal(twin.observation, tables.observation)
        np.testing.assert_array_equal(threads.observation, tables.observation)
    encoder = tables.observation_encoder
    out = np.zeros((5, encoder.size(rules)), np.float32)
    encoder.observe(tables.records, rules.record, np.arange(5), tables.actor, out)
    np.testing.assert_array_equal(out.reshape(tables.observation.shape), tables.observation)


def test_names_and_their_errors() -> None:
    assert {"flat", "planes", "tokens", "equity", "classic"} <= set(observation_names())
    assert get_observation(" flat + equity ").name == "flat+equity"
    mentions(complaint(get_observation, "flat+equty"), "equity")
    mentions(complaint(get_observation, "flat+"), "there is no observation encoder ''")
    mentions(complaint(register_observation, "a+b", lambda: get_observation("flat")), "plus sign")


@each_encoder
def test_the_conformance_kit_has_nothing_to_say(name: str) -> None:
    check_encoder(name, positions=60)
