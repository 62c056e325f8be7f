"""OpenSpiel's algorithms on our games: they run, and what they find is less exploitable than playing at random."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability").exploitability
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
load_game = pytest.importorskip("holdem_env.envs.open_spiel").load_game


@pytest.mark.slow
@pytest.mark.parametrize("preset", Rules.presets())
def test_random_simulations_of_every_preset_and_number_of_players(preset):
    for seats in range(2, Rules.preset(preset).max_seats + 1):
        rules = Rules.preset(preset, seats=seats, session=None)
        for chance in ("explicit", "sampled"):
            explicit = chance == "explicit"
            pyspiel.random_sim_test(load_game(rules, chance=chance), num_sims=5, serialize=explicit, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("actions", ["limit", "fcpa", "pot_fractions", "all_sizes", "33%, 2.5x, all-in"])
@pytest.mark.parametrize("stacks", [3, 40, (5, 200, 31)])
def test_random_simulations_with_all_actions_and_short_stacks(actions, stacks):
    rules = Rules(seats=3, blinds=(1, 2), ante=1, stacks=stacks)
    pyspiel.random_sim_test(load_game(rules, actions, chance="explicit"), num_sims=30, serialize=True, verbose=False)


@pytest.mark.slow
def test_cfr_solves_leduc_poker():
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    game = load_game("leduc")
    for solver, iterations, most in ((cfr.CFRSolver(game), 25, 0.5), (cfr.CFRPlusSolver(game), 30, 0.1)):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        assert exploitability(game, solver.average_policy()) < most


@pytest.mark.slow
@pytest.mark.parametrize("chance", ["explicit", "sampled"])
def test_external_sampling_runs_on_holdem(chance):
    mccfr = pytest.importorskip("open_spiel.python.algorithms.external_sampling_mccfr")
    game = load_game({"seats": 2, "stacks": "5bb"}, "all-in", chance=chance)
    solver = mccfr.ExternalSamplingSolver(game)
    for _ in range(20):
        solver.iteration()
    average = solver.average_policy()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert sum(average.action_probabilities(state).values()) == pytest.approx(1)


@pytest.mark.slow
def test_psro_finds_less_exploitable_play():
    psro = pytest.importorskip("open_spiel.python.algorithms.psro_v2.psro_v2", exc_type=ImportError)
    from open_spiel.python.algorithms import policy_aggregator
    from open_spiel.python.algorithms.psro_v2 import best_response_oracle

    game = load_game("kuhn")
    solver = psro.PSROSolver(
        game,
        best_response_oracle.BestResponseOracle(best_response_backend="py"),
        rectifier="",
        training_strategy_selector="probabilistic",
        sims_per_entry=50,
        meta_strategy_method="prd",
        prd_iterations=1_000,
        prd_gamma=1e-10,
        sample_from_marginals=True,
    )
    for _ in range(8):
        solver.iteration()
    mixed = policy_aggregator.PolicyAggregator(game).aggregate(
        range(2), solver.get_policies(), solver.get_meta_strategies()
    )
    assert exploitability(game, mixed) < 0.2


@pytest.mark.parametrize("chance", ["explicit", "sampled"])
def test_openspiels_environment_plays_six_handed(chance):
    env = rl_environment.Environment(load_game("six-max-no-limit", chance=chance))
    generator = np.random.default_rng(0)
    for _ in range(5):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([generator.choice(step.observations["legal_actions"][player])])
        assert sum(step.rewards) == pytest.approx(0)
