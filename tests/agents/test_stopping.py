"""`holdem match --stop-at` and `--dollars`: a match that ends when enough is known, or spent."""

from __future__ import annotations

import re

import pytest

from command_line import good, refused
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena.estimators.stopping import Stops, play_estimated
from holdem_env.protocols.text import TextAgent

RULES = Rules.preset("heads-up-no-limit")


class Caller(TextAgent):
    """A model that checks and calls, for a tenth of a cent a decision."""

    name = "caller"

    def __init__(self) -> None:
        self.usage.prices = 10.0, 0.0

    def complete(self, messages: object) -> str:
        """See `TextAgent`."""
        self.usage.add(prompt_tokens=100)
        return "Action: check" if "- check" in str(messages[-1]["content"]) else "Action: call"  # type: ignore[index]


def test_it_stops_at_the_interval_that_was_asked_for() -> None:
    said = good("match", "tight_aggressive", "calling_station", "--stop-at", 150, "--hands", 20_000)
    *_, best, why = said.strip().splitlines()
    assert why == "Stopped at ±150 bb/100."
    found = re.search(r"duplicate \+ aivat: \+\d+ ± (\d+) bb/100, ([\d,]+) hands", best)
    assert found is not None
    assert 110 < float(found[1]) <= 150
    assert int(found[2].replace(",", "")) < 20_000


def test_it_stops_when_the_money_is_spent_and_no_answer_teaches_aivat() -> None:
    agent = Caller()
    found, why = play_estimated(
        [agent, make_agent("tight_aggressive")], RULES, 400, stops=Stops(dollars=0.05), tables=4
    )
    assert why is not None
    assert why.startswith("Stopped after $0.05")
    assert agent.usage.dollars == pytest.approx(0.05, abs=0.03)
    assert found[-1].name == "duplicate + aivat"
    assert found[-1].rate[0] != found[-2].rate[0]  # it was taught something


def test_it_ends_with_its_hands() -> None:
    said = good("match", "tight_aggressive", "calling_station", "--stop-at", 1, "--hands", 500)
    assert said.strip().endswith("All hands are played.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--dollars", 1), "give a language model its `prices`"),
        (("--estimators", "all_in,aivatt"), "there is no estimator 'aivatt': did you mean 'aivat'"),
        (("--rules", "six-max-no-limit", "--estimators", "aivat_imaginary"), "it is for two seats, not 6"),
    ],
)
def test_what_cannot_be_asked_for(options: tuple[object, ...], message: str) -> None:
    assert message in " ".join(refused("match", "tight_aggressive", "calling_station", *options).split())
