"""The benchmarks: their statistics, that contestants take turns, that each one runs, and that a comparison with another
checkout finds what is slower. What is measured here is not timed for its own sake: turns are as short as can be.
"""

from __future__ import annotations

import csv
import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY))

from benchmarks import __main__ as command  # noqa: E402
from benchmarks import (  # noqa: E402
    against,
    arena,
    blueprints,
    environments,
    equity,
    evaluator,
    learners,
    measure,
    network_sizes,
    processes,
    remote_bots,
    search,
    solvers,
    street_search,
    tournaments,
    training,
    tricks,
)
from errors import complaint, mentions  # noqa: E402
from holdem_env import Rules  # noqa: E402
from holdem_env.solvers.blueprints import resolving  # noqa: E402
from holdem_env.solvers.blueprints.strategy_file import save_strategy  # noqa: E402
from solvers.blueprints.toys import by_strength, toy_strategy  # noqa: E402

pytestmark = pytest.mark.stands_on("benchmarks")

QUICK = measure.Options(repeats=2, seconds=0.0)
SMALL_LEARNER = "tables=16", "learner.n_steps=4", "learner.batch_size=64", "learner.hidden=[8]"


def test_a_spread_is_the_median_and_the_quartiles() -> None:
    assert measure.spread([5, 1, 4, 2, 3]) == (3, 2, 4)
    assert measure.spread([1, 2]) == (1.5, 1.25, 1.75)
    assert measure.spread([7]) == (7, 7, 7)
    assert measure.spread(value for value in (1, 1, 1, 1_000)) == (1, 1, 250.75)


def test_ratios_are_taken_turn_by_turn() -> None:
    """A machine that gets slower with every turn does not touch them, though the medians drift."""
    ours, theirs = [400, 300, 200, 100], [200, 150, 100, 50]
    assert measure.ratios(ours, theirs) == (2, 2, 2)
    mentions(complaint(measure.ratios, ours, theirs[:3]), "zip")


def test_contestants_take_turns() -> None:
    order: list[str] = []

    def contestant(name: str) -> measure.Contestant:
        return lambda: order.append(name) or 10

    rates = measure.in_turns({"a": contestant("a"), "b": contestant("b")}, measure.Options(repeats=3, seconds=0))
    assert "".join(order) == "ab" + 3 * "ab"  # the first pair warms up
    assert [len(rates[name]) for name in "ab"] == [3, 3]
    assert min(min(values) for values in rates.values()) > 0


def test_a_turn_lasts_until_its_seconds_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(measure.time, "perf_counter", lambda: clock[0])

    def work() -> int:
        clock[0] += 0.25
        return 5

    assert measure.turn(work, seconds=1.0) == 20
    assert clock[0] == 1.0
    assert measure.turn(work, seconds=0.0) == 20  # at least once
    assert clock[0] == 1.25


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the work, and less."""
    for module, sizes in {
        environments: {"MANY": 64},
        evaluator: {"HANDS": 200, "PEERS_HANDS": 100, "REPEATS": 1},
        equity: {"MATCHUPS": 2, "SAMPLES": 2_000, "SAMPLES_A_HAND": 200},
        training: {"STEPS": 2, "ROLLOUT": 2, "NUM_TABLES": 8},
        arena: {"AEC_HANDS": 2, "DEALS": 4, "NET_DEALS": 4, "ESTIMATED": 20},
        tournaments: {"AGENTS": 4, "HANDS": 20, "SEEDS": 1, "MAX_HANDS": 100},
        remote_bots: {"CONNECTED": 4, "PLAYING": 3, "JOBS": 2, "HANDS": 40, "PAIRS": 2},
    }.items():
        for name, size in sizes.items():
            assert getattr(module, name) > size
            monkeypatch.setattr(module, name, size)


def one_stranger(folder: str) -> dict[str, str]:
    """Jails take seconds to start."""
    bot = Path(folder, "bot.py")
    bot.write_text(arena.BOT)
    return {"a .py file": str(bot)}


@pytest.mark.fast_cases("evaluator")
@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "name", ["environments", "evaluator", "equity", "training", "arena", "tournaments", "remote_bots"]
)
def test_each_benchmark_runs(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "remote_bots":
        pytest.importorskip("websockets")
    monkeypatch.setattr(arena, "JAIL_DEALS", 100)
    monkeypatch.setattr(arena, "strangers", one_stranger)
    assert command.main([name, "--repeats", "2", "--seconds", "0"]) == 0
    assert capsys.readouterr().out.startswith(measure.processor())


@pytest.mark.slow
def test_benchmarks_of_learners_run(monkeypatch: pytest.MonkeyPatch) -> None:
    members = {name: {"learner": {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}} for name in "ab"}
    assert all(processes.league_speed(jobs, 512, tables=32, learners=members) > 0 for jobs in processes.JOBS)
    found = network_sizes.contestants(["cpu"])
    assert network_sizes.speed(2, (*found["cpu, ours, two ranks"][1], *SMALL_LEARNER), seconds=2) > 0
    monkeypatch.setattr(learners, "CHANGES", SMALL_LEARNER)
    learners.main(measure.Options(repeats=2, seconds=0, only="heads-up"))


@pytest.mark.slow
def test_every_decision_that_enters_an_update_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "CHANGES", SMALL_LEARNER)
    trainee = learners.Trainee("demo", ("learner.kind=ppo", "learner.epochs=1"))
    turns = [trainee.turn() for _ in range(4)]
    waiting = trainee.learner.model.rollout_buffer.is_over[: trainee.learner.model.rollout_buffer.count]
    assert sum(turn.decisions for turn in turns) == trainee.learner.model.decisions - (~waiting).sum()
    assert turns[0].rates[0] == pytest.approx(turns[0].decisions / (turns[0].rollout + turns[0].update))


def test_tricks_are_compared_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling the engine once for each trick takes minutes: here every answer is made up."""

    def answer(script: str, chosen: str, cache: Path, *arguments: str) -> str:
        return json.dumps({"2 seats, 1,024": 100.0}) if arguments else "16.0"

    monkeypatch.setattr(tricks, "in_process", answer)
    assert command.main(["tricks", "--repeats", "2"]) == 0


