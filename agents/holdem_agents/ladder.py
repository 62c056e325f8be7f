"""The ladders of the package, a tournament's YAML with anchors each, and the folder of one's own results."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from pathlib import Path

from holdem_env.arena import MatchResult
from holdem_env.arena.tournaments.ladder import Ladder, LadderTable, ladder_of, ladder_table
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.game.given_rules import as_rules
from holdem_env.game.rules import Rules

from .training.config import read_yaml

DEFAULT, SUFFIX = Path("runs/ladder"), ".db"
"""The folder of one's own results, a tournament's store for each ladder."""
IN_BIG_BLINDS = ("blinds", "ante", "big_blind_ante", "straddle", "small_bet", "big_bet", "min_bet", "stacks")
"""Fields that may be multiplied together: an agent of such a game plays on the ladder's."""
IRRELEVANT = ("reward_unit", "smallest_chip")
"""Fields that change nothing about an agent's game."""


@cache
def tournaments() -> dict[str, Tournament]:
    """The tournaments of the package's ladders, by name: `configs/ladders/*.yaml`."""
    found = {}
    for path in sorted(Path(str(files("holdem_agents.configs"))).glob("ladders/*.yaml")):
        _, content = read_yaml(path)
        found[path.stem] = Tournament(**{**content, "rules": as_rules(content["rules"])})
    return found


@cache
def ladders() -> dict[str, Ladder]:
    """The ladders of the package, by name, with what their anchors won from each other."""
    return {name: ladder_for(name, each, _published(name, each.rules)) for name, each in tournaments().items()}


def ladder_for(name: str, tournament: Tournament, published: tuple[MatchResult, ...] = ()) -> Ladder:
    """The ladder of a tournament with anchors. Raises ValueError for one without."""
    if not tournament.anchors:
        raise ValueError(f"{name}: a ladder needs anchors, the names of the agents that everybody plays")
    return Ladder(name, tournament.rules, tournament.anchors, tournament.aivat, published)


def _published(name: str, rules: Rules) -> tuple[MatchResult, ...]:
    """The crosstable of a ladder's tournament. With two seats, what the second won from the first is the opposite."""
    text = (Path(str(files("holdem_agents.configs"))) / "ladders" / f"{name}.csv").read_text(encoding="utf-8")
    found = []
    for row in csv.DictReader(text.splitlines()):
        one, two, hands = row["agent"], row["opponent"], int(row["hands"])
        if rules.seats > 2 or one < two:
            mean, half = float(row["bb_per_100"]), float(row["half_width"])
            found.append(MatchResult(one, two, mean, half, hands, hands // rules.seats))
    return tuple(found)


def ladder_tables(folder: Path | None = None) -> dict[str, LadderTable]:
    """All ladders by name: those of the package, what the stores of a folder add to them, and the
    folder's ladders of other games.

    Raises StoreError for a folder that is a file, and for damaged stores.
    """
    if folder is not None and folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder}: this is a file; ladders are kept in a folder, a store for each")
    stores = {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))} if folder else {}
    found = {name: ladder_table(each) for name, each in ladders().items() if name not in stores}
    for name, path in stores.items():
        with Store(path, any_version=True) as store:
            if store.agents:
                found[name] = ladder_table(ladders().get(name) or ladder_of(store), store)
    first = [name for name in ladders() if name in found]
    return {name: found[name] for name in dict.fromkeys([*first, *found])}


def ladder_of_game(rules: Rules) -> str | None:
    """The name of the package's ladder of a game; None if there is none."""
    return next((name for name, each in ladders().items() if is_same_game(rules, each.rules)), None)


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
