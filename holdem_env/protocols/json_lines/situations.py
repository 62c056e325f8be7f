"""Views of tables as messages: what a seat sees, as plain data for `json.dumps`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from ...cards.text import NAMES
from ...compiled.records import Records
from ...engine import batch, record
from ...engine.legality import legal_moves
from ...engine.seat_view import new_views, view_rows
from ...game.position_names import seat_positions
from ...game.rules import Rules
from ...table.parts import posting_kinds
from .messages import PROTOCOL, VERSION, Decision, Game, HandOver, Hello, Legal, Move, Posted, Session, Situation

HASH_BITS = 64
KINDS = {"post_live": "live_blind", "post_dead": "dead_blind"}  # postings whose names in the log of a table are short


def hand_names(views: Records, rules: Rules) -> list[str]:
    """The name by which a bot knows each view's hand: that of the table, and in a session of the hand."""
    tables = [hashed(number).hex() for number in views["table_id"].tolist()]
    if rules.session is None:
        return tables
    return [f"{table}-{hand}" for table, hand in zip(tables, views["session_hands"].tolist(), strict=True)]


def names_by_seat(tables: Records, rules: Rules, rotation: int) -> list[list[str]]:
    """Return by hand and seat the name by which a bot there knows a hand that was played in a rotation of its deal."""
    count, seats = len(tables), rules.seats
    rows, viewers = np.repeat(np.arange(count), seats), np.tile(np.arange(seats), count)
    views = new_views(len(rows))
    view_rows(tables, rules.record, rows, views, viewers, rotation)
    names = hand_names(views, rules)
    return [names[first : first + seats] for first in range(0, len(names), seats)]


