"""Every deal of a small game, as tables."""

from __future__ import annotations

from itertools import combinations

from holdem_env.arena.scoring.spot_play import dealt_records


def deals(deck, sizes):
    """All ways to take groups of these sizes out of a deck."""
    if not sizes:
        yield ()
        return
    for group in combinations(deck, sizes[0]):
        rest = tuple(card for card in deck if card not in group)
        for others in deals(rest, sizes[1:]):
            yield (group, *others)


def all_deals(rules, button):
    """A TABLE record for each deal, hole cards and board cards of a street in any order, posted and dealt; the first
    group of cards is seat 0's."""
    sizes = (rules.hole_cards, rules.hole_cards, *rules.board_cards)
    groups = [(deal[button], deal[1 - button], deal[2:]) for deal in deals(rules.deck, sizes)]
    return dealt_records(
        rules, button, [(on, off, [card for street in board for card in street]) for on, off, board in groups]
    )
