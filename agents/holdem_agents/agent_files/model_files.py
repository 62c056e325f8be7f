"""Model files (.safetensors): a trained agent as data alone, so that loading an untrusted file cannot run code in it.
`model_file_format` says what stands in them; everything is checked before it is used."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save as bytes_of

from holdem_env.agents.protocol import StrategyUnknown
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.compiled.records import Records
from holdem_env.encoders import ActionEncoder, ObservationEncoder, get_actions, get_observation
from holdem_env.encoders.actions import PotFractions
from holdem_env.engine.record import NOBODY
from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import RulesLike
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.version import __version__

from ..custom_code import is_known, load_parts, own_errors, parts_in
from ..networks.own_network import first_observation, new_own_network
from ..networks.policy_network import HAND_END, PolicyNetwork
from ..networks.table_memory import ENDED, TableMemory, hand_ends
from ..networks.tensors import device_of, sent
from .model_file_format import (
    FORMAT,
    METADATA,
    Acted,
    Description,
    Observed,
    check_numbers,
    digest_of,
    one_line,
    read,
    refuse,
)
from .network_agent import NetworkAgent

SB3_MASKED = "MaskablePPO"
"""What this library's own learner is called in model files. SB3's algorithm of this name knows no masks."""
WRONG_RULES = (ValueError, TypeError, OverflowError, RecursionError)


class FileAgent(NetworkAgent):
    """Plays the network of a model file: what `make_agent("final.safetensors")` returns.

    policy: the network. algorithm: what trained it, such as "MaskablePPO". training: what the file says about the
    training, such as its decisions and its seed. Other parameters are as in NetworkAgent.

    file: the model file that `load` has read, whatever the agent is called; None for an agent of no file.
    """

    file: Path | None = None

    def __init__(
        self,
        policy: PolicyNetwork,
        observation: ObservationEncoder,
        actions: ActionEncoder,
        trained_on: Rules,
        *,
        deterministic: bool = False,
        seed: int = 0,
        name: str = "self",
        is_masked: bool = True,
        algorithm: str = "",
        training: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(observation, actions, deterministic, seed, name, trained_on, is_masked)
        self.policy, self.algorithm, self.training = policy, algorithm, training or {}

    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        with torch.no_grad():
            logits = self.policy.logits(sent(observation, device_of(self.policy)))
            if self._is_of_sb3:  # SB3 normalizes logits, with masks twice: so they are equal to the last bit
                for _ in range(1 + self.is_masked):
                    logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        numbers: NDArray[np.float32] = logits.cpu().numpy()
        return numbers

    @property
    def _is_of_sb3(self) -> bool:
        return self.algorithm == SB3_MASKED or not self.is_masked

    def _expected(self) -> tuple[int, int]:
        return int(np.prod(self.policy.shape)), self.policy.actions

    def save(self, path: str | Path) -> None:
        """Save as a copy (.safetensors), or as a config that names the file. Without a file, write the network."""
        if Path(path).suffix == MODEL_SUFFIX and not Path(self.name).is_file():
            write(path, self, self.policy, self.algorithm, self.training)
        else:
            super().save(path)


class MemoryAgent(FileAgent):
    """A FileAgent whose network remembers its decisions and the ends of its hands, by table and seat.

    memory: what it remembers. In a deal that stands alone, as in `play_match`, it remembers that hand only; where hands
    follow each other (`play_sittings`, `play_sessions`, a game at one table) it remembers earlier ones. Its
    probabilities depend on what it remembers, so it states none.
    """

    def __init__(self, policy: PolicyNetwork, *args: Any, **settings: Any) -> None:
        super().__init__(policy, *args, **settings)
        about = policy.architecture.memory
        assert about is not None
        self.memory = TableMemory(about.outputs, about.hands)

    def _choices_and_logits(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        seats = tables["actor"][rows].astype(np.int64)
        observation = self._observed(tables, rules, rows, seats)
        places, before = self.memory.recall(tables, rows, seats)
        logits, after = self._recalled(observation, np.zeros((len(rows), HAND_END), np.float32), before)
        self.memory.keep(places, after)
        return self._choices(tables, rules, rows), logits

    def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:
        seats = tables["actor"][rows].astype(np.int64)
        over = tables[rows]
        over["actor"] = NOBODY
        every = np.arange(len(rows))
        observation = self._observed(over, rules, every, seats)
        places, before = self.memory.recall(over, every, seats, np.full(len(rows), ENDED))
        _, after = self._recalled(observation, hand_ends(over, rules, every, seats), before)
        self.memory.end_hands(over, places, every, after)

    def reset(self) -> None:
        self.memory.clear()

    def clone(self) -> MemoryAgent:
        other = copy.copy(self)
        other.memory = TableMemory(self.memory.width, self.memory.hands)
        return other

    @property
    def gives_probabilities(self) -> bool:
        return False

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        raise StrategyUnknown(
            f"agent {self.name!r} cannot give the probabilities of its moves: they depend on what it remembers"
        )

    def _recalled(
        self, observation: NDArray[np.float32], hand_end: NDArray[np.float32], before: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits, and what it remembers after the step."""
        with torch.no_grad():
            given = (sent(each, device_of(self.policy)) for each in (observation, hand_end, before))
            seen, after = self.policy.recall(self.policy.trunk(next(given)), *given)
            return self.policy.policy(seen).cpu().numpy(), after.cpu().numpy()


