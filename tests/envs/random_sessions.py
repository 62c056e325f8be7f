"""Random sessions in HoldemEnv and in Session, side by side: the same hands, players, places and rewards in both.

    python tests/envs/random_sessions.py --seconds 3600 --seed 0

Session number k has seed + k. A failure names it; `--seed THAT --sessions 1` plays it again.
"""

from __future__ import annotations

import argparse
import copy
import pickle
import random
import time
from itertools import permutations
from math import inf
from typing import Any

import pytest

from holdem_env import DealerErrors, Rules, Session, SessionError, holdem_v0
from holdem_env.engine.record import AWAY, MAX_CHIPS, NOT_THERE, PRESENT, WAITING

LEVELS = (
    (),
    ({"hands": 6}, {"times": 2, "hands": 6}, {"times": 5, "hands": 9}, {"times": 20}),
    ({}, {"times": 2, "players": 4}, {"times": 8, "players": 3}, {"times": 20, "players": 2}),
)
PHASES = (
    (),
    ({"structure": "fixed_limit", "blinds": (10, 15), "hands": 4}, {"structure": "no_limit", "orbits": 1}),
    ({"structure": "pot_limit", "orbits": 1, "ante": 5}, {"hands": 3}, {"structure": "fixed_limit", "hands": 1}),
)
PRIZES = ((1.0,), (0.5, 0.3, 0.2), (50.0, 30.0, 20.0, 10.0))
MISHAPS = DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 0.1))
LONGEST = 150


def random_rules(rng: random.Random) -> Rules:
    """The rules of a session; every field of SessionRules comes up."""
    is_cash, rebuy = rng.random() < 0.5, rng.random() < 0.2
    pays_prizes = not is_cash and not rebuy and rng.random() < 0.6
    ante = rng.choice(({}, {}, {"ante": 5}, {"big_blind_ante": 10}))
    return Rules(
        seats=(seats := rng.randint(2, 10)),
        structure=rng.choice(("no_limit", "no_limit", "pot_limit", "fixed_limit")),
        blinds=(5, 10),
        stacks=rng.choice((100, 300, 1000)),
        straddle=20 * (seats > 2 and rng.random() < 0.3),
        smallest_chip=rng.choice((1, 5)),
        rake=5.0 if is_cash and rng.random() < 0.3 else None,
        dealer_errors=MISHAPS if rng.random() < 0.2 else None,
        session={
            "kind": "cash" if is_cash else "tournament",
            "button": rng.choice(("dead", "moving")),
            "first_button": rng.choice((rng.randrange(seats), "seed", "high_card")),
            "num_hands": rng.randint(1, 60) if is_cash or rebuy or rng.random() < 0.3 else None,
            "rebuy": 200 * rebuy,
            "levels": rng.choice(LEVELS),
            "phases": rng.choice(PHASES),
            "prizes": rng.choice(PRIZES)[:seats] if pays_prizes or rng.random() < 0.2 else (),
            "reward": rng.choice(("prizes", "icm")) if pays_prizes else "chips",
        },
        **ante,
    )


def icm_values(stacks: list[int], prizes: tuple[float, ...]) -> list[float]:
    """The equity of each stack by the independent chip model: over all ways to share out the prizes."""
    value = [0.0] * len(stacks)
    players = [seat for seat, stack in enumerate(stacks) if stack]
    for order in permutations(players, min(len(prizes), len(players))):
        probability, chips = 1.0, sum(stacks)
        for seat in order:
            probability *= stacks[seat] / chips
            chips -= stacks[seat]
        for seat, prize in zip(order, prizes, strict=False):
            value[seat] += probability * prize
    return value


def shared_by_chips(stacks: list[int], prizes: tuple[float, ...]) -> list[float]:
    """The prizes of the best places by stack; who has as much as another shares with it."""
    open_prizes = [*prizes, *[0.0] * len(stacks)]
    paid = []
    for stack in stacks:
        above, level = sum(other > stack for other in stacks), stacks.count(stack)
        paid.append(sum(open_prizes[above : above + level]) / level if stack else 0.0)
    return paid


