"""Entering: which tournament a store is of, who is in it, and who has changed or forfeited since."""

from __future__ import annotations

import json
from secrets import randbits
from typing import Any

from ...agents.fingerprints import difference
from ...game.rules import Rules
from .entrants import Entrant
from .plan import SEED_BITS, Tournament
from .store_file import Change, StoreError, StoreFile, reads

FIXED = ("rules", "format", "seed", "all_in", "aivat")
"""What all runs into one store have in common."""
TOLD = ("confidence", "watched", "nash")
"""How the results are to be told: as the latest run said."""
DRAWN = "seed_drawn"
"""Of `about`: the seed was drawn from the operating system, not given."""
LATER = ("fingerprint", "clock")
"""Columns of agents that older stores do not have: there they are unknown, and added by whoever plays on."""
ENTER = """
insert into agents (name, made_of, digest, fingerprint) values (?, ?, ?, ?)
on conflict (name) do update set
    made_of = excluded.made_of, digest = excluded.digest, fingerprint = coalesce(excluded.fingerprint, fingerprint)
"""


class EnteredStore(StoreFile):
    """A store's tournament and its agents."""

    _has_entered = False

    def enter(self, tournament: Tournament, accept_changed: bool = False, retry: bool = False) -> dict[str, Entrant]:
        """Begin, or go on, with a tournament: later runs may add agents and hands. Returns its agents by name, as they
        are sent to whoever plays. With `seed: random` the first to enter draws the seed (`Store.seed`).

        accept_changed: an agent whose code or parameters have changed goes on under its name, and its old results
        count as its own. retry: all forfeits are forgotten. If an agent that had forfeited has changed since and the
        change is not accepted, it plays anew: what it had played is dropped.
        Raises StoreError if it is another game, seed or format, or if a name now stands for another agent; nothing is
        changed then.
        """
        entrants = tournament.entrants()
        fingerprints = {name: _fingerprint(entrant) for name, entrant in entrants.items()}
        with self._writing() as change:
            about = self.about()
            fixed = self._fixed(about, tournament)
            self._refuse_another_tournament(about, fixed, tournament)
            anew = self._playing_anew(entrants, fingerprints, accept_changed, retry)
            for column in self._lacking():
                change.execute(f"alter table agents add column {column} text")
            for name, value in {**fixed, **_told(tournament)}.items():
                change.note(name, value)
            if retry:
                self._forget_forfeits(change)
            for name in anew:
                self._drop(change, name)
            for name, entrant in entrants.items():
                change.execute(ENTER, (name, entrant.made_of, entrant.digest, fingerprints[name]))
                change.touch("agents", name)
        self._has_entered = True
        return entrants

    def _fixed(self, about: dict[str, Any], tournament: Tournament) -> dict[str, Any]:
        """What all runs have in common, with the seed that was drawn where none is given."""
        fixed = {name: json.loads(tournament.model_dump_json(include={name}))[name] for name in FIXED}
        if fixed["seed"] == "random" and (DRAWN in about or "seed" not in about):
            fixed["seed"] = about.get("seed", randbits(SEED_BITS))
            fixed[DRAWN] = True
        return fixed

    def _refuse_another_tournament(self, about: dict[str, Any], fixed: dict[str, Any], tournament: Tournament) -> None:
        for name in FIXED:
            if name in about and about[name] != fixed[name]:
                raise StoreError(f"{self.path}: {_difference(name, about[name], fixed[name])}; use another file")
        if about.get("stopped") and not tournament.watched:
            raise StoreError(
                f"{self.path}: pairs were stopped by a look at their intervals; only watched: true is right for them"
            )

    def _playing_anew(
        self, entrants: dict[str, Entrant], fingerprints: dict[str, str | None], accept_changed: bool, retry: bool
    ) -> set[str]:
        """Who has forfeited, has changed since and tries again. Raises StoreError for others that have changed."""
        changed = {} if accept_changed else self._changed(entrants, fingerprints)
        anew = set(changed) & set(self.forfeits()) if retry else set()
        if kept := {name: why for name, why in changed.items() if name not in anew}:
            out = [name for name in kept if name in self.forfeits()]
            hint = f"; {', '.join(map(repr, out))} forfeited, and --retry lets it play anew" if out else ""
            raise StoreError(f"{self.path}: {_other_agents(kept)}{hint}")
        return anew

    def _drop(self, change: Change, name: str) -> None:
        """Delete all that an agent has played."""
        for key, first in list(self._rows("select agents, first from shards")):
            if name in json.loads(key):
                change.execute("delete from shards where agents = ? and first = ?", (key, first))
                change.touch("shards", key, first)

    def _lacking(self) -> list[str]:
        """The columns of agents that this store, an older one, does not have."""
        there = {row[1] for row in self._rows("pragma table_info(agents)")}
        return [column for column in LATER if column not in there]

    def _of_agents(self, column: str) -> dict[str, str | None]:
        """A column of the agents, by name."""
        if column in self._lacking():
            return {}
        return dict(self._rows(f"select name, {column} from agents order by rowid"))

    def changed(self, tournament: Tournament) -> dict[str, str]:
        """Whose code or parameters are not those that its results here are of, and what has changed, in words."""
        entrants = tournament.entrants()
        return self._changed(entrants, {name: _fingerprint(entrant) for name, entrant in entrants.items()})

    def _changed(self, entrants: dict[str, Entrant], fingerprints: dict[str, str | None]) -> dict[str, str]:
        """An agent without a fingerprint, in an older store, is known by the digest of what it was made of."""
        known, digests, found = self._of_agents("fingerprint"), self._of_agents("digest"), {}
        for name, entrant in entrants.items():
            there, here = known.get(name), fingerprints[name]
            if there and here:
                differs = there != here
                why = difference(there, here) if differs else ""
            else:
                differs, why = digests.get(name, entrant.digest) != entrant.digest, ""
            if differs:
                found[name] = why
        return found

    # What was entered

    def told(self) -> dict[str, Any]:
        """confidence, watched and nash, as the latest run wanted them."""
        about = self.about()
        return {name: about[name] for name in TOLD if name in about}

    @property
    @reads
    def rules(self) -> Rules:
        """The game. Raises StoreError if nothing was entered yet."""
        return Rules.model_validate(self._entered("rules"))

    @property
    @reads
    def format(self) -> str:
        """The tournament's format. Raises StoreError if nothing was entered yet."""
        return str(self._entered("format"))

    @property
    @reads
    def seed(self) -> int:
        """Of all decks, as it was given or drawn. Raises StoreError if nothing was entered yet."""
        return int(self._entered("seed"))

    @property
    @reads
    def seed_is_drawn(self) -> bool:
        """Whether the seed was drawn from the operating system (`seed: random`)."""
        return DRAWN in self.about()

    def _entered(self, name: str) -> Any:
        about = self.about()
        if name not in about:
            raise StoreError(f"{self.path}: no tournament was played into it")
        return about[name]

    @property
    @reads
    def agents(self) -> list[str]:
        """All who ever entered, in that order."""
        return [name for (name,) in self._rows("select name from agents order by rowid")]

    # Forfeits

    def forfeits(self) -> dict[str, str]:
        """Who has forfeited, and why."""
        rows = self._rows("select name, forfeit from agents where forfeit is not null order by rowid")
        return dict(rows)

    def pardon(self) -> None:
        """Forget all forfeits: those who failed may try again, and what they had played counts."""
        self._only_runs("pardon")
        with self._writing() as change:
            self._forget_forfeits(change)

    def forfeit(self, name: str, reason: str) -> None:
        """An agent has failed."""
        self._only_runs("forfeit")
        with self._writing() as change:
            change.execute("update agents set forfeit = ? where name = ?", (reason, name))
            change.touch("agents", name)

    def _forget_forfeits(self, change: Change) -> None:
        for name in self.forfeits():
            change.execute("update agents set forfeit = null where name = ?", (name,))
            change.touch("agents", name)

    def _only_runs(self, method: str) -> None:
        if not self._has_entered:
            raise StoreError(
                f"{self.path}: {method}: only runs write results; call `enter` with their tournament first"
            )


