"""Experiments as YAML: what a configuration may say, checked when it is loaded."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from holdem_env.encoders import get_actions, get_observation
from holdem_env.players import agent_names
from holdem_env.rules import PRESETS, Rules
from holdem_env.validation import Validated, suggestion

LATEST_SELF = "latest_self"
PAST_SELVES = "past_selves"

Positive = Annotated[int, Field(gt=0)]
Fraction = Annotated[float, Field(ge=0, le=1)]
NotNegative = Annotated[float, Field(ge=0)]
Above0 = Annotated[float, Field(gt=0)]


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names the file, the place in it, and what would be right."""


def rules_in_words(given: Any) -> Any:
    """Rules may be a preset's name, or `preset` with changes, or all fields."""
    if isinstance(given, str):
        given = {"preset": given}
    if not isinstance(given, dict) or "preset" not in given:
        return given
    changes = dict(given)
    name = changes.pop("preset")
    if name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}: {suggestion(name, list(PRESETS))}")
    return {**PRESETS[name], **changes}


class Budget(Validated):
    """How long to train: `decisions` of the learner's, or `seconds` on the clock (then a run cannot be repeated
    exactly).
    """

    decisions: Positive | None = None
    seconds: Above0 | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.decisions is None) == (self.seconds is None):
            raise ValueError("give either decisions or seconds")
        return self


class Learner(Validated):
    """PPO's settings. What has two values goes from the first to the second over the budget.

    threads: of PyTorch; "auto" takes one or two, whichever is faster at the moment. With the same number of them,
    the same seed and a budget in decisions a run comes out the same.
    """

    hidden: Annotated[tuple[Positive, ...], Field(min_length=1)] = (256, 256)
    n_steps: Positive = 32
    epochs: Positive = 3
    batch_size: Positive = 2048
    gamma: Fraction = 1.0
    gae_lambda: Fraction = 0.95
    clip_range: Above0 = 0.2
    value_weight: NotNegative = 0.5
    max_grad_norm: Above0 = 0.5
    learning_rate: tuple[Above0, Above0] = (1e-3, 5e-5)
    entropy: tuple[NotNegative, NotNegative] = (0.02, 0.01)
    threads: Positive | Literal["auto"] = 2


class PastSelves(Validated):
    """The pool of frozen copies: how many are made over the budget, evenly spaced, and how many play at a time."""

    copies: Positive = 20
    playing: Positive = 2


class Evaluation(Validated):
    """Matches by duplicate deals: against whom, how many hands each, and how often over the budget besides the end."""

    opponents: tuple[str, ...] = ("random", "calling_station", "maniac")
    hands: Positive = 40_000
    times: Annotated[int, Field(ge=0)] = 0

    @field_validator("opponents")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            _check_agent(name, agent_names())
        return names


class Training(Validated):
    """One experiment.

    rules: a preset's name, `preset:` with changes, or the fields of Rules. observation, actions: the learner's
    encoders; actions may be bet sizes as text. tables: how many are played at once. reward_scale: a big blind in
    units of reward.
    opponents: weights of who plays the other seats, drawn for each hand: latest_self, past_selves, or names of agents.
    """

    rules: Annotated[Rules, BeforeValidator(rules_in_words)]
    budget: Budget
    observation: str = "flat"
    actions: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tables: Positive = 1024
    reward_scale: Above0 = 0.05
    opponents: Annotated[dict[str, NotNegative], Field(min_length=1)] = {LATEST_SELF: 1.0}
    past_selves: PastSelves = PastSelves()
    learner: Learner = Learner()
    evaluation: Evaluation = Evaluation()
    tensorboard: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        get_observation(self.observation)
        get_actions(self.actions, self.rules)
        rollout = self.learner.n_steps * self.tables
        if self.learner.batch_size > rollout:
            raise ValueError(f"learner.batch_size: more than n_steps * tables, which is {rollout}")
        return self

    @field_validator("opponents")
    @classmethod
    def _known(cls, weights: dict[str, float]) -> dict[str, float]:
        for name in weights:
            _check_agent(name, [LATEST_SELF, PAST_SELVES, *agent_names()])
        if not sum(weights.values()):
            raise ValueError("all weights are 0")
        return weights


def _check_agent(name: str, known: list[str]) -> None:
    """A name that is known, or a file."""
    if name not in known and not Path(name).suffix:
        raise ValueError(f"there is no opponent {name!r}: {suggestion(name, known)}")


def find_config(name: str | Path) -> Path:
    """The file of that path, or else the one of that name that comes along: "demo", "demo.yaml", "configs/demo.yaml".

    Raises FileNotFoundError, listing what there is.
    """
    path = Path(name)
    if path.is_file():
        return path
    shipped = shipped_configs()
    if path.stem in shipped and path.suffix in ("", ".yaml") and str(path.parent) in (".", "configs"):
        return shipped[path.stem]
    raise FileNotFoundError(f"{path}: there is no such file; those that come along are {', '.join(sorted(shipped))}")


def shipped_configs() -> dict[str, Path]:
    """The configurations that come with the package, by name."""
    folder = Path(str(files("holdem_agents.configs")))
    return {path.stem: path for path in folder.glob("*.yaml")}


def load_config(path: str | Path) -> Training:
    """Read and check a configuration. Raises ConfigError, or FileNotFoundError."""
    path = find_config(path)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not YAML: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: a configuration is a list of `name: value` lines; this is {type(content).__name__}")
    try:
        return Training(**content)
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {in_words(problem)}" for problem in error.errors())) from None


def in_words(problem: Any) -> str:
    """One of pydantic's errors, as place, message and what was given."""
    place = ".".join(map(str, problem["loc"]))
    message = problem["msg"].removeprefix("Value error, ")
    given = "" if problem["type"] in ("value_error", "missing") else f", not {problem['input']!r}"
    return f"{place + ': ' if place else ''}{message}{given}"
