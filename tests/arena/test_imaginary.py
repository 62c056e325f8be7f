"""AIVAT with imaginary observations: unbiased, exactly where a game can be enumerated, and with less luck in it."""

from __future__ import annotations

import numpy as np
import pytest

from arena.open_book_agents import Linear, Uniform
from arena.test_aivat import HEADS_UP, Hushed, all_hands
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena import AgentFailed, Aivat, ImaginaryAivat, estimates, one_against_all, play_deals
from holdem_env.arena.estimators.aivat import Hands, moves_of
from holdem_env.arena.estimators.imaginary import _Imagined
from holdem_env.cards.combos import COMBO_OF


@pytest.mark.fast_cases("kuhn")
@pytest.mark.parametrize("preset", ["kuhn", "leduc"])
@pytest.mark.parametrize("known", [(0,), (1,), (0, 1), ()])
def test_its_mean_is_the_mean_exactly(preset: str, known: tuple[int, ...]) -> None:
    """Over every deal and every move, weighted as they come; whatever the weights of the value function. Leduc has
    them at random only, as it takes long."""
    rules = Rules.preset(preset)
    agents = [Linear(5), Linear(6)]
    seated = [agent if seat in known else Hushed(agent) for seat, agent in enumerate(agents)]
    tables, likely = all_hands(rules, seated, 1)
    seating = np.broadcast_to(np.arange(2), (len(tables), 2))
    truth = likely @ (tables["seats"]["stack"] - tables["start_stack"])[:, :2]
    weights = np.random.default_rng(0).normal(size=1 + 3 * rules.streets)
    for given in (None, weights) if preset == "kuhn" else (weights,):
        columns = (aivat := Aivat(given)), ImaginaryAivat(aivat)
        plain, imaginary = (column.values(tables, rules, seating, seated) for column in columns)
        assert likely @ imaginary == pytest.approx(truth, abs=1e-9)
        spread, before = (likely @ (values - truth) ** 2 for values in (imaginary, plain))
        if known:
            assert (spread < 0.95 * before).all()
        else:
            assert imaginary == pytest.approx(plain)


@pytest.mark.slow
def test_each_is_the_mean_over_what_could_have_been_held() -> None:
    """Hands that look alike to everybody but their holder get the same estimate, which is their mean."""
    rules = Rules.preset("leduc")
    agents = [Linear(5), Hushed(Linear(6))]
    tables, likely = all_hands(rules, agents, 1)
    seating = np.broadcast_to(np.arange(2), (len(tables), 2))
    plain, imaginary = (kind().values(tables, rules, seating, agents)[:, 0] for kind in (Aivat, ImaginaryAivat))
    seen = [tables["hole"][:, 1, :1], tables["board"][:, :1], tables["moves"][:, None], tables["made"]["move"][:, :8]]
    _, alike = np.unique(np.concatenate(seen, axis=1), axis=0, return_inverse=True)
    alike = alike.reshape(-1)
    means = np.bincount(alike, likely * plain) / np.bincount(alike, likely)
    assert imaginary == pytest.approx(means[alike])


def holdem_hands(agents, rules, deals=40):
    kept = []
    play_deals(
        rules, agents, [0, 1], range(deals), 4, finished=lambda tables, seating: kept.append((tables.copy(), seating))
    )
    return kept[0][0], np.array(kept[0][1])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", [HEADS_UP, HEADS_UP.replace(stacks=(40, 17)), Rules.preset("heads-up-limit", rake=5)])
def test_with_the_hand_that_was_held_it_is_aivat(rules: Rules) -> None:
    agents = [Linear(1), Uniform(seed=3)]
    tables, seating = holdem_hands(agents, rules)
    weights = np.random.default_rng(1).normal(size=1 + 3 * rules.streets)
    plain = Aivat(weights).values(tables, rules, seating, agents)
    for seat in range(2):
        hands = Hands(tables, rules, seating, agents)
        imagined = _Imagined(hands, seat, tables, weights)
        for rows, moves in moves_of(tables):
            imagined.play(rows, moves)
            hands.play(rows, moves)
        own = COMBO_OF[tables["hole"][:, seat, 0].astype(int), tables["hole"][:, seat, 1].astype(int)]
        every = np.arange(len(tables))
        assert imagined.over.all()
        assert (imagined.reach[every, own] > 0).all()
        assert imagined.estimate[every, :, own] == pytest.approx(plain, abs=1e-9)


@pytest.mark.slow
def test_holdem_unbiased_and_better_than_aivat() -> None:
    agents = [Linear(1), Hushed(make_agent("random"))]
    deals = play_deals(HEADS_UP, agents, one_against_all(2), range(400), seed=4, columns=[Aivat(), ImaginaryAivat()])
    off = deals.per_deal(0, "aivat_imaginary") - deals.per_deal(0, "chips")
    assert abs(off.mean()) < 4 * off.std() / len(off) ** 0.5
    saved = {each.name: each.saved for each in estimates(deals)}
    assert saved["aivat_imaginary"] > 1.1 * saved["aivat"] > 1.1
    assert deals.columns["aivat_imaginary"].sum(axis=2) == pytest.approx(0, abs=1e-6)


def test_nobody_who_answers_and_nothing_to_decide() -> None:
    agents = [Hushed(Linear(1)), Hushed(Linear(2))]
    tables, seating = holdem_hands(agents, HEADS_UP, 10)
    plain, imaginary = (kind().values(tables, HEADS_UP, seating, agents) for kind in (Aivat, ImaginaryAivat))
    assert np.array_equal(plain, imaginary)
    rules = Rules(seats=2, blinds=(2, 2), big_blind_ante=2, stacks=(2, 4))
    agents = [Linear(1), Linear(2)]
    tables, seating = holdem_hands(agents, rules, 6)
    plain, imaginary = (kind().values(tables, rules, seating, agents) for kind in (Aivat, ImaginaryAivat))
    assert imaginary == pytest.approx(plain)


def test_it_takes_the_weights_of_the_column_before_it() -> None:
    """Where nobody answers, both are the same, block by block."""
    agents = [Hushed(Linear(1)), Hushed(Linear(2))]
    aivat = Aivat()
    deals = play_deals(HEADS_UP, agents, [0, 1], range(200), 3, columns=[aivat, ImaginaryAivat(aivat)])
    assert deals.columns["aivat_imaginary"] == pytest.approx(deals.columns["aivat"])
    assert aivat.weights is not None
    assert len(set(aivat.weights.tolist())) > 2


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules(seats=3), "two seats, not 3"),
        (Rules(seats=2, showing="manual"), "chooses to show"),
        (Rules.preset("flop-holdem"), "games of a few hands"),
        (Rules(seats=2, session={}), "stand alone"),
        (Rules.preset("holdem-hi-lo", seats=2), "two pots"),
    ],
)
def test_games_that_have_none(rules: Rules, words: str) -> None:
    assert words in str(ImaginaryAivat().why_not(rules))


def test_errors_name_the_agent() -> None:
    class Wrong(Linear):
        name = "wrong"

        def range_probabilities(self, tables, rules, rows):
            return np.zeros((len(rows), 1), np.int64), np.ones((len(rows), 5, 1))

    agents = [Wrong(1), Uniform()]
    tables, seating = holdem_hands(agents, HEADS_UP, 10)
    with pytest.raises(AgentFailed, match=r"wrong.*AIVAT: .*range_probabilities must give"):
        ImaginaryAivat().values(tables, HEADS_UP, seating, agents)
