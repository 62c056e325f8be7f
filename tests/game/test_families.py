"""Lists of games for people: each preset once, under an ordinary name of its own."""

from __future__ import annotations

from itertools import chain

from holdem_env.game.presets import FAMILIES, PRESETS


def test_every_preset_is_in_one_family_and_has_a_name_of_its_own():
    listed = list(chain.from_iterable(FAMILIES.values()))
    assert len({*listed}) == len(listed)
    assert {*listed} == {*PRESETS}, f"FAMILIES of presets.py must have each preset: { ({*listed} ^ {*PRESETS}) }"
    names = [preset.name for preset in PRESETS.values()]
    assert all(names)
    assert len({*names}) == len(names)
