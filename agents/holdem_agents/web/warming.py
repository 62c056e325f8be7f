"""Playing a little when the server starts, so that the code is compiled when somebody sits down."""

from __future__ import annotations

import logging
import threading

from ..playing import HumanGame, odds
from .lobby import suggested
from .play.table_request import make_game, table_request
from .play.views import view_of
from .site import Site

HANDS = 2
ALL_IN_HAND = 2

log = logging.getLogger(__name__)


def warm_in_the_background(site: Site) -> threading.Thread:
    """Play the suggested table in a thread that the server's end does not wait for."""
    thread = threading.Thread(target=_warm, args=(site,), name="warming", daemon=True)
    thread.start()
    return thread


def _warm(site: Site) -> None:
    try:
        play_a_little(make_game(site, table_request(site, {**suggested(site), "seed": 0})))
    except Exception:  # the page says what is wrong when somebody sits down
        log.debug("warming", exc_info=True)


def play_a_little(game: HumanGame) -> None:
    """Two hands, the second all-in: everything that a page may ask at a table has been done once."""
    while len(game.finished) < HANDS and game.waiting != "over":
        if game.waiting == "hand_over":
            game.next_hand()
        game.advance()
        view_of(game, "", "")
        if game.waiting == "move":
            odds(game.table, game.seat)
            raise_max = game.table.legal.raise_max
            game.play(raise_max if raise_max and game.hand == ALL_IN_HAND else 0)
        elif game.waiting == "show":
            game.muck()
        elif game.waiting == "failed":
            game.void_hand()
    game.leave()
