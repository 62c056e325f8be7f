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
from holdem_env import Rules  # noqa: E402
from holdem_env.solvers.blueprints import resolving  # noqa: E402
from holdem_env.solvers.blueprints.strategy_file import save_strategy  # noqa: E402
from solvers.blueprints.toys import by_strength, toy_strategy  # noqa: E402

pytestmark = pytest.mark.stands_on("benchmarks")

QUICK = measure.Options(repeats=2, seconds=0.0)


def test_a_spread_is_the_median_and_the_quartiles() -> None:
    assert measure.spread([5, 1, 4, 2, 3]) == (3, 2, 4)
    assert measure.spread([1, 2]) == (1.5, 1.25, 1.75)
    assert measure.spread([7]) == (7, 7, 7)
    assert measure.spread(value for value in (1, 1, 1, 1_000)) == (1, 1, 250.75)


def test_ratios_are_taken_turn_by_turn() -> None:
    """A machine that gets slower with every turn does not touch them, though the medians drift."""
    ours, theirs = [400, 300, 200, 100], [200, 150, 100, 50]
    assert measure.ratios(ours, theirs) == (2, 2, 2)
    with pytest.raises(ValueError, match="zip"):
        measure.ratios(ours, theirs[:3])


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


def test_who_is_not_installed_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    def missing() -> measure.Contestant:
        import a_package_that_nobody_has  # noqa: F401

        raise AssertionError

    rates = measure.race("a race", "hands/s", {"theirs": missing, "ours": lambda: lambda: 1}, QUICK)
    assert list(rates) == ["ours"]
    assert "theirs: left out, a_package_that_nobody_has is not installed" in capsys.readouterr().out


def test_only_runs_what_has_the_text_in_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    options = measure.Options(repeats=1, seconds=0, only="SEATS")
    assert measure.race("6 seats", "hands/s", {"ours": lambda: lambda: 1}, options)
    assert not measure.race("one table", "hands/s", {"ours": pytest.fail}, options)
    assert "one table" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "text"),
    [(7_912_345, "7,910,000"), (55.123, "55.1"), (0.03921, "0.0392"), (1.0, "1.00"), (999.6, "1,000"), (0, "0")],
)
def test_three_digits_count(value: float, text: str) -> None:
    assert measure.figure(value) == text


@pytest.mark.slow
def test_solvers_are_raced(capsys: pytest.CaptureFixture[str]) -> None:
    for only in ("betting trees", "leduc"):
        solvers.main(measure.Options(repeats=1, seconds=0, only=only))
    printed = capsys.readouterr().out
    assert "BettingTree.from_rules" in printed
    assert "solve, pcfr+" in printed
    assert "river" not in printed


