"""Ladders: tournaments in which every newcomer plays fixed anchors, and ratings are relative to these.

    with Store("ladder.db", create=True, any_version=True) as store:
        add(store, ladder, {"agent": "mine.safetensors"})
        table = ladder_table(ladder, store)  # of `ladder_table`

A store keeps one ladder over time: agents of several versions of this library may stand beside each other. Anchors are
known by the content of their files, so one whose file has changed is another opponent.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...agents.protocol import Agent
from ...agents.short_names import short_names
from ...game.rules import Rules
from ...utils.shown_names import why_not_a_name
from ...utils.version import __version__
from ..estimators.aivat import Aivat
from ..estimators.all_in import AllInValue
from ..matches.match import MatchResult
from .entrants import Entrant, digest_of, forget_failures
from .plan import Contender, Tournament
from .shards import Played
from .store import Entered, Store
from .tournament import run

HANDS = 20_000
"""Hands against each anchor."""
SEED = 7_307_019
"""Of all decks: everybody plays the same deals, and no training or evaluation plays them."""
SHARD = 1024
"""Deals that are played and stored in one go; an interrupt loses at most these."""
MARK = " #"
"""Between an anchor's name and the digest of its file, in the store."""
NUMBER = re.compile(r"(.+) \d+")
"""The name of a changed agent: that of the first one with a number."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Anchor:
    """A fixed opponent. content: a digest of its file; "" where it has none. added: the date, ISO."""

    name: str
    content: str = ""
    added: str = ""

    @property
    def key(self) -> str:
        """What stores call it: one with another file is another opponent."""
        return f"{self.name}{MARK}{self.content}" if self.content else self.name


@dataclass(frozen=True)
class Ladder:
    """The ladder of one game.

    anchors: whom everybody plays, as they are now. known: what is published of them: anchors, perhaps with other files
    than now, and what they won from each other; agents of the results are keys. is_own_code: whether an agent's code
    is part of the library, which has a version.
    """

    name: str
    rules: Rules
    anchors: tuple[Anchor, ...]
    known: tuple[Anchor, ...] = ()
    results: tuple[MatchResult, ...] = ()
    is_own_code: Callable[[Agent], bool] = field(default=lambda agent: False, compare=False)

    @property
    def is_by_aivat(self) -> bool:
        """Whether matches are estimated by AIVAT; otherwise by all-in values, where the game has them."""
        return self.rules.seats == 2 and Aivat().why_not(self.rules) is None

    @property
    def has_all_in_values(self) -> bool:
        """Whether matches are estimated by all-in values."""
        return not self.is_by_aivat and AllInValue().why_not(self.rules) is None

    @property
    def estimate(self) -> str:
        """How matches are estimated."""
        kind = "AIVAT" if self.is_by_aivat else "all-in values" if self.has_all_in_values else ""
        return f"duplicate deals{f' and {kind}' if kind else ''}"

    def anchor_of(self, key: str) -> Anchor | None:
        """The anchor of a key in a store, as it was entered or is known; None for the key of another agent."""
        for anchor in (*self.known, *self.anchors):
            if key == anchor.key:
                return anchor
        name, mark, content = key.rpartition(MARK)
        if mark and name in {each.name for each in (*self.known, *self.anchors)}:
            return Anchor(name, content)
        return None

    def plan(self, newcomers: Iterable[Contender], anchors: Iterable[Anchor], hands: int, jobs: int = 1) -> Tournament:
        """The tournament of newcomers against anchors."""
        opponents = [Contender(agent=each.name, name=each.key) for each in anchors]
        return Tournament(
            rules=self.rules,
            agents=(*newcomers, *opponents),
            anchors=tuple(each.name for each in opponents),
            hands=hands,
            seed=SEED,
            all_in=self.has_all_in_values,
            aivat=self.is_by_aivat,
            shard=SHARD,
            jobs=jobs,
            isolation="none",
        )


@dataclass(frozen=True)
class Added:
    """What came of adding. name: the agent's row; new_hands: played now, 0 if everything was there."""

    name: str
    new_hands: int


