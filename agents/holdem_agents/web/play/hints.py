"""Looking closer at a table: hints for the person's decision, and finished hands again."""

from __future__ import annotations

from typing import Any

from holdem_env.agents.protocol import Agent
from holdem_env.game.street_names import street_name
from holdem_env.render.table_svg import table_svg
from holdem_env.table.table import Table

from ...playing import Odds, advice, cards_of, hand_log, odds, review
from ...playing.hints import Advised
from ...playing.log_lines import spaced
from ...playing.results import FinishedHand
from ..answers import ApiError
from ..site import Site
from ..solve.hand_spots import streets_to_solve
from .tables import PlayTable


def hints_of(site: Site, table: PlayTable, agent: str | None) -> dict[str, Any]:
    """The odds of the person to act, and what an agent would do.

    agent: the id of one, or None. Raises ApiError (409) if it is not the person's turn.
    """
    with table.locked_game() as game:
        if game.waiting != "move":
            raise ApiError(409, "Hints are there when it is your turn.")
        now, seat, agents = game.table.copy(), game.seat, dict(game.agents)
    said, note = None, None
    if agent is not None:
        try:
            said = advice(site.new_agent(agent), now)
        except (ValueError, TypeError, OSError, ModuleNotFoundError) as error:
            note = str(error)
    return {"odds": _odds(now, seat, agents)._asdict(), "advice": _advised(said), "note": note}


def review_of(site: Site, table: PlayTable, hand: int, folded: bool, agent: str | None) -> dict[str, Any]:
    """A finished hand, decision by decision.

    folded: whether hidden cards of others are asked for. agent: who is asked what it would have done; None: nobody.
    Raises ApiError as `finished_hand`, and 400 for an agent that cannot be asked.
    """
    chosen, names, seat = finished_hand(table, hand)
    try:
        decisions = review(chosen, seat, None if agent is None else site.new_agent(agent), cards=folded)
    except (ValueError, TypeError, OSError, ModuleNotFoundError) as error:
        raise ApiError(400, str(error)) from None
    seen = chosen.table.view(seat)
    drawn = chosen.table if folded else seen
    can_be_solved = {street_name(chosen.table.game, street): street for street in streets_to_solve(chosen.table)}
    return {
        "hand": hand,
        "decisions": [
            {
                "street": each.street,
                "solve": can_be_solved.get(each.street),
                "seat": each.seat,
                "name": names[each.seat],
                "board": spaced(each.board),
                "pot": each.pot,
                "label": each.label,
                "equity": each.equity,
                "advice": _advised(each.advice),
            }
            for each in decisions
        ],
        "cards": [None if cards is None else spaced(cards) for cards in cards_of(chosen, seat, cards=folded)],
        "log": [str(line) for line in hand_log(seen, names)],
        "svg": table_svg(drawn, None, names, "auto", "wide"),
    }


def finished_hand(table: PlayTable, hand: int) -> tuple[FinishedHand, list[str], int]:
    """A finished hand, the players' names, and the person's seat.

    Raises ApiError: 409 for the running hand, 404 for an unknown one.
    """
    with table.locked_game() as game:
        finished, names, seat = list(game.finished), list(game.names), game.seat
        if hand == len(finished) + 1 and game.waiting not in ("over", "hand_over"):
            raise ApiError(409, f"Hand {hand} is still being played.")
    if not 1 <= hand <= len(finished):
        raise ApiError(404, f"There is no hand {hand} at this table.")
    return finished[hand - 1], names, seat


def _odds(table: Table, seat: int, agents: dict[int, Agent]) -> Odds:
    """With the hands that the opponents may have; against random ones where an agent fails."""
    try:
        return odds(table, seat, agents)
    except Exception:  # of somebody's agent
        return odds(table, seat)


def _advised(said: list[Advised] | None) -> list[dict[str, Any]] | None:
    return None if said is None else [each._asdict() for each in said]