def test_the_machine_has_a_name() -> None:
    line = measure.machine()
    for part in ("Python 3.", "NumPy ", "Numba ", " cores"):
        assert part in line
    assert measure.processor() in line


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the work, and less."""
    for module, sizes in {
        environments: {"MANY": 64},
        evaluator: {"HANDS": 200, "PEERS_HANDS": 100, "REPEATS": 1},
        equity: {"MATCHUPS": 2, "SAMPLES": 2_000, "SAMPLES_A_HAND": 200},
        training: {"STEPS": 2, "ROLLOUT": 2, "NUM_TABLES": 8},
        arena: {"AEC_HANDS": 2, "DEALS": 4, "NET_DEALS": 4, "ESTIMATED": 20},
        tournaments: {"AGENTS": 4, "HANDS": 20, "SEEDS": 1, "MOST": 100},
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
    ("name", "row"),
    [
        ("environments", "Tables, 1,024, OpenSpiel's actions"),
        ("evaluator", "evaluate, int64"),
        ("equity", "all hands of 'AQs+, KJo' against '77+, AQs+, KJo'"),
        ("training", "of the time is HoldemVecEnv.step"),
        pytest.param("arena", "duplicate + aivat", marks=pytest.mark.slow),
    ],
)
def test_each_benchmark_runs(
    name: str, row: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "JAIL_DEALS", 100)
    monkeypatch.setattr(arena, "strangers", one_stranger)
    assert command.main([name, "--repeats", "2", "--seconds", "0"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(measure.processor())
    assert row in said
    assert "of 2 turns" in said


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_remote_bots_play_if_they_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("websockets")
    assert command.main(["remote_bots"]) == 0
    said = capsys.readouterr().out
    assert "over loopback, 4 connected" in said


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_tournaments_run_if_they_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["tournaments"]) == 0
    said = capsys.readouterr().out
    assert "4 agents, 6 pairs, 20 hands of each" in said
    assert "opening" in said
    assert "seed 0: even 2,800 (not all), adaptive 2,800 (not all), 1.00 times fewer" in said


@pytest.mark.slow
def test_a_second_process_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}
    members = {"one": {"learner": tiny}, "two": {"learner": tiny}}
    assert all(processes.league_speed(jobs, 512, tables=32, learners=members) > 0 for jobs in processes.JOBS)
    monkeypatch.setattr(processes, "league_speed", lambda jobs, turn: 100.0 * jobs)
    processes.main(measure.Options(repeats=4))
    said = capsys.readouterr().out
    assert "2 processes: 200 (200 to 200)" in said
    assert "ratio: 2.00 (2.00 to 2.00)" in said


@pytest.mark.slow
def test_network_sizes_are_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = network_sizes.contestants(["cuda:0", "cpu"])
    assert {name.partition(",")[0] for name in found} == {"cuda:0", "cpu"}
    small = "learner.hidden=[8]", "tables=16", "learner.n_steps=4", "learner.batch_size=64"
    assert network_sizes.speed(2, (*found["cpu, ours, two ranks"][1], *small), seconds=2) > 0
    with pytest.raises(RuntimeError, match="there is no cuda:7 here"):
        network_sizes.speed(1, ("learner.device=cuda:7",))
    monkeypatch.setattr(network_sizes, "speed", lambda ranks, changes: 1000.0 * ranks)
    network_sizes.main(measure.Options())
    said = capsys.readouterr().out
    assert "0.1 M, 192 wide" in said
    assert [line.split()[-3:] for line in said.splitlines() if "two ranks" in line] == [["2,000"] * 3]


@pytest.mark.slow
def test_learners_are_compared_at_equal_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = "tables=16", "learner.n_steps=4", "learner.batch_size=64", "learner.hidden=[8]"
    monkeypatch.setattr(learners, "CHANGES", small)
    learners.main(measure.Options(repeats=2, seconds=0, only="heads-up"))
    said = capsys.readouterr().out
    assert "Learners, heads-up (headsup_nolimit_100bb): decisions that enter an update per processor second" in said
    assert "ours, 1 epoch, as shipped" in said
    assert "six-max" not in said
    configs = [learners.Trainee("demo", changes).config for changes, _ in learners.CONTESTANTS.values()]
    theirs = configs[0]
    for config, epochs in zip(configs, (3, 3, 3, 3, 1), strict=True):
        assert config.learner.epochs == epochs
        changed = {"kind": theirs.learner.kind, "epochs": theirs.learner.epochs}
        assert config.learner.model_copy(update=changed) == theirs.learner
        assert config.model_copy(update={"learner": theirs.learner}) == theirs


@pytest.mark.slow
def test_every_decision_that_enters_an_update_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    small = "tables=16", "learner.n_steps=4", "learner.batch_size=64", "learner.hidden=[8]"
    monkeypatch.setattr(learners, "CHANGES", small)
    trainee = learners.Trainee("demo", ("learner.kind=ppo", "learner.epochs=1"))
    turns = [trainee.turn() for _ in range(4)]
    waiting = trainee.learner.model.rollout_buffer.is_over[: trainee.learner.model.rollout_buffer.count]
    assert sum(turn.decisions for turn in turns) == trainee.learner.model.num_timesteps - (~waiting).sum()
    assert all(turn.rollout > 0 and turn.update > 0 for turn in turns)
    assert turns[0].rates[0] == pytest.approx(turns[0].decisions / (turns[0].rollout + turns[0].update))


def test_tricks_are_compared_with_all_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Compiling the engine once for each trick takes minutes: here every answer is made up."""

    def answer(script: str, chosen: str, cache: Path, *arguments: str) -> str:
        slower = {"all": 100.0, "none": 150.0}.get(chosen, 103.0 if "prefetch" in chosen else 110.0)
        return json.dumps({"2 seats, 1,024": slower}) if arguments else "16.0"

    monkeypatch.setattr(tricks, "in_process", answer)
    assert command.main(["tricks", "--repeats", "2"]) == 0
    said = capsys.readouterr().out
    for row in (
        "all 100.0 ns (+0.0%) 16.0 s",
        "without prefetch 110.0 ns (+10.0%) 16.0 s",
        "none 150.0 ns (+50.0%) 16.0 s",
    ):
        assert row in " ".join(said.split())


