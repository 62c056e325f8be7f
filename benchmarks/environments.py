"""Decisions per second of the environments: random legal actions, with observation and mask, heads-up no-limit 100
big blinds.

The time to choose the random action is counted everywhere. OpenSpiel plays universal_poker with four actions
(fold, call, pot, all-in) and gives its observation tensor and mask at each decision; Tables has seven by default.
PettingZoo plays texas_holdem_no_limit_v6 as its documentation shows; an empty AEC environment shows what its interface
alone costs.
"""

from __future__ import annotations

import random
from functools import partial

import numpy as np

from holdem_env import Rules, Tables, holdem_v0

from .empty_aec import EmptyAEC
from .measure import Contestant, Maker, Options, on_one_core, race

OPENSPIEL_BLINDS = {2: ("1 2", "2 1 1 1"), 6: ("1 2 0 0 0 0", "3 1 1 1")}
MANY = 1_000_000


def tables(
    seats: int,
    num_tables: int,
    steps: int,
    threads: int = 1,
    actions: str | None = None,
    session: dict[str, object] | None = None,
) -> Contestant:
    """Tables, stepped with random offered actions."""
    rules = Rules(seats=seats, blinds=(1, 2), stacks=200, session=session)
    batch = Tables(rules, num_tables, actions=actions, threads=threads)

    def work() -> int:
        for _ in range(steps):
            batch.step(batch.random_actions())
        return steps * num_tables

    return work


def aec(make_env: object, decisions: int) -> Contestant:
    """A PettingZoo AEC loop with random legal actions."""
    env = make_env()  # type: ignore[operator]
    generator = np.random.default_rng(0)

    def work() -> int:
        done = 0
        while done < decisions:
            env.reset(seed=done)
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                action = None
                if not (termination or truncation):
                    offered = np.flatnonzero(observation["action_mask"])
                    action = offered[generator.integers(len(offered))]
                    done += 1
                env.step(action)
        return done

    return work


def openspiel(seats: int, decisions: int) -> Contestant:
    """OpenSpiel's universal_poker from Python."""
    import pyspiel

    blinds, first = OPENSPIEL_BLINDS[seats]
    stacks = " ".join(["200"] * seats)
    game = pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={seats},numRounds=4,stack={stacks},blind={blinds},firstPlayer={first},"
        "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,bettingAbstraction=fcpa)"
    )
    choose = random.Random(0).choice

    def work() -> int:
        done = 0
        while done < decisions:
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    state.observation_tensor()
                    state.legal_actions_mask()
                    done += 1
                state.apply_action(choose(state.legal_actions()))
        return done

    return work


def pokerkit(decisions: int) -> Contestant:
    """PokerKit, which has rules but neither observation nor mask."""
    from pokerkit import Automation, NoLimitTexasHoldem

    choose = random.Random(0)

    def work() -> int:
        done = 0
        while done < decisions:
            state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, (1, 2), 2, (200, 200), 2)
            while state.status:
                moves = [state.check_or_call]
                if state.can_fold():
                    moves.append(state.fold)
                if state.can_complete_bet_or_raise_to():
                    moves.append(state.complete_bet_or_raise_to)
                choose.choice(moves)()
                done += 1
        return done

    return work


def pettingzoo_classic() -> object:
    """PettingZoo's own no-limit hold'em."""
    from pettingzoo.classic import texas_holdem_no_limit_v6

    return texas_holdem_no_limit_v6.env()


def batches(seats: int) -> dict[str, Maker]:
    """Tables, few and many, with our actions and with OpenSpiel's."""
    return {
        "Tables, 1,024": partial(tables, seats, 1024, 100),
        "Tables, 8,192": partial(tables, seats, 8192, 12),
        "Tables, 1,024, OpenSpiel's actions": partial(tables, seats, 1024, 100, actions="fcpa"),
        "Tables, 8,192, OpenSpiel's actions": partial(tables, seats, 8192, 12, actions="fcpa"),
    }


def one_table(decisions: int = 2_000) -> Contestant:
    """Our own PettingZoo environment."""
    rules = Rules(seats=2, blinds=(1, 2), stacks=200)
    return aec(lambda: holdem_v0.env(rules=rules), decisions)


def empty() -> Contestant:
    """PettingZoo's interface without a game."""
    return aec(EmptyAEC, 2_000)


def freezeouts() -> Contestant:
    """Tables that play sessions."""
    return tables(6, 1024, 100, session={"levels": [{"hands": 10}, {"times": 2, "hands": 10}, {"times": 4}]})


def own_rows() -> dict[str, Maker]:
    """All that another checkout of this project is compared with, one core."""
    rows = {f"{name}, {seats} seats": maker for seats in OPENSPIEL_BLINDS for name, maker in batches(seats).items()}
    return {**rows, "Tables, 1,024, 6 seats, freezeouts": freezeouts, "holdem_v0, AEC loop": one_table}


def main(options: Options) -> None:
    """One core beside peers and with sessions, then several threads."""
    with on_one_core():
        beside_peers(options)
        race(
            "Sessions (Tables, 1,024, 6 seats)",
            "decisions/s",
            {"hands that stand alone": partial(tables, 6, 1024, 100), "freezeouts": freezeouts},
            options,
        )
    several_threads(options)


def beside_peers(options: Options) -> None:
    """Random legal actions, one core."""
    for seats in OPENSPIEL_BLINDS:
        makers = {"OpenSpiel universal_poker": partial(openspiel, seats, 2_000), **batches(seats)}
        race(f"Batch, {seats} seats", "decisions/s", makers, options)
    makers = {
        "PettingZoo texas_holdem_no_limit_v6": partial(aec, pettingzoo_classic, 200),
        "PokerKit (no observation)": partial(pokerkit, 200),
        "holdem_v0": one_table,
    }
    race("One table", "decisions/s", makers, options)
    race("The same loop", "decisions/s", {"an empty AEC environment": empty, "holdem_v0": one_table}, options)


def several_threads(options: Options) -> None:
    """What a second thread brings, and whether a million tables fit."""
    makers = {f"Tables, 8,192, {threads} threads": partial(tables, 2, 8192, 12, threads=threads) for threads in (1, 2)}
    race("Threads, heads-up", "decisions/s", makers, options)
    many = {f"Tables, {MANY:,}, 2 threads": partial(tables, 2, MANY, 1, threads=2)}
    race(f"A million tables, {bytes_of_a_table():,} bytes each", "decisions/s", many, options)


def bytes_of_a_table() -> int:
    """The size of one table's record."""
    return Tables(Rules(), num_tables=1).records.itemsize