class Forecast:
    """Which requests can succeed when the running hand is over, as far as it does not depend on the hand."""

    def __init__(self, session: Session) -> None:
        row, rules = session.table.records[0], session.session_rules
        seats = range(session.rules.seats)
        self.rules, self.chip = rules, session.rules.smallest_chip
        self.presence = {seat: int(row["presence"][seat]) for seat in seats}
        self.owes = {seat: int(row["owes"][seat]) for seat in seats}
        self.stacks = list(session.table.starting_stacks)
        self.is_over = session.hands_played + 1 == rules.num_hands
        self.prize_paid = rules.reward != "chips" and any(session.payouts)

    def refuses(self, operation: str, seat: int, chips: int = 0) -> bool:
        """Whether the request fails. One that does not counts for the next."""
        is_there = self.presence[seat] != NOT_THERE
        bad_chips = chips <= 0 or chips % self.chip or sum(self.stacks) + chips > MAX_CHIPS
        cash, presence = self.rules.kind == "cash", self.presence
        if operation == "join":
            if is_there or self.is_over or self.prize_paid or bad_chips:
                return True
            presence[seat], self.owes[seat] = WAITING if cash else PRESENT, int(cash)
            self.stacks[seat] = chips
        elif not is_there:
            return True
        elif operation == "top_up":
            if bad_chips or not (cash or self.rules.rebuy):
                return True
            self.stacks[seat] += chips
        elif operation == "sit_out":
            presence[seat] = AWAY
        elif operation == "sit_in":
            if presence[seat] == PRESENT:
                return True
            presence[seat] = WAITING if self.owes[seat] else PRESENT
        else:
            self.leave(seat)
        return False

    def leave(self, seat: int) -> None:
        self.presence[seat], self.owes[seat], self.stacks[seat] = NOT_THERE, 0, 0
        left = sum(stack > 0 for stack in self.stacks)
        if self.rules.kind == "tournament":
            self.is_over |= left < 2
            place = left + 1
            self.prize_paid |= self.rules.reward != "chips" and 0 < place <= len(self.rules.prizes)


