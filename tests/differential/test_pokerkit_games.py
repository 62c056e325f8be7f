"""Omaha, hi-lo, short deck and other games of the same engine against PokerKit, as test_pokerkit.py does hold'em.

The betting is hold'em's, and so are its differences of ruling; beside them here is what hi-lo adds.
"""

from __future__ import annotations

from collections import Counter

import pytest

from differential.pokerkit_rulings import low_of_another_pot, payoffs_by_pokerkit
from differential.test_pokerkit import Duel, Game, play_many, random_game
from examples import seeds
from holdem_env import Rules
from holdem_env.game.presets import PRESETS
from holdem_env.game.rules import HAND_FIELDS

SPLITS = ("holdem-hi-lo", "omaha", "omaha-hi-lo")
GAMES = ("holdem-hi-lo", "omaha", "omaha-hi-lo", "short-deck", "royal-holdem", "flop-holdem")


def shape_of(preset):
    """What makes the game another one than hold'em."""
    fields = PRESETS[preset].fields
    return {field: fields[field] for field in HAND_FIELDS if field in fields}


def random_hand(rng, preset):
    """The rules, stacks and button of a random hand of hold'em, the cards of this game."""
    game = random_game(rng)
    while len(game.stacks) > Rules.preset(preset).max_seats:
        game = random_game(rng)
    fields = {**game.rules, **shape_of(preset)}
    streets = len(fields.get("board_cards", (0, 3, 1, 1)))
    if fields.get("max_raises"):
        fields["max_raises"] = fields["max_raises"][:streets]
    deck = list(Rules(**fields).deck)
    rng.shuffle(deck)
    return Game(fields, game.stacks, game.button, low_board(rng, fields, deck) if "split" in fields else deck)


def low_board(rng, fields, deck):
    """For some hands a board from five up to ace, so that many have a low, and tie (R28, R32)."""
    if rng.random() < 0.5:
        return deck
    seats = fields["seats"]
    low = [card for card in deck if card // 4 in (12, 0, 1, 2, 3, 4, 5, 6)]
    dealt, board = fields.get("hole_cards", 2) * seats, []
    for card in low:
        if card // 4 not in [other // 4 for other in board] and len(board) < 3:
            board.append(card)
    rest = [card for card in deck if card not in board]
    return [*rest[: dealt + 1], *board, *rest[dealt + 1 :]]


class GameDuel(Duel):
    """One hand of another game on both engines."""

    def compare_payoffs(self):
        ours, theirs = self.table.payoffs, self.pokerkit.payoffs
        pushes = Counter((op.seat, op.pot) for op in self.table.log if op.kind == "push_pot")
        self.seen["split pot"] += len(pushes) > len({pot for _, pot in pushes})
        self.seen["won both ways"] += max(pushes.values()) > 1
        if ours != theirs:
            self.agree("payoffs", payoffs_by_pokerkit(self.table), theirs)
            if low_of_another_pot(self.table):
                self.differences.add("low_of_another_pot")
            else:
                self.differences.add("odd_chips")


def play_game(preset, seed, hands):
    """Random hands of a game."""
    return play_many(seed, hands, lambda rng: GameDuel(random_hand(rng, preset), rng))


@pytest.mark.fast_cases("short-deck")
@pytest.mark.parametrize("presets", [SPLITS, *((name,) for name in GAMES if name not in SPLITS)], ids=" ".join)
def test_engine_agrees_with_pokerkit(presets):
    tallies = [play_game(preset, 0, 150) for preset in presets]
    assert all(tally.complete > 0.7 * tally.hands for tally in tallies), tallies
    if presets == SPLITS:  # the hands reach what hi-lo adds
        seen = sum((tally.seen for tally in tallies), Counter()) + play_game("holdem-hi-lo", 1, 150).seen
        assert all(seen[what] for what in ("split pot", "won both ways", "odd_chips", "low_of_another_pot")), seen


@pytest.mark.slow
@pytest.mark.parametrize("preset", GAMES)
@pytest.mark.parametrize("seed", seeds(2000, 4))
def test_engine_agrees_with_pokerkit_over_many_hands(preset, seed):
    tally = play_game(preset, seed, 1500)
    assert tally.complete > 0.7 * tally.hands, tally
