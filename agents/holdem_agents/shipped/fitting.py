"""Which bundled agents play a game: trained ones and blueprints, by the headers of their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import Any

from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.game.rules import Rules
from holdem_env.utils.links import bytes_of, leads_out
from holdem_env.utils.plain_data import json_of, untrusted

from ..agent_files.game_check import check_same_game
from ..catalog import AGENTS, BLUEPRINTS
from ..custom_code import parts_in
from . import NAMES, card_path, shipped_path

LENGTH_BYTES, METADATA = 8, "holdem"
"""Of a model file: where its header begins, and the name of its description there (see `model_files`)."""
PLAYERS = ("torch", "safetensors")  # what a trained agent needs to play
MAX_HEADER, MAX_FILE = 2**20, 2**30
Check = Callable[[str, Rules, Rules], None]


def fitting(rules: Rules) -> list[str]:
    """The agents in the box for a game: the trained one and the blueprint whose own stacks are nearest, in this order.

    An agent plays other stacks than its own, so there is one of each kind wherever the rest of the game is its own.
    """
    from holdem_env.solvers.blueprints.game_check import check_game

    return [*_nearest(rules, NAMES, check_same_game), *_nearest(rules, blueprint_names(), check_game)]


def knowing_ranges(rules: Rules) -> list[str]:
    """As `fitting`, blueprints first: they are nearer to an equilibrium."""
    return sorted(fitting(rules), key=lambda name: name not in blueprint_names())


def offered(rules: Rules) -> list[str]:
    """As `fitting`, without those whose packages are not installed here."""
    can_play = plays_networks()
    return [name for name in fitting(rules) if can_play or name not in NAMES]


@lru_cache(maxsize=256)
def unable(rules: Rules) -> list[str]:
    """The agents in the box that cannot play a game."""
    from holdem_env.solvers.blueprints.game_check import check_game

    can = {*_playing(rules, NAMES, check_same_game), *_playing(rules, blueprint_names(), check_game)}
    return [name for name in in_the_box() if name not in can]


def is_of_another_game(model: str, rules: Rules) -> bool:
    """Whether a model file was trained for a game other than this one; not if it cannot be read."""
    return game_of(model) is not None and not _playing(rules, [model], check_same_game)


def own_parts_of(model: str) -> list[str]:
    """The parts of custom code that a model file was trained with (`custom_code`), whose code runs to play it; none
    of a file that cannot be read."""
    path = Path(model)
    try:
        with untrusted(ValueError, OSError):
            return list(_parts_in_model(path, path.stat().st_mtime_ns))
    except (OSError, ValueError):  # making the agent says what is wrong
        return []


def plays_networks() -> bool:
    """Whether the packages are installed that trained agents need; imports none of them."""
    return all(find_spec(name) is not None for name in PLAYERS)


@cache
def blueprint_names() -> tuple[str, ...]:
    """The blueprints that have names."""
    return tuple(name for name, (_, value) in AGENTS.items() if value.startswith(BLUEPRINTS))


def in_the_box() -> list[str]:
    """All of them, trained ones first."""
    return [*NAMES, *blueprint_names()]


def file_of(name: str) -> Path | None:
    """The file that an agent in the box plays, and a model file itself; None for other agents."""
    if Path(name).suffix == MODEL_SUFFIX:
        return Path(name)
    if name in NAMES:
        return shipped_path(name)
    if name not in blueprint_names():
        return None
    from holdem_env.solvers.blueprints.agent import shipped_path as path_of

    return path_of(name)


def card_of(name: str) -> str | None:
    """The model card of an agent in the box, Markdown; None for other agents, and where it is missing."""
    path = card_path(name) if name in NAMES else file_of(name)
    if path is None:
        return None
    card = path.with_suffix(".md")
    return card.read_text(encoding="utf-8") if card.is_file() and not leads_out(card, card.parent) else None


def game_of(name: str) -> Rules | None:
    """The game that an agent in the box or of a model file was made for; None for other agents, and for files that
    cannot be read."""
    path = file_of(name)
    if path is None or not path.is_file():
        return None
    return _rules_in(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _rules_in(path: Path, _written: int) -> Rules | None:
    try:
        with untrusted(ValueError, OSError):
            return Rules(**_description(path)["rules"]) if path.suffix == MODEL_SUFFIX else _rules_of_strategy(path)
    except (OSError, ValueError):  # making the agent says what is wrong
        return None


@lru_cache(maxsize=256)
def _parts_in_model(path: Path, _written: int) -> tuple[str, ...]:
    about = _description(path)
    texts = [about["observation"]["name"], about["actions"]["name"], about.get("policy")]
    return tuple(each for text in texts for each in parts_in(text))


def _rules_of_strategy(path: Path) -> Rules:
    from holdem_env.solvers.blueprints.strategy_file import read_header

    return Rules(**read_header(path).rules)


def _description(path: Path) -> dict[str, Any]:
    """What the head of a model file says of it, so that no learner is imported."""
    content = bytes_of(path, MAX_FILE, LENGTH_BYTES + MAX_HEADER)
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    header = json_of(content[LENGTH_BYTES : LENGTH_BYTES + length])
    found: dict[str, Any] = json_of(header["__metadata__"][METADATA])
    return found


def _nearest(rules: Rules, names: Iterable[str], check: Check) -> list[str]:
    """Of the agents that play a game, the one whose own stacks are nearest to the game's; none if there is none."""
    able = _playing(rules, names, check)
    return [min((abs(log(_depth(own) / _depth(rules))), name) for name, own in able.items())[1]] if able else []


def _playing(rules: Rules, names: Iterable[str], check: Check) -> dict[str, Rules]:
    """The agents that play a game, with their own."""
    found = {}
    for name in names:
        own = game_of(name)
        if own is None:
            continue
        try:
            check(name, own, rules)
        except ValueError:
            continue
        found[name] = own
    return found


def _depth(rules: Rules) -> float:
    return max(rules.starting_stacks) / max(rules.big_blind, 1)