def _told(tournament: Tournament) -> dict[str, Any]:
    """What the latest run says of itself."""
    told = {name: getattr(tournament, name) for name in TOLD}
    told |= {"entered": tournament.names, "schedule": tournament.schedule, "ranking": tournament.is_ranking}
    told |= {"deals_each": tournament.deals_each(), "jobs": tournament.jobs}
    return told | ({"stopped": True} if tournament.stop_at is not None or tournament.is_ranking else {})


def _fingerprint(entrant: Entrant) -> str | None:
    """Of an entrant; None for one that cannot be made: whoever plays it says why."""
    try:
        return entrant.fingerprint()
    except Exception:
        return None


def _other_agents(changed: dict[str, str]) -> str:
    """What is said of agents that have changed."""
    if len(changed) == 1:
        [(name, why)] = changed.items()
        who = f"{name!r} is another agent there, its code, its parameters or its file have changed"
        told = f"{who}{f' ({why})' if why else ''}; give this one another name"
    else:
        told = f"{in_words(changed)} are other agents there, their code, parameters or files have changed; "
        told += "give them other names"
    return (
        f"{told} ({{agent: ..., name: ...}}), use another file of results, or accept the change with --accept-changed "
        "(accept_changed=True), which counts the old results as its own"
    )


def in_words(changed: dict[str, str]) -> str:
    """Agents that have changed, each with what has changed: "'a' (other code in a.py), 'b' (size 3, here 5)"."""
    return ", ".join(f"{name!r} ({why})" if why else repr(name) for name, why in changed.items())


def _difference(name: str, there: Any, here: Any) -> str:
    if isinstance(there, dict) and isinstance(here, dict):
        differ = [f"{key} {there.get(key)!r}, here {here[key]!r}" for key in here if there.get(key) != here[key]]
        return f"its rules have {'; '.join(differ)}"
    return f"its {name} is {there!r}, here {here!r}"
