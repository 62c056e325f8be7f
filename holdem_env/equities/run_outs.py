"""The boards that can still come when all hole cards are known, and what the live hands are worth on each of them.

`load_live_hands`, `load_pots` and `load_unseen` note what there is to know about a table. Then `lay_first`,
`lay_next` and `lay_last` lay out every board in turn, or `draw_board` a random one; `rank_live_hands` values the hands
on it, in any game, and `note_winners` counts who wins which pot. Hold'em's hands need not be valued board by board:
`count_live_hands` has exact.py count them.

Every card that was dealt, to folded hands too, is out of the deck: that somebody folded says which cards they were
likely to be. Given these cards and the board, the rest of the deck is as the shuffle left it.

In compiled functions `o` is a RUN_OUTS record, `t` a table and `w` a copy of it to lay boards in.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cards.evaluator import card_code, card_mask, start_code, value_of
from ..compiled.compiler import compiled, inline
from ..compiled.records import Records, new_records
from ..compiled.scalars import Ints, Word, int64
from ..engine.pots import contests
from ..engine.random_numbers import draw_to
from ..engine.ranking import seat_value
from ..engine.record import LOG, LOG_OFF, MAX_MOVES, NOBODY, TABLE, RulesRecord, TableRecord
from .exact import count_matchup, load_hands
from .holdem import BOARD, HOLE
from .records import MATCHUP, RUN_OUTS, Matchup, RunOuts


class Workspace(NamedTuple):
    """The records, one of each, that counting works in; every thread needs its own."""

    run_outs: Records
    tables: Records
    """A copy of the table at hand, to lay boards and split pots in."""
    matchups: Records
    logs: Records
    """Switched off."""


def new_workspace() -> Workspace:
    """Memory to count in."""
    logs = new_records(LOG, 1)
    logs["count"] = LOG_OFF
    return Workspace(new_records(RUN_OUTS, 1), new_records(TABLE, 1), new_records(MATCHUP, 1), logs)


@inline
def board_when_betting_ended(t: TableRecord, r: RulesRecord) -> int:
    """How many board cards there were when the last move was made, or the hand was dealt if there was none."""
    street = 0 if t.moves == 0 else t.move_street[(t.moves - 1) % MAX_MOVES]
    cards = 0
    for k in range(street + 1):
        cards += r.board_cards[k]
    return cards


@inline
def full_board(r: RulesRecord) -> int:
    """How many cards a complete board has."""
    cards = 0
    for street in range(r.streets):
        cards += r.board_cards[street]
    return cards


@inline
def load_live_hands(o: RunOuts, t: TableRecord, r: RulesRecord, board_known: int, hero: int) -> None:
    """Note which hands of a table are live when `board_known` board cards lie there. hero: a live seat whose chips
    alone are asked for, or NOBODY."""
    o.board_known = board_known
    o.missing = full_board(r) - board_known
    o.live = 0
    o.stops_early = False
    o.has_hero = hero != NOBODY
    if o.has_hero:
        o.seat[0] = hero
        o.live = 1
    for seat in range(r.seats):
        if t.in_hand[seat] and seat != hero:
            o.seat[o.live] = seat
            o.live += 1


@inline
def list_others(r: RulesRecord, seen: int, cards: Ints) -> int:
    """Write the cards of the deck that are not in a mask; returns how many they are."""
    count = 0
    for i in range(r.deck_size):
        if seen & card_mask(r.deck[i]) == 0:
            cards[count] = r.deck[i]
            count += 1
    return count


@inline
def list_unseen(o: RunOuts, t: TableRecord, r: RulesRecord) -> None:
    """List the cards of the deck that nobody was dealt and that are not on the known board."""
    seen = int64(0)
    for k in range(o.board_known):
        seen |= card_mask(t.board[k])
    for seat in range(r.seats):
        if t.was_dealt[seat]:
            for k in range(r.hole_cards):
                seen |= card_mask(t.hole[seat, k])
    o.unseen_count = list_others(r, seen, o.unseen)


@inline
def add_up_hands(o: RunOuts, t: TableRecord) -> None:
    """Hold'em: what each live hand and the known board add up to, so that a board costs its missing cards alone."""
    code, mask = start_code(HOLE + BOARD), int64(0)
    for k in range(o.board_known):
        code += card_code(t.board[k])
        mask += card_mask(t.board[k])
    for p in range(o.live):
        first, second = t.hole[o.seat[p], 0], t.hole[o.seat[p], 1]
        o.code[p] = code + card_code(first) + card_code(second)
        o.mask[p] = mask + card_mask(first) + card_mask(second)


@inline
def load_unseen(o: RunOuts, t: TableRecord, r: RulesRecord) -> None:
    """Note what can come, for boards to be laid out and hands ranked."""
    list_unseen(o, t, r)
    if r.holdem_showdowns:
        add_up_hands(o, t)