@pytest.mark.parametrize(
    "given",
    [["enviroments"], ["equity", "--against", "."], ["--against", "nowhere"], ["--repeats", "0"], ["--launches", "0"]],
)
def test_a_wrong_command_line_says_so(given: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main(given)
    assert caught.value.code == 2


# Two checkouts without any poker in them: what they have of the library is what the benchmarks ask for, and a step of
# Tables takes as long as it is set to.
FAKE_LIBRARY = """
import sys, time, types
import numpy as np

class Rules:
    def __init__(self, **given): pass

class Tables:
    def __init__(self, rules, num_tables, actions=None, threads=1): pass
    def random_actions(self): return None
    def step(self, actions): time.sleep({seconds})

class Env:
    done = False
    def reset(self, seed): self.done = False
    def agent_iter(self):
        while not self.done: yield "player_0"
    def last(self): return dict(action_mask=np.ones(2)), 0, False, False, dict()
    def step(self, action): self.done = True

holdem_v0 = types.SimpleNamespace(env=lambda rules: Env())
"""


def fake_checkout(folder: Path, seconds: float) -> Path:
    (folder / "holdem_env").mkdir(parents=True)
    (folder / "holdem_env" / "__init__.py").write_text(FAKE_LIBRARY.format(seconds=seconds))
    return folder


@pytest.mark.slow
def test_a_slower_checkout_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow, fast = fake_checkout(tmp_path / "slow", 2e-3), fake_checkout(tmp_path / "fast", 2e-4)
    options, plan = (
        measure.Options(repeats=2, seconds=0.0, only="tables, 1,024, 2 seats"),
        against.Plan(launches=2, compilations=1),
    )
    assert against.compare(["environments"], slow, fast, options, plan)
    said = capsys.readouterr().out
    row = next(line for line in said.splitlines() if line.lstrip().startswith("Tables, 1,024, 2 seats"))
    assert row.endswith("slower")
    for text in (f"new: {slow}", f"old: {fast}", "started for the first time: the first hand of holdem_v0"):
        assert text in said
    assert "8,192" not in said
    assert {path.name for path in fast.rglob("*")} == {"holdem_env", "__init__.py"}  # nothing is written into it


def test_a_process_that_finds_another_holdem_env_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="its process"):
        against.compare(["environments"], tmp_path, tmp_path, QUICK, against.Plan())


@pytest.mark.parametrize(
    ("ratio", "rates", "said"),
    [
        ((0.98, 0.90, 1.00), True, ""),
        ((0.95, 0.94, 0.96), True, "slower"),
        ((0.95, 0.80, 1.01), True, "slower? unsure"),
        ((1.10, 1.05, 1.20), True, "faster"),
        ((1.10, 1.05, 1.20), False, "slower"),
        ((1.10, 0.90, 1.20), False, "slower? unsure"),
        ((0.50, 0.40, 0.60), False, "faster"),
    ],
)
def test_what_a_ratio_says(ratio: tuple[float, float, float], rates: bool, said: str) -> None:
    assert against.verdict(measure.Spread(*ratio), 0.03, rates) == said


def test_one_turn_is_not_enough_for_a_verdict() -> None:
    assert against.verdict(measure.Spread(0.5, 0.5, 0.5), 0.03, rates=True, enough=False) == "slower? unsure"


