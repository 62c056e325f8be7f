"""Our games as games of OpenSpiel's: its own checks pass, and Kuhn's and Leduc poker are what they are there."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.encoders import FCPA, get_actions, get_observation, register_actions
from holdem_env.solvers.small_games import solve

pyspiel = pytest.importorskip("pyspiel")
api_test = pytest.importorskip("open_spiel.integration_tests.api_test")
best_response = pytest.importorskip("open_spiel.python.algorithms.best_response")
cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability").exploitability
nash_conv = pytest.importorskip("open_spiel.python.algorithms.exploitability").nash_conv
policy_value = pytest.importorskip("open_spiel.python.algorithms.expected_game_score").policy_value
make_observation = pytest.importorskip("open_spiel.python.observation").make_observation
UniformRandomPolicy = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy
load_game = pytest.importorskip("holdem_env.envs.open_spiel").load_game

THEIRS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
SMALL_FLOP = {"preset": "flop-holdem", "deck": [32, 36, 40, 44, 48, 49, 45], "burn_cards": [0, 0], "max_raises": [1, 1]}


def dealt(game, seed=0):
    """A state after the deal."""
    generator, state = np.random.default_rng(seed), game.new_initial_state()
    while state.is_chance_node():
        actions, probabilities = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(generator.choice(actions, p=probabilities)))
    return state


def played(game, seed=0):
    """Every state of a random hand, the first and the last included."""
    generator, state = np.random.default_rng(seed), game.new_initial_state()
    states = [state.clone()]
    while not state.is_terminal():
        state.apply_action(int(generator.choice(state.legal_actions())))
        states.append(state.clone())
    return states


@pytest.mark.parametrize("preset", ["kuhn", "leduc", "heads-up-limit", "heads-up-no-limit", "omaha", "short-deck"])
def test_openspiels_random_simulation_passes(preset):
    pyspiel.random_sim_test(load_game(preset, chance="explicit"), num_sims=3, serialize=True, verbose=False)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("players", range(2, 11))
def test_it_passes_with_two_to_ten_players(players):
    game = pyspiel.load_game(f"holdem_env(preset=pluribus-6max,players={players},actions=fcpa)")
    assert game.num_players() == players
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


class TestKuhnsTree(api_test.EnforceAPIOnFullTreeBase):
    """What OpenSpiel asks of whole trees, perfect recall included; and it counts as many states as in its own game."""

    game_name = "kuhn_poker"

    @classmethod
    def setUpClass(cls):
        cls.game = load_game("kuhn")
        super().setUpClass()


@pytest.mark.slow
class TestLeducsTree(api_test.EnforceAPIOnFullTreeBase):
    game_name = "leduc_poker"

    @classmethod
    def setUpClass(cls):
        cls.game = load_game("leduc")
        super().setUpClass()


class TestPartOfALargeTree(api_test.EnforceAPIOnPartialTreeBase):
    game_name = "holdem_env"

    @classmethod
    def setUpClass(cls):
        cls.game = load_game({"seats": 3, "stacks": 400}, "fcpa", chance="explicit")
        super().setUpClass()


@pytest.mark.slow
def test_hands_of_two_cards_are_dealt_in_one_order_and_recalled():
    api_test._assert_is_perfect_recall(load_game(SMALL_FLOP))
    game = load_game("royal-holdem", chance="explicit")
    state = game.new_initial_state()
    probabilities = dict(state.chance_outcomes())
    assert sum(probabilities.values()) == pytest.approx(1)
    assert len(probabilities) == 19  # the last card of the deck cannot be the lower one
    assert probabilities[0] == pytest.approx(19 / 190)
    state.apply_action(17)
    assert state.chance_outcomes() == [(18, 0.5), (19, 0.5)]


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=pytest.mark.slow)])
def test_values_and_exploitabilities_are_those_of_openspiels_own_games(name):
    ours, theirs = load_game(name), pyspiel.load_game(THEIRS[name])
    for mine, other in ((UniformRandomPolicy(ours), UniformRandomPolicy(theirs)), (solved(ours), solved(theirs))):
        values, expected = value(ours, mine), value(theirs, other)
        np.testing.assert_allclose(values, expected, atol=1e-9)
        assert exploitability(ours, mine) == pytest.approx(exploitability(theirs, other), abs=1e-9)


def solved(game):
    solver = cfr.CFRPlusSolver(game)
    for _ in range(6):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


def value(game, policy):
    return policy_value(game.new_initial_state(), [policy] * game.num_players())


def test_three_handed_kuhn_poker_is_openspiels():
    ours = load_game({"preset": "kuhn", "seats": 3, "deck": "TsJsQsKs"})
    theirs = pyspiel.load_game("kuhn_poker(players=3)")
    pairs = [(ours, UniformRandomPolicy(ours)), (theirs, UniformRandomPolicy(theirs))]
    assert nash_conv(*pairs[0]) == pytest.approx(nash_conv(*pairs[1]), abs=1e-9)
    np.testing.assert_allclose(value(*pairs[0]), value(*pairs[1]), atol=1e-9)


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=pytest.mark.slow)])
def test_our_solver_and_openspiel_say_the_same_of_our_solution(name):
    solution = solve(name, iterations=30)
    game, agent = load_game(name), solution.agent()
    policy = AgentPolicy(game, agent)
    assert exploitability(game, policy) == pytest.approx(solution.exploitability, abs=1e-9)
    assert value(game, policy)[1] == pytest.approx(solution.values[0], abs=1e-9)  # player 1 has the button


class AgentPolicy(UniformRandomPolicy):
    """One of our agents as a policy of OpenSpiel's."""

    def __init__(self, game, agent):
        super().__init__(game)
        self.game, self.agent = game, agent

    def action_probabilities(self, state, player_id=None):
        table, choices = state.position.table, state.position.choices
        moves, probabilities = self.agent.probabilities(table.records, self.game.settings.rules, np.zeros(1, np.int64))
        known = dict(zip(moves[0].tolist(), probabilities[0].tolist(), strict=True))
        return {action: known.get(move, 0.0) for action, move in choices.items()}


