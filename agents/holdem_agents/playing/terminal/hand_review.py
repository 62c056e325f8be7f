"""A finished hand again in the terminal: every decision, and on request all cards and what decisions were worth."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from holdem_env.agents.protocol import Agent
from holdem_env.agents.short_names import short_names

from .. import FinishedHand, HumanGame, ReviewedDecision, cards_of, review
from .screen import Part, Screen, amount, in_blinds


def show_review(
    screen: Screen, game: HumanGame, hand: FinishedHand, advisers: Sequence[Agent], cards: bool = False
) -> None:
    """Show a hand that is over. advisers: the first of them that knows its probabilities says what it would have done
    for the person. cards: show all cards, and the person's share of the pot against the hands that were really there.
    """
    adviser = next((agent for agent in advisers if agent.gives_probabilities), None)
    decisions = review(hand, game.seat, adviser, cards)
    width = max((len(_deed(game, each)) for each in decisions if each.equity is not None), default=0)
    screen.rule((f"Hand {hand.number} again", "bold"), is_heavy=True)
    _show_cards(screen, game, hand, cards)
    street = None
    for each in decisions:
        if each.street != street:
            street = each.street
            board: list[Part] = [" ", screen.cards(each.board)] if each.board else []
            screen.rule(f"{street}", *board, f", pot {amount(hand.table.game, each.pot)}")
        share = "" if each.equity is None else f"  share {each.equity:.1%}"
        deed = f"{_deed(game, each):{width * bool(share)}}"
        screen.say("  ", Text(deed, style="bold" if each.seat == game.seat else ""), share)
        if each.advice and adviser is not None:
            moves = ", ".join(f"{said.label} ({said.probability:.0%})" for said in each.advice)
            screen.say(Text(f"      {adviser_name(game, adviser)} would: {moves}", style="dim"))
    _show_result(screen, hand)
    if not cards:
        screen.say(Text("r all shows the hidden cards, and your share of the pot at each decision.", style="dim"))


def adviser_name(game: HumanGame, agent: Agent) -> str:
    """What an agent that gives hints is called: as at the table if it has one seat there, else by its short name."""
    seats = [seat for seat in range(len(game.names)) if game.agents.get(seat) is agent]
    return game.names[seats[0]] if len(seats) == 1 else short_names([agent.name])[agent.name]


def _deed(game: HumanGame, decision: ReviewedDecision) -> str:
    return f"{game.names[decision.seat]}: {decision.label}"


def _show_cards(screen: Screen, game: HumanGame, hand: FinishedHand, cards: bool) -> None:
    for seat, hole in enumerate(cards_of(hand, game.seat, cards)):
        if hole is not None:
            screen.say(f"  {game.names[seat]}: ", screen.cards(hole))


def _show_result(screen: Screen, hand: FinishedHand) -> None:
    rules = hand.table.game
    board: list[Part] = ["board ", screen.cards(hand.table.board), ", "] if hand.table.board else []
    text = f"your result {hand.chips:+,}{in_blinds(rules, hand.chips, '+')}"
    if hand.all_in_chips is not None and abs(hand.all_in_chips - hand.chips) >= 0.005:
        text += f", by all-in value {hand.all_in_chips:+,.2f}"
    screen.say("  ", *board, Text(text, style="bold"))
