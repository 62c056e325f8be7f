"""Solvers: small games solved per second, against OpenSpiel's C++ CFR+ on the same game to the same exploitability;
rivers and turns; betting trees and the training of blueprints.

Our time is that of a call of `solve`, with the tree and every check by a best response; OpenSpiel's is that of its
iterations, as many as it needs, without checks. Both play Leduc poker with its six cards.

Rivers and turns are calls of `solve_subgame` for all hands of both players, pot 100, stacks 400: to half a percent of
the pot, and for as many iterations as re-solving in play takes.

Training is that of the shipped configuration, from its beginning, by one thread and by two. Its work is nodes visited.
"""

from __future__ import annotations

from functools import partial

from holdem_env.solvers import solve, solve_subgame

from .measure import Contestant, Maker, Options, on_one_core, race

GAME, THEIRS = "leduc", "leduc_poker"
ACCURACY = 0.005  # chips per hand
CHECKED_EVERY = 10  # iterations of OpenSpiel's
ABOUT = 100  # of them are not enough
MAX_TURNS = 3  # OpenSpiel takes seconds


def ours(algorithm: str) -> Contestant:
    """Work is games solved."""

    def work() -> int:
        solution = solve(GAME, algorithm, accuracy=ACCURACY)
        assert solution.exploitability <= ACCURACY
        return 1

    return work


def openspiel() -> Contestant:
    """Its solver in C++, for as many iterations as it needs."""
    import pyspiel

    game = pyspiel.load_game(THEIRS)
    needed = 0
    solver = pyspiel.CFRPlusSolver(game)
    while needed < ABOUT or pyspiel.nash_conv(game, solver.average_policy()) / 2 > ACCURACY:
        for _ in range(CHECKED_EVERY):
            solver.evaluate_and_update_policy()
        needed += CHECKED_EVERY

    def work() -> int:
        fresh = pyspiel.CFRPlusSolver(game)
        for _ in range(needed):
            fresh.evaluate_and_update_policy()
        return 1

    return work


SPOT = {"pot": 100, "stacks": 400}
TURN = "Ks7h2d3c"
"""Four suits: no two rivers are alike."""
RIVER = TURN + "9s"
RIVER_SIZES = "33%, 75%, 150%, a | 50%, 100%, a | 100%, a"
PLAYED_SIZES = "50%, 100%, a | 100%, a | a"
TURN_SIZES = {"turn": "75%, a | a", "river": "50%, 100%, a | a"}
PLAYED_ITERATIONS = 100


def subgame(board: str, sizes: object, iterations: int | None = None) -> Contestant:
    """Work is subgames solved."""

    def work() -> int:
        accuracy = 0.5 if iterations is None else None
        solution = solve_subgame(
            board, ["random", "random"], **SPOT, sizes=sizes, accuracy=accuracy, iterations=iterations
        )
        assert iterations or solution.exploitability_percent <= 0.5
        return 1

    return work


def subgame_title(what: str, board: str, sizes: object) -> str:
    """With the nodes of its tree."""
    from holdem_env.solvers.games import spot_tree

    nodes = len(spot_tree(board, **SPOT, sizes=sizes, rules=None))
    return f"{what}, {nodes} nodes, all hands of both players"


BLUEPRINT = "blueprint_100bb"
TREE = "heads-up-no-limit", "50%, 100%, all-in"
DEALS = 5_000  # of a round of training


def tree_of_a_hand() -> Contestant:
    """Work is nodes."""
    from holdem_env.solvers.trees import BettingTree

    return lambda: len(BettingTree.from_rules(*TREE))


def training(threads: int) -> Contestant:
    """Work is nodes visited."""
    from holdem_agents.runs.config import load_config
    from holdem_env.solvers.blueprints.training import Trainer

    trainer = Trainer(load_config(BLUEPRINT, [f"threads={threads}"]))
    trainer.fill_tables()

    def work() -> int:
        before = trainer.nodes
        trainer.train(deals=trainer.deals + DEALS)
        return int(trainer.nodes - before)

    return work


SPOTS: tuple[tuple[str, str, object, int | None], ...] = (
    ("A river to 0.5 % of the pot", RIVER, RIVER_SIZES, None),
    (f"A river, {PLAYED_ITERATIONS} iterations", RIVER, PLAYED_SIZES, PLAYED_ITERATIONS),
    ("A turn to 0.5 % of the pot", TURN, TURN_SIZES, None),
)
"""Title, board, bet sizes, and the iterations if they are fixed."""


def own_rows() -> dict[str, Maker]:
    """What another checkout of this project is compared with, one core."""
    spots = {title: partial(subgame, *spot) for title, *spot in SPOTS}
    return {**{f"Leduc, {name}": partial(ours, name) for name in ("dcfr", "cfr+", "pcfr+")}, **spots}


def main(options: Options) -> None:
    few = Options(min(options.repeats, MAX_TURNS), options.seconds, options.only)
    solving(few)
    race(f"Training {BLUEPRINT}", "nodes visited/s", {f"{n} threads": partial(training, n) for n in (1, 2)}, few)


@on_one_core()
def solving(few: Options) -> None:
    """The races on one core."""
    from holdem_env.solvers.cfr import ALGORITHMS

    race("Betting trees of 100 big blinds", "nodes/s", {"BettingTree.from_rules": tree_of_a_hand}, few)
    makers = {"OpenSpiel's C++ CFR+": openspiel} | {f"solve, {name}": partial(ours, name) for name in ALGORITHMS}
    race(f"Leduc poker to an exploitability of {ACCURACY}", "games solved/s", makers, few)
    for what, board, sizes, iterations in SPOTS:
        turn = {"solve_subgame": partial(subgame, board, sizes, iterations)}
        race(subgame_title(what, board, sizes), "solved/s", turn, few)


if __name__ == "__main__":
    main(Options())