def add(
    store: Store,
    ladder: Ladder,
    made_of: Mapping[str, Any],
    name: str | None = None,
    hands: int = HANDS,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Added:
    """Play an agent against every anchor of a ladder, as far as the store does not hold it yet.

    made_of: what `make_agent` makes it of: {"agent": name or file, ...}. name: its row's, by default short for the
    agent's. hands: against each anchor. jobs: processes, -1 for all cores. progress: called after each piece with the
    hands that are there and those there will be.

    An agent that is on the ladder as it is now only plays what is missing, so an interrupted call goes on. If its file,
    its parameters, its own code or the version of holdem_env have changed, it gets a new row with a number.

    Raises ValueError for a name that is taken, for an anchor and for an agent that fails, which then is not on the
    ladder; what making the agent raises; StoreError as the store does.
    """
    row = _row_of(store, ladder, made_of, name)
    parameters = {key: value for key, value in made_of.items() if key != "agent"}
    newcomer = Contender(agent=str(made_of["agent"]), name=row, parameters=parameters)
    return Added(row, play(store, ladder, newcomer, ladder.anchors, hands, jobs, progress))


def play(
    store: Store,
    ladder: Ladder,
    newcomer: Contender,
    anchors: Iterable[Anchor],
    hands: int = HANDS,
    jobs: int = 1,
    progress: Progress | None = None,
) -> int:
    """Play an agent against some anchors, as far as the store does not hold it yet. Returns the hands played now.

    The rest is as of `add`.
    """
    plan, is_new = ladder.plan([newcomer], anchors, hands, jobs), newcomer.name not in store.agents
    forget_failures()
    before = _hands(store, plan)

    def report(_: Played, done: int, total: int) -> None:
        if progress:
            progress(done * plan.rules.seats, total * plan.rules.seats)

    try:
        run(plan, store, report, accept_changed=True)  # who has changed has another name
        if failed := store.forfeits():
            [(key, reason), *_] = failed.items()
            source = newcomer.agent if key == newcomer.name else key
            raise ValueError(f"agent {source!r} cannot play on the ladder {ladder.name!r}: {reason}")
    except BaseException:
        if store.forfeits():
            store.pardon()
        if is_new and newcomer.name in store.agents and not any(newcomer.name in names for names in store.matches()):
            store.remove(newcomer.name)  # nothing was played: as it was before
        raise
    return _hands(store, plan) - before


def _hands(store: Store, plan: Tournament) -> int:
    """How many hands of a plan are played."""
    matches = [tuple(each.name for each in match) for match in plan.matches()]
    return sum(min(store.deals_played(names), plan.deals_each()) for names in matches) * plan.rules.seats


def _row_of(store: Store, ladder: Ladder, made_of: Mapping[str, Any], name: str | None) -> str:
    """The name of an agent's row: of the one that it has, or a new one."""
    source, anchors = str(made_of["agent"]), {each.name for each in ladder.anchors}
    if source in anchors:
        raise ValueError(f"{source!r} is an anchor of the ladder {ladder.name!r}: everybody plays against it already")
    base = name if name is not None else short_names([source])[source]
    if why := why_not_a_name(base):
        raise ValueError(f"{why}; give the agent another name with --name")
    text = json.dumps(made_of, sort_keys=True)
    entrant = Entrant(base, text, digest_of(text))
    now, is_own = entrant.fingerprint(), ladder.is_own_code(entrant.agent())
    others = own_agents(store, ladder)
    for each in others.values():
        if each.version == __version__ and _is_same(each.fingerprint, now, is_own):
            if name is not None and name not in (each.name, _base(each.name)):
                raise ValueError(
                    f"this agent is on the ladder as {each.name!r} since {each.added}; `holdem ladder remove "
                    f"{each.name}` first gives it another name"
                )
            return each.name
    if base in anchors:
        raise ValueError(f"the name {base!r} is an anchor's; give the agent another one with --name")
    before = [each for each in others.values() if base in (each.name, _base(each.name))]
    if before and not _same_source(before[-1], source):
        raise ValueError(f"the name {base!r} is taken by {source_of(before[-1])}; give another one with --name")
    number, free = 2, base
    while free in others:
        free, number = f"{base} {number}", number + 1
    return free


def own_agents(store: Store, ladder: Ladder) -> dict[str, Entered]:
    """The agents that were added to a ladder, by name, in that order."""
    return {name: each for name, each in store.entered().items() if ladder.anchor_of(name) is None}


def source_of(entered: Entered) -> str:
    """The name or the file of an agent."""
    return str(json.loads(entered.made_of)["agent"])


def _same_source(one: Entered, other: str) -> bool:
    return source_of(one) == other or os.path.realpath(source_of(one)) == os.path.realpath(other)


def _base(name: str) -> str:
    numbered = NUMBER.fullmatch(name)
    return numbered[1] if numbered else name


def _is_same(there: str | None, here: str, is_own: bool) -> bool:
    """Whether two fingerprints are of one agent; the code of the library's own agents has a version."""
    if there is None:
        return False
    one, two = json.loads(there), json.loads(here)
    if is_own:
        one["code"] = two["code"] = {}
    return bool(one == two)
