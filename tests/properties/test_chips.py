"""R40 and R13 for any game: chips are never made or lost, and stay whole."""

from __future__ import annotations

from hypothesis import given

from properties.games import choices, games, move_for, play_out


def check_chips(table):
    in_pots = sum(pot.amount for pot in table.pots)
    amounts = [*table.stacks, *table.bets, *(pot.amount for pot in table.pots), table.rake]
    assert min(amounts) >= 0
    assert all(amount % table.rules.smallest_chip == 0 for amount in amounts)
    assert sum(table.stacks) + sum(table.bets) + in_pots + table.rake == sum(table.starting_stacks)


@given(games(), choices)
def test_r40_chips_are_conserved_at_every_moment(game, moves):
    table = game.deal()
    check_chips(table)
    for choice in [*moves, *[(1, 0)] * 100]:
        if table.is_over:
            break
        table.play(move_for(table, choice))
        check_chips(table)
    assert table.is_over
    assert table.bets == [0] * game.rules.seats
    assert table.pots == []
    assert table.records["pot"][0] == 0
    assert sum(table.payoffs) == -table.rake
    assert table.payoffs == [now - then for now, then in zip(table.stacks, table.starting_stacks, strict=True)]


@given(games(), choices)
def test_r40_the_log_accounts_for_every_chip(game, moves):
    table = game.deal()
    play_out(table, moves)
    chips, street = list(table.starting_stacks), [0] * game.rules.seats
    for operation in table.log:
        seat, amount = operation.seat, operation.amount
        if operation.kind in ("post_ante", "post_big_blind_ante"):
            chips[seat] -= amount
        elif operation.kind in ("post_small_blind", "post_big_blind", "post_straddle", "call"):
            chips[seat] -= amount
            street[seat] += amount
        elif operation.kind in ("bet", "raise"):
            chips[seat] -= amount - street[seat]
            street[seat] = amount
        elif operation.kind in ("return_uncalled", "push_pot"):
            chips[seat] += amount
        elif operation.kind == "deal_board":
            street = [0] * game.rules.seats
    assert chips == table.stacks


@given(games(), choices)
def test_r20_nobody_wins_more_from_another_than_it_put_in_itself(game, moves):
    table = game.deal()
    play_out(table, moves)
    dead = sum(operation.amount for operation in table.log if operation.kind == "post_big_blind_ante")
    for seat, payoff in enumerate(table.payoffs):
        most = sum(min(stack, table.starting_stacks[seat]) for stack in table.starting_stacks) + dead
        assert -table.starting_stacks[seat] <= payoff <= most
