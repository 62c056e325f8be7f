"""Training configurations: the fields of the YAML files, their checks, and how files are loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from holdem_env.agents.names import agent_names
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.learner_tables import Levels, check_all_in_value
from holdem_env.game.given_rules import fields_of_rules
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.utils import yaml_files
from holdem_env.utils.plain_data import check_names
from holdem_env.utils.suggestions import did_you_mean
from holdem_env.utils.validation import Validated

from ..own_parts import all_parts_in, copy_parts, is_known, load_parts, part, parts_in
from .field_paths import set_field
from .run_settings import AVERAGE_SELF as AVERAGE_SELF
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


class ConfigError(ValueError):
    """A configuration that cannot be used. The message names the file, the field, and what would be right."""


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
    EndedHands. Observations, actions and `learner.policy` may be FILE.py:NAME, too (`own_parts`). levels: which blind
    levels of a session are played by hands that stand alone, the "first" or "all"; or "sessions", which are played as
    they go, with the uneven stacks that come of it (not with SB3). sitting: the number of hands in a row, which stand
    alone, in which the same agents have the seats of a table, in training and in evaluation matches; what a
    learner.memory keeps lasts as long (not with SB3).
    opponents: who plays the other seats, with weights: latest_self, past_selves, average_self (with learner.average),
    or names of agents. Opponents are drawn for each sitting. one_opponent: the fraction of sittings in which one
    opponent is drawn for all other seats, as in a match; in the rest, each seat's opponent is drawn independently.
    exploiters: training exploiters; None trains without. start: the model file of an earlier agent (.safetensors); the
    learner begins with its weights instead of random ones. Its game, observation, actions, hidden widths and suits must
    be those of the configuration.
    tensorboard: write the statistics for TensorBoard, too. wandb: the project of Weights & Biases that gets them.
    checkpoint_minutes: the time between checkpoints, and so the most work that a killed run loses.
    """

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
    one_opponent: Fraction = 0.0
    past_selves: PastSelves = PastSelves()
    learner: Learner = Learner()
    evaluation: Evaluation = Evaluation()
    exploiters: Exploiters | None = None
    start: str | None = None
    tensorboard: bool = False
    wandb: str | None = None
    checkpoint_minutes: NotNegative = 2.0

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
        if self.sitting > 1 and self.learner.kind != "ppo":
            raise ValueError(f"sitting: only learners of the kind 'ppo' play sittings, not {self.learner.kind!r}")
        if self.sitting > 1 and self.rules.session is not None:
            raise ValueError("sitting: its hands stand alone, with fresh stacks; these rules have a session")
        if self.reward == "all_in_value":
            check_all_in_value(self.rules)
        elif self.reward != "result" and not parts_in(self.reward):
            raise ValueError(f"reward: must be 'result', 'all_in_value' or FILE.py:NAME, got {self.reward!r}")
        if self.learner.policy:
            self._check_own_network()
        if self.levels == "sessions" and self.learner.kind == "sb3":
            raise ValueError("levels: 'sessions' needs learner.kind 'ppo'; with 'sb3' give 'first' or 'all'")
        if self.levels == "sessions" and self.rules.session is None:
            raise ValueError("levels: 'sessions' is for rules with a session, and these have none")
        if AVERAGE_SELF in self.opponents and self.learner.average is None:
            raise ValueError("opponents: average_self needs learner.average, such as 0.995")
        if self.evaluation.exploitability and (why := self._why_not_exact()):
            raise ValueError(f"evaluation.exploitability: must be false here: {why}")
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
            "learner.kl_coef with 'sb3'": self.learner.kl_coef and self.learner.kind == "sb3",
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
        known = [LATEST_SELF, PAST_SELVES, AVERAGE_SELF, LATEST_OTHERS, *agent_names()]
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


def _line_of(config: Training | League, what: str) -> str:
    """The `repr` of a configuration: its game, its encoders, and what trains."""
    game = f"{config.rules.seats} seats, {game_title(config.rules)}"
    encoders = f"observation {config.observation!r}, actions {config.actions!r}"
    return f"<{type(config).__name__}: {game}, {encoders}, {what}>"


def load_own_parts(config: Training, *folders: Path) -> None:
    """Run the code of one's own that a configuration names; reading one does not. Raises as `load_parts`."""
    load_parts(config.model_dump(mode="json", exclude_unset=True), *folders)


def with_copied_parts(config: Training, folder: Path) -> Training:
    """The configuration with copies, in a run folder, of all parts of one's own that it names."""
    settings = config.model_dump(mode="json", exclude_unset=True)
    return Training(**copy_parts(settings, folder)) if all_parts_in(settings) else config


def reward_of(config: Training) -> dict[str, Any]:
    """The rewards of a training, as tables and environments take them."""
    if parts_in(config.reward):
        return {"reward_function": part(config.reward)}
    return {"reward": config.reward}


