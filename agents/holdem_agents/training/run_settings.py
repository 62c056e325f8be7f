"""The parts of a training configuration: budget, learner, past selves, evaluation, training exploiters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from holdem_env.agents.names import agent_names
from holdem_env.utils.counting import duration
from holdem_env.utils.registry import Registry
from holdem_env.utils.suggestions import suggestion
from holdem_env.utils.validation import Validated

from ..custom_code import parts_in

LATEST_SELF = "latest_self"
PAST_SELVES = "past_selves"
AVERAGE_SELF = "average_self"
LATEST_OTHERS = "latest_others"
BEST_RESPONSE = "best_response"

Positive = Annotated[int, Field(gt=0)]
Fraction = Annotated[float, Field(ge=0, le=1)]
NotNegative = Annotated[float, Field(ge=0)]
Above0 = Annotated[float, Field(gt=0)]

SB3_EPOCHS = 3
MatmulPrecision = Literal["highest", "medium"]
"""How float32 matrices are multiplied, by the names of `torch.set_float32_matmul_precision`."""


LEARNERS: Registry[Any] = Registry(
    "learner",
    "holdem_agents.learners",
    {
        "ppo": "holdem_agents.training.learners.ppo:OwnPPO",
        "sb3": "holdem_agents.training.learners.sb3:SB3PPO",
    },
)
"""The learners by `learner.kind`: classes, or where they are."""


class Budget(Validated):
    """How long to train: for a number of the learner's `decisions`, of `seconds`, or of `cpu_seconds`.

    cpu_seconds: processor time of the process, all threads together. It does not pass while the process waits for a
    busy machine, so recipes are compared at equal processor time. A run with a budget in time cannot be repeated
    exactly.
    """

    decisions: Positive | None = None
    seconds: Above0 | None = None
    cpu_seconds: Above0 | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(given is not None for given in (self.decisions, self.seconds, self.cpu_seconds)) != 1:
            raise ValueError("give either decisions or seconds or cpu_seconds")
        return self

    @property
    def text(self) -> str:
        """The budget in words.

        >>> [budget.text for budget in (Budget(decisions=30_000), Budget(seconds=60), Budget(cpu_seconds=90))]
        ['30,000 decisions', '1 min 0 s', '1 min 30 s of processor time']
        """
        if self.decisions is not None:
            return f"{self.decisions:,} decisions"
        if self.cpu_seconds is not None:
            return f"{duration(self.cpu_seconds)} of processor time"
        return duration(self.seconds or 0.0)


class Remembers(Validated):
    """The memory of a network. kind: "gru", a gated recurrent unit between the trunk and the heads. width: how many
    numbers it remembers of a table."""

    kind: Literal["gru"] = "gru"
    width: Positive = 128


class Learner(Validated):
    """The settings of PPO. Fields with two values go linearly from the first to the second over the budget.

    kind: "ppo", this library's own, in which every seat that the latest self plays learns; "sb3", SB3's MaskablePPO,
    which learns from one seat at each table; a learner that an installed package declares; or FILE.py:NAME, a learner
    of your own (docs/own_learner.md). epochs: passes over each rollout; by default 1, with "sb3" 3.
    policy: FILE.py:NAME, the class of a network of your own in place of `hidden` and `suits`; see docs/own_network.md.
    hidden: widths of the layers. suits: "plain", or "canonical", which sorts the suits before the network sees them, so
    that hands that differ only by the names of suits are the same hand.
    memory: for a policy that remembers the earlier hands of a sitting; kind "ppo" alone.
    average: the decay of an exponential moving average of the weights, such as 0.995, which the run then delivers;
    the last weights are saved beside it.
    kl_coef: the weight of a KL penalty toward a reference policy, a moving average of the weights of its own, whose
    decay is reference_decay. A decay of 0 makes it the policy that plays the rollout: magnetic mirror descent with
    the stepsize 1 / kl_coef, the uniform magnet and the temperature `entropy`.
    matmul_precision: "medium" lets processors with matrix units (Intel's AMX) round the factors of matrix products to
    bfloat16 in training, which changes nothing on others; "highest" multiplies float32 everywhere.
    own: settings of a learner of your own, keywords of its class: `--set learner.own.my_coef=0.5`.
    device: where the network computes: "cpu", "cuda" (or "cuda:1"), "mps", or "auto", the faster of the GPU and the CPU
    by a short trial.
    compile: compile the network by `torch.compile` while it learns, which takes a minute at first. autocast: compute in
    bfloat16 where PyTorch holds that for safe (`torch.autocast`). Of kind "ppo", without memory.
    threads: for PyTorch, and of kind "ppo" for the tables. "auto" uses one or two for PyTorch, whichever is faster at
    the moment. With a fixed number of threads, the same seed and a budget in decisions, a run can be repeated exactly.
    """

    kind: str = "ppo"
    policy: str | None = None
    hidden: Annotated[tuple[Positive, ...], Field(min_length=1)] = (256, 256)
    n_steps: Positive = 32
    epochs: Positive = 1
    batch_size: Positive = 2048
    gamma: Fraction = 1.0
    gae_lambda: Fraction = 0.95
    clip_range: Above0 = 0.2
    value_weight: NotNegative = 0.5
    max_grad_norm: Above0 = 0.5
    learning_rate: tuple[Above0, Above0] = (1e-3, 5e-5)
    entropy: tuple[NotNegative, NotNegative] = (0.02, 0.01)
    suits: Literal["plain", "canonical"] = "plain"
    memory: Remembers | None = None
    average: Annotated[float, Field(gt=0, lt=1)] | None = None
    kl_coef: NotNegative = 0.0
    reference_decay: Annotated[float, Field(ge=0, lt=1)] = 0.99
    matmul_precision: MatmulPrecision = "medium"
    own: dict[str, Any] = {}
    device: str = "auto"
    compile: bool = False
    autocast: Literal["bfloat16"] | None = None
    threads: Positive | Literal["auto"] = 2

    @field_validator("device")
    @classmethod
    def _device(cls, device: str) -> str:
        if not re.fullmatch(r"auto|cpu|cuda(:\d+)?|mps", device):
            raise ValueError(f"must be auto, cpu, cuda, cuda:N or mps, got {device!r}")
        return device

    @field_validator("kind")
    @classmethod
    def _known(cls, kind: str) -> str:
        if not parts_in(kind):
            LEARNERS.get(kind)
        return kind

    @model_validator(mode="before")
    @classmethod
    def _epochs_of_kind(cls, given: Any) -> Any:
        if isinstance(given, Mapping) and given.get("kind") == "sb3":
            return {"epochs": SB3_EPOCHS, **given}
        return given

    @model_validator(mode="after")
    def _memory_of_ppo(self) -> Self:
        if self.memory and self.batch_size < self.n_steps:
            raise ValueError(
                f"batch_size: with memory, minibatches are complete sequences; give n_steps ({self.n_steps}) or more"
            )
        return self

    @model_validator(mode="after")
    def _memory_is_not_compiled(self) -> Self:
        if (self.compile or self.autocast) and self.memory:
            raise ValueError("compile, autocast: a learner with memory has neither")
        return self

    def ppo_arguments(self) -> dict[str, Any]:
        """What both kinds of PPO take, by their common names."""
        return {
            "n_steps": self.n_steps,
            "n_epochs": self.epochs,
            "batch_size": self.batch_size,
            "gamma": self.gamma,
            "gae_lambda": self.gae_lambda,
            "clip_range": self.clip_range,
            "ent_coef": self.entropy[0],
            "vf_coef": self.value_weight,
            "max_grad_norm": self.max_grad_norm,
            "learning_rate": self.learning_rate[0],
        }


class PastSelves(Validated):
    """The opponent pool of snapshots of the learner.

    copies: how many snapshots are taken, evenly spaced over the budget. playing: how many of them play at a time.
    choice: "uniform", or "who_beats_it", which draws a snapshot more often the more the learner loses to it: e times as
    often for every `temperature` bb/100.
    """

    copies: Positive = 20
    playing: Positive = 2
    choice: Literal["uniform", "who_beats_it"] = "who_beats_it"
    temperature: Above0 = 50.0


LEAST_HANDS, MAX_HANDS = 2_000, 40_000
"""Hands of an evaluation match whose number the time decides."""


class Evaluation(Validated):
    """Evaluation matches on duplicate deals.

    opponents: the anchors. hands: of each match at the end. Without it, evaluation takes less time than the training:
    matches have as many hands as there is time for, 2,000 (`LEAST_HANDS`) to 40,000 (`MAX_HANDS`). times: how many
    evaluations there are during training, before the one at the end. hands_in_training: of each match during training;
    by default `hands`. past_selves: how many snapshots the agent plays at the end, more of the early ones than of the
    late. mistakes: of how many hands against itself the decisions are judged at the end, in heads-up hold'em, at
    most: judging takes no more than 0.3 of the time of training. exploitability: whether it is measured exactly before
    training and with every evaluation, in games small enough for that.
    """

    opponents: tuple[str, ...] = ("random", "calling_station", "maniac")
    hands: Positive | None = None
    times: Annotated[int, Field(ge=0)] = 0
    hands_in_training: Positive | None = None
    past_selves: Annotated[int, Field(ge=0)] = 2
    mistakes: Annotated[int, Field(ge=0)] = 0
    exploitability: bool = False

    @property
    def hands_on_the_way(self) -> int | None:
        """The hands of each match during training; None for as many as there is time for."""
        return self.hands_in_training or self.hands

    @field_validator("opponents")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        known = agent_names()  # reads the entry points of all packages
        for name in names:
            check_agent(name, known)
        return names


class Exploiters(Validated):
    """Training exploiters: during the run, a warm exploiter trains against the agent as it is and joins the pool.

    every: how often, as a fraction of the budget (at most 1) or as a number of decisions. decisions: how long each
    trains. hands: of each match. anchors: whom the delivered agent has to beat; by default evaluation's opponents.
    The budget does not count what exploiters take.
    """

    every: Above0 = 0.1
    decisions: Positive = 400_000
    hands: Positive = 20_000
    anchors: tuple[str, ...] | None = None

    @field_validator("anchors")
    @classmethod
    def _known(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for name in names or ():
            check_agent(name, agent_names())
        return names


def check_agent(name: str, known: list[str]) -> None:
    """Raise ValueError for a name that is neither known, with a parameter behind a colon or without, nor a file's."""
    scheme, colon, _ = name.partition(":")
    if name not in known and not (colon and scheme in known) and not Path(name).suffix:
        raise ValueError(f"there is no opponent {name!r}: {suggestion(name, known)}")
