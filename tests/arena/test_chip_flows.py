"""Who pays whom: the split of a hand, what play with others explains, and agents that dump chips."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.dumping_agents import Dumper
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena.matches.match import play_deals
from holdem_env.arena.matches.seating import balanced_lineups
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.statistics.chip_flows import chip_flows
from holdem_env.arena.statistics.deals import Deals
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.game.units import BIG_BLINDS

HONEST = ("nit", "tight_aggressive", "pot_odds", "loose_passive")
SIX_MAX = Rules.preset("six-max-no-limit")


def deals_of(chips: object, seating: object, unit: int = 1) -> Deals:
    """Deals of one rotation each."""
    values, seats = np.array(chips, np.float64)[:, None], np.array(seating, np.int8)[:, None]
    names = tuple("abcdef"[: seats.max() + 1])
    return Deals(names, replace(BIG_BLINDS, chips=unit), 0, np.arange(len(values)), seats, {"chips": values})


def paid(deals: Deals) -> dict[str, float]:
    return {flow.payer + flow.receiver: flow.paid for flow in chip_flows(deals) if flow.paid}


@pytest.mark.parametrize(
    ("chips", "seating", "flows"),
    [
        ([[-30, 10, 20]], [[0, 1, 2]], {"ab": 10, "ac": 20}),
        ([[-30, -10, 40]], [[2, 0, 1]], {"cb": 30, "ab": 10}),
        ([[-60, -30, 30, 60]], [[0, 1, 2, 3]], {"ac": 20, "ad": 40, "bc": 10, "bd": 20}),
        ([[-30, -10, 36]], [[0, 1, 2]], {"ac": 27, "bc": 9}),  # 4 chips of rake are nobody's
        ([[-30, 30, 0], [10, -10, 0]], [[0, 1, 2], [0, 1, 2]], {"ab": 15, "ba": 5}),
        ([[-30, 30, 0], [0, 0, 0]], [[0, 1, 2], [3, 1, 2]], {"ab": 30}),  # of the hands in which both sat there
        ([[-30, 10, 20, 0]], [[0, 1, 1, 2]], {"ab": 15}),  # one agent in two seats
    ],
)
def test_a_losers_chips_go_to_the_winners_in_proportion(chips, seating, flows):
    assert paid(deals_of(chips, seating)) == pytest.approx(flows)


def test_flows_are_in_big_blinds():
    assert paid(deals_of([[-30, 30, 0]], [[0, 1, 2]], unit=2)) == {"ab": 15}


def made_of_factors(more: dict[tuple[int, int], float], count: int = 5, hands: int = 400) -> Deals:
    """Hands in which one pays another its factor times the receiver's, and more by some; all sit at the table."""
    rng, chips, seating = np.random.default_rng(1), [], []
    pays, receives = np.array([1.0, 5.0, 2.0, 3.0, 4.0, 2.0])[:count], np.array([3.0, 1.0, 4.0, 2.0, 1.0, 3.0])[:count]
    for _ in range(hands):
        for one in range(count):
            for two in set(range(count)) - {one}:
                amount = pays[one] * receives[two] * more.get((one, two), 1.0) * rng.exponential()
                chips.append(amount * (np.eye(count)[two] - np.eye(count)[one]))
                seating.append(range(count))
    return deals_of(chips, seating)


@pytest.mark.parametrize("count", [4, 5, 6])
def test_factors_of_payers_and_receivers_explain_everything(count):
    for flow in chip_flows(made_of_factors({}, count)):
        assert abs(flow.excess.mean) < flow.excess.half_width < flow.paid
        assert flow.paid == pytest.approx(flow.explained, rel=0.3)
        assert flow.excess.mean == pytest.approx(flow.paid - flow.explained)
        assert not flow.is_hint


@pytest.mark.parametrize("more", [{(0, 1): 20.0}, {(0, 1): 20.0, (1, 0): 20.0}, {(0, 1): 20.0, (3, 2): 20.0}])
def test_who_pays_many_times_what_is_explained_is_a_hint_and_explains_nothing_about_others(more):
    flows = chip_flows(made_of_factors(more))
    hints = {("abcde".index(flow.payer), "abcde".index(flow.receiver)) for flow in flows if flow.is_hint}
    assert hints == set(more)
    assert all(flow.excess.low > 0 for flow in flows[: len(more)])


def test_few_agents_explain_nothing():
    three = chip_flows(made_of_factors({(0, 1): 20.0}, 3))
    assert len(three) == 6
    assert all(np.isnan(flow.explained) and not flow.is_hint for flow in three)
    assert not chip_flows(deals_of([[-1, 1]], [[0, 1]]))
    with pytest.raises(ValueError, match="confidence: 2 is not between 0 and 1"):
        chip_flows(made_of_factors({}, 3, 1), 2)


def test_no_deal_alone_is_a_hint():
    assert not any(flow.is_hint for flow in chip_flows(made_of_factors({(0, 1): 1000.0}, hands=1)))


def hints(agents: list, deals: int) -> set[tuple[str, str]]:
    """Between which agents there are hints, after a number of deals at tables of six."""
    lineups = balanced_lineups(len(agents), 6, np.arange(deals), 0)
    played = play_deals(SIX_MAX, agents, lineups, range(deals), 0)
    return {(flow.payer, flow.receiver) for flow in chip_flows(played) if flow.is_hint}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("agents", "found"),
    [
        ([Dumper(name="one"), Dumper(name="two")], {("one", "two"), ("two", "one")}),
        ([Dumper(takes=False, name="one"), Dumper(gives=False, name="two")], {("one", "two")}),
        ([make_agent("maniac"), make_agent("loose_aggressive")], set()),
    ],
    ids=["both", "one way", "six honest ones"],
)
def test_agents_that_dump_chips(agents, found):
    assert hints([*agents, *map(make_agent, HONEST)], 240) == found


@pytest.mark.slow
def test_the_report_of_a_tournament_that_went_on(tmp_path, monkeypatch):
    """What a store holds of two runs says the same as that of one."""
    monkeypatch.chdir(tmp_path)
    code = Path(__file__).with_name("dumping_agents.py").read_text()
    for name in ("one", "two"):
        Path(f"{name}.py").write_text(f"{code}\n\ndef make_agent():\n    return Dumper(name='{name}')\n")
    plan = {"rules": SIX_MAX, "format": "tables", "isolation": "none", "estimators": (), "shard": 120}
    plan["agents"] = ("one.py", "two.py", *HONEST)
    for name, parts in (("once", (720,)), ("twice", (360, 720))):
        with Store(f"{name}.db", create=True) as store:
            for hands in parts:
                run(Tournament(**plan, hands=hands), store)
            write_report(store, name)
    text = Path("twice/chip_flows.csv").read_text()
    assert text == Path("once/chip_flows.csv").read_text()
    rows = csv.DictReader(text.splitlines())
    found = {(row["payer"], row["receiver"]) for row in rows if row["hint"] == "True"}
    assert found == {("one", "two"), ("two", "one")}
    page = Path("twice/report.html").read_text()
    assert "That is a hint of collusion and no proof" in page
    assert page.count('<tr class="failed">') == 2
    assert "chip_flows.csv" in page
