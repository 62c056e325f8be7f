"""The rules of a game in a few plain sentences, for a player who has never seen this library."""

from __future__ import annotations

from ...cards.text import CARDS, RANKS, SUITS, card_name
from ...game.rules import Rules
from ...game.title import game_title

FEW_CARDS = 12  # the most cards of a deck that is described card by card
NUMBERS = ("no", "one", "two", "three", "four", "five")
BETTING = {
    "no_limit": "No limit: a bet or raise may be as large as the player's stack.",
    "pot_limit": "Pot limit: a bet or raise may be at most as large as the pot.",
    "fixed_limit": "Fixed limit: all bets and raises of a betting round have the same size.",
}
CARD_WORDS = "Cards are written as rank and suit: Th is the ten of hearts; c clubs, d diamonds, h hearts, s spades."


def describe_game(rules: Rules) -> str:
    """Describe the rules of one hand in sentences: the betting, the cards, what wins.

    Args:
        rules: The game; in mixed hold'em that of the hand (`view.game`).

    >>> print(describe_game(Rules.preset("kuhn")))  # doctest: +ELLIPSIS
    The game is poker: Fixed limit 1 Kuhn, ante 1, with 2 players.
    ...
    """
    sentences = [
        f"The game is {_name(rules)} with {rules.seats} players.",
        BETTING[rules.structure],
        *_cards(rules),
        _streets(rules),
        *_winning(rules),
        *_forced(rules),
        CARD_WORDS,
    ]
    return "\n".join(sentences)


def _name(rules: Rules) -> str:
    title = game_title(rules)
    return f"Texas hold'em ({title})" if rules.is_texas_holdem else f"poker: {title},"


def _cards(rules: Rules) -> list[str]:
    deck = sorted(rules.deck)
    if len(deck) == CARDS:
        return []
    if len(deck) <= FEW_CARDS:
        return [f"The deck has {len(deck)} cards: {' '.join(map(card_name, deck))}."]
    ranks = sorted({card // len(SUITS) for card in deck})
    if len(deck) == len(ranks) * len(SUITS):
        return [f"The deck has {len(deck)} cards: the ranks {' '.join(RANKS[rank] for rank in ranks)} in four suits."]
    return [f"The deck has {len(deck)} cards."]


def _streets(rules: Rules) -> str:
    own = f"Each player gets {_count(rules.hole_cards)}"
    if rules.board_cards == (0, 3, 1, 1):
        return (
            f"{own}. A betting round follows, then three shared board cards (the flop) and a betting round, a fourth "
            "(the turn) and a betting round, a fifth (the river) and the last betting round."
        )
    later = [count for count in rules.board_cards if count]
    if not later:
        return f"{own}, and there is one betting round."
    boards = " and a betting round, then ".join(f"{_count(count)} on the shared board" for count in later)
    return f"{own}. A betting round follows, then {boards} and the last betting round."


def _count(cards: int) -> str:
    number = NUMBERS[cards] if cards < len(NUMBERS) else str(cards)
    return f"{number} card{'s' if cards != 1 else ''}"


def _winning(rules: Rules) -> list[str]:
    if rules.ranking == "pair":
        pair = "A pair beats no pair, then the higher card wins" if any(rules.board_cards) else "The higher card wins"
        return [f"{pair}; equal hands share the pot. The last player who has not folded wins without showing."]
    if rules.hole_cards_used is not None:
        used = rules.hole_cards_used
        five = f"exactly {NUMBERS[used]} of a player's own cards and {NUMBERS[5 - used]} of the board"
    else:
        five = "a player's own cards and the board"
    sentences = [f"The best five cards of {five} win the pot, or the last player who has not folded."]
    if rules.ranking == "short_deck":
        sentences.append("A flush beats a full house, and A-6-7-8-9 is the lowest straight.")
    if rules.split == "high_low":
        sentences.append(
            "Half of the pot goes to the best low hand: five different ranks, none above eight, the ace being low. "
            "Without such a hand the high hand wins it all."
        )
    return sentences


def _forced(rules: Rules) -> list[str]:
    parts = []
    if rules.big_blind:
        parts.append(f"a small blind of {rules.small_blind} and a big blind (bb) of {rules.big_blind}")
    if rules.ante:
        parts.append(f"an ante of {rules.ante} by each player")
    if rules.big_blind_ante:
        parts.append(f"an ante of {rules.big_blind_ante} by the big blind")
    if rules.straddle:
        parts.append(f"a straddle of {rules.straddle}")
    listed = " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
    return [f"Before the deal there is {listed}."] if parts else []