def test_strategies_stand_side_by_side_in_the_table_of_blueprints() -> None:
    early = blueprints.Figure("mine", 1.5, 1_000, "pot_odds", "bb/100", -12.4, 3.1, 500)
    late = early._replace(minutes=3.0, deals=2_000, mean=7.6)
    river = late._replace(measure="river", unit="% of the pot", mean=24.96, half_width=4.2)
    assert blueprints.table([early, late, river]).splitlines()[2:] == [
        "| minutes | 1.5 | 3 |",
        "| deals | 1,000 | 2,000 |",
        "| pot_odds, bb/100 | -12 ± 3 | +8 ± 3 |",
        "| river, % of the pot |  | +25.0 ± 4.2 |",
    ]


@pytest.mark.slow  # 75 s, most of them compiling
def test_the_strength_of_a_strategy_is_printed_and_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, saved = tmp_path / "toy.strategy", tmp_path / "toy.csv"
    rules = Rules.preset("heads-up-no-limit").replace(stacks=24)
    save_strategy(path, toy_strategy(rules, "100%, all-in | all-in", by_strength))
    sizes = "--hands", "200", "--rivers", "2", "--lbr-hands", "2", "--river-hands", "64", "--turn-hands", "2"
    monkeypatch.setitem(resolving.ITERATIONS, 2, 10)
    sizes += "--decisions", "2000", "--exploiter-seeds", "1"
    monkeypatch.setattr(blueprints, "EXPLOITERS", blueprints.EXPLOITERS[:1])
    parts = "matches", "lbr", "resolved", "rivers", "hands", "buckets", "exploiters"
    blueprints.main([str(path), *sizes, "--deals", "200", "--only", *parts, "--cards", "--save", str(saved)])
    printed = capsys.readouterr().out
    for title in ("tight_aggressive", "pot_odds", "LBR fc from the start", "LBR fcpa from the turn", "re-solved"):
        assert title in printed
    assert len(saved.read_text().splitlines()) == 1 + 2 + 3 + 3 + 4 + 1 + 1 + 3 * len(blueprints.VARIANTS)
    with saved.open(newline="") as file:
        means = {row["measure"]: float(row["mean"]) for row in csv.DictReader(file)}
    assert means["LBR fcpa from the river"] != means["LBR fcpa from the river, river re-solved"]
    assert means["gadget: assumed"] < means["the blueprint: assumed"]
    card = (tmp_path / "toy.md").read_text()
    assert "| pot_odds |" in card.replace("\\", "")
    assert "| river, re-solved |" in card


@pytest.mark.slow
def test_search_is_compared_with_the_blueprint_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "toy.strategy"
    rules = Rules.preset("heads-up-no-limit").replace(stacks=24)
    save_strategy(path, toy_strategy(rules, "100%, all-in | all-in", by_strength))
    monkeypatch.setattr(search, "PART", 1)
    monkeypatch.setitem(resolving.ITERATIONS, 2, 10)
    plan = ["--flops", "2", "--lines", "1", "--opponents", str(path), "pot_odds", "--lbr", "river", "--menus", "fcpa"]
    search.main([str(path), *plan, "--searches", "none", "river"])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows[1:]] == [f"| {path}", "| pot_odds", "| LBR fcpa from the river"]


@pytest.mark.slow
def test_search_of_a_street_is_compared_with_the_blueprint(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["street_search", "--turns", "2", "--iterations", "4"])
    street_search.main()
    rows = [line.split(" | ")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert rows == ["|", "| the blueprint", "| search, equities alone", "| search, network"]


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", against.COMPARABLE)
def test_rows_of_a_comparison_do_some_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and the last of each benchmark, with as little to do as can be."""
    monkeypatch.setattr(learners, "DECISIONS", dict.fromkeys(learners.DECISIONS, 1_000))
    monkeypatch.setattr(
        learners, "CHANGES", ("tables=16", "learner.n_steps=4", "learner.batch_size=64", "learner.hidden=[8]")
    )
    rows = import_module(f"benchmarks.{name}").own_rows()
    for row in (next(iter(rows)), next(reversed(rows))):
        assert rows[row]()() > 0, row


@pytest.mark.slow
def test_this_checkout_beside_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides as plain Python: each would have to compile the engine."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    given = ["environments", "--against", str(REPOSITORY), "--repeats", "1", "--seconds", "0", "--launches", "1"]
    assert command.main([*given, "--compilations", "1", "--only", "AEC"]) == 0
