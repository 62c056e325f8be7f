"""Replaying hand histories for the command line: checks that every move is legal and every result agrees."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from holdem_env.history import HandRecord, HistoryError, hand_steps, read_hands
from holdem_env.history.summary import seat_names
from holdem_env.render.table_text import table_text
from holdem_env.table.table import Table
from holdem_env.utils.shown_names import shown_name

from ..playing.log_lines import hand_log

PROBLEMS_SHOWN = 10


def summary(file: Path, game: Path | None) -> tuple[str, bool]:
    """How many hands replay and the problems of the others, as text; and whether there are no problems."""
    problems: list[str] = []
    uneven: list[str] = []
    replayed = stated = parts = 0
    for hand in read_hands(file, game, lambda error: problems.append(str(error))):
        try:
            table, payoffs = hand.replay(), hand.payoffs
        except HistoryError as error:
            problems.append(str(error))
            continue
        replayed += 1
        if payoffs is None or not table.is_over:
            continue
        stated += 1
        parts += any(isinstance(chips, Fraction) for chips in payoffs)
        if agree(table.payoffs, payoffs):
            continue
        if has_odd_chips_of_site(table, payoffs):
            uneven.append(str(hand.hand))
        else:
            problems.append(
                str(hand.error(f"the file states {list(map(str, payoffs))}, the rules give {table.payoffs}"))
            )
    lines = [f"{file}: {replayed:,} hands replayed; results stated for {stated:,}"]
    lines += [f"{parts:,} of them state fractions of a chip, which are not paid out here"] if parts else []
    lines += uneven_splits(uneven)
    lines += problems[:PROBLEMS_SHOWN]
    if (hidden := len(problems) - PROBLEMS_SHOWN) > 0:
        lines.append(f"... and {hidden:,} more {'problem' if hidden == 1 else 'problems'}")
    lines.append(f"{len(problems):,} problem{'' if len(problems) == 1 else 's'}" if problems else "no problems")
    return "\n".join(lines), not problems


def uneven_splits(hands: list[str]) -> list[str]:
    """The line that names hands whose site has given odd chips another way than R28; none without any."""
    if not hands:
        return []
    more = f" and {len(hands) - PROBLEMS_SHOWN:,} more" if len(hands) > PROBLEMS_SHOWN else ""
    named = f"hand{'' if len(hands) == 1 else 's'} {', '.join(hands[:PROBLEMS_SHOWN])}{more}"
    return [f"odd chips of the site: {named}; a split pot was split another way than here (R28)"]


def agree(ours: list[int], stated: list[int | Fraction]) -> bool:
    """Whether results are equal, up to one chip where the source splits chips."""
    pairs = zip(ours, stated, strict=True)
    return all(own == chips or (isinstance(chips, Fraction) and abs(own - chips) < 1) for own, chips in pairs)


def has_odd_chips_of_site(table: Table, stated: list[int | Fraction]) -> bool:
    """Whether a source has split a pot another way than R28 does: the sums agree, and each result that differs, by less
    than a big blind, is that of a player who has shared a pot."""
    winners: dict[int | None, set[int | None]] = {}
    for deed in table.log:
        if deed.kind == "push_pot":
            winners.setdefault(deed.pot, set()).add(deed.seat)
    shared = set().union(*(seats for seats in winners.values() if len(seats) > 1))
    least = table.game.big_blind or table.game.street_bets[0]
    away = {
        seat: own - chips for seat, (own, chips) in enumerate(zip(table.payoffs, stated, strict=True)) if own != chips
    }
    return shared.issuperset(away) and not sum(away.values()) and all(abs(chips) < least for chips in away.values())


def show_hand(file: Path, game: Path | None, name: str) -> str:
    """One hand, operation by operation, with its final table. Raises ValueError if it is not in the file."""
    problems: list[str] = []
    for hand in read_hands(file, game, lambda error: problems.append(str(error))):
        if str(hand.hand) == name:
            return play_through(hand)
    details = "".join(f"\n{problem}" for problem in problems[:PROBLEMS_SHOWN])
    raise ValueError(f"{file}: there is no hand {name!r}{details}")


def play_through(hand: HandRecord) -> str:
    """A hand in sentences, in the file's money and with the players' names; cards that it does not tell are `??`."""
    table = hand.replay()
    last = hand_steps(table, hand.known_cards)[-1]
    names = [shown_name(name) for name in seat_names(hand.players, hand.rules.seats)]
    widest = max(map(len, names))
    dealt = [
        f"{names[seat]:{widest}}  {last.hole_cards(seat)}  {hand.money(table.starting_stacks[seat])}"
        for seat in range(hand.rules.seats)
    ]
    lines = hand_log(last, names, hand.money)
    drawn = table_text(last.records[0], last.game, names, hand.money)
    return "\n".join([f"hand {hand.hand} of {hand.file}", *dealt, "", *map(str, lines), "", drawn])