def hashed(*numbers: int) -> bytes:
    """Eight bytes for some numbers: a caller without a view must not tell its seed."""
    return blake2b(np.array(numbers, np.int64).tobytes(), digest_size=HASH_BITS // 8).digest()


def hello_of(rules: Rules) -> Hello:
    """The first message: the game, or those of a session."""
    games = [game_of(stage) for stage in rules.stages]
    return {"type": "hello", "protocol": PROTOCOL, "version": VERSION, "games": games}


def game_of(rules: Rules) -> Game:
    """A game's rules as a bot receives them."""
    fixed = rules.structure == "fixed_limit"
    return {
        "structure": rules.structure,
        "seats": rules.seats,
        "blinds": list(rules.blinds),
        "ante": rules.ante,
        "big_blind_ante": rules.big_blind_ante,
        "straddle": rules.straddle,
        "street_bets": list(rules.street_bets),
        "max_raises": list(rules.max_raises) if fixed and rules.max_raises else None,
        "smallest_chip": rules.smallest_chip,
        "hole_cards": rules.hole_cards,
        "hole_cards_used": rules.hole_cards_used,
        "board_cards": list(rules.board_cards),
        "deck": cards_of(rules.deck),
        "ranking": rules.ranking,
        "split": rules.split,
        "rake": rules.rake.percent if rules.rake else 0.0,
        "rake_cap": rules.rake.cap if rules.rake else None,
    }


def decisions_of(
    views: Records, rules: Rules, first_id: int, hands: Sequence[str], random: Sequence[float]
) -> list[Decision]:
    """A message for each view, for the seat to act. hands, random: what is known of them, apart from the view."""
    found = _situations(views, rules, hands)
    last = len(found) - 1
    return [
        {"type": "decision", "id": first_id + k, "more": last - k, **each, "legal": _legal(views, k), "random": drawn}
        for k, (each, drawn) in enumerate(zip(found, random, strict=True))
    ]


def ends_of(views: Records, rules: Rules, hands: Sequence[str]) -> list[HandOver]:
    """A message for each view of a hand that is over, for the seat in `actor`."""
    payoffs = (views["seats"]["stack"] - views["start_stack"])[:, : rules.seats].tolist()
    return [
        {"type": "hand_over", **each, "payoffs": won, "rake_taken": int(rake)}
        for each, won, rake in zip(_situations(views, rules, hands), payoffs, views["rake"], strict=True)
    ]


def _legal(views: Records, k: int) -> Legal:
    legal = legal_moves(views, k)
    call = legal.call or 0
    return {"check": not call, "call": call, "raise_min": legal.raise_min, "raise_max": legal.raise_max}


def _situations(views: Records, rules: Rules, hands: Sequence[str]) -> list[Situation]:
    games = [game_of(stage) for stage in rules.stages]
    sessions = _sessions(views, rules)
    columns = _columns(views, rules.seats)
    are_exposed = views["exposed"].max(axis=1).tolist()
    postings = _postings(views, rules)
    made: list[Situation] = []
    for k, hand in enumerate(hands):
        t = {name: column[k] for name, column in columns.items()}
        game = rules.stages[t["stage"]]
        seat, posted = t["actor"], postings[k]
        moves, left_out = _moves(t, game, [each["bet"] for each in posted])
        made.append(
            {
                "version": VERSION,
                "hand": hand,
                "game": games[t["stage"]],
                "session": sessions[k],
                "seat": seat,
                "button": t["button"],
                "positions": _positions(tuple(t["was_dealt"]), t["button"], t["small_blind_seat"], t["big_blind_seat"]),
                "street": t["street"],
                "board": cards_of(t["board"][: t["board_count"]]),
                "hole_cards": cards_of(t["hole"][seat][: game.hole_cards]),
                "shown": [
                    cards_of(cards[: game.hole_cards]) if shown == record.SHOWN else None
                    for cards, shown in zip(t["hole"], t["shown"], strict=True)
                ],
                "exposed": cards_of(np.flatnonzero(views["exposed"][k]).tolist()) if are_exposed[k] else [],
                "stacks": t["stack"],
                "starting_stacks": t["start_stack"],
                "bets": t["bet"],
                "pot": t["pot"],
                "folded": [not there for there in t["in_hand"]],
                "posted": [each for each in posted if each["kinds"]],
                "moves": moves,
                "moves_left_out": left_out,
            }
        )
    return made


def cards_of(cards: Sequence[int]) -> list[str]:
    """Cards as text. Raises IndexError for an unknown card, which has no place in a message."""
    if min(cards, default=0) < 0:
        raise IndexError(f"a card is unknown: {list(cards)}")
    return [NAMES[card] for card in cards]


SINGLE = (
    *("actor", "button", "small_blind_seat", "big_blind_seat", "straddle_seat", "street", "pot", "stage"),
    *("board_count", "moves", "board"),
)
PER_SEAT = ("was_dealt", "in_hand", "shown", "start_stack", "hole")


def _columns(views: Records, seats: int) -> dict[str, list[Any]]:
    """The fields that messages have, as lists: much faster than one record at a time."""
    columns = {name: views[name].tolist() for name in SINGLE}
    columns |= {name: views[name][:, :seats].tolist() for name in PER_SEAT}
    columns |= {name: views["seats"][name][:, :seats].tolist() for name in ("stack", "bet")}
    most = min(int(views["moves"].max(initial=0)), record.MAX_MOVES)
    made = (views["made"][name][:, :most].tolist() for name in ("move", "seat", "street"))
    columns["made"] = list(zip(*made, strict=True))
    return columns


def _postings(views: Records, rules: Rules) -> list[list[Posted]]:
    """What the seats posted, an entry for each seat, also for those that posted nothing."""
    ante, bet, dead = chips = np.empty((3, len(views), rules.seats), np.int64)
    batch.posted_chips(views, rules.record, *chips)
    bits = views["posted"][:, : rules.seats].tolist()
    return [
        [
            {"seat": seat, "kinds": _kinds(kinds), "ante": ante, "bet": bet, "dead": dead}
            for seat, (kinds, ante, bet, dead) in enumerate(zip(*row, strict=True))
        ]
        for row in zip(bits, ante.tolist(), bet.tolist(), dead.tolist(), strict=True)
    ]


@lru_cache(maxsize=256)
def _kinds(bits: int) -> Any:
    return [KINDS.get(name, name.removeprefix("post_")) for name in posting_kinds(bits)]


@lru_cache(maxsize=4096)
def _positions(was_dealt: tuple[int, ...], button: int, small: int, big: int) -> list[str | None]:
    dealt = [seat for seat, there in enumerate(was_dealt) if there]
    if big == record.NOBODY:
        return [None] * len(was_dealt)
    names = seat_positions(dealt, button, None if small == record.NOBODY else small, big)
    return [names[seat].name if seat in names else None for seat in range(len(was_dealt))]


def _moves(t: dict[str, Any], game: Rules, posted: list[int]) -> tuple[list[Move], int]:
    """The moves that a record remembers, and how many it does not. A record has checks and calls as one move: they are
    distinguished by the street's bets, which are unknown until the first raise where the street's beginning is cut.
    """
    count = t["moves"]
    left_out = max(0, count - record.MAX_MOVES)
    numbers, seats, streets = t["made"]
    # At first there is the straddle to match, or a blind in full (R8, R9).
    bets, now = list(posted), 0
    level = game.straddle if t["straddle_seat"] != record.NOBODY else max(game.blinds)
    if left_out:
        level, now = -1, streets[left_out % record.MAX_MOVES]
    moves: list[Move] = []
    for k in range(left_out, count):
        place = k % record.MAX_MOVES
        number, seat, street = numbers[place], seats[place], streets[place]
        if street != now:
            bets, level, now = [0] * len(bets), 0, street
        if number > 0:
            moves.append({"seat": seat, "street": street, "move": "raise", "to": number})
            bets[seat] = level = number
        elif number == record.FOLD:
            moves.append({"seat": seat, "street": street, "move": "fold"})
        else:
            moves.append({"seat": seat, "street": street, "move": "check" if bets[seat] == level else "call"})
            bets[seat] = level
    return moves, left_out


def _sessions(views: Records, rules: Rules) -> list[Session | None]:
    its = rules.session
    if its is None:
        return [None] * len(views)
    columns = zip(
        *(views[name].tolist() for name in ("session_hands", "blind_level", "blind_level_hands")),
        *(views[name].tolist() for name in ("phase", "players_left")),
        views["place"][:, : rules.seats].tolist(),
        strict=True,
    )
    return [
        {
            "kind": its.kind,
            "hands_played": hands,
            "num_hands": its.num_hands,
            "level": level,
            "level_hands": level_hands,
            "phase": phase,
            "players_left": left,
            "places": places,
            "prizes": list(its.prizes),
            "rebuy": its.rebuy,
        }
        for hands, level, level_hands, phase, left, places in columns
    ]
