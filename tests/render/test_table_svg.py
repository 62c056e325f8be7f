"""The picture of a table: what it says, what it hides, and that it is well-formed whatever is in it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import DealerErrors, Rules, Table
from holdem_env.render.places import HEIGHT, LAYOUTS, WIDTH, layout_for, places
from holdem_env.render.table_svg import table_svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """What can be read in a picture, in the order in which it is drawn."""
    return ["".join(each.itertext()) for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def side_pots() -> Table:
    table = Table(Rules(seats=6, blinds=(1, 2)), stacks=[50, 100, 150, 400, 1200, 1200], seed=5)
    table.raise_to(400)
    for _ in range(5):
        table.check_call()
    return table


def test_a_hand_says_whose_turn_it_is_and_what_is_in_the_middle():
    table = Table(Rules.preset("heads-up-no-limit"), deck="AsKdAhKc")
    table.raise_to(6)
    said = texts(table.svg())
    for each in ("No limit 1/2", "preflop", "Pot 8", "Seat 1 to act", "fold, call 4, raise to 10–200", "BTN", "D"):
        assert each in said
    assert said.count("K") == said.count("A") == 2


def test_side_pots_all_ins_and_the_end():
    table = side_pots()
    said = texts(table.svg())
    assert "Pot 1,500" in said
    assert [each for each in said if each.startswith(("main", "side"))] == [
        "main 300 · side 250 · side 200",
        "side 750",
    ]
    assert said.count("all-in") == 4
    while not table.is_over:
        table.check_call()
    said = texts(table.svg())
    assert "The hand is over" in said
    assert sum(each.startswith("−") for each in said) == sum(chips < 0 for chips in table.payoffs)
    assert any("wins" in each for each in said)


@pytest.mark.parametrize("preset", ["omaha", "short-deck", "kuhn", "leduc", "royal-holdem", "flop-holdem", "omaha-36"])
def test_every_game_can_be_drawn(preset: str):
    table = Table(Rules.preset(preset), seed=1)
    while not table.is_over:
        ElementTree.fromstring(table.svg())
        table.check_call()
    assert "hand over" in texts(table.svg())


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_number_of_seats_has_its_places(seats: int):
    """Inside the picture, no two in the same place, and the viewer sits at the bottom."""
    found = places(seats, first=1)
    assert len({(place.x, place.y) for place in found}) == seats
    assert max(place.y for place in found) == found[1].y
    assert all(0 < place.x < WIDTH and 0 < place.y < HEIGHT for place in found)
    assert "Seat 1" in texts(Table(Rules(seats=seats), seed=1).svg(seat=1))


def test_one_seats_picture_does_not_depend_on_what_the_seat_cannot_see():
    pictures = set()
    for others in ("2s3s 7h8h", "TcJd 9s9d"):
        one, two = others.split()
        table = Table(Rules(seats=3), deck=f"{one[:2]}Qc{two[:2]} {one[2:]}Qd{two[2:]}", seed=1, button=2)
        assert table.hole_cards(1) == "QcQd"
        table.fold(), table.check_call()
        assert table.hole_cards(0) == one
        pictures.add(table.svg(seat=1))
    assert len(pictures) == 1


def test_a_view_draws_what_its_seat_sees_and_nothing_else():
    table = side_pots()
    assert table.view(2).svg() == table.view(2).svg(seat=2) == table.svg(seat=2) != table.svg()
    mentions(complaint(table.view(2).svg, seat=3), 2, 3)


def test_cards_face_down_folded_and_shown():
    table = Table(Rules(seats=4), seed=4)
    table.fold()
    assert table.svg(seat=1).count('class="holdem-back-mark"') == 4  # two players, two cards each
    while not table.is_over:
        table.check_call()
    shown = sum(table.is_shown(seat) for seat in (0, 2))
    assert table.svg(seat=1).count('class="holdem-back-mark"') == 2 * (2 - shown)


def test_names_are_shown_on_one_line_and_escaped():
    table = Table(Rules(seats=2), seed=1)
    said = texts(table.svg(names=["<b>&\x1b[2J\n", "a name that is far too long for the panel of a seat"]))
    assert any(each.startswith("<b>&\\x1b") for each in said)
    assert any("…" in each for each in said)
    assert "<script>" not in table.svg(names=["<script>", '" onload="x'])
    mentions(complaint(table.svg, names=["one"]), "names", 1, 2)


def test_themes():
    """A picture that follows the reader has both, one for a file of its own only one."""
    table = Table(Rules(seats=2), seed=1)
    assert table.svg().count("prefers-color-scheme") == 1
    light, dark = table.svg(theme="light"), table.svg(theme="dark")
    assert "prefers-color-scheme" not in light + dark
    assert re.sub(r"<style>.*</style>|holdem-\w+-", "", light) == re.sub(r"<style>.*</style>|holdem-\w+-", "", dark)


def test_nothing_is_fetched_and_nothing_runs():
    svg = side_pots().svg()
    assert set(re.findall(r"https?://[^\"]*", svg)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<script|href|url\(|@import| on\w+=", svg)
    assert len(svg) < 20_000


def test_manual_showing_and_exposed_cards():
    table = Table(Rules(seats=2, showing="manual"), seed=1)
    table.fold()
    assert table.is_showing
    assert any(each.endswith("to show or to muck") for each in texts(table.svg()))
    table = Table(Rules(seats=3, dealer_errors=DealerErrors()), seed=1, dealer_errors={"exposed_hole_card": 1})
    assert any("exposed" in each for each in texts(table.svg(seat=0)))


@pytest.mark.parametrize("seats", [2, 3, 6, 9])
def test_pictures_of_a_whole_hand_are_well_formed_for_everybody(seats: int):
    generator = np.random.default_rng(seats)
    table = Table(Rules(seats=seats, ante=1), seed=seats)
    while not table.is_over:
        for seat in (None, *range(seats)):
            ElementTree.fromstring(table.svg(seat=seat))
        legal = table.legal
        raises = [] if legal.raise_min is None else [legal.raise_min, legal.raise_max]
        table.play(generator.choice([-1, 0, 0, 0, *raises]))
    ElementTree.fromstring(table.svg())


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_room_for_all_seats(seats: int, layout: str):
    """Panels are inside the picture and do not overlap, and nobody's panel lies on the board."""
    how = layout_for(seats, layout)
    panels = [
        (place.x - how.panel * how.scale / 2, place.y + place.cards * 4 / 3, how.panel * how.scale, 60 * how.scale)
        for place in places(seats, 0, layout)
    ]
    wide, high = 5 * how.board + 20, how.board * 1.42
    boxes = [*panels, (how.width / 2 - wide / 2, how.board_middle - high / 2, wide, high)]
    assert all(x >= 0 and y >= 0 and x + w <= how.width and y + h <= how.height for x, y, w, h in boxes)
    for number, (x, y, w, h) in enumerate(boxes):
        others = boxes[number + 1 :]
        assert all(x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y for x2, y2, w2, h2 in others)


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("preset", ["six-max-no-limit", "omaha"])
def test_the_dealer_button_and_all_suits_are_seen(seats: int, layout: str, preset: str):
    """The button of any seat is inside the picture, and no panel covers a suit."""
    how, rules = layout_for(seats, layout), Rules.preset(preset).replace(seats=seats)
    for button in range(seats):
        table = Table(rules, seed=1, button=button)
        parts = [*ElementTree.fromstring(table_svg(table, layout=layout)).iter()]
        at = next(k for k, part in enumerate(parts) if "".join(part.itertext()) == "D" and part.tag == f"{SVG}text")
        disc = {name: float(parts[at - 1].get(name, "0")) for name in ("cx", "cy", "r", "stroke-width")}
        edge = disc["r"] + disc["stroke-width"] / 2
        assert edge <= disc["cx"] <= how.width - edge
        assert edge <= disc["cy"] <= how.height - edge
        for seat, place in enumerate(places(seats, 0, layout)):
            top = place.y + place.cards * 4 / 3 - (2.5 if seat == table.actor else 0.75) * how.scale
            suits = [suit for suit in map(suit_of, parts) if suit and abs(suit[0] - place.x) < place.within / 2]
            assert any(place.y < foot for _, foot in suits)
            assert all(foot < top for _, foot in suits if place.y < foot < place.y + 2 * place.cards)


def suit_of(part: ElementTree.Element) -> tuple[float, float] | None:
    """Where the left and the lower edge of a suit's shape are drawn."""
    numbers = re.findall(r"[\d.]+", part.get("transform", "")) if "suit" in part.get("class", "") else []
    return (float(numbers[0]), float(numbers[1]) + 100 * float(numbers[2])) if numbers else None


@pytest.mark.parametrize("layout", LAYOUTS[1:])
def test_layouts_for_pages_show_the_same_table_with_amounts_in_big_blinds_too(layout: str):
    table = side_pots()
    svg = table_svg(table.view(2), layout=layout)
    assert {"Pot 1,500", "Pot 750 bb", "main 300 · side 250 · side 200", "D"} <= set(texts(svg))
    assert any(each.startswith("BTN") for each in texts(svg))
    assert 'class="amount-bb" display="none"' in svg
    assert "fold" not in "".join(texts(svg))  # the page says what is legal
    assert texts(table_svg(table.view(2), layout="tall")) == texts(table.view(2).svg())
    mentions(complaint(table_svg, table, layout="round"), "layout", "round", "tall", "narrow")
