"""The conformance kit: our own encoders and agents pass it, and each fault is found and reported."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from errors import complaint
from holdem_env import Rules
from holdem_env.agents import Agent, agent_names, make_agent
from holdem_env.compiled.records import Records
from holdem_env.encoders import action_encoder, observation_encoder
from holdem_env.encoders.amounts import Continuous
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.testing import ConformanceError, check_agent, check_encoder
from holdem_env.testing.sampled_tables import GAMES, random_positions, rotate_seats


@pytest.mark.parametrize("name", ["flat", "limit", "pot_fractions"])
def test_our_encoders_pass(name: str) -> None:
    check_encoder(name)


# They need a program, a server or a file; their own tests check them.
ELSEWHERE = {"acpc", "hf", "openai", "program", "remote", "blueprint_100bb", "blueprint_20bb", "blueprint_limit"}
ELSEWHERE |= {"ppo_100bb", "ppo_20bb", "ppo_limit", "ppo_sixmax"}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", [name for name in agent_names() if name not in ELSEWHERE])
def test_our_agents_pass(name: str) -> None:
    check_agent(make_agent(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in agent_names() if name not in ELSEWHERE])
def test_our_agents_pass_in_a_process_of_their_own(name: str) -> None:
    check_agent(name)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_positions_are_varied(rules: Rules) -> None:
    tables = random_positions(rules, 500, seed=1)
    assert set(tables["street"].tolist()) == {0, 1, 2, 3}
    assert 0 < tables["over"].sum() < 450
    assert set(tables["button"].tolist()) == set(range(rules.seats))
    there_and_back = rotate_seats(rotate_seats(tables, rules, 1), rules, rules.seats - 1)
    asked = tables["moves"] > 0
    assert there_and_back[asked]["seats"]["stack"].tobytes() == tables[asked]["seats"]["stack"].tobytes()


@observation_encoder(size=1, high=100.0)
def peeks_at_a_neighbour(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = t.hole[(seat + 1) % r.seats, 0]


@observation_encoder(size=1, high=100.0)
def peeks_at_the_deck(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = t.deck[t.cursor]


@observation_encoder(size=1, high=2.0**41)
def knows_the_seed(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = t.hand


@observation_encoder(size=1, high=100.0)
def leaks_the_seat(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = seat


@observation_encoder(size=1)
def beyond_its_space(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = t.pot


@observation_encoder(size=1)
def not_a_number(t, r, seat, out):  # type: ignore[no-untyped-def]
    out[0] = np.nan


@observation_encoder(size=1)
def meddles(t, r, seat, out):  # type: ignore[no-untyped-def]
    t.stack[seat] += 1


@action_encoder(["call", "raise"])
def raises_too_little(t, r, choices):  # type: ignore[no-untyped-def]
    choices[0] = 0
    choices[1] = t.bet_to_match + 1


@action_encoder(["raise"])
def offers_nothing(t, r, choices):  # type: ignore[no-untyped-def]
    if t.raise_max > 0:
        choices[0] = t.raise_max


class BrokenNumbers(Continuous):
    """Continuous actions with a fault to choose."""

    def __init__(self, name: str) -> None:
        self.name = name

    def decode(self, tables: Records, rules: Records, rows: Any, actions: NDArray[np.float32], moves: Any) -> None:
        moves[:] = CHECK_CALL
        if self.name == "illegal":
            moves[actions[:, 0] > 0.99] = 1
        elif self.name == "cheat":
            others = (tables["actor"][rows] + 1) % rules["seats"][0]
            moves[tables["hole"][rows, others, 0] > 26] = -1
        elif self.name == "fickle":
            moves[np.random.default_rng().random(len(rows)) < 0.5] = -1
        elif self.name == "meddler":
            tables["seats"]["stack"][rows] += 1


FAULTY_ENCODERS = [(peeks_at_a_neighbour, "leaks: it changes with cards that the seat cannot know")]
FAULTY_ENCODERS += [(peeks_at_the_deck, "leaks"), (knows_the_seed, "leaks")]
FAULTY_ENCODERS += [(leaks_the_seat, "depends on the seat's number")]
FAULTY_ENCODERS += [(beyond_its_space, "its space is 0 to 1: give low= and high=")]
FAULTY_ENCODERS += [(not_a_number, "writes nan at index 0"), (meddles, r"it changes t\.stack")]
FAULTY_ENCODERS += [(raises_too_little, "offers, as action 1 at table .* Legal: fold")]
FAULTY_ENCODERS += [(offers_nothing, "offers nothing"), (BrokenNumbers("illegal"), "decodes .* to an illegal move")]
FAULTY_ENCODERS += [(BrokenNumbers("cheat"), "leaks: what an action means changes")]
FAULTY_ENCODERS += [(BrokenNumbers("fickle"), "decodes the same numbers to other moves")]
FAULTY_ENCODERS += [(BrokenNumbers("meddler"), "changes the table that it decodes for")]


@pytest.mark.parametrize(("encoder", "message"), FAULTY_ENCODERS, ids=lambda value: getattr(value, "name", ""))
def test_faulty_encoders_are_found(encoder: Any, message: str) -> None:
    assert re.search(message, complaint(check_encoder, encoder, kind=ConformanceError))


class Broken(Agent):
    """An agent with a fault to choose."""

    def __init__(self, name: str) -> None:
        self.name = name

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        moves = np.full(len(rows), CHECK_CALL, np.int64)
        if self.name == "illegal":
            moves[:] = 1
        elif self.name == "all rows":
            return np.zeros(len(tables), np.int64)
        elif self.name == "floats":
            return moves.astype(np.float64)  # type: ignore[return-value]
        return moves


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("illegal", "makes an illegal move: seat .* Legal: "),
        ("all rows", "return one integer engine move for each row"),
        ("floats", "dtype float64"),
    ],
)
def test_faulty_agents_are_found(name: str, message: str) -> None:
    assert re.search(message, complaint(check_agent, Broken(name), kind=ConformanceError))


class Teller(Agent):
    """An agent that tells its probabilities, with a fault to choose: it checks or folds, each in half of the cases."""

    def __init__(self, name: str) -> None:
        self.name = name

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        moves, probabilities = self.probabilities(tables, rules, rows)
        if self.name in ("something else", "padding", "shape", "illegal"):
            return np.full(len(rows), CHECK_CALL, np.int64)
        if self.name in ("cheat", "seed"):
            probabilities[:] = 0.5
        dice = np.random.default_rng(int(tables["table_id"][rows].sum())).random(len(rows))
        return np.where(dice < (0.6 if self.name == "another share" else probabilities[:, 0]), moves[:, 0], moves[:, 1])

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        moves = np.repeat([[CHECK_CALL, FOLD]], len(rows), axis=0)
        probabilities = np.full(moves.shape, 0.5)
        if self.name == "sum":
            probabilities[:, 0] = 0.6
        elif self.name == "negative":
            probabilities[:] = 1.5, -0.5
        elif self.name == "nan":
            probabilities[:] = np.nan
        elif self.name == "twice":
            moves[:, 1] = CHECK_CALL
        elif self.name == "padding":
            moves[:, 1] = NO_MOVE
        elif self.name == "illegal":
            moves[:, 1] = 1
        elif self.name == "shape":
            return moves[:, 0], probabilities[:, 0]
        elif self.name == "meddler":
            tables["seats"]["stack"][rows] += 1
        elif self.name == "something else":
            moves[:, 0] = FOLD
            return moves[:, :1], np.ones((len(rows), 1))
        elif self.name == "cheat":
            others = (tables["actor"][rows] + 1) % rules.seats
            probabilities[:, 0] = np.where(tables["hole"][rows, others, 0] > 26, 0.2, 0.5)
            probabilities[:, 1] = 1 - probabilities[:, 0]
        elif self.name == "seed":
            probabilities[:, 0] = np.where(tables["hand"][rows] > 26, 0.2, 0.5)
            probabilities[:, 1] = 1 - probabilities[:, 0]
        return moves, probabilities


FAULTY_PROBABILITIES = [("sum", "sum to 1"), ("negative", "they must be 0 or more"), ("nan", "they must be 0 or more")]
FAULTY_PROBABILITIES += [("twice", "each move may be named only once"), ("padding", r"0 for NO_MOVE \(-2\)")]
FAULTY_PROBABILITIES += [("illegal", "makes an illegal move"), ("shape", r"give \(K, A\) int64 moves")]
FAULTY_PROBABILITIES += [("meddler", "changes the tables"), ("something else", "to which its probabilities give 0")]
FAULTY_PROBABILITIES += [("cheat", "change with what its seat cannot know")]
FAULTY_PROBABILITIES += [("seed", "change with what its seat cannot know")]
FAULTY_PROBABILITIES += [("another share", r"with 0.500; `act` played it in 0.(59|6)")]


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(("name", "message"), FAULTY_PROBABILITIES)
def test_faulty_probabilities_are_found(name: str, message: str) -> None:
    assert re.search(message, complaint(check_agent, Teller(name), kind=ConformanceError))


def test_right_probabilities_pass() -> None:
    check_agent(Teller("honest"))
