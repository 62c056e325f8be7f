"""The store of ladders: one SQLite file for all games, with every deal that was played, made as a tournament's is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from holdem_env.arena import MatchResult
from holdem_env.arena.statistics.estimates import best_estimate
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.store_file import reads
from holdem_env.game.rules import Rules

from .games import LadderGame
from .players import Player

DEFAULT = Path("runs/ladder.db")
PLAYER, GAME = "player ", "game "
"""What the rows of `about` begin with that tell of players and of games."""
ENTER = "insert or ignore into agents (name, made_of, digest, fingerprint) values (?, ?, ?, ?)"


class LadderStore(Store):
    """A file of ladders. Opened with `create=True` it is made if there is none.

    It is a `Store` with other rows in `about`: a player's and a game's each. Results of several versions of holdem_env
    may stand beside each other: every row has its version. Raises as `Store` does.
    """

    form: ClassVar[int | str] = "ladder 1"
    made_by: ClassVar[str] = "holdem ladder add"
    example: ClassVar[str] = "ladder.db"

    def __enter__(self) -> LadderStore:
        return self

    def _check_version(self) -> None:
        form = self.about().get("store")
        if form != self.form:
            raise StoreError(f"{self.path}: its form is {form!r}, that of a ladder is {self.form!r}; use another file")

    @reads
    def games(self) -> dict[str, Rules]:
        """The rules of every game that something was played in, by the ladder's name."""
        return {name: Rules.model_validate(given) for name, given in self._told(GAME).items()}

    @reads
    def players(self, game: str | None = None) -> dict[str, Player]:
        """All players by their keys, in the order of entering; game: of this ladder alone."""
        told = self._told(PLAYER)
        found = {key: Player.load(told[key]) for key in self.agents if key in told}
        return {key: each for key, each in found.items() if game in (None, each.game)}

    def _told(self, kind: str) -> dict[str, Any]:
        return {name.removeprefix(kind): given for name, given in self.about().items() if name.startswith(kind)}

    def enter_players(self, game: LadderGame, players: Iterable[Player]) -> None:
        """Begin to keep results of these players; those that are there already stay as they are.

        Raises StoreError if results of another game stand under the ladder's name.
        """
        rules = game.rules.model_dump(mode="json")
        known = self.games().get(game.name)
        if known is not None and (differ := known.differences(game.rules)):
            raise StoreError(
                f"{self.path}: its ladder {game.name!r} is of another game ({', '.join(differ)}); use another file"
            )
        with self._writing() as change:
            if known is None:
                change.note(GAME + game.name, rules)
            there = self.players()
            for player in players:
                if player.key not in there:
                    change.note(PLAYER + player.key, player.dump())
                    change.execute(ENTER, (player.key, player.made_of, player.content, player.fingerprint or None))
                    change.touch("agents", player.key)
        self._has_entered = True

    def remove(self, keys: Iterable[str]) -> None:
        """Delete players and all that they have played."""
        with self._writing() as change:
            for key in keys:
                self._drop(change, key)
                change.execute("delete from agents where name = ?", (key,))
                change.touch("agents", key)
                change.execute("delete from about where name = ?", (PLAYER + key,))
                change.touch("about", PLAYER + key)

    def results(self, game: str) -> list[MatchResult]:
        """What the first player of each match has won from the second, by the best estimate; agents are keys."""
        players, found = self.players(game), []
        for one, two in (names for names in self.matches() if len(names) == 2):
            if one in players and two in players:
                found.append(self.result(one, two))
        return found

    def result(self, one: str, two: str) -> MatchResult:
        """One match. Raises StoreError if it was never played."""
        deals = self.deals((one, two))
        estimate = best_estimate(deals, 0)
        mean, half = estimate.bb100
        return MatchResult(one, two, mean, half, deals.hands, len(deals.numbers))

    def estimate_name(self, one: str, two: str) -> str:
        """How a match was estimated, such as "duplicate + aivat"."""
        return best_estimate(self.deals((one, two)), 0).name


def open_if_there(path: Path) -> LadderStore | None:
    """The store of a path; None if there is no such file."""
    return LadderStore(path) if path.exists() else None


def renamed(result: MatchResult, names: dict[str, str]) -> MatchResult:
    """A result with other names for its players."""
    return replace(result, agent=names[result.agent], opponent=names[result.opponent])