@pytest.mark.parametrize(
    "given",
    [["enviroments"], ["equity", "--against", "."], ["--against", "nowhere"], ["--repeats", "0"], ["--launches", "0"]],
)
def test_a_wrong_command_line_says_so(given: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main(given)
    assert caught.value.code == 2


def test_a_process_that_finds_another_holdem_env_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="its process"):
        against.compare(["environments"], tmp_path, tmp_path, QUICK, against.Plan())


RATIOS = [((0.98, 0.90, 1.00), True, ""), ((0.95, 0.94, 0.96), True, "slower")]
RATIOS += [((0.95, 0.80, 1.01), True, "slower? unsure"), ((1.10, 1.05, 1.20), True, "faster")]
RATIOS += [((1.10, 1.05, 1.20), False, "slower"), ((1.10, 0.90, 1.20), False, "slower? unsure")]
RATIOS += [((0.50, 0.40, 0.60), False, "faster")]


@pytest.mark.parametrize(("ratio", "rates", "said"), RATIOS)
def test_what_a_ratio_says(ratio: tuple[float, float, float], rates: bool, said: str) -> None:
    assert against.verdict(measure.Spread(*ratio), 0.03, rates) == said


def test_one_turn_is_not_enough_for_a_verdict() -> None:
    assert against.verdict(measure.Spread(0.5, 0.5, 0.5), 0.03, rates=True, enough=False) == "slower? unsure"


@pytest.mark.slow  # 75 s, most of them compiling
def test_benchmarks_of_blueprints_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, saved = tmp_path / "toy.strategy", tmp_path / "toy.csv"
    rules = Rules.preset("heads-up-no-limit").replace(stacks=24)
    save_strategy(path, toy_strategy(rules, "100%, all-in | all-in", by_strength))
    monkeypatch.setitem(resolving.ITERATIONS, 2, 10)
    monkeypatch.setattr(blueprints, "EXPLOITERS", blueprints.EXPLOITERS[:1])
    sizes = "--hands 200 --rivers 2 --lbr-hands 2 --river-hands 64 --turn-hands 2 --decisions 2000 --deals 200"
    parts = "matches lbr resolved rivers hands buckets exploiters"
    given = f"{sizes} --exploiter-seeds 1 --only {parts} --cards --save".split()
    blueprints.main([str(path), *given, str(saved)])
    with saved.open(newline="") as file:
        means = {row["measure"]: float(row["mean"]) for row in csv.DictReader(file)}
    assert means["LBR fcpa from the river"] != means["LBR fcpa from the river, river re-solved"]
    assert means["gadget: assumed"] < means["the blueprint: assumed"]

    monkeypatch.setattr(search, "PART", 1)
    plan = ["--flops", "2", "--lines", "1", "--opponents", str(path), "pot_odds", "--lbr", "river", "--menus", "fcpa"]
    search.main([str(path), *plan, "--searches", "none", "river"])
    monkeypatch.setattr("sys.argv", ["street_search", "--turns", "2", "--iterations", "4"])
    street_search.main()
    for only in ("betting trees", "leduc"):
        solvers.main(measure.Options(repeats=1, seconds=0, only=only))


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", against.COMPARABLE)
def test_rows_of_a_comparison_do_some_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and the last of each benchmark, with as little to do as can be."""
    monkeypatch.setattr(learners, "DECISIONS", dict.fromkeys(learners.DECISIONS, 1_000))
    monkeypatch.setattr(learners, "CHANGES", SMALL_LEARNER)
    rows = import_module(f"benchmarks.{name}").own_rows()
    for row in (next(iter(rows)), next(reversed(rows))):
        assert rows[row]()() > 0, row


@pytest.mark.slow
def test_this_checkout_beside_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides as plain Python: each would have to compile the engine."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    given = ["environments", "--against", str(REPOSITORY), "--repeats", "1", "--seconds", "0", "--launches", "1"]
    assert command.main([*given, "--compilations", "1", "--only", "AEC"]) == 0
