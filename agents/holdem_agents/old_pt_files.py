"""Agents in .pt files, as `holdem_agents.all_seats` wrote them before it wrote model files: they load and play on."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.agents.registry import FINAL, MODEL_SUFFIX
from holdem_env.compiled.records import Records
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.batch import NO_MOVE
from holdem_env.game.rules import Rules
from holdem_env.utils.atomic import whole_file

from .digests import has_digest
from .model_files import FileAgent
from .policy_network import Architecture, Layer, PolicyNetwork
from .same_game import check_same_game

MASKED_LOGIT = -1e9
OLD_NAMES = {
    "trunk.0": "trunk.0",
    "trunk.2": "trunk.2",
    "policy": "policy.0",
    "worth": "value.0",
}
"""The layers' names in a .pt file, and in a `PolicyNetwork`."""
BROKEN = (LookupError, AttributeError, TypeError, ValueError, RuntimeError, OSError, EOFError, pickle.UnpicklingError)
"""What a file that is no such agent may raise."""


class AllSeats(KnownStrategy):
    """The agent of a .pt file; it knows its own probabilities.

    network: two hidden layers that policy and value share. trained_on: the rules of training; the agent refuses other
    structures and numbers of seats. seed: with the same seed it plays the same at the same hand of the same table.
    """

    name = "all_seats"

    def __init__(self, network: PolicyNetwork, trained_on: Rules, seed: int = 0) -> None:
        super().__init__(seed)
        self.network, self.trained_on = network, trained_on
        self._observation, self._actions = get_observation("flat"), get_actions(None, trained_on)

    @torch.no_grad()
    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        check_same_game(self.name, self.trained_on, rules)
        observation = np.empty((len(rows), self._observation.size(rules)), np.float32)
        self._observation.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), observation)
        moves = np.empty((len(rows), self._actions.size(rules)), np.int64)
        self._actions.choose(tables, rules.record, rows, moves)
        offered = moves != NO_MOVE
        heights = self.network.policy(self.network.trunk(torch.from_numpy(observation)))
        log_probs = heights.masked_fill(torch.from_numpy(~offered), MASKED_LOGIT).log_softmax(dim=1)
        chances = log_probs.double().exp().numpy() * offered
        return moves, chances / chances.sum(axis=1, keepdims=True)

    def save(self, path: str | Path) -> None:
        """Write network and rules to a .safetensors or .pt file for `make_agent`. It appears only when it is whole."""
        path = Path(path)
        if path.suffix == MODEL_SUFFIX:
            FileAgent(
                self.network, self._observation, self._actions, self.trained_on, algorithm="PPO of all_seats"
            ).save(path)
            return
        if path.suffix != ".pt":
            raise ValueError(f"{path}: give a file that ends in .pt or {MODEL_SUFFIX}")
        about = {"rules": self.trained_on.model_dump_json(), "weights": _renamed(self.network.state_dict())}
        with whole_file(path) as file:
            torch.save(about, file)


def load(path: str | Path, seed: int = 0) -> AllSeats:
    """The agent in a .pt file. Raises ValueError for any other file, and says so if it is a checkpoint of a training
    run."""
    try:
        about = torch.load(path, weights_only=True)
        rules = Rules.model_validate_json(about["rules"])
        network = _network(about["weights"])
    except FileNotFoundError:
        raise
    except BROKEN as error:
        raise ValueError(f"{path}: {_why_no_agent(Path(path), error)}") from None
    if network.shape != get_observation("flat").shape(rules):
        raise ValueError(f"{path}: it was trained with another version of the observation 'flat'")
    agent = AllSeats(network, rules, seed)
    agent.name = str(path)
    return agent


def _network(weights: dict[str, torch.Tensor]) -> PolicyNetwork:
    hidden, inputs = weights["trunk.0.weight"].shape
    actions = len(weights["policy.bias"])
    relu = Layer(kind="relu")
    layers = Architecture(
        trunk=(_linear(inputs, hidden), relu, _linear(hidden, hidden), relu),
        policy=(_linear(hidden, actions),),
        value=(_linear(hidden, 1),),
    )
    network = PolicyNetwork(layers, [inputs], actions)
    network.load_state_dict(_renamed(weights, to_old=False))
    return network.requires_grad_(False).eval()


def _linear(inputs: int, outputs: int) -> Layer:
    return Layer(kind="linear", inputs=inputs, outputs=outputs)


def _renamed(weights: dict[str, Any], to_old: bool = True) -> dict[str, Any]:
    """The weights under the names of a .pt file, or with `to_old=False` under those of a `PolicyNetwork`."""
    pairs = [(new, old) if to_old else (old, new) for old, new in OLD_NAMES.items()]
    parts = ("weight", "bias")
    found = {f"{after}.{part}": weights[f"{before}.{part}"] for before, after in pairs for part in parts}
    if len(found) != len(weights):
        raise ValueError("there are other weights, too")
    return found


def _why_no_agent(path: Path, error: Exception) -> str:
    """What is wrong with a .pt file, without its content, which some errors carry along."""
    if not has_digest(path):
        return f"not an agent that holdem_agents.all_seats has saved ({type(error).__name__})"
    final = path.with_name(FINAL)
    found = f"the agent is {final}" if final.is_file() else f"the run writes its agent to {FINAL} when it ends"
    return f"this is a training checkpoint; {found}"