@pytest.mark.slow
def test_a_best_response_wins_what_openspiel_says():
    game = load_game("leduc")
    response = best_response.BestResponsePolicy(game, 0, UniformRandomPolicy(game))
    theirs = pyspiel.load_game("leduc_poker")
    other = best_response.BestResponsePolicy(theirs, 0, UniformRandomPolicy(theirs))
    assert response.value(game.new_initial_state()) == pytest.approx(other.value(theirs.new_initial_state()), abs=1e-9)


@pytest.mark.parametrize("chance", ["explicit", "sampled"])
def test_the_moves_are_those_of_a_table(chance):
    """A hand replayed at a Table of the same cards has the same moves, chips and board."""
    for seed in range(5):
        game = load_game("six-max-no-limit", "50%, all-in", chance=chance, reward_unit="chips", seed=seed)
        state = played(game, seed)[-1]
        position = state.position
        table = Table(game.settings.rules, button=5, deck=position.table.deck)
        for made in position.made:
            assert (table.actor, table.street) == (made.seat, made.street)
            table.play(made.move)
        assert table.is_over
        assert state.returns() == table.payoffs
        assert [sorted(table.hole_cards(seat)) for seat in range(6)] == [position.hand(seat) for seat in range(6)]
        assert sorted(table.board) == sorted(card for street in position.streets() for card in street)


def test_a_sampled_deck_is_that_of_its_seed_and_hand():
    game = load_game("six-max-no-limit", seed=7)
    for hand in range(3):
        state = dealt(game)
        assert state.position.table.deck == Table("six-max-no-limit", button=5, seed=7, hand=hand).deck
    assert load_game("six-max-no-limit").get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC


def test_players_who_are_all_in_from_the_blinds_see_the_board_dealt_card_by_card():
    game = load_game({"seats": 2, "blinds": (1, 2), "stacks": 1}, chance="explicit", reward_unit="chips")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    states = played(game)
    assert len(states) == 1 + 4 + 5
    assert sorted(states[-1].returns()) in ([-1, 1], [0, 0])


def test_the_button_and_the_unit_can_be_chosen():
    game = load_game("heads-up-no-limit", button=0)
    state = dealt(game)
    assert state.current_player() == 0
    state.apply_action(0)
    assert state.returns() == [-0.5, 0.5]
    state = dealt(load_game("heads-up-no-limit", reward_unit="chips"))
    assert state.current_player() == 1
    state.apply_action(0)
    assert state.returns() == [1, -1]


def test_a_raked_game_is_general_sum():
    game = load_game(
        {"preset": "heads-up-limit", "rake": {"percent": 5, "no_flop_no_drop": False}}, reward_unit="chips"
    )
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert game.utility_sum() is None
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)
    assert any(sum(played(game, seed)[-1].returns()) < 0 for seed in range(10))
    assert load_game("heads-up-limit").utility_sum() == 0


def test_an_information_state_has_the_whole_betting():
    game = load_game("heads-up-no-limit", "min, pot", chance="explicit", seed=1)
    state = dealt(game)
    own = str(Table("heads-up-no-limit", deck=state.position.table.deck, button=1).hole_cards(1))
    for action in (2, 2, 1):
        state.apply_action(action)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    text = state.information_state_string(1)
    assert text.startswith("p1 ")
    assert {text.split()[1][i : i + 2] for i in (0, 2)} == {own[:2], own[2:]}
    assert text.split()[2].startswith("r4r6c/")
    moves = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    moves.set_from(state, 0)
    rows = moves.dict["moves"]
    assert rows.shape == (game.max_game_length(), 2 + 4)
    assert np.argwhere(rows).tolist() == [[0, 1], [0, 4], [1, 0], [1, 4], [2, 1], [2, 3]]
    assert moves.dict["board"].sum(axis=1).tolist() == [0, 3, 0, 0]
    assert moves.dict["hand"].sum() == 2


