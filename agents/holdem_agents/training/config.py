"""Experiments as YAML: what a configuration may say, checked when it is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from holdem_env.agents.names import agent_names
from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.learner_tables import Levels, Reward, check_all_in_value
from holdem_env.game.presets import PRESETS
from holdem_env.game.rules import Rules
from holdem_env.utils.validation import Validated, suggestion

LATEST_SELF = "latest_self"
PAST_SELVES = "past_selves"
AVERAGE_SELF = "average_self"
LATEST_OTHERS = "latest_others"

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
    """PPO's settings. What has two values goes from the first to the second over the budget; equal ones are constant.

    hidden: widths of the layers. suits: "plain", or "canonical": the network gets the cards with the suits in an order
    that depends only on how they are held, so that hands which differ by names of suits are one.
    average: how much of the running average of the weights is kept at each update, such as 0.995; the average is then
    what the run delivers. pull: weight of a pull toward a slow copy of the policy (Kullback-Leibler divergence), of
    which `pull_memory` is kept at each update.
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
    suits: Literal["plain", "canonical"] = "plain"
    average: Annotated[float, Field(gt=0, lt=1)] | None = None
    pull: NotNegative = 0.0
    pull_memory: Annotated[float, Field(ge=0, lt=1)] = 0.99
    threads: Positive | Literal["auto"] = 2

    @model_validator(mode="after")
    def _pull_has_something_to_share(self) -> Self:
        if self.pull and not min(self.entropy):
            raise ValueError("pull: it is a part of the entropy bonus; give an entropy above 0")
        return self


class PastSelves(Validated):
    """The pool of frozen copies: how many are made over the budget, evenly spaced, and how many play at a time.

    choice: "uniform", or "who_beats_it": the worse the learner does against a copy, the more often it is drawn;
    e times as often for every `temperature` bb/100.
    """

    copies: Positive = 20
    playing: Positive = 2
    choice: Literal["uniform", "who_beats_it"] = "who_beats_it"
    temperature: Above0 = 50.0


class Evaluation(Validated):
    """Matches by duplicate deals: against whom, how many hands each, and how often over the budget besides the end.

    past_selves: against so many frozen copies too at the end, spread over the run, early ones more densely.
    """

    opponents: tuple[str, ...] = ("random", "calling_station", "maniac")
    hands: Positive = 40_000
    times: Annotated[int, Field(ge=0)] = 0
    past_selves: Annotated[int, Field(ge=0)] = 2

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
    units of reward. reward: "result", or "all_in_value", the result's mean over the board cards that come when betting
    is over (not where the dealer errs). levels: of a session's levels of blinds the "first", or "all" of them.
    opponents: weights of who plays the other seats, drawn for each hand: latest_self, past_selves, average_self (where
    the learner averages), or names of agents. one_opponent: the share of the hands in which one of them is drawn for
    all the other seats, as in a match; in the rest each seat's is drawn by itself.
    checkpoint_minutes: how much work a killed run may lose.
    """

    rules: Annotated[Rules, BeforeValidator(rules_in_words)]
    budget: Budget
    observation: str = "flat"
    actions: str | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tables: Positive = 1024
    reward_scale: Above0 = 0.05
    reward: Reward = "result"
    levels: Levels = "first"
    opponents: Annotated[dict[str, NotNegative], Field(min_length=1)] = {LATEST_SELF: 1.0}
    one_opponent: Fraction = 0.0
    past_selves: PastSelves = PastSelves()
    learner: Learner = Learner()
    evaluation: Evaluation = Evaluation()
    tensorboard: bool = False
    checkpoint_minutes: NotNegative = 2.0

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        get_observation(self.observation)
        get_actions(self.actions, self.rules)
        rollout = self.learner.n_steps * self.tables
        if self.learner.batch_size > rollout:
            raise ValueError(f"learner.batch_size: more than n_steps * tables, which is {rollout}")
        if self.reward == "all_in_value":
            check_all_in_value(self.rules)
        if AVERAGE_SELF in self.opponents and self.learner.average is None:
            raise ValueError("opponents: average_self plays where learner.average is given, such as 0.995")
        return self

    @field_validator("opponents")
    @classmethod
    def _known(cls, weights: dict[str, float]) -> dict[str, float]:
        for name in weights:
            _check_agent(name, [LATEST_SELF, PAST_SELVES, AVERAGE_SELF, LATEST_OTHERS, *agent_names()])
        if not sum(weights.values()):
            raise ValueError("all weights are 0")
        return weights


class Member(Validated):
    """What distinguishes a learner of a league: its encoders and its settings. What is left out is the league's."""

    observation: str | None = None
    actions: str | None = None
    learner: Learner = Learner()


