"""Losses of decisions: against values of whole solutions, and for mistakes that were planted."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import good, refused
from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.arena.best_responses import mistakes
from holdem_env.arena.best_responses.mistakes import Effort, judged_hands, played_hands
from holdem_env.arena.best_responses.mistakes_table import sentences
from holdem_env.arena.best_responses.preflop_rollouts import blueprint_for
from holdem_env.cards.combos import possible_combos
from holdem_env.cards.text import cards_text
from holdem_env.history import HandWriter

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPOSITORY))

from benchmarks.mistakes import found_among_worst, planted  # noqa: E402

FOLDED_ACES = 30
"""The hand of seed 1 in which the button has aces."""
SHORT = Rules.preset("heads-up-no-limit", stacks=40)


@pytest.mark.slow
def test_mistakes_that_were_planted_are_the_worst() -> None:
    """`python -m benchmarks.mistakes` does it with a hundred hands."""
    agent = make_agent("blueprint_20bb", search=None)
    hands = list(planted(agent, SHORT, 12))
    judged = judged_hands([one.table for one in hands], (agent, agent))
    assert len(hands) == 12
    assert sum(found_among_worst(hands, judged)) >= 0.95 * 12
    assert judged.hands == 12
    assert judged.unjudged["decisions before the flop"] > 0
    assert judged.unjudged["decisions on the flop"] > 0


@pytest.mark.slow
def test_folding_aces_before_the_flop_loses_and_the_blueprint_loses_next_to_nothing() -> None:
    agent, effort = make_agent("blueprint_20bb", search=None), Effort(rollouts=300)
    folded = Table(SHORT, seed=1, hand=FOLDED_ACES)
    assert {int(card) // 4 for card in folded.hole_cards(folded.actor)} == {12}
    folded.play(-1)
    judged = judged_hands([folded], (agent, agent), effort=effort)
    [worst] = judged.decisions
    assert (worst.street, worst.kind, worst.board) == ("preflop", "fold", "")
    assert worst.loss > 2  # big blinds
    assert worst.best.startswith("raise")
    assert judged_hands([folded], (agent, agent), effort=effort).decisions == judged.decisions
    ends = [table for table in played_hands(agent, SHORT, 30, seed=4) if len(table.board) <= 3]
    played = judged_hands(ends, (agent, agent), effort=effort)
    assert played.mean("preflop")[2] > 15
    assert played.mean("preflop")[0] < 0.05


def test_before_the_flop_nobody_else_holds_the_heros_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(mistakes, "blueprint_for", lambda rules: object())
    monkeypatch.setattr(mistakes, "preflop_loss", lambda *given: asked.append(given) or (0.0, "fold", "fold"))
    table = Table(SHORT, seed=1, hand=FOLDED_ACES)
    table.play(4)
    table.play(-1)
    agent = make_agent("random")
    judged_hands([table], (agent, agent), effort=Effort(rollouts=2))
    assert len(asked) == 2
    for before, _, _, _, weights, _ in asked:
        seat = int(before["actor"][0])
        possible = possible_combos(np.array(table.hole_cards(seat)))
        assert (weights[~possible] == 0).all()
        assert (weights[possible] >= mistakes.LEAST).all()


def test_a_game_has_the_blueprint_of_the_nearest_stacks() -> None:
    for stacks, name in ((40, "blueprint_20bb"), (60, "blueprint_20bb"), (150, "blueprint_100bb")):
        blueprint = blueprint_for(Rules.preset("heads-up-no-limit", stacks=stacks))
        assert blueprint is not None
        assert blueprint.name == name
    assert blueprint_for(Rules.preset("six-max-no-limit")) is None


@pytest.mark.slow
def test_flops_are_judged_if_the_time_solves_them(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, effort = make_agent("blueprint_20bb", search=None), Effort(flop_seconds=0.01)
    tables = [table for table in played_hands(agent, SHORT, 40, seed=5) if len(table.board) == 3][:1]
    assert tables
    short = judged_hands(tables, (agent, agent), effort=effort)
    [why] = [why for why in short.unjudged if "on flops that the time does not solve" in why]
    assert short.flops[0] > mistakes.FLOP_ACCURACY
    monkeypatch.setattr(mistakes, "FLOP_ACCURACY", 1e6)
    judged = judged_hands(tables, (agent, agent), effort=effort)
    assert len(judged.decisions) == short.unjudged[why] > 0
    assert {each.street for each in judged.decisions} == {"flop"}
    assert "1 solved, to " in sentences(judged)[0]


@pytest.mark.parametrize(
    ("given", "message"), [({"flop_seconds": 0}, "above 0"), ({"rollouts": -1}, "0, or 2 or more")]
)
def test_wrong_efforts_are_refused(given: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Effort(**given)


@pytest.mark.slow
def test_re_solving_loses_next_to_nothing_on_rivers() -> None:
    """It plays the solution, which is not quite exact, of a tree of the same sizes."""
    agent = make_agent("blueprint_20bb", search="river", iterations=300, floor=0.0)
    plain = make_agent("blueprint_20bb", search=None)
    judged = judged_hands(played_hands(agent, SHORT, 40, seed=2), (plain, plain))
    mean, _, count = judged.mean("river")
    assert count > 5
    assert mean < 0.03  # big blinds


@pytest.mark.slow
def test_a_history_is_judged_where_the_heros_cards_are_known(tmp_path: Path) -> None:
    """Cards that a history lacks are filled in, which must not be judged; Joanna is not Ann."""
    file, agent = tmp_path / "named.phhs", make_agent("blueprint_20bb", search=None)
    anns = set[str]()
    with HandWriter(file) as writer:
        for number, table in enumerate(played_hands(agent, SHORT, 8, seed=1)):
            anns.add(cards_text(table.hole_cards(1)))
            known = set(table.board) | set(table.hole_cards(0 if number % 2 else 1))
            writer.write(table, players=["Joanna", "Ann"], known=known)
    shown = good("mistakes", "--history", file, "--hero", "ann", "--ranges", "blueprint_20bb")
    assert "Ranges are assumed: all players as blueprint_20bb." in shown
    assert re.search(r"Not judged: .*\b4 hands whose cards are unknown\b", " ".join(shown.split()))
    cards = re.findall(r"│ (?:button|other) +│ (\w{4}) +│", shown)
    assert cards
    assert set(cards) <= anns


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mistakes"], "give an agent, or --history FILE"),
        (["mistakes", "--history", "tests/data/pluribus.phhs"], "--history needs --hero"),
        (["mistakes", "--history", "tests/data/pluribus.phhs", "--hero", "Nobody"], "no hand of 'Nobody'"),
        (["mistakes", "nit", "--hero", "Ann"], "--hero cannot be used with an agent"),
        (["mistakes", "--history", "x.phhs", "--hero", "Ann", "--seed", "1"], "--seed cannot be used with --history"),
    ],
)
def test_what_is_missing_is_said(words: list[str], message: str) -> None:
    assert message in refused(*words)


HEADS_UP_FROM_THE_FLOP_ON = [-1, -1, -1, 5, -1, 0, 0, 0, 0, 8, 0, 20, 60, -1]
"""The button raises to 5, the big blind calls; both check the flop; the turn is bet and called, the river raised."""


@pytest.mark.parametrize(
    ("moves", "decisions", "unjudged"),
    [
        ([-1, -1, -1, -1, -1], 0, {"decisions before the flop": 5}),
        (HEADS_UP_FROM_THE_FLOP_ON, 6, {"decisions before the flop": 6, "decisions on the flop": 2}),
        (
            [-1, -1, -1, 5, 0, 0, *[0, 0, 0], 10, 0, -1, 20, 0],
            2,
            {
                "decisions before the flop": 6,
                "decisions on the flop": 0,
                "decisions on streets of more than two players": 6,
            },
        ),
    ],
)
def test_streets_of_two_are_judged_in_hands_of_six(moves: list[int], decisions: int, unjudged: dict[str, int]) -> None:
    table = Table("six-max-no-limit", seed=5)
    for move in moves:
        table.play(move)
    judged = judged_hands([table], lambda _: make_agent("tight_aggressive"))
    assert len(judged.decisions) == decisions
    assert {why: count for why, count in unjudged.items() if count} == judged.unjudged
    assert all(each.loss >= 0 for each in judged.decisions)
    assert judged_hands([table], lambda _: None).unjudged == {"hands of games whose ranges nobody knows": 1}
