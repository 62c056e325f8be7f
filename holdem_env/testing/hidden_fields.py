"""What a seat cannot see, changed field by field, to find out which of it an agent's moves depend on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..engine.seat_view import BLANKED, new_views, view_rows
from ..game.rules import Rules
from .sampled_tables import shuffle_hidden_cards

DRAWS = ("seed", "table_id", "hand")
"""Fields that a view has a random word in, the number of a table or nothing: agents draw random numbers from them."""
CARDS = ("hole", "deck", "reshuffle_order")
OF_ERRORS = (
    *("errors_injected", "orders_injected", "errors", "premature_after", "follow_ups", "exposed_deal"),
    *("has_words", "deck_padding", "padding"),
)
MEANINGS = {
    "hole": "hole cards that its seat does not see",
    "deck": "the deck",
    "reshuffle_order": "the orders of reshuffled decks",
    "value": "the values of the hands",
    "low_value": "the values of the low hands",
    "seed": "the seed of the deck",
    "table_id": "the number of the table",
    "hand": "the number of the hand",
}
HIDDEN = (*CARDS, *(name for name in BLANKED if name not in (*CARDS, *DRAWS, *OF_ERRORS)))


def with_random_words(tables: Records, seed: int) -> Records:
    """The same tables as an agent may be given them: a random word in place of the seed, a number in place of the
    table's, and no number of the hand. The deck cannot be worked out from these."""
    changed = tables.copy()
    changed["seed"] = np.random.default_rng([seed, 1]).integers(2**62, size=len(tables))
    changed["table_id"] = np.random.default_rng([seed, 2]).permutation(len(tables))
    changed["hand"] = 0
    changed["has_words"] = 1  # agents draw as they do from views
    return changed


def varied(tables: Records, rules: Rules, fields: Sequence[str], seed: int) -> Records:
    """The same tables to the seat to act, with other values in some of the hidden fields.

    fields: of HIDDEN or DRAWS. Cards are permuted among those that the seat does not know.
    """
    generator = np.random.default_rng([seed, 3])
    shuffled = shuffle_hidden_cards(tables, rules, tables["actor"].tolist(), seed)
    changed = tables.copy()
    for name in fields:
        if name in CARDS:
            changed[name] = shuffled[name]
        elif name in DRAWS:
            changed[name] = generator.integers(2**40, size=len(tables))
        else:
            changed[name] = generator.integers(100, size=changed[name].shape)
    return changed


def blanked(tables: Records, rules: Rules, rows: NDArray[np.int64]) -> Records:
    """The rows as the arena gives them to an agent: copies in which all that is hidden is blank. The random word and
    the table's number stay as `with_random_words` has written them, because agents draw from them."""
    views = new_views(len(rows))
    view_rows(tables, rules.record, rows, views)
    return views


def in_words(fields: Sequence[str]) -> str:
    """Fields for a message: "`hole` (hole cards that its seat does not see) and `deck` (the deck)"."""
    return " and ".join(f"`{name}` ({MEANINGS[name]})" if name in MEANINGS else f"`{name}`" for name in fields)