def test_observations_are_our_encoders():
    game = load_game("heads-up-limit", observation="flat+equity")
    state = dealt(game)
    table, rules = state.position.table, game.settings.rules
    encoder = get_observation("flat+equity")
    expected = np.zeros((1, encoder.size(rules)), np.float32)
    for player in range(2):
        encoder.observe(table.records, rules.record, np.zeros(1, np.int64), np.array([player]), expected)
        got = np.array(state.observation_tensor(player))
        assert got[:2].tolist() == [player == 0, player == 1]
        np.testing.assert_array_equal(got[2:], expected[0])


def test_no_player_sees_the_other_players_cards():
    game = load_game("leduc")
    states = {}
    for own in range(6):
        for other in range(6):
            if own == other:
                continue
            state = game.new_initial_state()
            state.apply_action(own)
            state.apply_action(other)
            seen = state.information_state_string(0), tuple(state.information_state_tensor(0))
            seen += state.observation_string(0), tuple(state.observation_tensor(0))
            assert states.setdefault(own, seen) == seen
    public = make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    )
    assert public.string_from(state, 0) == "-"
    assert set(public.dict) == {"board", "moves"}


def test_games_with_very_long_hands_have_no_information_tensor():
    game = load_game({"seats": 10, "blinds": (1, 2), "stacks": 2_000}, "all_sizes")
    kind = game.get_type()
    assert not kind.provides_information_state_tensor
    assert kind.provides_observation_tensor
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_states_are_pickled_with_their_game():
    for game in (load_game("leduc"), load_game({"seats": 4, "stacks": 300}, "50%, all-in", chance="explicit")):
        for state in played(game, 3):
            again = pickle.loads(pickle.dumps(state))
            assert str(again) == str(state)
            assert str(again.get_game()) == str(game)
            assert again.legal_actions() == state.legal_actions()


def test_states_with_sampled_decks_are_serialised_without_their_game():
    game = load_game("six-max-no-limit", seed=5)
    for state in played(game, 3):
        again = game.deserialize_state(state.serialize())
        assert str(again) == str(state)
        assert again.history() == state.history()
        assert again.returns() == state.returns()


def test_a_game_is_its_name():
    rules = Rules.preset("leduc", rake={"percent": 5, "no_flop_no_drop": False}, ante=2)
    game = load_game(rules, "min, 50%")
    again = pyspiel.load_game(str(game))
    assert again.settings.rules == rules
    assert str(again) == str(game)
    assert again.settings.meanings == get_actions("min, 50%", rules).meanings(rules)
    text = rules.model_dump_json(exclude_defaults=True)
    assert pyspiel.load_game("holdem_env", {"rules": text}).settings.rules == rules
    assert pyspiel.load_game("holdem_env").settings.rules == Rules()


def by_parameters(**parameters):
    return pyspiel.load_game("holdem_env", parameters)


@pytest.mark.parametrize(
    ("load", "given", "words"),
    [
        (load_game, {"rules": {"session": {}}}, "session=None"),
        (load_game, {"rules": {"dealer_errors": {}}}, "dealer_errors=None"),
        (load_game, {"rules": {"showing": "manual"}}, "showing='automatic'"),
        (load_game, {"rules": {"seats": 11}}, "less than or equal to 10"),
        (load_game, {"rules": "kunh"}, "kuhn"),
        (load_game, {"actions": "continuous"}, "continuous actions"),
        (load_game, {"actions": "limmit"}, "'limmit'"),
        (load_game, {"actions": FCPA()}, "register <FCPA 'fcpa'> with register_actions"),
        (load_game, {"observation": "flatt"}, "observation encoder"),
        (load_game, {"reward_unit": "euros"}, "reward_unit"),
        (load_game, {"chance": "fair"}, "chance"),
        (load_game, {"button": 6}, "button"),
        (by_parameters, {"rules": "{seats"}, "JSON"),
        (by_parameters, {"rules": "leduc", "preset": "kuhn"}, "two games"),
        (by_parameters, {"preset": "kuhn", "players": 9}, "deck"),
    ],
)
def test_games_that_openspiel_cannot_hold(load, given, words):
    assert re.search(words, complaint(load, **given))


@pytest.mark.parametrize("action", [0, 77])
@pytest.mark.parametrize("make", [dealt, lambda game: game.new_initial_state()])
def test_an_action_that_is_not_offered_changes_nothing(make, action):
    state = make(load_game("leduc"))
    action = action or (99 if state.is_chance_node() else 0)
    before = str(state)
    for kind in (ValueError, pyspiel.SpielError):
        mentions(complaint(state.apply_action, action, kind=kind), action)
    complaint(state.apply_action_with_legality_check, action, kind=RuntimeError)
    assert str(state) == before


def test_encoders_with_a_name_of_ones_own():
    register_actions("pots", FCPA)
    assert load_game("six-max-no-limit", "pots").num_distinct_actions() == 4
