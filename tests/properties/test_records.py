"""What a record keeps twice agrees: counts, sums, and the history that encoders read."""

from __future__ import annotations

from hypothesis import given

from holdem_env.engine.record import MAX_MOVES
from holdem_env.testing import broken_invariant
from properties.games import choices, games, move_for


@given(games(), choices)
def test_counts_and_sums_agree_with_the_seats(game, moves):
    table = game.deal()
    seats = range(game.rules.seats)
    for choice in [*moves, *[(1, 0)] * 100]:
        if table.is_over:
            break
        record = table.records[0]
        live = [seat for seat in seats if not table.is_folded(seat)]
        assert record["live"] == len(live)
        assert record["with_chips"] == sum(table.stacks[seat] > 0 for seat in live)
        assert record["pot"] == record["seats"]["total"].sum() + record["dead"]
        assert record["pot"] == sum(table.starting_stacks) - sum(table.stacks)
        assert record["seats"]["bet"].tolist() == [table.bets[seat] if seat in seats else 0 for seat in range(10)]
        assert record["bet_to_match"] >= max(table.bets)
        assert broken_invariant(table.records, table.rules) is None
        assert sorted(record["deck"].tolist()[: len(game.rules.deck)]) == sorted(game.rules.deck)
        table.play(move_for(table, choice))


@given(games(), choices)
def test_the_history_for_encoders_is_that_of_the_log(game, moves):
    table = game.deal()
    played = []
    for choice in [*moves, *[(1, 0)] * 100]:
        if table.is_over:
            break
        move = move_for(table, choice)
        played.append((table.actor, table.street, move))
        table.play(move)
    record = table.records[0]
    assert record["moves"] == len(played)
    for number, (seat, street, move) in list(enumerate(played))[-MAX_MOVES:]:
        at = number % MAX_MOVES
        assert [record["made"][name][at] for name in ("seat", "street", "move")] == [seat, street, move]
    chips = [[0] * 4 for _ in range(10)]
    raises = [[0] * 4 for _ in range(10)]
    street = 0
    for operation in table.log:
        if operation.kind == "deal_board":
            street += 1
        elif operation.kind in ("post_small_blind", "post_big_blind", "post_straddle", "call"):
            chips[operation.seat][street] += operation.amount
        elif operation.kind in ("bet", "raise"):
            chips[operation.seat][street] = operation.amount
            raises[operation.seat][street] += 1
    assert record["seats"]["street_bets"].tolist() == chips
    assert record["street_raises"].tolist() == raises