def find_config(name: str | Path) -> Path:
    """The file of this path, or a configuration that comes with the package: "demo", "demo.yaml", "configs/demo.yaml".

    Raises FileNotFoundError, which lists those that come with the package.
    """
    path = Path(name)
    if path.is_file():
        return path
    shipped = shipped_configs()
    if path.stem in shipped and path.suffix in ("", ".yaml") and str(path.parent) in (".", "configs"):
        return shipped[path.stem]
    hint = f"; {near}" if (near := did_you_mean(path.stem, sorted(shipped))) else ""
    raise FileNotFoundError(f"{path}: there is no such file; holdem comes with {', '.join(sorted(shipped))}{hint}")


def shipped_configs() -> dict[str, Path]:
    """The configurations that come with the package, by name."""
    folder = Path(str(files("holdem_agents.configs")))
    return {path.stem: path for path in folder.glob("*.yaml")}


def read_yaml(name: str | Path) -> tuple[Path, dict[str, Any]]:
    """The path of a configuration and the content of its file. Raises ConfigError, or FileNotFoundError."""
    path = find_config(name)
    try:
        content = yaml_files.load(path)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: a configuration is a list of `name: value` lines; this is {type(content).__name__}")
    try:
        check_names(content)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    return path, content


@contextmanager
def config_errors(path: Path | str, changes: Sequence[str] = ()) -> Iterator[None]:
    """Turn pydantic's errors into a ConfigError that names the fields, and the file or the change that is wrong."""
    try:
        yield
    except ValidationError as error:
        texts = [(error_text(each), _change_of(each, changes)) for each in error.errors()]
        lines = [f"{path if change is None else f'--set {change}'}: {text}" for text, change in texts]
        raise ConfigError("\n".join(lines)) from None


def _change_of(error: Any, changes: Sequence[str]) -> str | None:
    """The change that one of pydantic's errors is about; None if it is about the file."""
    place = ".".join(map(str, error["loc"]))
    for change in changes:
        field = change.partition("=")[0].strip()
        parent, _, name = field.rpartition(".")
        if f"{place}.".startswith(f"{field}.") or (place == parent and repr(name) in error["msg"]):
            return change
    return None


def load_config(path: str | Path, changes: Sequence[str] = ()) -> Training:
    """Read and check a training configuration. changes: other values, such as "learner.entropy=[0.02, 0.02]".

    Raises ConfigError, or FileNotFoundError.
    """
    config = load_any_config(path, changes)
    if isinstance(config, League):
        raise ConfigError(f"{path}: this is a league; a configuration of one learner is needed here")
    return config


def load_any_config(path: str | Path, changes: Sequence[str] = ()) -> Training | League:
    """Read and check a configuration of one learner, or of a league, which has the field `learners`."""
    path, content = read_yaml(path)
    if "agents" in content:
        raise ConfigError(f"{path}: this is a tournament; use holdem tournament {path.stem}")
    if "base" in content:
        raise ConfigError(f"{path}: this is a sweep; use holdem sweep {path.stem}")
    if "sizes" in content or "cards" in content:
        raise ConfigError(f"{path}: this is a blueprint; use holdem solve {path.stem}")
    for change in changes:
        change_field(content, change)
    return checked_config(path, content, changes)


def checked_config(path: Path, content: dict[str, Any], changes: Sequence[str]) -> Training | League:
    """The configuration with these fields. path, changes: where they are from, for errors.

    Raises ConfigError.
    """
    with config_errors(path, changes):
        config = League(**content) if "learners" in content else Training(**content)
    if isinstance(config, League) and all_parts_in(content):
        raise ConfigError(f"{path}: a league's parts must have names, got {', '.join(all_parts_in(content))}")
    if isinstance(config, Training) and LATEST_OTHERS in config.opponents:
        raise ConfigError(f"{path}: opponents: latest_others is for leagues, which have `learners`")
    return config


def change_field(content: dict[str, Any], change: str) -> None:
    """Set one field from text: its dotted path, an equals sign, and the value as YAML."""
    path, equals, value = change.partition("=")
    try:
        new = yaml_files.loads(value)
    except ValueError:
        new, equals = None, ""
    if not equals or not path.strip().split(".")[-1]:
        raise ConfigError(f"--set: {change!r} does not set a field; an example that does: learner.entropy=[0.02,0.02]")
    try:
        set_field(content, path.strip(), new)
    except ValueError as error:
        raise ConfigError(f"--set: {change!r}: {error}") from None


def error_text(error: Any) -> str:
    """One of pydantic's errors as text: the field, the message, and the value that was given."""
    field = ".".join(map(str, error["loc"]))
    message = _plain(error["msg"].removeprefix("Value error, "))
    given = "" if error["type"] in ("value_error", "missing") else f", not {error['input']!r}"
    return f"{field + ': ' if field else ''}{message}{given}"


def _plain(message: str) -> str:
    """What pydantic says of text that is not a number, as a person says it."""
    return re.sub(r"Input should be a valid (\w+), unable to parse string as an? \w+", _needed, message)


def _needed(found: re.Match[str]) -> str:
    return {"integer": "give a whole number", "number": "give a number"}.get(found[1], f"give a valid {found[1]}")
