"""Exact exploitability: what a best response wins against an agent, in games small enough to be walked whole."""

from __future__ import annotations

from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ...game.rules import Rules
from .game_tree import best_response_value, expected_payoffs, walk

BUTTONS = (0, 1)


def exploitability(agent: str | Agent, rules: Rules) -> float:
    """How much an agent that plays both seats can be made to lose, exactly: chips per hand, 0 for an equilibrium.

    The mean over both seats and both buttons of what the seat would gain by playing a best response instead of the
    agent's own strategy, while the agent stays in the other seat: NashConv / 2, in games without a rake simply what a
    best response wins per hand. Every legal move is open to the best response.

    Raises ValueError for games that are too large or have more than two seats, for probabilities that are none, and for
    an agent whose probabilities depend on what its seat may not see; StrategyUnknown for one that tells none.
    """
    one = make_agent(agent)
    gains = []
    for button in BUTTONS:
        levels = walk([one, one], rules, button)
        payoffs = expected_payoffs(levels)
        gains += [best_response_value(levels, seat) - float(payoffs[seat]) for seat in range(2)]
    return sum(gains) / len(gains)


def best_response_values(agent: str | Agent, rules: Rules) -> tuple[float, float]:
    """What a best response wins per hand in chips against the agent, on the button and off it; errors as for
    `exploitability`."""
    one = make_agent(agent)
    values = {True: 0.0, False: 0.0}
    for button in BUTTONS:
        levels = walk([one, one], rules, button)
        for seat in range(2):
            values[seat == button] += best_response_value(levels, seat) / len(BUTTONS)
    return values[True], values[False]


def exact_value(agent: str | Agent, opponent: str | Agent, rules: Rules) -> float:
    """What the first agent wins per hand against the second, in chips, on average over both seats and both buttons,
    without playing a hand; errors as for `exploitability`."""
    pair = make_agent(agent), make_agent(opponent)
    won = 0.0
    for button in BUTTONS:
        for own in range(2):
            seated = pair if own == 0 else pair[::-1]
            won += float(expected_payoffs(walk(seated, rules, button))[own])
    return won / (2 * len(BUTTONS))