class OwnNetworkAgent(FileAgent):
    """A FileAgent whose network is of a custom class."""

    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        with own_errors(self.policy.own_part), torch.no_grad():
            logits, _ = self.policy.logits_and_values(sent(observation, device_of(self.policy)))
        numbers: NDArray[np.float32] = logits.cpu().numpy()
        return numbers

    def _expected(self) -> tuple[int, int]:
        assert self.trained_on is not None
        return self.observation_encoder.size(self.trained_on), self.action_encoder.size(self.trained_on)


def agent_of(policy: Any, *args: Any, **settings: Any) -> FileAgent:
    """The agent that plays a network: a MemoryAgent if it has a memory. Parameters are those of FileAgent."""
    if not isinstance(policy, PolicyNetwork):
        return OwnNetworkAgent(policy, *args, **settings)
    kind = FileAgent if policy.architecture.memory is None else MemoryAgent
    return kind(policy, *args, **settings)


def write(
    path: str | Path,
    agent: NetworkAgent,
    network: Any,
    algorithm: str,
    training: Mapping[str, int | float | str | None],
) -> None:
    """Write a network with its agent's encoders and game to a model file. Of a network of a custom class it holds
    the weights and the name of the part (`custom_code`). The file appears only when it is whole.

    Raises ValueError for another suffix than .safetensors, an agent that does not know its game, or weights that are no
    finite numbers; OSError if the file cannot be written.
    """
    rules, observation, actions = agent.trained_on, agent.observation_encoder, agent.action_encoder
    if Path(path).suffix != MODEL_SUFFIX:
        raise ValueError(f"{path}: a model file ends in {MODEL_SUFFIX}")
    if rules is None:
        raise ValueError(f"{path}: a model file says for which game the agent was trained; give rules= to load it")
    # Copies, because a module's tensors may share memory (tied weights), which the format does not allow.
    tensors = {name: tensor.detach().cpu().clone().contiguous() for name, tensor in network.state_dict().items()}
    check_numbers(path, tensors)
    is_own = not isinstance(network, PolicyNetwork)
    about = Description(
        format=FORMAT,
        written_by=f"holdem-env {__version__}",
        algorithm=algorithm,
        masks=agent.is_masked,
        observation=Observed(name=observation.name, shape=observation.shape(rules), layout=digest(observation, rules)),
        actions=Acted(name=name_of(actions), meanings=tuple(actions.meanings(rules))),
        network=None if is_own else network.architecture,
        policy=network.own_part if is_own else None,
        rules=rules.model_dump(mode="json"),
        training=dict(training),
        weights=digest_of(tensors),
    )
    text = json.dumps(about.model_dump(mode="json", exclude_defaults=True), allow_nan=False)
    write_atomically(path, bytes_of(tensors, {METADATA: text}))


def sharpen(path: str | Path, temperature: float) -> None:
    """Divide the logits of the agent in a model file by a temperature, and rewrite the file.

    Below 1, likely actions become likelier. The entropy bonus of training leaves some probability with actions that are
    mistakes; without them an agent wins more (Ganzfried, Sandholm and Waugh 2012, on purifying strategies).
    """
    agent = load(path)
    with torch.no_grad():
        for weights in agent.policy.policy[-1].parameters():
            weights.div_(temperature)
    write(path, agent, agent.policy, agent.algorithm, agent.training)


