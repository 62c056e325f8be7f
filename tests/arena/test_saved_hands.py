"""All hands of matches, sessions and tournaments, written to files that replay to the same results."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.agents.registry import make_agent
from holdem_env.arena import SavedHands, play_match, play_sessions
from holdem_env.arena.tournaments.hands import save_hands
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run
from holdem_env.history import HandWriter, HistoryError, read_hands
from holdem_env.history.times import time_of

NOW = datetime(2026, 1, 31, 20, 15, tzinfo=UTC)
RULES = Rules.preset("heads-up-no-limit")


def test_a_match_is_the_same_with_and_without_saving(tmp_path: Path) -> None:
    with HandWriter(tmp_path / "match.phhs") as writer:
        saved = SavedHands(writer, ["maniac", "nit"], RULES, event="test", now=lambda: NOW)
        result = play_match("maniac", "nit", RULES, hands=64, seed=3, num_tables=16, finished=saved)
    assert result == play_match("maniac", "nit", RULES, hands=64, seed=3, num_tables=16)
    hands = list(read_hands(tmp_path / "match.phhs", on_error="raise"))
    chips = [dict(zip(hand.players or (), hand.replay().payoffs, strict=True))["maniac"] for hand in hands]
    assert len(hands) == result.hands == 64
    assert result.mean == pytest.approx(100 * np.mean(chips) / RULES.big_blind)
    assert {time_of(hand.metadata) for hand in hands} == {NOW}
    assert {hand.metadata["event"] for hand in hands} == {"test"}
    assert sorted(hand.metadata["_deal"] for hand in hands) == sorted([*range(32), *range(32)])


def played_sessions(path: Path, rules: Rules) -> tuple[list[Any], SavedHands, int]:
    """The hands of three sessions of four agents as they were written, what wrote them, and how many were played."""
    agents = [make_agent(name) for name in ("maniac", "calling_station", "random", "nit")]
    with HandWriter(path) as writer:
        saved = SavedHands(writer, [agent.name for agent in agents], rules)
        deals = play_sessions(rules, agents, range(4), range(3), seed=2, finished=saved)
    return list(read_hands(path, on_error="raise")), saved, deals.columns["hands"][:, :, 0].sum()


@pytest.mark.slow
def test_sessions_are_written_with_their_levels(tmp_path: Path) -> None:
    rules = Rules(seats=4, blinds=(50, 100), stacks=800, session={"levels": [{"hands": 4}, {"times": 2}]})
    hands, saved, count = played_sessions(tmp_path / "sessions.txt", rules)
    assert (len(hands), saved.left_out) == (count, 0)
    for hand in hands:
        assert hand.replay().payoffs == hand.payoffs
    assert {hand.metadata["level"] for hand in hands} == {"I", "II"}
    assert {hand.metadata["event"] for hand in hands} == {f"Tournament #{k}" for k in (1, 2, 3)}


@pytest.mark.slow
def test_hands_that_a_format_cannot_express_are_counted(tmp_path: Path) -> None:
    """R10: PHH knows no dead button."""
    rules = Rules(seats=4, blinds=(50, 100), stacks=800, session={})
    hands, saved, count = played_sessions(tmp_path / "sessions.phhs", rules)
    assert saved.left_out > 0
    assert len(hands) + saved.left_out == count


@pytest.mark.parametrize("rules", ["leduc", {"seats": 2, "dealer_errors": {"extra_card": 0.5}}])
def test_games_that_a_format_cannot_express_are_refused_before(tmp_path: Path, rules: object) -> None:
    game = Rules.preset(rules) if isinstance(rules, str) else Rules(**rules)  # type: ignore[arg-type]
    with pytest.raises(HistoryError, match="cannot express"), HandWriter(tmp_path / "match.txt") as writer:
        SavedHands(writer, ["a", "b"], game)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", [5, "random"])
def test_a_tournament_is_written_match_by_match(seed: int | str, tmp_path: Path) -> None:
    agents = "maniac", "nit", "random"
    tournament = Tournament(rules=RULES, agents=agents, hands=24, shard=8, seed=seed)  # type: ignore[arg-type]
    done = []
    with Store(tmp_path / "t.db", create=True) as store:
        run(tournament, store)
        files = save_hands(tournament, store, tmp_path / "hands", lambda *counts: done.append(counts))
        for path, names in zip(files, store.matches(), strict=True):
            hands = list(read_hands(path, on_error="raise"))
            chips = store.deals(names).columns["chips"]
            assert len(hands) == chips.shape[0] * chips.shape[1] == 24
            first = [dict(zip(hand.players or (), hand.payoffs or (), strict=True))[names[0]] for hand in hands]
            assert sum(first) == sum(store.deals(names).per_deal(0)) * 2 * RULES.unit
        assert done[-1] == (36, 36)
        mentions(complaint(save_hands, tournament, store, tmp_path / "hands", kind=FileExistsError), "not empty")


def test_an_agent_that_plays_otherwise_now_is_noticed(tmp_path: Path) -> None:
    usual: dict[str, Any] = {"rules": RULES, "hands": 24, "seed": 5}
    tournament = Tournament(**usual, agents=("maniac", "nit"))
    other = Tournament(**usual, agents=({"agent": "maniac", "aggression": 0.1, "name": "maniac"}, "nit"))
    with Store(tmp_path / "t.db", create=True) as store:
        run(tournament, store)
        mentions(complaint(save_hands, other, store, tmp_path / "hands"), "came out otherwise than in the store")