@inline
def lay_card(o: RunOuts, w: TableRecord, k: int, card: int) -> None:
    """Lay out missing card number k."""
    w.board[o.board_known + k] = card
    o.laid_code[k + 1] = o.laid_code[k] + card_code(card)
    o.laid_mask[k + 1] = o.laid_mask[k] + card_mask(card)


@inline
def lay_first(o: RunOuts, w: TableRecord) -> int:
    """Lay out the first missing cards but for the last, in a copy `w` of the table. The last one may be any of the
    unseen from the place on that is returned."""
    last = o.missing - 1
    for k in range(last):
        o.place[k] = k
        lay_card(o, w, k, o.unseen[k])
    return last


@inline
def lay_next(o: RunOuts, w: TableRecord) -> int:
    """Lay out the next missing cards but for the last. Returns the place from which the last one is taken; -1 if all
    boards have been laid out."""
    last = o.missing - 1
    k = last - 1
    while k >= 0 and o.place[k] == o.unseen_count - o.missing + k:
        k -= 1
    if k < 0:
        return -1
    place = o.place[k]
    for later in range(k, last):
        place += 1
        o.place[later] = place
        lay_card(o, w, later, o.unseen[place])
    return place + 1


@inline
def lay_last(o: RunOuts, w: TableRecord, place: int) -> tuple[int, int]:
    """Lay out the last missing card; returns what all missing cards add up to."""
    last, card = o.missing - 1, o.unseen[place]
    w.board[o.board_known + last] = card
    return o.laid_code[last] + card_code(card), o.laid_mask[last] + card_mask(card)


@inline
def draw_board(o: RunOuts, w: TableRecord, stream: Word) -> tuple[int, int, Word]:
    """Lay out a random board; returns what the missing cards add up to, and the stream as it then is."""
    code = mask = int64(0)
    for k in range(o.missing):
        stream = draw_to(o.unseen, k, o.unseen_count, stream)
        card = o.unseen[k]
        w.board[o.board_known + k] = card
        code += card_code(card)
        mask += card_mask(card)
    return code, mask, stream


@inline
def beats_hero(o: RunOuts, p: int) -> bool:
    """Whether a hand leaves nothing for the hero: it is better, and plays for all of its pots."""
    return o.value[p] > o.value[0] and o.pots[p] >= o.pots[0]


@inline
def rank_live_hands(o: RunOuts, w: TableRecord, r: RulesRecord, code: int, mask: int) -> bool:
    """See what every live hand is worth on the whole board that lies in `w`, whose missing cards add up to code and
    mask. Returns False if it stopped early, and the hero wins nothing."""
    for p in range(o.live):
        if r.holdem_showdowns:
            o.value[p] = value_of(o.code[p] + code, o.mask[p] + mask)
        else:
            o.value[p] = seat_value(w, r, o.seat[p])
        if o.stops_early and beats_hero(o, p):
            return False
    return True


@inline
def load_pots(o: RunOuts, w: TableRecord) -> None:
    """Note who plays for each pot, and that nobody has won any."""
    o.pots[: o.live] = 0
    for pot in range(w.pots):
        o.contestants[pot] = 0
        for p in range(o.live):
            plays = int64(contests(w, o.seat[p], pot))
            o.pots[p] += plays
            o.contestants[pot] |= plays << p
        o.boards_won[pot, : 1 << o.live] = 0


@inline
def note_winners(o: RunOuts, w: TableRecord, boards: int) -> None:
    """Count `boards` more boards on which the best hand of each pot has the `value` that it has now."""
    for pot in range(w.pots):
        best, winners, contestants = int64(0), int64(0), o.contestants[pot]
        for p in range(o.live):
            value = o.value[p] * ((contestants >> p) & 1)
            winners = (winners if value <= best else int64(0)) | (int64(value >= best) << p)
            best = max(best, value)
        o.boards_won[pot, winners] += boards


@inline
def load_cards(o: RunOuts, t: TableRecord, r: RulesRecord) -> None:
    """Hold'em: note the cards of the live hands, of folded ones, and of the known board."""
    o.folded_count = 0
    for p in range(o.live):
        for k in range(HOLE):
            o.hole[p, k] = t.hole[o.seat[p], k]
    for seat in range(r.seats):
        if t.was_dealt[seat] and not t.in_hand[seat]:
            for k in range(HOLE):
                o.folded[o.folded_count] = t.hole[seat, k]
                o.folded_count += 1
    for k in range(o.board_known):
        o.board[k] = t.board[k]


@compiled
def count_live_hands(o: RunOuts, m: Matchup) -> int:
    """Hold'em: count all boards for the cards noted, into the MATCHUP record; returns how many boards there are."""
    load_hands(m, o.hole[: o.live])
    return count_matchup(m, o.board[: o.board_known], o.folded[: o.folded_count])
