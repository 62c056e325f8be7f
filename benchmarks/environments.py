"""Decisions per second of the environments: random legal actions, with observation and mask, heads-up no-limit 100
big blinds.

The time to choose the random action is counted everywhere. OpenSpiel plays universal_poker with four actions
(fold, call, pot, all-in) and gives its observation tensor and mask at each decision; Tables has seven by default.
PettingZoo plays texas_holdem_no_limit_v6 as its documentation shows.
"""

from __future__ import annotations

import random

import numpy as np

from holdem_env import Rules, Tables, holdem_v0
from holdem_env.engine.record import TABLE

from .measure import Contestant, machine, on_one_core, print_rates, rates

OPENSPIEL_BLINDS = {2: ("1 2", "2 1 1 1"), 6: ("1 2 0 0 0 0", "3 1 1 1")}


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
                    action = generator.choice(np.flatnonzero(observation["action_mask"]))
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


def main() -> None:
    beside_peers()
    sessions()
    both_cores()


@on_one_core()
def sessions() -> None:
    """Freezeouts beside hands that stand alone."""
    freezeout = {"levels": [{"hands": 10}, {"times": 2, "hands": 10}, {"times": 4}]}
    result = rates(
        {"hands that stand alone": tables(6, 1024, 200), "freezeouts": tables(6, 1024, 200, session=freezeout)}
    )
    print_rates("Tables, 1,024, 6 seats", result, "hands that stand alone", "decisions/s")


def both_cores() -> None:
    """What a second thread brings, and whether a million tables fit."""
    result = rates({f"Tables, 8,192, {n} threads": tables(2, 8192, 50, threads=n) for n in (1, 2)})
    print_rates("Threads, heads-up", result, "Tables, 8,192, 1 threads", "decisions/s")
    result = rates({"Tables, 1,000,000, 2 threads": tables(2, 1_000_000, 1, threads=2)}, rounds=3)
    print_rates(
        f"A million tables, {TABLE.itemsize:,} bytes each", result, "Tables, 1,000,000, 2 threads", "decisions/s"
    )


@on_one_core()
def beside_peers() -> None:
    """One core, random legal actions."""
    print(f"one core; {machine()}")
    ours = Rules(seats=2, blinds=(1, 2), stacks=200)
    for seats in OPENSPIEL_BLINDS:
        result = rates(
            {
                "OpenSpiel universal_poker": openspiel(seats, 30_000),
                "Tables, 1,024": tables(seats, 1024, 200),
                "Tables, 8,192": tables(seats, 8192, 25),
                "Tables, 1,024, OpenSpiel's actions": tables(seats, 1024, 200, actions="fcpa"),
                "Tables, 8,192, OpenSpiel's actions": tables(seats, 8192, 25, actions="fcpa"),
            }
        )
        print_rates(f"Batch, {seats} seats", result, "OpenSpiel universal_poker", "decisions/s")
    result = rates(
        {
            "PettingZoo texas_holdem_no_limit_v6": aec(pettingzoo_classic, 1_000),
            "PokerKit (no observation)": pokerkit(1_000),
            "holdem_v0": aec(lambda: holdem_v0.env(rules=ours), 20_000),
        }
    )
    print_rates("One table", result, "PettingZoo texas_holdem_no_limit_v6", "decisions/s")


if __name__ == "__main__":
    main()
