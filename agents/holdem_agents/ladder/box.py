"""The ladder that comes with the package: what the rungs won from each other, as a small file of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from holdem_env.arena import MatchResult
from holdem_env.game.rules import Rules
from holdem_env.utils.atomic import write_whole
from holdem_env.utils.version import __version__

from .games import LadderGame
from .players import Player, rung
from .playing import HANDS, Told, play_pairs
from .store import LadderStore

BOX = Path(__file__).with_name("ladder.json")
FORMAT = 1
DIGITS = 2
"""Of win rates in the file, after the point."""


@dataclass(frozen=True)
class BoxedGame:
    """One ladder of the file: its game, its rungs by key, and their matches, whose agents are keys."""

    rules: Rules
    players: dict[str, Player]
    results: list[MatchResult]


def boxed(path: Path = BOX) -> dict[str, BoxedGame]:
    """The ladders in the box by name; none where the file is missing. Raises ValueError for a damaged file."""
    if not path.is_file():
        return {}
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, _written: int) -> dict[str, BoxedGame]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"it has the format {content['format']!r}, not {FORMAT}")
        return {name: _game(given) for name, given in content["games"].items()}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: this is no ladder ({error}); `holdem ladder build {path.name}` writes one") from None


def _game(given: dict[str, Any]) -> BoxedGame:
    players = [Player.load(each) for each in given["players"]]
    results = [MatchResult(**each) for each in given["results"]]
    return BoxedGame(Rules.model_validate(given["rules"]), {each.key: each for each in players}, results)


def build(
    path: Path,
    store: LadderStore,
    games: Sequence[LadderGame],
    hands: int = HANDS,
    jobs: int = 1,
    told: Callable[[str], Told] | None = None,
) -> None:
    """Play the rungs of these ladders against each other, as far as the store does not hold it yet, and write the file.

    With two seats every pair plays once; with more, each agent has one seat against the other in all others. Ladders
    that are in the file already and are not among `games` stay in it. told: given a ladder's name, what is called after
    each piece, as in `playing.add`.
    """
    kept = json.loads(path.read_text(encoding="utf-8"))["games"] if path.is_file() else {}
    for game in games:
        rungs = [rung(game.name, name) for name in game.rungs]
        store.enter_players(game, rungs)
        pairs = list((combinations if game.rules.seats == 2 else permutations)(rungs, 2))
        play_pairs(store, game, pairs, hands, jobs, told(game.name) if told else None)
        kept[game.name] = _written(store, game, pairs)
        content = {"format": FORMAT, "version": __version__, "games": kept}
        write_whole(path, json.dumps(content, indent=1) + "\n")


def _written(store: LadderStore, game: LadderGame, pairs: Sequence[tuple[Player, Player]]) -> dict[str, Any]:
    there = store.players(game.name)
    keys = dict.fromkeys(each.key for pair in pairs for each in pair)
    results = [store.result(one.key, two.key) for one, two in pairs]
    return {
        "rules": game.rules.model_dump(mode="json", exclude_defaults=True),
        "players": [there[key].dump() for key in keys],
        "estimate": store.estimate_name(*(each.key for each in pairs[0])),
        "results": [
            {
                name: round(value, DIGITS) if isinstance(value, float) else value
                for name, value in asdict(result).items()
            }
            for result in results
        ],
    }
