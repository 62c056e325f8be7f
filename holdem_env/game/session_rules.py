"""SessionRules: how hands follow each other: button, phases of mixed hold'em, blind levels, prizes (R10, R19, R39).

A Rules with `session=` is played hand after hand. Each combination of a phase and a blind level is a stage.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Annotated, Any, Literal, Protocol, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from ..utils.validation import Validated
from . import rules_record as rec
from .field_types import Chips, PositiveChips
from .phases import Count, MixedGame, Phase

FIRST_BUTTONS = {"seed": rec.BY_SEED, "high_card": rec.BY_HIGH_CARD}
AMOUNTS = ("ante", "big_blind_ante", "straddle", "small_bet", "big_bet", "min_bet")


class StagedGame(MixedGame, Protocol):
    """The fields of Rules that a stage may change, or that its checks read."""

    @property
    def blinds(self) -> tuple[int, int]: ...
    @property
    def ante(self) -> int: ...
    @property
    def big_blind_ante(self) -> int: ...
    @property
    def straddle(self) -> int: ...
    @property
    def street_bets(self) -> tuple[int, ...]: ...
    @property
    def starting_stacks(self) -> tuple[int, ...]: ...
    @property
    def unit(self) -> int: ...
    def replace(self, **changes: Any) -> Self: ...


G = TypeVar("G", bound=StagedGame)


class Level(Validated):
    """A blind level (R39): the amounts that change, and how long the level lasts.

    Attributes:
        times: Multiplies all amounts of the current phase. Alternatively give the amounts.
        blinds, ante, big_blind_ante, small_bet, big_bet: The amounts in chips.
        hands: How many hands the level lasts; the last level needs no end.
        players: The level begins when this many players are left; where the levels have hands, too, no later than that.
    """

    times: Count = 1
    blinds: tuple[Chips, Chips] | None = None
    ante: Chips | None = None
    big_blind_ante: Chips | None = None
    small_bet: PositiveChips | None = None
    big_bet: PositiveChips | None = None
    hands: Count | None = None
    players: Annotated[int, Field(ge=2, le=rec.MAX_SEATS)] | None = None


class SessionRules(Validated):
    """How hands follow each other at a table.

    Attributes:
        kind: "tournament": absent players are dealt in, post and are folded; a broke player is out. "cash": a player
            who sits out misses blinds and owes them (R10).
        button: "dead" or "moving" (R10).
        first_button: A seat, "seed" for a seat drawn by the seed, or "high_card" for a one-card draw (R5).
        num_hands: The session ends after this many hands; None: when one player has all the chips.
        rebuy: Chips that a broke player gets between hands; 0: the player is out (R39).
        phases: The phases of mixed hold'em, played in turn; the first follows the last (R19).
        levels: The blind levels (R39). By hands played they may only rise, also where the players left may begin a
            level earlier; by players left alone they may fall, too.
        prizes: By finishing place, best first, in any unit: shares of the prize pool, money or points. The sum need not
            be 1.
        reward: What environments pay. "chips": the chips won in each hand. "prizes": the prize, when a player is out or
            the session ends. "icm": after each hand, the change in what the stack is worth in prizes by the independent
            chip model (Malmuth 1987, Harville 1973).

    Raises:
        pydantic.ValidationError: If a field is invalid. It is a ValueError that names the field, what was wrong and
            what would be right.
    """

    kind: Literal["tournament", "cash"] = "tournament"
    button: Literal["dead", "moving"] = "dead"
    first_button: Annotated[int, Field(ge=0, lt=rec.MAX_SEATS)] | Literal["seed", "high_card"] = 0
    num_hands: Count | None = None
    rebuy: Chips = 0
    phases: tuple[Phase, ...] = ()
    levels: tuple[Level, ...] = ()
    prizes: tuple[Annotated[float, Field(ge=0, le=1e12)], ...] = ()
    reward: Literal["chips", "prizes", "icm"] = "chips"

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for check in (_check_phases, _check_levels, _check_prizes):
            check(self)
        return self

    def stages_of(self, rules: G) -> tuple[G, ...]:
        """Return the stages as games: for each blind level, each of its phases.

        Raises:
            ValueError: If a stage is invalid. The message names it.
        """
        stages = []
        for k, level in enumerate(self.levels or (Level(),)):
            for n, phase in enumerate(self.phases or (Phase(),)):
                try:
                    stages.append(rules.replace(**_changes(rules, phase, level)))
                except ValidationError as error:
                    where = [f"phase {n}"] * bool(self.phases) + [f"level {k}"] * bool(self.levels)
                    what = error.errors()[0]["msg"].removeprefix("Value error, ")
                    raise ValueError(f"session, {', '.join(where)}: {what}") from None
        if any(level.hands for level in self.levels) or not any(level.players for level in self.levels):
            _check_rising(stages, len(self.phases) or 1)
        return tuple(stages)

    def possible_phases(self, hand: int) -> list[int]:
        """The phases in which a session's hand, counted from 0, may be: one if it is known beforehand, all where
        orbits decide."""
        lengths = [phase.hands for phase in self.phases] or [1]
        if None in lengths:
            return [0] if hand == 0 else list(range(len(lengths)))
        ends = list(accumulate(length or 0 for length in lengths))
        return [bisect_right(ends, hand % ends[-1])]

    def record_fields(self, stage: int) -> dict[str, int]:
        """The fields of a stage's RULES record that describe the session."""
        phases, levels = self.phases or (Phase(),), self.levels or (Level(),)
        phase, level = phases[stage % len(phases)], levels[stage // len(phases)]
        seat = self.first_button if isinstance(self.first_button, int) else 0
        return {
            "is_session": 1,
            "cash": self.kind == "cash",
            "moving_button": self.button == "moving",
            "first_button": seat if isinstance(self.first_button, int) else FIRST_BUTTONS[self.first_button],
            "num_hands": self.num_hands or 0,
            "rebuy": self.rebuy,
            "phases": len(phases),
            "levels": len(levels),
            "phase_hands": phase.hands or 0,
            "phase_orbits": phase.orbits or 0,
            "blind_level_hands": level.hands or 0,
            "blind_level_players": level.players or 0,
        }


def _changes(rules: StagedGame, phase: Phase, level: Level) -> dict[str, Any]:
    """The fields in which a stage differs from its rules."""
    changes: dict[str, Any] = {"session": None, "stacks": rules.starting_stacks, "reward_unit": rules.unit}
    changes |= phase.changes_in(rules)
    if level.times > 1:
        amounts = {name: changes.get(name, getattr(rules, name)) for name in (*AMOUNTS, "blinds")}
        changes |= {name: _times(value, level.times) for name, value in amounts.items()}
    changes |= {name: value for name, value in level if name not in ("hands", "players", "times") and value is not None}
    return changes


def _times(amount: Any, factor: int) -> Any:
    if isinstance(amount, tuple):
        return tuple(factor * part for part in amount)
    return amount and factor * amount


def _check_phases(session: SessionRules) -> None:
    for k, phase in enumerate(session.phases):
        if (phase.hands is None) == (phase.orbits is None):
            what = "neither is given" if phase.hands is None else "both are given"
            raise ValueError(f"phase {k}: give its length in hands or in orbits; {what}")


def _check_levels(session: SessionRules) -> None:
    levels = session.levels
    for k, level in enumerate(levels):
        has_amounts = level.blinds or level.ante or level.big_blind_ante or level.small_bet or level.big_bet
        if level.times > 1 and has_amounts:
            raise ValueError(f"level {k}: give times, or the amounts themselves, not both")
    if any(level.players for level in levels):
        _check_players(levels)
    for k, (level, later) in enumerate(pairwise(levels)):
        if level.hands is None and later.players is None:
            raise ValueError(f"level {k}: give the number of hands; only the last level needs no end")


def _check_rising(stages: Sequence[StagedGame], phases: int) -> None:
    """In each phase, blinds and bets may only rise from level to level. One kind of ante may replace the other."""
    for k, (earlier, later) in enumerate(zip(stages, stages[phases:], strict=False)):
        where = f"session, level {k // phases + 1}"
        for what, before, after in (
            ("blinds", earlier.blinds, later.blinds),
            ("bets", earlier.street_bets, later.street_bets),
            ("straddle", (earlier.straddle,), (later.straddle,)),
        ):
            if any(now < then for then, now in zip(before, after, strict=True)):
                raise ValueError(
                    f"{where}: its {what} {after} are below {before} of the previous level; they may only rise"
                )
        before, after = (earlier.ante, earlier.big_blind_ante), (later.ante, later.big_blind_ante)
        if before != after and all(now <= then for then, now in zip(before, after, strict=True)):
            raise ValueError(f"{where}: its antes {after} are below {before} of the previous level; they may only rise")


def _check_players(levels: tuple[Level, ...]) -> None:
    by_players_alone = not any(level.hands for level in levels)
    if levels[0].players or (by_players_alone and any(level.players is None for level in levels[1:])):
        raise ValueError(
            "levels by players: the first begins with everybody and does not give players; without hands, all others "
            "give the number of players at which they begin"
        )
    starts = [(k, level.players) for k, level in enumerate(levels) if level.players]
    for (before, earlier), (k, later) in pairwise(starts):
        if later >= earlier:
            raise ValueError(f"level {k}: it begins with {later} players, not fewer than level {before} ({earlier})")


def _check_prizes(session: SessionRules) -> None:
    if any(later > earlier for earlier, later in pairwise(session.prizes)):
        raise ValueError(f"prizes: {session.prizes} rise from one place to the next; the best place comes first")
    if session.reward != "chips" and not sum(session.prizes):
        raise ValueError(f"reward={session.reward!r} needs prizes, such as (0.5, 0.3, 0.2)")
    if session.reward != "chips" and (session.kind == "cash" or session.rebuy):
        raise ValueError(f"reward={session.reward!r} needs finishing places: a tournament without rebuys")
