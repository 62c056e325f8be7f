"""The games that have a ladder, and the fixed opponents of each: its anchors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from holdem_env.agents.protocol import Agent
from holdem_env.arena.tournaments.ladder import Anchor, Ladder
from holdem_env.game.given_rules import as_rules
from holdem_env.game.rules import Rules
from holdem_env.utils.validation import suggestion

from ..shipped.fitting import file_of, fitting
from ..training.config import read_yaml
from .bundled import bundled

CONFIGS = ("headsup_nolimit_100bb", "headsup_nolimit_20bb", "headsup_limit", "sixmax_nolimit")
"""The configurations in whose games there is a ladder; each is called like its configuration."""
SCRIPTED = ("calling_station", "loose_aggressive", "maniac", "pot_odds", "tight_aggressive")
"""The scripted agents that are anchors of every ladder."""
LENGTH = 16
OUR_AGENTS = "holdem_agents."
IN_BIG_BLINDS = ("blinds", "ante", "big_blind_ante", "straddle", "small_bet", "big_bet", "min_bet", "stacks")
"""Fields that may be multiplied together: an agent of such a game plays on the ladder's."""
IRRELEVANT = ("reward_unit", "smallest_chip")
"""Fields that change nothing about an agent's game."""


def ladders(more: Mapping[str, Rules] | None = None) -> dict[str, Ladder]:
    """All ladders by name: those of the package, and those of other games, with the rules that their stores have."""
    own = {name: as_rules(read_yaml(name)[1]["rules"]) for name in CONFIGS}
    begun = {name: rules for name, rules in (more or {}).items() if name not in own}
    return {name: ladder_of(name, rules) for name, rules in {**own, **begun}.items()}


def ladder_of(name: str, rules: Rules) -> Ladder:
    """The ladder of a game. Its anchors are the trained agents and blueprints in the package that fit it, and scripted
    agents; what they won from each other is bundled for the ladders of the package."""
    names = (*(name for name in fitting(rules) if _is_there(name)), *SCRIPTED)
    anchors = tuple(Anchor(each, content_of(each)) for each in names)
    found = bundled().get(name)
    if found is None or found.rules.differences(rules):
        return Ladder(name, rules, anchors, is_own_code=_is_ours)
    return Ladder(name, rules, anchors, found.anchors, found.results, _is_ours)


def content_of(name: str) -> str:
    """A digest of the file that an agent in the package plays; "" for agents without one."""
    path = file_of(name)
    return "" if path is None else _digest(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _digest(path: Path, _written: int) -> str:
    return sha256(path.read_bytes()).hexdigest()[:LENGTH]


def _is_ours(agent: Agent) -> bool:
    return type(agent).__module__.startswith(OUR_AGENTS)


def game_for(rules: Rules, games: Iterable[Ladder]) -> Ladder | None:
    """The ladder of a game; None if there is none."""
    return next((game for game in games if is_same_game(rules, game.rules)), None)


def game_named(name: str, games: Mapping[str, Ladder]) -> Ladder:
    """The ladder of this name. Raises ValueError, which suggests the nearest."""
    if name not in games:
        raise ValueError(f"there is no ladder {name!r}: {suggestion(name, list(games))}")
    return games[name]


def begun_by(given: str, rules: Rules, taken: Iterable[str]) -> Ladder:
    """A new ladder for a game that has none: called like the preset or the file that --rules names.

    Raises ValueError for a game that no ladder can have, or whose name is another ladder's.
    """
    name = Path(given).stem if Path(given).suffix else Path(given).name
    if rules.session is not None:
        raise ValueError(f"--rules {given}: a ladder is of single hands; leave out `session`")
    if rules.showing != "automatic":
        raise ValueError(f"--rules {given}: a ladder is of games with showing: automatic")
    if name in set(taken):
        raise ValueError(f"--rules {given}: another game has the ladder {name!r}; give the file another name")
    return ladder_of(name, rules)


def is_same_game(one: Rules, other: Rules) -> bool:
    """Whether two games are one on a ladder: the same rules, and the same stacks and bets in big blinds."""
    differ = [name for name in one.differences(other) if name not in IRRELEVANT]
    if not differ:
        return True
    if any(name not in IN_BIG_BLINDS for name in differ) or not (one.big_blind and other.big_blind):
        return False
    return _in_big_blinds(one) == _in_big_blinds(other)


def _in_big_blinds(rules: Rules) -> tuple[float, ...]:
    """All amounts of a game, in big blinds."""
    posted = (*rules.blinds, rules.ante, rules.big_blind_ante, rules.straddle)
    amounts = (*posted, *rules.street_bets, *rules.starting_stacks)
    return tuple(amount / rules.big_blind for amount in amounts)


def _is_there(name: str) -> bool:
    path = file_of(name)
    return path is None or path.is_file()