class League(Validated):
    """Several learners of one game that train in turns, against each other and the past selves of all.

    learners: by name. rounds: in each, every learner trains for `turn` decisions, and then all are rated by matches of
    `match_hands` hands. keep: so many of the best rated snapshots are kept as files, the best as final.zip.
    pool: so many frozen copies of all learners at most; the worst rated make room.
    opponents: weights as in Training, and latest_others: the other learners as they are.
    The rest is as in Training.
    """

    rules: Annotated[Rules, BeforeValidator(rules_in_words)]
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
    reward: Reward = "result"
    opponents: Annotated[dict[str, NotNegative], Field(min_length=1)] = {
        LATEST_SELF: 0.4,
        LATEST_OTHERS: 0.3,
        PAST_SELVES: 0.3,
    }
    one_opponent: Fraction = 0.0
    past_selves: PastSelves = PastSelves()
    evaluation: Evaluation = Evaluation()
    tensorboard: bool = False

    @model_validator(mode="after")
    def _every_learner(self) -> Self:
        for name in self.learners:
            try:
                self.training(name)
            except ValidationError as error:
                raise ValueError(f"learners.{name}: {in_words(error.errors()[0])}") from None
        return self

    def training(self, name: str) -> Training:
        """One learner's part as a configuration of its own."""
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


def read_yaml(name: str | Path) -> tuple[Path, dict[str, Any]]:
    """A configuration as it stands in its file, and where that is. Raises ConfigError, or FileNotFoundError."""
    path = find_config(name)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not YAML: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: a configuration is a list of `name: value` lines; this is {type(content).__name__}")
    return path, content


@contextmanager
def problems_in_words(path: Path) -> Iterator[None]:
    """What pydantic finds wrong with a configuration becomes a ConfigError that names file and place."""
    try:
        yield
    except ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {in_words(problem)}" for problem in error.errors())) from None


def load_config(path: str | Path, changes: Sequence[str] = ()) -> Training:
    """Read and check a configuration, with some values changed: "learner.entropy=[0.02, 0.02]".

    Raises ConfigError, or FileNotFoundError.
    """
    config = load_any_config(path, changes)
    if isinstance(config, League):
        raise ConfigError(f"{path}: a league; here a configuration of one learner is needed")
    return config


def load_any_config(path: str | Path, changes: Sequence[str] = ()) -> Training | League:
    """The same for configurations of leagues, too: those that have `learners`."""
    path, content = read_yaml(path)
    for change in changes:
        _change(content, change)
    with problems_in_words(path):
        config = League(**content) if "learners" in content else Training(**content)
    if isinstance(config, Training) and LATEST_OTHERS in config.opponents:
        raise ConfigError(f"{path}: opponents: latest_others is for leagues, which have `learners`")
    return config


def _change(content: dict[str, Any], change: str) -> None:
    """Set one value, given as text: the place, an equals sign, the value as YAML."""
    place, equals, value = change.partition("=")
    *above, name = place.strip().split(".")
    try:
        new = yaml.safe_load(value)
    except yaml.YAMLError:
        new, equals = None, ""
    if not equals or not name:
        raise ConfigError(f"{change!r} is no change of a configuration; one is learner.entropy=[0.02,0.02]")
    for key in above:
        inner = content.get(key, {})
        if key == "rules" and isinstance(inner, str):
            inner = {"preset": inner}
        if not isinstance(inner, dict):
            raise ConfigError(f"{change!r}: {key} is {inner!r}, which has no {name!r}")
        content[key] = content = dict(inner)
    content[name] = new


def in_words(problem: Any) -> str:
    """One of pydantic's errors, as place, message and what was given."""
    place = ".".join(map(str, problem["loc"]))
    message = problem["msg"].removeprefix("Value error, ")
    given = "" if problem["type"] in ("value_error", "missing") else f", not {problem['input']!r}"
    return f"{place + ': ' if place else ''}{message}{given}"
