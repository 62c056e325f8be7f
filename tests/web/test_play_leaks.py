"""What the server hands to a browser depends on nothing that the person's seat may not see."""

from __future__ import annotations

import random
import re
from copy import copy
from typing import Any

import numpy as np
import pytest

from holdem_agents.playing import HumanGame, advice, odds
from holdem_agents.web.play.hints import review_of
from holdem_agents.web.play.tables import PlayTable
from holdem_agents.web.play.views import view_of, without_hidden_cards
from holdem_env import Rules, Table
from holdem_env.agents.registry import make_agent
from holdem_env.cards.text import Cards, card_name
from web.clients import Seat, client_of, sit, site_for_tests

FACE_UP = ("show", "expose", "deal_early", "deal_too_many", "draw_button")
"""What the dealer, or a player, turns up before everybody's eyes; some of it goes back into the deck."""
DRAWN = re.compile(r'suit-([cdhs])"[^>]*>([2-9TJQKA])</text>')
"""A card's face in a picture."""
CARD = re.compile(r"(?<![A-Za-z0-9#])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
GAMES = {
    "heads-up": Rules.preset("heads-up-no-limit"),
    "six": Rules.preset("six-max-no-limit"),
    "manual": Rules.preset("six-max-no-limit", showing="manual", seats=3, face_up_all_in=False),
    "omaha": Rules.preset("omaha-hi-lo", seats=4),
    "leduc": Rules.preset("leduc"),
    "errors": Rules.preset("six-max-no-limit", dealer_errors={"exposed_hole_card": 0.5, "extra_card": 0.3}),
    "freezeout": Rules.preset("six-max-no-limit", stacks="10bb", session={"levels": ({"hands": 2}, {"times": 4})}),
}


def visible(table: Table, seat: int) -> set[str]:
    """The names of the cards that a seat may see, by the rules alone."""
    held = [
        card
        for each in range(table.rules.seats)
        if each == seat or table.is_shown(each)
        for card in table.hole_cards(each)
    ]
    open_ones = [card for each in table.log if each.kind in FACE_UP for card in each.cards]
    return {card_name(card) for card in (*held, *table.board, *table.exposed, *open_ones)}


def spelt(text: str) -> set[str]:
    """The cards that a text names; pictures write ranks and suits in other ways."""
    return {found[at : at + 2] for found in CARD.findall(text) for at in range(0, len(found), 2)}


def drawn(svg: str) -> set[str]:
    """The cards that a picture shows."""
    return {rank + suit for suit, rank in DRAWN.findall(svg)} | spelt(re.sub("<[^>]*>", " ", svg))


def without_pictures(found: dict[str, Any]) -> str:
    return str({name: value for name, value in found.items() if not name.startswith("svg")})


def with_other_hidden_cards(table: Table, seat: int, rng: random.Random) -> Table:
    """The table as it would be if all cards that a seat does not see were others."""
    twin = table.copy()
    records = twin._records = table.records.copy()
    seen = {card for card in range(52) if card_name(card) in visible(table, seat)}
    free = [card for card in table.rules.deck if card not in seen]
    swapped = dict(zip(free, rng.sample(free, len(free)), strict=True))
    for field in ("hole", "deck", "reshuffle_order"):
        old = records[field]
        records[field] = np.vectorize(lambda card: swapped.get(int(card), int(card)), otypes=[old.dtype])(old)
    twin.log = [
        each._replace(cards=Cards([swapped.get(card, card) for card in each.cards]))
        if each.kind in ("deal_hole", "burn", "replace_card")
        else each
        for each in table.log
    ]
    return twin


def step(seat: Seat, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    match view["waiting"]:
        case "move":
            return seat.do("move", move=rng.choice(view["legal"]["buttons"][rng.random() < 0.8 :])["move"])
        case "show":
            return seat.do(rng.choice(["show", "muck"]))
        case _:
            return seat.do("next")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "steps"),
    [("errors", 15), ("manual", 15), *(pytest.param(name, 45, marks=pytest.mark.slow) for name in GAMES)],
)
def test_no_step_names_a_card_of_another_seat(name: str, steps: int) -> None:
    rng = random.Random(name)
    site = site_for_tests()
    site.rules["game"] = GAMES[name]
    client = client_of(site)
    seat = sit(client, rules="game", opponents=["random"], seed=rng.randrange(1000))
    view = seat.settled()
    live: Any = site.tables[seat.tid]
    for _ in range(steps):
        if view["over"]:
            break
        game: HumanGame = live.game
        may = visible(game.table, game.seat)
        assert spelt(without_pictures(view)) <= may, (view["log"], may)
        assert set(view["you"]["cards"].split()) <= drawn(view["svg"]) == drawn(view["svg_narrow"]) <= may
        other = copy(game)
        other.table = with_other_hidden_cards(game.table, game.seat, rng)
        assert view_of(other, seat.tid, live.company, cannot=live.cannot) | {"version": view["version"]} == view
        if view["waiting"] == "move" and rng.random() < 0.3:
            assert spelt(str(seat.get("/hints?agent=tight_aggressive"))) <= may
        if view["waiting"] == "hand_over":
            check_review(site, live, game, may)
        view = step(seat, view, rng)


