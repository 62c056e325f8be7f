"""The configurations of what is trained here: one learner, a league, the values of hands before a card."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from holdem_env.agents.names import agent_names
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.learner_tables import Levels, check_all_in_value
from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import fields_of_rules
from holdem_env.game.title import game_title
from holdem_env.utils.validation import Validated

from ..custom_code import all_parts_in, copy_parts, is_known, load_parts, part, parts_in
from ..runs.config import ConfigError as ConfigError
from ..runs.config import error_text
from ..runs.config import load_config as load_config
from .run_settings import AVERAGE_SELF as AVERAGE_SELF
from .run_settings import BEST_RESPONSE as BEST_RESPONSE
from .run_settings import LATEST_OTHERS as LATEST_OTHERS
from .run_settings import LATEST_SELF as LATEST_SELF
from .run_settings import PAST_SELVES as PAST_SELVES
from .run_settings import SB3_EPOCHS as SB3_EPOCHS
from .run_settings import Above0 as Above0
from .run_settings import Budget as Budget
from .run_settings import Evaluation as Evaluation
from .run_settings import Exploiters as Exploiters
from .run_settings import Fraction as Fraction
from .run_settings import Learner as Learner
from .run_settings import MatmulPrecision as MatmulPrecision
from .run_settings import NotNegative as NotNegative
from .run_settings import PastSelves as PastSelves
from .run_settings import Positive as Positive
from .run_settings import Remembers as Remembers
from .run_settings import check_agent


def expand_preset(given: Any) -> Any:
    """The fields of Rules, if rules are given as a preset's name, as `preset` with changes or as a YAML file."""
    return fields_of_rules(given) if isinstance(given, str | Mapping) else given


GameRules = Annotated[Rules, BeforeValidator(expand_preset)]
"""Rules as a configuration gives them."""


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
        """Raise ValueError for what belongs to the built-in network."""
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


def read_league(**fields: Any) -> League:
    """The configuration of a league with these fields, of a file. Raises ValidationError, or ValueError."""
    league = League(**fields)
    if all_parts_in(fields):
        raise ValueError(f"a league's parts must have names, got {', '.join(all_parts_in(fields))}")
    return league


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
    """The `repr` of a configuration: its game, its encoders, and what trains."""
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
