"""A format of hand histories of your own, one line of JSON for each hand:

holdem --load docs/examples/json_lines.py convert tests/data/pluribus.phhs mine.jsonl
holdem --load docs/examples/json_lines.py replay mine.jsonl
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from holdem_env import Cards, Rules, Table
from holdem_env.history import Format, HandRecord, register_format
from holdem_env.history.parts import (
    BOARD,
    CALL,
    FOLD,
    RAISE,
    UNKNOWN,
    HandOptions,
    HandToWrite,
    Move,
    Parse,
    Piece,
    check_dealing,
    kind_of,
)

KINDS = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE, "deal_board": BOARD}


def text(table: Table, options: HandOptions) -> str:
    """A hand as a line. What cannot be written is a HistoryError."""
    check_dealing("JSON", options.hand, table)
    visible = HandToWrite(table, options).visible  # None: all cards
    holes = [
        Cards(card if visible is None or card in visible else UNKNOWN for card in table.hole_cards(seat))
        for seat in range(table.game.seats)
    ]
    played = [one for one in table.log if one.kind in KINDS]
    hand = {
        "hand": options.hand,
        "players": options.players,
        "rules": table.game.replace(stacks=tuple(table.starting_stacks)).model_dump(mode="json"),
        "button": table.button,
        "holes": [str(each) for each in holes],
        "board": str(table.board),
        "moves": [(KINDS[one.kind], one.seat, len(one.cards) or one.amount) for one in played],
        "payoffs": list(table.payoffs),
    }
    return json.dumps(hand)


def split(lines: Iterable[str]) -> Iterator[Piece]:
    """The lines of a file, each a hand."""
    return (Piece(None, number, line) for number, line in enumerate(lines, 1) if line.strip())


def parser(path: Path, game: Path | None) -> Parse:
    """What reads a line of a file."""

    def parse(piece: Piece) -> HandRecord:
        hand = json.loads(piece.text)  # its errors, and those below, are reported with the file and the line
        moves = [
            # The amount of a call stands in the rules; 0 leaves it to them.
            Move(kind, seat, 0 if kind == CALL else amount, index)
            for index, (kind, seat, amount) in enumerate(hand["moves"])
        ]
        return HandRecord(
            file=str(path),
            hand=hand["hand"],
            line=piece.line,
            rules=Rules(**hand["rules"]),
            button=hand["button"],
            holes=tuple(map(Cards, hand["holes"])),
            board=Cards(hand["board"]),
            actions=tuple(f"{move.kind} {move.amount}" for move in moves),
            moves=tuple(moves),
            players=hand["players"] and tuple(hand["players"]),
            stated={"payoffs": hand["payoffs"]},
        )

    return parse


JSON_LINES = Format(
    name="jsonl",
    title="JSON",
    suffixes=(".jsonl",),
    signature="a file of JSON ends in .jsonl",
    matches=lambda path: kind_of(path) == ".jsonl",
    unsupported="dealer's errors, missed blinds, a dead button; the file's money",
    split=split,
    parser=parser,
    text=text,
    framed=lambda text, key: f"{text}\n",
)
register_format(JSON_LINES)
