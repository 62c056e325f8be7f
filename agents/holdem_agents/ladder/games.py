"""The games that have a ladder, and the fixed opponents of each: its rungs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from holdem_env.arena.estimators.aivat import Aivat
from holdem_env.arena.estimators.all_in import AllInValue
from holdem_env.game.given_rules import as_rules
from holdem_env.game.rules import Rules
from holdem_env.utils.validation import suggestion

from ..shipped.fitting import file_of, fitting
from ..training.config import read_yaml

CONFIGS = ("headsup_nolimit_100bb", "headsup_nolimit_20bb", "headsup_limit", "sixmax_nolimit")
"""The configurations in whose games there is a ladder; each is called like its configuration."""
SCRIPTED = ("calling_station", "loose_aggressive", "maniac", "pot_odds", "tight_aggressive")
"""The scripted agents that are rungs of every ladder."""
IN_BIG_BLINDS = ("blinds", "ante", "big_blind_ante", "straddle", "small_bet", "big_bet", "min_bet", "stacks")
"""Fields that may be multiplied together: an agent of such a game plays on the ladder's."""
IRRELEVANT = ("reward_unit", "smallest_chip")
"""Fields that change nothing about an agent's game."""


@dataclass(frozen=True)
class LadderGame:
    """One ladder. name: how commands call it. rules: its game."""

    name: str
    rules: Rules

    @property
    def rungs(self) -> tuple[str, ...]:
        """The agents that everybody plays against: trained agents and blueprints in the box, and scripted agents."""
        return (*(name for name in fitting(self.rules) if _is_there(name)), *SCRIPTED)

    @property
    def is_by_aivat(self) -> bool:
        """Whether matches are estimated by AIVAT; otherwise by all-in values, where the game has them."""
        return self.rules.seats == 2 and Aivat().why_not(self.rules) is None

    @property
    def has_all_in_values(self) -> bool:
        """Whether matches are estimated by all-in values."""
        return AllInValue().why_not(self.rules) is None

    def deals(self, hands: int) -> int:
        """How many deals, each played from every seat, have at least so many hands."""
        return -(-hands // self.rules.seats)


def ladder_games(more: Mapping[str, Rules] | None = None) -> dict[str, LadderGame]:
    """All ladders by name: those of the package, and those that a store has begun."""
    own = {name: as_rules(read_yaml(name)[1]["rules"]) for name in CONFIGS}
    begun = {name: rules for name, rules in (more or {}).items() if name not in own}
    return {name: LadderGame(name, rules) for name, rules in {**own, **begun}.items()}


def game_for(rules: Rules, games: Iterable[LadderGame]) -> LadderGame | None:
    """The ladder of a game; None if there is none."""
    return next((game for game in games if is_same_game(rules, game.rules)), None)


def game_named(name: str, games: Mapping[str, LadderGame]) -> LadderGame:
    """The ladder of this name. Raises ValueError, which suggests the nearest."""
    if name not in games:
        raise ValueError(f"there is no ladder {name!r}: {suggestion(name, list(games))}")
    return games[name]


def begun_by(given: str, rules: Rules, taken: Iterable[str]) -> LadderGame:
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
    return LadderGame(name, rules)


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
