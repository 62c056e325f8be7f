"""The measures that come with the library, but for that of spots (`spots`), and those that others bring."""

from __future__ import annotations

import json

from pydantic import field_validator

from ...game.rule_checks import check_automatic_showing
from ...game.street_names import STREETS
from ...game.units import CHIPS, MILLI, PRIZES, unit_of
from ...utils.registry import Registry
from ...utils.suggestions import suggestion
from ..best_responses.exploitability import exploitability, sampled_exploitability
from ..best_responses.local import local_best_response
from ..estimators.registry import usual_estimators
from ..matches.match import number_of_deals
from ..matches.seating import plays_duplicates
from ..statistics.estimates import best_estimate
from ..tournaments.entrants import Entrant
from ..tournaments.shards import Shard, play_shard
from .findings import Figure, Found, NotMeasured, Says, counted_from
from .measure import Amounts, Budget, Measure, Names, Part, Parts
from .spots import Spots

LBR_TABLES = 64


class Exploitability(Measure):
    """Exact exploitability, NashConv / 2, in games small enough: in chips and, with a big blind, in its thousandths."""

    def parts(self, budget: Budget) -> Parts:
        yield "exploitability", 1, ()

    def measure(self, part: Part) -> Found:
        """One figure in each unit. Of probabilities that are counted from answers they are no exact ones."""
        with part.agent() as agent:
            answers = agent.facts.answers_counted
            if answers is None:
                chips, half = exploitability(agent, part.rules), 0.0
            else:
                chips, half = sampled_exploitability(agent, part.rules, seed=part.seed).times(1)
        blind = part.rules.big_blind
        units = [(1.0, CHIPS.name), *([(MILLI.per / blind, MILLI.name)] if blind else [])]
        says: Says = "exact" if answers is None else "other"
        figures = [
            Figure(name="exploitability", says=says, value=each * chips, half_width=each * half, unit=unit)
            for each, unit in units
        ]
        return part.found(*figures, notes=counted_from(answers))


class Lbr(Measure):
    """What local best response wins with each set of actions from each street on, in mbb/h. hands: of each setting."""

    actions: Names
    from_streets: Names = ("preflop",)
    hands: Amounts

    @field_validator("from_streets")
    @classmethod
    def _are_streets(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in STREETS:
                raise ValueError(f"there is no street {name!r}: {suggestion(name, STREETS)}")
        return names

    def parts(self, budget: Budget) -> Parts:
        for actions in self.actions:
            for street in self.from_streets:
                yield f"LBR {actions}; from {street}", self.hands.of(budget), (actions, street)

    def measure(self, part: Part) -> Found:
        actions, street = part.detail
        with part.agent() as agent:
            tables = min(LBR_TABLES, agent.facts.tables_at_once or LBR_TABLES)
            setting = part.amount, actions, STREETS.index(street), part.seed, tables
            won = local_best_response(agent, part.rules, *setting)
            notes = counted_from(agent.facts.answers_counted)
        mean, half, unit = won.mean, won.half_width, MILLI.name
        figure = Figure(name=part.name, says="lower bound", value=mean, half_width=half, unit=unit, samples=won.deals)
        return part.found(figure, hands=won.hands, notes=notes)


class Matches(Measure):
    """Matches against anchors, each of which has all other seats, by duplicate deals and AIVAT, in the unit of the
    game, or percent of a prize pool. hands: against each of them; of a game with a session, how many sessions."""

    opponents: Names
    hands: Amounts

    def parts(self, budget: Budget) -> Parts:
        yield from ((f"against {name}", self.hands.of(budget), (name,)) for name in self.opponents)

    def measure(self, part: Part) -> Found:
        by_session = part.rules.session is not None
        unit = (PRIZES if by_session else unit_of(part.rules)).name
        anchor = Entrant(part.detail[0], json.dumps({"agent": part.detail[0]})).without_search()  # as in tournaments
        if json.loads(part.entrant.made_of) == json.loads(anchor.made_of):
            figure = Figure(name=part.name, says="win rate", value=0, half_width=0, unit=unit)
            return part.found(figure, notes=("who plays itself breaks even",))
        check_automatic_showing(part.rules, "a match")
        played = play_shard(_shard(part, anchor, by_session))
        if played.failed or played.deals is None:
            raise NotMeasured(": ".join(played.failed or (part.name, "nothing was played")))
        best = best_estimate(played.deals, 0)
        mean, half = best.rate
        figure = Figure(
            name=part.name, says="win rate", value=mean, half_width=half, unit=unit, samples=best.interval.samples
        )
        notes = (f"estimated by {best.name}",)
        return part.found(figure, decisions=played.spent[0].decisions, hands=played.hands, notes=notes)


def _shard(part: Part, anchor: Entrant, by_session: bool) -> Shard:
    deals = part.amount
    if not by_session:
        with part.agent() as agent:
            deals = number_of_deals(part.amount, part.rules.seats, plays_duplicates([agent]))
    game = (part.entrant, anchor), part.rules, 0, deals, part.seed
    estimators = () if by_session else usual_estimators(part.rules)
    return Shard(*game, kind="sessions" if by_session else "deals", estimators=estimators)


MEASURES: Registry[type[Measure]] = Registry(
    "measure", "holdem_env.measures", {"exploitability": Exploitability, "lbr": Lbr, "matches": Matches, "spots": Spots}
)


def register_measure(kind: str, measure: type[Measure]) -> None:
    """Register a measure: in this process, the tasks may then name its kind. Installed packages use entry points
    instead."""
    MEASURES.register(kind, measure)
