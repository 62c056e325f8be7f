"""Hold'em for verifiers: a taskset of deals, a table of two to six seats, and a harness that asks once a decision.

    vf-eval holdem-verifiers -m MODEL --client.base-url http://127.0.0.1:8000/v1 -n 100 -r 8

A task is a deal: all rollouts of one are dealt the same cards. Each seat is an `AgentConfig`, and `--env.players` says
who plays there: "model", which is trained, "frozen", a model that is not, "solution", the exact one of a small game, or
an agent of the catalogue by its name; the last two cost no tokens. A seat's reward is what it wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack

import httpx
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire

from holdem_env import Rules, Table
from holdem_env.agents.queries import SealedAgent
from holdem_env.agents.registry import make_agent
from holdem_env.game.rules_input import as_rules
from holdem_env.solvers import solve
from holdem_env.text_env import TextTable, rewards
from holdem_env.text_env.outcomes import Outcome

__all__ = ["HoldemEnv", "HoldemHarness", "HoldemTaskset"]
MODELS = ("model", "frozen")
SEAT = vf.AgentConfig(runtime=vf.SubprocessConfig())
SOLVED = ("regret", "solution")
"""Rewards of a decision against the exact solution of the game."""


class HoldemData(vf.TaskData):
    """A deal: the game by its name, and which of the seed's decks. The button moves from hand to hand."""

    rules: str
    seed: int
    hand: int


class HoldemTask(vf.Task[HoldemData]):
    """Rewards come from the table: HoldemEnv records them."""


class HoldemTasksetConfig(vf.TasksetConfig):
    """rules: a preset's name or the path of a YAML file. seed: of all decks."""

    rules: str = "heads-up-no-limit"
    seed: int = 0


class HoldemTaskset(vf.Taskset[HoldemTask, HoldemTasksetConfig]):
    """Deal after deal, without end."""

    INFINITE = True

    def load(self) -> Iterator[HoldemTask]:
        """The deals of the seed."""
        hand = 0
        while True:
            yield HoldemTask(HoldemData(rules=self.config.rules, seed=self.config.seed, hand=hand), self.config.task)
            hand += 1


class HoldemHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model once for each decision. It runs in this process, so a seat needs no container."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """See `Harness.launch`."""
        system, messages = self.resolve_prompt(data)
        wire = [message_to_wire(message) for message in messages or []]
        if system:
            wire.insert(0, {"role": "system", "content": system})
        async with httpx.AsyncClient(timeout=None) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                json={"model": ctx.model, "messages": wire},
                headers={"Authorization": f"Bearer {secret}"},
            )
        return vf.ProgramResult(0 if reply.is_success else 1, "", reply.text[-2_000:])


class HoldemEnvConfig(vf.EnvConfig):
    """players: who plays, by seat; one name is for all seats. weights: of the rewards "chips" (in big blinds),
    "format_faults" and, in games that `solve` takes, "regret" and "solution". unfinished: added to what a seat's fold
    costs if its model stops answering. prompt, tries: of `TextTable`."""

    seat0: vf.AgentConfig = SEAT
    seat1: vf.AgentConfig = SEAT
    seat2: vf.AgentConfig = SEAT
    seat3: vf.AgentConfig = SEAT
    seat4: vf.AgentConfig = SEAT
    seat5: vf.AgentConfig = SEAT
    players: list[str] = ["model"]
    weights: dict[str, float] = {"chips": 1.0}
    unfinished: float = -1.0
    prompt: str = "full"
    tries: int = 3


class HoldemEnv(vf.Env[HoldemEnvConfig]):
    """One hand at one table."""

    def __init__(self, config: HoldemEnvConfig) -> None:
        super().__init__(config)
        if not config.unfinished <= 0:
            raise ValueError(f"unfinished: must be 0 or less, got {config.unfinished}")
        self.rules: Rules = as_rules(self.taskset.config.rules)
        seats, players = self.rules.seats, self.config.players
        if seats > 6 or len(players) not in (1, seats):
            raise ValueError(f"players: must be 1 or {seats} names for 2 to 6 seats, got {len(players)} of {seats}")
        self.players = players * seats if len(players) == 1 else players
        if not set(self.players) & set(MODELS):
            raise ValueError(f"players: one must be a model, {' or '.join(MODELS)}, got {', '.join(players)}")
        needed = "solution" in self.players or any(map(config.weights.get, SOLVED))
        self.solved = solve(self.rules) if needed else None
        known = {"chips": None, "format_faults": rewards.format_faults}
        if self.solved is not None:
            known |= {"regret": rewards.regret(self.solved), "solution": rewards.solution(self.solved)}
        if unknown := sorted(set(config.weights) - set(known)):
            raise ValueError(f"weights: must be of {', '.join(known)}, got {', '.join(unknown)}")
        self.decisions = {name: reward for name, reward in known.items() if reward and name in config.weights}
        self.scripted = {seat: self._scripted(name) for seat, name in enumerate(self.players) if name not in MODELS}

    def _scripted(self, name: str) -> SealedAgent:
        solved = self.solved
        return SealedAgent(solved.agent() if name == "solution" and solved else make_agent(name))

    async def setup(self, agents: vf.Agents) -> None:
        """See `Env.setup`."""
        for seat, player in enumerate(self.players):
            getattr(agents, f"seat{seat}").trainable = player == "model"

    async def run(self, task: HoldemTask, agents: vf.Agents) -> None:
        """See `Env.run`. A seat whose model stops, by a limit of turns, tokens or time, folds. A server that fails
        breaks off the hand, and the episode fails."""
        data, silent, broken = task.data, set[int](), ""
        hand = Table(self.rules, button=data.hand % self.rules.seats, seed=data.seed, hand=data.hand)
        table = TextTable(self.rules, data.seed, prompt=self.config.prompt, tries=self.config.tries, hand=hand)
        models = [seat for seat, player in enumerate(self.players) if player in MODELS]
        sums = {seat: dict.fromkeys(self.decisions, 0.0) for seat in models}
        async with AsyncExitStack() as stack:
            talks = {
                seat: await stack.enter_async_context(getattr(agents, f"seat{seat}").interaction(task))
                for seat in models
            }
            while (seat := table.seat) is not None:
                if seat not in talks:
                    table.ask(self.scripted[seat])
                    continue
                said = await talks[seat].turn(table.text)
                if said.terminated:
                    trace = talks[seat].trace
                    if trace.errors or trace.stop_condition is None:
                        why = trace.errors[-1].message if trace.errors else "no reason given"
                        broken = f"seat {seat}: the model gave no answer ({why}); the hand is broken off"
                        break
                    silent.add(seat)
                outcome = Outcome(self.rules, table.answer("fold" if said.terminated else said.last_reply))
                for name, reward in self.decisions.items():
                    sums[seat][name] += reward(outcome)
        if broken:
            raise RuntimeError(broken)
        for seat, talk in talks.items():
            won = {"chips": hand.payoffs[seat] / float(self.rules.unit), **sums[seat]}
            for name, weight in self.config.weights.items():
                talk.trace.record_reward(name, won[name], weight)
            if seat in silent:
                talk.trace.record_reward("unfinished", self.config.unfinished, 1.0)
            talk.trace.record_metrics({"faults": table.faults[seat], "rejected": table.rejected[seat]})
