"""The configurations of what is trained here: one learner, a league, the values of hands before a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, field_validator, model_validator

from holdem_env.agents.names import agent_names
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.learner_tables import Levels, check_all_in_value
from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import fields_of_rules
from holdem_env.game.title import game_title
from holdem_env.utils.counting import duration
from holdem_env.utils.registry import Registry
from holdem_env.utils.suggestions import suggestion
from holdem_env.utils.validation import Validated

from ..custom_code import all_parts_in, copy_parts, is_known, load_parts, part, parts_in
from ..runs.config import error_text

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


GameRules = Annotated[
    Rules, BeforeValidator(lambda given: fields_of_rules(given) if isinstance(given, str | Mapping) else given)
]
"""Rules as a configuration gives them: a preset's name, `preset` with changes, a YAML file, or the fields."""


def check_agent(name: str, known: list[str]) -> None:
    """Raise ValueError for a name that is neither known, with a parameter behind a colon or without, nor a file's."""
    scheme, colon, _ = name.partition(":")
    if name not in known and not (colon and scheme in known) and not Path(name).suffix:
        raise ValueError(f"there is no opponent {name!r}: {suggestion(name, known)}")


def known_agents(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of agents, each of which `check_agent` knows."""
    known = agent_names()  # reads the entry points of all packages
    for name in names:
        check_agent(name, known)
    return names


AgentNames = Annotated[tuple[str, ...], AfterValidator(known_agents)]


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
    def _memory_fits(self) -> Self:
        if self.memory and self.batch_size < self.n_steps:
            raise ValueError(
                f"batch_size: with memory, minibatches are complete sequences; give n_steps ({self.n_steps}) or more"
            )
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

    opponents: AgentNames = ("random", "calling_station", "maniac")
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


class Exploiters(Validated):
    """Training exploiters: during the run, a warm exploiter trains against the agent as it is and joins the pool.

    every: how often, as a fraction of the budget (at most 1) or as a number of decisions. decisions: how long each
    trains. hands: of each match. anchors: whom the delivered agent has to beat; by default evaluation's opponents.
    The budget does not count what exploiters take.
    """

    every: Above0 = 0.1
    decisions: Positive = 400_000
    hands: Positive = 20_000
    anchors: AgentNames | None = None


class Training(Validated):
    """The configuration of one learner's training.

    rules: the name of a preset, `preset:` with changes, or the fields of Rules. observation, actions: the learner's
    encoders; actions may be bet sizes as text. tables: how many tables play at once. reward_scale: the reward of
    winning one big blind. sampling_temperature: what the logits of the agent in final.safetensors are divided by; below
    1 it plays likely actions more often than in training. reward: "result", or "all_in_value", the mean of the result
    over the cards still to come when betting is over (not if the dealer errs), or FILE.py:NAME, a function of
    EndedHands. Observations, actions and `learner.policy` may be FILE.py:NAME, too (`custom_code`). levels: which blind
    levels of a session are played by hands that stand alone, the "first" or "all"; or "sessions", which are played as
    they go, with the uneven stacks that come of it (not with SB3). sitting: the number of hands in a row, which stand
    alone, in which the same agents have the seats of a table, in training and in evaluation matches; what a
    learner.memory keeps lasts as long (not with SB3).
    opponents: who plays the other seats, with weights: latest_self, past_selves, average_self (with learner.average),
    best_response, or names of agents. Opponents are drawn for each sitting. best_response_every: after how many
    decisions the exact best response to the agent that would be delivered is computed again. one_opponent: the fraction
    of sittings in which one opponent is drawn for all other seats, as in a match; in the rest, each seat's opponent is
    drawn independently.
    exploiters: training exploiters; None trains without. start: the model file of an earlier agent (.safetensors); the
    learner begins with its weights instead of random ones. Its game, observation, actions, hidden widths and suits must
    be those of the configuration.
    tensorboard: write the statistics for TensorBoard, too. wandb: the project of Weights & Biases that gets them.
    checkpoint_minutes: the time between checkpoints, and so the most work that a killed run loses.
    """

    kind: Literal["learner"] = "learner"
    rules: GameRules
    budget: Budget
    observation: str = "flat"
    actions: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tables: Positive = 1024
    reward_scale: Above0 = 0.05
    sampling_temperature: Above0 = 1.0
    reward: str = "result"
    levels: Levels = "first"
    sitting: Positive = 1
    opponents: Annotated[dict[str, NotNegative], Field(min_length=1)] = {LATEST_SELF: 1.0}
    best_response_every: Positive = 50_000
    one_opponent: Fraction = 0.0
    past_selves: PastSelves = PastSelves()
    learner: Learner = Learner()
    evaluation: Evaluation = Evaluation()
    exploiters: Exploiters | None = None
    start: str | None = None
    tensorboard: bool = False
    wandb: str | None = None
    checkpoint_minutes: NotNegative = 2.0

    @property
    def budget_text(self) -> str:
        """How long it trains, in words."""
        return self.budget.text + (" of training" if self.budget.seconds is not None else "")

    def __repr__(self) -> str:
        budget = ", ".join(f"{amount:,} {name}" for name, amount in self.budget.model_dump(exclude_none=True).items())
        return _line_of(self, f"{self.learner.kind} for {budget}".replace("_", " "))

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if all(map(is_known, parts_in(self.observation))):
            get_observation(self.observation)
        if all(map(is_known, parts_in(self.actions))):
            get_actions(self.actions, self.rules)
        rollout = self.learner.n_steps * self.tables
        if self.learner.batch_size > rollout:
            raise ValueError(f"learner.batch_size: more than n_steps * tables, which is {rollout}")
        if self.learner.memory and self.sitting == 1:
            raise ValueError("sitting: a learner with memory needs several hands in a row; give 2 or more, such as 20")
        if self.sitting > 1 and self.rules.session is not None:
            raise ValueError("sitting: its hands stand alone, with fresh stacks; these rules have a session")
        if self.reward == "all_in_value":
            check_all_in_value(self.rules)
        elif self.reward != "result" and not parts_in(self.reward):
            raise ValueError(f"reward: must be 'result', 'all_in_value' or FILE.py:NAME, got {self.reward!r}")
        if self.learner.policy:
            self._check_own_network()
        if self.levels == "sessions" and self.rules.session is None:
            raise ValueError("levels: 'sessions' is for rules with a session, and these have none")
        if AVERAGE_SELF in self.opponents and self.learner.average is None:
            raise ValueError("opponents: average_self needs learner.average, such as 0.995")
        if self.evaluation.exploitability and (why := self._why_not_exact()):
            raise ValueError(f"evaluation.exploitability: must be false here: {why}")
        if BEST_RESPONSE in self.opponents and (why := self._why_not_exact()):
            raise ValueError(f"opponents: {BEST_RESPONSE} must be left out here: {why}")
        return self

    def _why_not_exact(self) -> str | None:
        """Why exploitability cannot be computed exactly; None if it can, as far as is known without listing moves."""
        from holdem_env.arena import why_not_exact  # few configurations need the arena

        return "a learner with memory states no probabilities" if self.learner.memory else why_not_exact(self.rules)

    def _check_own_network(self) -> None:
        if parts_in(self.learner.policy) != [self.learner.policy]:
            raise ValueError(f"learner.policy: must be FILE.py:NAME, got {self.learner.policy!r}")
        for what, is_given in {
            "start": self.start,
            "exploiters": self.exploiters,
            "sampling_temperature": self.sampling_temperature != 1,
            "learner.memory": self.learner.memory,
            "learner.suits": self.learner.suits != "plain",
        }.items():
            if is_given:
                raise ValueError(f"learner.policy: {what} is for the built-in network; leave one of them out")

    @field_validator("start")
    @classmethod
    def _is_model_file(cls, path: str | None) -> str | None:
        if path is not None and Path(path).suffix != MODEL_SUFFIX:
            raise ValueError(f"give a model file ({MODEL_SUFFIX}), not {path!r}; `holdem convert` makes one of a .zip")
        return path

    @field_validator("opponents")
    @classmethod
    def _known(cls, weights: dict[str, float]) -> dict[str, float]:
        known = [LATEST_SELF, PAST_SELVES, AVERAGE_SELF, LATEST_OTHERS, BEST_RESPONSE, *agent_names()]
        for name in weights:
            check_agent(name, known)
        if not sum(weights.values()):
            raise ValueError("all weights are 0")
        return weights


class Member(Validated):
    """The fields of one learner in a league. An encoder that is not given is the league's."""

    observation: str | None = None
    actions: str | None = None
    learner: Learner = Learner()


class League(Validated):
    """The configuration of a league: several learners of one game that train against each other, a turn in every round.

    learners: by name. rounds: in each round every learner trains for `turn` decisions, then matches of `match_hands`
    hands rate all of them. keep: how many of the best-rated snapshots are kept as files; the best becomes
    final.safetensors.
    pool: the largest number of snapshots of all learners in the opponent pool; the worst rated are removed.
    opponents: weights as in Training, with latest_others for the other learners as they were after their last turns.
    The other fields are those of Training.
    """

    kind: Literal["league"] = "league"
    rules: GameRules
    learners: Annotated[dict[str, Member], Field(min_length=2)]
    rounds: Positive = 10
    turn: Positive = 500_000
    match_hands: Positive = 20_000
    keep: Positive = 3
    pool: Positive = 24
    observation: str = "flat"
    actions: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tables: Positive = 1024
    reward_scale: Above0 = 0.05
    reward: str = "result"
    opponents: Annotated[dict[str, NotNegative], Field(min_length=1)] = {
        LATEST_SELF: 0.4,
        LATEST_OTHERS: 0.3,
        PAST_SELVES: 0.3,
    }
    one_opponent: Fraction = 0.0
    past_selves: PastSelves = PastSelves()
    evaluation: Evaluation = Evaluation()
    tensorboard: bool = False
    wandb: str | None = None

    @property
    def budget_text(self) -> str:
        """How long it trains, in words."""
        return f"{self.rounds} rounds of {self.turn:,} decisions for each learner"

    def __repr__(self) -> str:
        return _line_of(self, f"{len(self.learners)} learners, {self.rounds} rounds of {self.turn:,} decisions")

    @model_validator(mode="after")
    def _every_learner(self) -> Self:
        if self.evaluation.exploitability:
            raise ValueError("evaluation.exploitability: must be false in a league, whose report measures it anyway")
        if own := all_parts_in(self.model_dump(mode="json", exclude_unset=True)):
            raise ValueError(f"a league's parts must have names, got {', '.join(own)}")
        for name in self.learners:
            try:
                self.training(name)
            except ValidationError as error:
                raise ValueError(f"learners.{name}: {error_text(error.errors()[0])}") from None
        return self

    def training(self, name: str) -> Training:
        """The configuration of one of the learners."""
        member = self.learners[name]
        shared = {key: getattr(self, key) for key in ("rules", "tables", "reward_scale", "reward", "past_selves")}
        return Training(
            **shared,
            budget=Budget(decisions=self.rounds * self.turn),
            seed=(self.seed + list(self.learners).index(name)) % 2**32,
            observation=member.observation or self.observation,
            actions=member.actions or self.actions,
            learner=member.learner,
            opponents=self.opponents,
            one_opponent=self.one_opponent,
            evaluation=self.evaluation,
        )


def read_training(**fields: Any) -> Training:
    """The configuration of one learner with these fields, of a file. Raises ValidationError, or ValueError."""
    config = Training(**fields)
    if LATEST_OTHERS in config.opponents:
        raise ValueError("opponents: latest_others is for leagues, which have `learners`")
    return config


class ValuesConfig(Validated):
    """The configuration of a network that values hands before a card.

    street: of the card to come. blueprint: whose play gives half of the ranges. network: of the river, for street
    "turn": a file, by default the bundled one. examples, epochs: how many.
    """

    kind: Literal["values"] = "values"
    street: Literal["turn", "river"]
    blueprint: str = "blueprint_100bb"
    network: str | None = None
    examples: Positive = 200_000
    epochs: Positive = 8
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0

    @property
    def budget_text(self) -> str:
        """How much is solved, in words."""
        return f"{self.examples:,} examples"


def _line_of(config: Training | League, what: str) -> str:
    game = f"{config.rules.seats} seats, {game_title(config.rules)}"
    encoders = f"observation {config.observation!r}, actions {config.actions!r}"
    return f"<{type(config).__name__}: {game}, {encoders}, {what}>"


def load_own_parts(config: Training, *folders: Path) -> None:
    """Run the custom code that a configuration names; reading one does not. Raises as `load_parts`."""
    load_parts(config.model_dump(mode="json", exclude_unset=True), *folders)


def with_copied_parts(config: Training, folder: Path) -> Training:
    """The configuration with copies, in a run folder, of all custom code that it names."""
    settings = config.model_dump(mode="json", exclude_unset=True)
    return Training(**copy_parts(settings, folder)) if all_parts_in(settings) else config


def reward_of(config: Training) -> dict[str, Any]:
    """The rewards of a training, as tables and environments take them."""
    if parts_in(config.reward):
        return {"reward_function": part(config.reward)}
    return {"reward": config.reward}
