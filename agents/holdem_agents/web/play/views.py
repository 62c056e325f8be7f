"""VIEW: what a page shows of a table. It is made from the person's `SeatView` alone, so it holds nothing that the seat
may not see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from holdem_env.cards.text import Cards, card_name
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.rules import Rules
from holdem_env.game.street_names import street_name
from holdem_env.game.title import game_title
from holdem_env.render.pencil import Pencil
from holdem_env.render.table_svg import table_svg
from holdem_env.table.seat_view import SeatView

from ...catalog import titles_of
from ...playing import HumanGame, LogLine, hand_log, move_label, move_of
from ...playing.log_lines import POSTS, WAGERS, ends_by_folds, spaced
from ..answers import with_minus

PREFLOP_SIZES = {"min": "Min", "2.5x": "2.5×", "3x": "3×", "pot": "Pot", "all-in": "All-in"}
LATER_SIZES = {"min": "Min", "33%": "⅓ pot", "50%": "½ pot", "75%": "¾ pot", "pot": "Pot", "all-in": "All-in"}
SPELT_CARDS = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
DEEDS = ("fold", "check", "show", "muck", *WAGERS, *POSTS)
"""The kinds of operations that are shown beside a seat as the last thing it did."""


def view_of(
    game: HumanGame, tid: str, company: str, has_left: bool = False, cannot: Sequence[str] = ()
) -> dict[str, Any]:
    """The VIEW of a game, without its version.

    company: the end of the title, behind the stakes of the running hand. has_left: the person has left, and an agent
    may still be thinking. cannot: the ids of agents that cannot play the game.
    """
    seen = game.view
    waiting = "over" if has_left else game.waiting
    lines = hand_log(seen, game.names)
    seats = _seats(seen, game.names, lines, is_on=waiting in ("move", "show", "agent", "failed"))
    notes = [_note(seat["last"]) for seat in seats]
    return {
        "table": tid,
        "version": 0,
        "title": f"{game_title(seen.game)}, {company}",
        "hand": game.hand,
        "waiting": waiting,
        "busy": None,
        "seat": game.seat,
        "names": game.names,
        "titles": titles_of(game.names),
        "you": _you(seen),
        "street": "" if seen.is_over else street_name(seen.game, seen.street),
        "board": spaced(seen.board),
        "pot": seen.pot,
        "to_call": (seen.legal.call or 0) if waiting == "move" else 0,
        "legal": _legal(seen) if waiting == "move" else None,
        "unit": game.rules.unit,
        "smallest_chip": game.rules.smallest_chip,
        "cannot": list(cannot),
        "seats": seats,
        "log": [str(line) for line in lines],
        "svg": table_svg(seen, None, game.names, "auto", "wide", notes),
        "svg_narrow": table_svg(seen, None, game.names, "auto", "narrow", notes),
        "result": _result(game),
        "last_hand": _last_hand(game),
        "failure": None if has_left else _failure(game, seen),
        "session": _session(game),
        "over": waiting == "over",
    }


def starting_view(tid: str, rules: Rules, company: str) -> dict[str, Any]:
    """The VIEW of a table whose game is still being made."""
    pencil = Pencil()
    words = pencil.words(450, 200, "The table is being set up …", 28, "ink")
    svg = pencil.picture(900, 400, pencil.box(0, 0, 900, 400, "page", round=16) + words, "The table is being set up")
    return {
        "table": tid,
        "title": f"{game_title(rules.stages[0])}, {company}",
        "waiting": "agent",
        "you": {"cards": "", "stack": 0, "bet": 0, "position": ""},
        "over": False,
        **dict.fromkeys(("svg", "svg_narrow"), svg),
        **dict.fromkeys(("street", "board"), ""),
        **dict.fromkeys(("version", "seat", "pot", "to_call"), 0),
        **dict.fromkeys(("hand", "unit", "smallest_chip"), 1),
        **dict.fromkeys(("names", "cannot", "seats", "log"), ()),
        **dict.fromkeys(("busy", "legal", "result", "last_hand", "failure", "session")),
    }


def _you(seen: SeatView) -> dict[str, Any]:
    positions, seat = seen.positions, seen.seat
    return {
        "cards": spaced(_known(seen.hole_cards())),
        "stack": seen.stacks[seat],
        "bet": seen.bets[seat],
        "position": positions[seat].name if seat in positions else "",
    }


def _legal(seen: SeatView) -> dict[str, Any]:
    legal = seen.legal
    return {
        "fold": legal.fold,
        "check": legal.call == 0,
        "call": legal.call or None,
        "raise_min": legal.raise_min,
        "raise_max": legal.raise_max,
        "raise_verb": _raise_verb(seen, legal.raise_min) if legal.raise_min else None,
        "raise_max_verb": _raise_verb(seen, legal.raise_max) if legal.raise_max else None,
        "buttons": _buttons(seen),
    }


def _buttons(seen: SeatView) -> list[dict[str, Any]]:
    """The moves that a page offers by a click: each once, in the order of their size.

    verb: what the move is called, before its chips: "Fold", "Check", "Call", "Bet", "Raise to", "All-in". size: how big
    a bet is, "½ pot"; "" where there is one size. chips: to call, or the total to raise to; None for neither.
    """
    legal = seen.legal
    found = [_button("f", FOLD, "Fold")]
    found.append(_button("c", CHECK_CALL, "Call" if legal.call else "Check", legal.call or None))
    if legal.raise_min is None:
        return found
    if legal.raise_min == legal.raise_max:
        move = legal.raise_min
        return [*found, _button(str(move), move, _raise_verb(seen, move), move)]
    sizes = LATER_SIZES if seen.street else PREFLOP_SIZES
    by_move: dict[int, dict[str, Any]] = {}
    for word, label in sizes.items():
        try:
            move = move_of(seen, word, seen.seat)
        except ValueError:  # it is no legal raise here
            continue
        if move > CHECK_CALL:
            by_move[move] = _button(word, move, _raise_verb(seen, move), move, label)  # "all-in" says more than "pot"
    return [*found, *(by_move[move] for move in sorted(by_move))]


def _raise_verb(seen: SeatView, total: int) -> str:
    """What a raise to a total is called: "Bet", "Raise to" or "All-in"."""
    return move_label(seen, total).removesuffix(f" {total}").capitalize()


def _button(word: str, move: int, verb: str, chips: int | None = None, size: str = "") -> dict[str, Any]:
    return {"word": word, "move": move, "verb": verb, "chips": chips, "size": size}


def _seats(seen: SeatView, names: list[str], lines: list[LogLine], is_on: bool) -> list[dict[str, Any]]:
    dealt, positions = seen.records["was_dealt"][0], seen.positions
    last = _last_deeds(lines, names)
    found = []
    for seat, name in enumerate(names):
        in_hand = bool(dealt[seat]) and not seen.is_folded(seat)
        cards = _known(seen.hole_cards(seat)) if dealt[seat] else Cards()
        found.append(
            {
                "name": name,
                "stack": seen.stacks[seat],
                "bet": seen.bets[seat],
                "in_hand": in_hand,
                "all_in": in_hand and not seen.stacks[seat] and not seen.is_over,
                "position": positions[seat].name if seat in positions else "",
                "cards": spaced(cards) or None,
                "is_actor": is_on and seat == seen.actor,
                "last": last.get(seat, ""),
            }
        )
    return found


def _last_deeds(lines: list[LogLine], names: list[str]) -> dict[int, str]:
    """What each seat did last on this street: "raises to 12"."""
    last: dict[int, str] = {}
    for line in lines:
        if line.kind == "deal_board":
            last = {seat: deed for seat, deed in last.items() if deed.startswith("fold")}
        elif line.kind in DEEDS and line.seat is not None:
            last[line.seat] = str(line).removeprefix(names[line.seat]).strip()
    return last


def _note(deed: str) -> str:
    """What a seat did last in one word: "raises". Blinds lie on the table, and what is shown says so itself."""
    word = deed.split(" ")[0].strip(":,")
    return word if word.startswith(("check", "call", "bet", "raise")) else ""


def _result(game: HumanGame) -> dict[str, Any] | None:
    if not game.finished:
        return None
    results = game.results
    return {
        "hands": results.hands,
        "chips": results.chips,
        "unit": results.unit.name,
        "rate": results.rate,
        "half_width": results.half_width_95,
        "rate_text": with_minus(results.rate_text),
        "all_in_rate": results.all_in_rate,
        "all_in_half_width": results.all_in_half_width_95,
        "all_in_text": with_minus(results.all_in_text),
    }


def _last_hand(game: HumanGame) -> dict[str, Any] | None:
    if not game.finished:
        return None
    hand = game.finished[-1]
    winners = [game.names[seat] for seat, won in enumerate(hand.table.payoffs) if won > 0]
    return {
        "hand": hand.number,
        "chips": hand.chips,
        "all_in_chips": hand.all_in_chips,
        "winners": winners,
        "is_by_folds": ends_by_folds(hand.table),
    }


def _failure(game: HumanGame, seen: SeatView) -> dict[str, Any] | None:
    if game.failure is None:
        return None
    seat = game.failure.seat
    return {"seat": seat, "name": game.names[seat], "text": without_hidden_cards(game.failure.text, seen)}


def _session(game: HumanGame) -> dict[str, Any] | None:
    session = game.session
    if session is None:
        return None
    levels = session.session_rules.levels
    record = game.view.records[0]
    level = session.level
    hands = levels[level].hands if levels else None
    is_last = level + 1 >= len(levels)
    return {
        "level": level + 1 if levels else None,
        "next_level_in": None if hands is None or is_last else max(0, hands - int(record["blind_level_hands"])),
        "players_left": sum(map(bool, session.stacks if game.table.is_over else game.table.starting_stacks)),
        "place": game.place,
        "prize": game.prize_text,
    }


def _known(cards: Cards) -> Cards:
    """The cards, if they are seen; hidden ones have no place in a VIEW."""
    return cards if min(cards, default=0) >= 0 else Cards()


def without_hidden_cards(text: str, seen: SeatView) -> str:
    """A text in which cards that the seat does not see are "??": an agent's error may name its own."""
    held = [card for seat in range(seen.rules.seats) for card in seen.hole_cards(seat)]
    visible = {card_name(card) for card in (*held, *seen.board, *seen.exposed)}

    def blanked(found: re.Match[str]) -> str:
        return "".join(card if card in visible else "??" for card in re.findall("..", found[0]))

    return SPELT_CARDS.sub(blanked, text)
