"""Which games can be ranked: what each hand ranking requires of the deck, hole cards and board (R2, R3, R32)."""

from __future__ import annotations

from typing import Protocol

from ..cards.text import RANKS

HAND = 5
MAX_CARDS = 7
LOW_CARDS = "A2345678"


class RankedGame(Protocol):
    """The fields of Rules that decide whether hands can be ranked."""

    @property
    def ranking(self) -> str: ...
    @property
    def split(self) -> str: ...
    @property
    def deck(self) -> tuple[int, ...]: ...
    @property
    def hole_cards(self) -> int: ...
    @property
    def hole_cards_used(self) -> int | None: ...
    @property
    def board_cards(self) -> tuple[int, ...]: ...


def check_ranking(game: RankedGame) -> None:
    """Raises ValueError for cards that the game's ranking cannot rank, and for a hi-lo split that can never happen."""
    if game.ranking == "pair":
        _check_pair(game)
    else:
        _check_five(game)
    if game.ranking == "short_deck" and (low := _ranks(game) & set("2345")):
        raise ValueError(f"ranking: short_deck is for decks from the six up; this one holds {_in_words(low)}")
    if game.split == "high_low":
        _check_low(game)


def _check_pair(game: RankedGame) -> None:
    cards = game.hole_cards + sum(game.board_cards)
    if cards > 2 or game.hole_cards_used is not None:
        raise ValueError(
            f"ranking: pair ranks hands of 1 or 2 cards in all; this game has {game.hole_cards} hole cards, "
            f"{sum(game.board_cards)} board cards and hole_cards_used={game.hole_cards_used}"
        )


def _check_five(game: RankedGame) -> None:
    hole, board, used = game.hole_cards, sum(game.board_cards), game.hole_cards_used
    if used is None:
        if not HAND <= hole + board <= MAX_CARDS:
            raise ValueError(
                f"the {game.ranking} ranking takes the best five of 5 to 7 cards, any number of them from the hand; "
                f"this game has {hole + board} cards and hole_cards_used=None (Omaha has 4 hole cards and "
                "hole_cards_used=2; games of one or two cards have ranking='pair')"
            )
    elif not 1 <= used <= hole or HAND - used > board:
        raise ValueError(
            f"hole_cards_used: {used} of {hole} hole cards and {HAND - used} of {board} board cards do not make five; "
            f"give None for any number, or {max(1, HAND - board)} to {min(hole, HAND)}"
        )


def _check_low(game: RankedGame) -> None:
    if game.ranking != "standard":
        raise ValueError(f"split: high_low needs the standard ranking, not {game.ranking!r}")
    low = _ranks(game) & set(LOW_CARDS)
    if len(low) < HAND:
        raise ValueError(
            f"split: high_low needs five different ranks of eight or lower (R32); the deck holds {_in_words(low)}"
        )


def _ranks(game: RankedGame) -> set[str]:
    return {RANKS[card // 4] for card in game.deck}


def _in_words(ranks: set[str]) -> str:
    return ", ".join(sorted(ranks, key=RANKS.index)) or "none"