def load(
    path: str | Path,
    observation: str | ObservationEncoder | None = None,
    actions: str | ActionEncoder | None = None,
    deterministic: bool = False,
    seed: int = 0,
    rules: RulesLike | None = None,
    trust: bool = False,
) -> FileAgent:
    """The agent in a model file. Loading one cannot run code, so it needs no trust, but for an agent that was trained
    with custom code (`custom_code`): with trust=True their files run, which lie in the folder "code" of the
    run.

    observation, actions: encoders of your own that have no registered name. rules: None, because the file says them.
    Raises ValueError, with one sentence that names the file and what is wrong with it, for a file that is damaged, is
    no model file or does not fit its own game and encoders; FileNotFoundError if there is none.
    """
    path = Path(path)
    if rules is not None:
        raise ValueError(f"{path} says for which game it was trained; give rules= only for a file that does not")
    about, tensors = read(path)
    known = _rules(path, about)
    _load_parts(path, about, trust)
    try:
        seen, acted = (
            get_observation(observation or about.observation.name),
            get_actions(actions or about.actions.name, known),
        )
        _check_encoders(about, seen, acted, known)
        shape, count = about.observation.shape, len(about.actions.meanings)
        network: Any
        if about.network is None:
            network = new_own_network(str(about.policy), first_observation(seen, known), count)
        else:
            network = PolicyNetwork(about.network, shape, count)
        network.load_state_dict(tensors)
    except (ValueError, RuntimeError) as error:
        raise ValueError(f"{path}: {error}") from None
    agent = agent_of(
        network.requires_grad_(False).eval(),
        seen,
        acted,
        known,
        deterministic=deterministic,
        seed=seed,
        name=str(path),
        is_masked=about.masks,
        algorithm=about.algorithm,
        training=about.training,
    )
    agent.file = path
    return agent


def _load_parts(path: Path, about: Description, trust: bool) -> None:
    """Load what a file was trained with and this process does not know yet. Raises ValueError without trust, and for
    names of code that no training writes."""
    named = {"observation": about.observation.name, "actions": about.actions.name, "policy": about.policy}
    if about.policy is not None and parts_in(about.policy) != [about.policy]:
        refuse(path, f"its policy must be FILE.py:NAME, got {about.policy!r}")
    for each in (part for text in named.values() for part in parts_in(text)):
        if Path(each).name != each:
            refuse(path, f'its code must lie beside it or in its run\'s folder "code", got {each!r}')
    unknown = [each for text in named.values() for each in parts_in(text) if not is_known(each)]
    if not unknown:
        return
    if trust is not True:
        raise ValueError(
            f"{path} was trained with code of somebody's own, {', '.join(unknown)}, which can do anything when it "
            "runs; if you trust its author, load it with trust=True (on the command line --trust, or a YAML file with "
            "`agent` and `trust: true`)"
        )
    load_parts(named, path.parent, path.parent.parent)


def digest(encoder: ObservationEncoder, rules: Rules) -> str:
    """A digest of the layout of an encoder's observations, which differs between versions of the encoder."""
    return sha256(repr(encoder.layout(rules)).encode()).hexdigest()[:16]


def name_of(actions: ActionEncoder) -> str:
    """The text from which `get_actions` makes the encoder again."""
    return ", ".join(actions.sizes) if isinstance(actions, PotFractions) else actions.name


def _rules(path: Path, about: Description) -> Rules:
    try:
        return Rules(**about.rules)
    except WRONG_RULES as error:
        refuse(path, f"its rules are no game: {one_line(error)}")


def _check_encoders(about: Description, seen: ObservationEncoder, acted: ActionEncoder, rules: Rules) -> None:
    """Raise ValueError if the encoders are not those that the network was trained with."""
    if digest(seen, rules) != about.observation.layout or tuple(seen.shape(rules)) != about.observation.shape:
        raise ValueError(f"it was trained with another version of the observation {seen.name!r}")
    before, now = list(about.actions.meanings), list(acted.meanings(rules))
    if now != before:
        raise ValueError(f"it was trained with the actions {before}, not {now}")