def check_review(site: Any, live: PlayTable, game: HumanGame, may: set[str]) -> None:
    """The review of the latest hand, unless folded cards are asked for."""
    found = review_of(site, live, game.finished[-1].number, folded=False, agent="tight_aggressive")
    assert spelt(without_pictures(found)) <= may
    assert drawn(found["svg"]) <= may
    for seat, cards in enumerate(found["cards"]):
        assert cards is None or seat == game.seat or game.finished[-1].table.is_shown(seat)
    assert all(each["advice"] is None for each in found["decisions"] if each["seat"] != game.seat)
    assert all(each["equity"] is None for each in found["decisions"])


@pytest.mark.parametrize("name", ["heads-up", "six", "omaha"])
def test_hints_depend_on_nothing_hidden(name: str) -> None:
    rng = random.Random(name)
    agent = make_agent("pot_odds") if name == "omaha" else make_agent("tight_aggressive")
    for hand in range(4):
        table = Table(GAMES[name], seed=5, hand=hand)
        while table.street < 1 and not table.is_over:
            table.check_call()
        seat = table.actor
        assert seat is not None
        other = with_other_hidden_cards(table, seat, rng)
        assert odds(other, seat) == odds(table, seat)
        if agent.gives_probabilities:
            assert advice(agent, other) == advice(agent, table)


def test_events_and_lists_have_the_same_views_and_no_more() -> None:
    site = site_for_tests()
    client = client_of(site)
    seat = sit(client)
    view = seat.settled()
    live: Any = site.tables[seat.tid]
    assert client.get(f"/api/play/{seat.tid}").text == live.text
    assert spelt(client.get("/api/play").text) == spelt(client.get("/api/site").text) == set()
    assert view == seat.get()


def test_nobody_asks_for_another_seat() -> None:
    """No address and no field names a seat to look from."""
    client = client_of(site_for_tests())
    seat = sit(client)
    view = seat.settled()
    for query in ("?seat=1", "?viewer=1", "?all=1", "?cards=1"):
        assert seat.get(query) == view
    body = {"rules": "heads-up-no-limit", "opponents": ["calling_station"], "seat": 1}
    assert client.post("/api/play", json=body).status_code == 400


def test_texts_of_agents_lose_cards_that_are_hidden() -> None:
    table = Table("heads-up-no-limit", deck="AsKdAhKc")
    seen = table.view(1)
    text = "IndexError: As usual, AsAh lose to KdKc (bot.py:3); 2c 9d, and Ace is no card"
    mine, his = str(table.hole_cards(1)), str(table.hole_cards(0))
    shown = without_hidden_cards(text + f" {mine} {his}", seen)
    assert shown.endswith(f"{mine} ????")
    assert "?? ??, and Ace is no card" in shown
