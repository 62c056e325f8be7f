"""Colours that everybody can tell apart, and words that can be read on what lies behind them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from holdem_env.render.theme import COLOURS, SUIT_COLOURS

# What a colour becomes for people who lack a kind of cones entirely: matrices over linear RGB, from "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", Machado, Oliveira and Fernandes, 2009.
SIGHTS = {
    "everybody": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def linear(colour: str) -> NDArray[np.float64]:
    """#rrggbb as light."""
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b*, in which distances are about how different colours look."""
    ratio = TO_XYZ @ np.clip(light, 0, 1) / WHITE
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def contrast(one: str, two: str) -> float:
    """WCAG's ratio of two colours."""
    high, low = sorted((float(TO_XYZ[1] @ linear(colour)) for colour in (one, two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_suits_differ_for_every_kind_of_sight(sight: str):
    """By more than 15, where 2.3 can just be noticed; shapes tell them apart besides."""
    for one, two in combinations(SUIT_COLOURS, 2):
        seen = [lab(SIGHTS[sight] @ linear(SUIT_COLOURS[suit])) for suit in (one, two)]
        assert np.linalg.norm(seen[0] - seen[1]) > 15, (sight, one, two)


@pytest.mark.parametrize("page", [1, 2], ids=["light", "dark"])
def test_words_can_be_read(page: int):
    """WCAG asks for 4.5; for large letters, such as those of bets and pots, for 3."""
    pairs = [*((words, "panel") for words in ("ink", "dim", "plus", "minus")), ("ink", "page"), ("dim", "page")]
    pairs += [
        ("on-felt", "felt"),
        ("ink", "cell"),
        ("dim", "cell"),
        *(("ink", f"part-{part}") for part in (1, 2, 3, 4)),
    ]
    for words, behind in pairs:
        assert contrast(COLOURS[words][page], COLOURS[behind][page]) > 4.5, (words, behind)
    for suit, colour in SUIT_COLOURS.items():
        assert contrast(colour, COLOURS["card"][page]) > 4.5, suit


@pytest.mark.parametrize("page", [1, 2], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_curves_differ_for_every_kind_of_sight_and_from_the_page(sight: str, page: int):
    """WCAG asks for 3 where a line is a part of a drawing; dashes and marks tell curves apart besides."""
    curves = [name for name in COLOURS if name.startswith("curve-")]
    for one, two in combinations(curves, 2):
        seen = [lab(SIGHTS[sight] @ linear(COLOURS[name][page])) for name in (one, two)]
        assert np.linalg.norm(seen[0] - seen[1]) > 20, (sight, one, two)
    assert all(contrast(COLOURS[name][page], COLOURS["page"][page]) > 3 for name in curves)