class Pair:
    """The same session in the environment and in Session."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.rules = rules = random_rules(rng)
        self.wild, self.comings = rng.choice((0.02, 0.1, 0.3)), rng.choice((0.0, 0.05, 0.2))
        stacks = [rng.choice((0, 20, 100, 300, 1000)) for _ in range(rules.seats)]
        stacks[0], stacks[-1] = 100, 300
        options: dict[str, Any] = {"stacks": stacks}
        if isinstance(rules.session.first_button, int):
            options["button"] = rng.randrange(rules.seats)
        self.session = Session(rules, stacks, options.get("button"), seed=seed)
        self.env = holdem_v0.env(rules=rules, reward_unit="chips")
        self.env.reset(seed=seed, options=options)
        self.absent: set[int] = set()  # who sits out
        self.owed = dict.fromkeys(self.env.possible_agents, 0.0)  # rewards since the agent's last step
        self.equity = self.equities() if rules.session.reward == "icm" else [0.0] * rules.seats
        self.asked: list[tuple[str, int, tuple[Any, ...]]] = []
        self.hands = 0
        self.next_hands(dict.fromkeys(range(rules.seats), 0.0))

    # The session's hands

    @property
    def is_over(self) -> bool:
        """Whether the environment's episode is over."""
        return self.session.table.is_over

    @property
    def is_abandoned(self) -> bool:
        """Whether the environment ends a tournament that Session would go on with: nobody is there."""
        there = {seat for seat, stack in enumerate(self.session.stacks) if stack} - self.absent
        return self.rules.session.kind == "tournament" and not there and not self.session.is_over

    def payouts(self) -> list[float]:
        """Those of Session; where nobody is there any more, with the prizes of who is still in."""
        paid, stacks = self.session.payouts, self.session.stacks
        if not self.is_abandoned or not self.rules.session.prizes:
            return paid
        left = sum(stack > 0 for stack in stacks)
        return [a + b for a, b in zip(paid, shared_by_chips(stacks, self.rules.session.prizes[:left]), strict=True)]

    def next_hands(self, rewards: dict[int, float]) -> None:
        """Deal hands in Session, as the environment has done, until somebody is to act or there is no hand."""
        while not self.is_abandoned:
            try:
                table = self.session.deal()
            except SessionError:
                break
            if not table.is_over:
                break
            self.pay_hand(rewards)
        self.forecast = Forecast(self.session)
        self.compare(rewards)

    def pay_hand(self, rewards: dict[int, float]) -> None:
        """After a hand: let players come and go in Session, and add up what everybody is paid."""
        table, session = self.session.table, self.session
        chips = [now - then for now, then in zip(table.stacks, table.starting_stacks, strict=True)]
        noted = self.join_and_leave() if not session.is_over else {}
        self.asked, self.noted = [], noted
        before, self.equity = self.equity, self.equities()
        self.hands += 1
        for seat in rewards:
            by_prize = self.rules.session.reward != "chips"
            rewards[seat] += self.equity[seat] - before[seat] if by_prize else chips[seat]

    def join_and_leave(self) -> dict[int, dict[str, Any]]:
        """Carry out in Session what was asked for. Returns what the infos should tell of it."""
        session, noted = self.session, {}
        for operation, seat, arguments in self.asked:
            try:
                if operation == "join" and self.rules.session.reward != "chips" and any(session.payouts):
                    raise SessionError("join: a prize has been paid; nobody can enter any more")
                result = getattr(session, operation)(seat, *arguments)
            except ValueError as error:
                noted.setdefault(seat, {})["refused"] = str(error)
                continue
            if operation == "sit_out":
                self.absent.add(seat)
            elif operation != "top_up":
                self.absent.discard(seat)
            if operation == "leave":
                noted.setdefault(seat, {})["left_with"] = result
            if operation == "join":
                noted.pop(seat, None)  # that was the seat's last player
                self.equity[seat] = self.equities()[seat]
                self.owed[self.env.possible_agents[seat]] = 0.0
        return noted

    def equities(self) -> list[float]:
        """What each seat has of the prizes: its prize, or for icm the value of its stack."""
        rules, session = self.rules.session, self.session
        if rules.reward == "chips":
            return [0.0] * self.rules.seats
        paid = self.payouts()
        if rules.reward == "prizes" or session.is_over or self.is_abandoned:
            return paid
        left = sum(stack > 0 for stack in session.stacks)
        return [
            prize or value for prize, value in zip(paid, icm_values(session.stacks, rules.prizes[:left]), strict=True)
        ]

    # Comparing

    def compare(self, rewards: dict[int, float]) -> None:
        env, session, agents = self.env, self.session, self.env.possible_agents
        assert env.hands_played == session.hands_played == self.hands
        assert (env.places, env.results) == (session.places, session.results)
        assert env.payouts == pytest.approx(self.payouts())
        row = env.records[0]
        for seat in range(self.rules.seats):
            assert env.is_away(agents[seat]) == session.is_away(seat) == (row["presence"][seat] in (AWAY, WAITING))
            assert env.owes(agents[seat]) == session.owes(seat)
        if self.is_over:
            assert row["seats"]["stack"][: self.rules.seats].tolist() == session.stacks
            assert all(env.terminations.values())
        else:
            self.compare_hand()
            assert not session.is_over
        for agent in env.agents:
            seat = agents.index(agent)
            assert env.rewards[agent] == pytest.approx(rewards[seat], abs=1e-9), agent
            self.owed[agent] += rewards[seat]
            stack = session.stacks[seat] if self.is_over else session.table.starting_stacks[seat]
            assert env.terminations[agent] == (self.is_over or stack == 0), agent
            if env.terminations[agent]:
                assert env.infos[agent].get("place", 0) == session.places[seat]

    def compare_hand(self) -> None:
        """Everything that the record holds: cards, stacks, bets, button, blinds, presence, level, phase."""
        env, table = self.env, self.session.table
        assert (env.records["blind_level"][0], env.records["phase"][0]) == (self.session.level, self.session.phase)
        assert env.records["button"][0] == table.button
        assert env.records.tobytes() == table.records.tobytes(), f"hand {self.hands}"

    def check_agents(self) -> None:
        """Let who is terminated go, and look at what PettingZoo promises."""
        env, agents = self.env, self.env.possible_agents
        for seat, noted in getattr(self, "noted", {}).items():
            if agents[seat] in env.agents:
                assert {name: env.infos[agents[seat]].get(name) for name in noted} == noted, (seat, noted, env.infos)
        self.noted = {}
        while env.agents and env.terminations[env.agent_selection]:
            agent = env.agent_selection
            assert env.last(observe=False)[1] == pytest.approx(self.owed[agent], abs=1e-9)
            self.owed[agent] = 0.0
            env.step(None)
        if self.is_over:
            assert not env.agents
            return
        stacks = self.session.table.starting_stacks
        assert env.agents == [agents[seat] for seat in range(self.rules.seats) if stacks[seat]]
        assert env.agent_selection == agents[self.session.table.actor]
        for values in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
            assert list(values) == env.agents or set(values) == set(env.agents)
        assert not any(env.terminations.values())
        assert env.last(observe=False)[1] == pytest.approx(self.owed[env.agent_selection], abs=1e-9)

    # Playing

    def ask(self) -> None:
        """A request in mid-hand, often one that cannot be granted."""
        rng, env = self.rng, self.env
        seat = rng.randrange(self.rules.seats)
        operation = rng.choice(("join", "join", "leave", "top_up", "sit_out", "sit_in", "sit_in"))
        chips = rng.choice((5, 50, 200, 1000)) if rng.random() < 0.8 else rng.choice((3, 0, -10, MAX_CHIPS))
        by_posting = rng.random() < 0.5
        arguments = {"join": (chips, by_posting), "top_up": (chips,), "sit_in": (by_posting,)}.get(operation, ())
        again = operation == "leave" and [asked[0] for asked in self.asked if asked[1] == seat][-1:] == ["leave"]
        agent = env.possible_agents[seat]
        refused = operation == "join" and agent in env.agents
        refused = refused or (not again and self.forecast.refuses(operation, seat, chips))
        before = pickle.dumps((env.records, env.agents, env.infos))
        complaint = ""
        try:
            getattr(env, operation)(agent, *arguments)
        except ValueError as error:
            complaint = str(error)
        assert bool(complaint) == refused, complaint or (operation, seat, arguments)
        assert complaint.startswith((f"{operation}: ", "stacks: ") if refused else "")
        if not again and not refused:
            self.asked.append((operation, seat, arguments))
        assert pickle.dumps((env.records, env.agents, env.infos)) == before

    def move(self) -> None:
        """A random legal move in both."""
        env, table, rng = self.env, self.session.table, self.rng
        legal, kind = table.legal, rng.random()
        move = 0
        if kind < 0.25:
            move = -1
        elif kind > 1 - self.wild and legal.raise_min is not None:
            steps = (legal.raise_max - legal.raise_min) // self.rules.smallest_chip
            between = legal.raise_min + self.rules.smallest_chip * rng.randint(0, steps)
            move = rng.choice((legal.raise_min, between, legal.raise_max, legal.raise_max))
        agent = env.agent_selection
        self.owed[agent] = 0.0
        table.play(move)
        env.play(move)
        if not table.is_over:
            self.compare_hand()
            return
        rewards = dict.fromkeys(range(self.rules.seats), 0.0)
        self.pay_hand(rewards)
        self.next_hands(rewards)

    def play(self) -> int:
        """Play the session, at most LONGEST hands. Returns how many were played."""
        self.check_agents()
        while not self.is_over and self.hands < LONGEST:
            while self.rng.random() < self.comings:
                self.ask()
            if self.rng.random() < 0.003:
                self.env = copy.deepcopy(self.env) if self.rng.random() < 0.5 else pickle.loads(pickle.dumps(self.env))
            self.move()
            self.check_agents()
        return self.hands


def play_sessions(seed: int, seconds: float = inf, sessions: int | None = None) -> tuple[int, int]:
    """Play until the time is over, or this number of sessions. Returns how many sessions and hands were played."""
    end, played, hands = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end and played != sessions:
        try:
            hands += Pair(seed + played).play()
        except Exception as error:
            raise AssertionError(f"random session {seed + played}: {error}") from error
        played += 1
    return played, hands


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to play")
    parser.add_argument("--seed", type=int, default=0, help="of the first session")
    parser.add_argument("--sessions", type=int, help="the most sessions")
    given = parser.parse_args()
    print("{:,} sessions, {:,} hands: no difference".format(*play_sessions(given.seed, given.seconds, given.sessions)))
