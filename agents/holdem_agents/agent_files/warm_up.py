"""Playing once what a model file plays, so that a process has it ready: machine code, and PyTorch's first products.

The arena calls `warm_up` before an agent with such a file plays in a jail, which only reads machine code.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

from holdem_env.arena import play_deals
from holdem_env.encoders import get_actions, get_observation
from holdem_env.game.rules import Rules

from ..networks.policy_network import PolicyNetwork
from . import model_files

WIDTH, DEALS = 8, 8


def warm_up() -> None:
    """Write a small network with random weights to a temporary file, load it, and let it play a few hands."""
    rules = Rules.preset("heads-up-no-limit")
    observation, actions = get_observation("flat"), get_actions(None, rules)
    numbers, choices = int(np.prod(observation.shape(rules))), actions.size(rules)
    with torch.random.fork_rng(devices=[]):
        trunk, head = [nn.Flatten(), nn.Linear(numbers, WIDTH), nn.Tanh()], [nn.Linear(WIDTH, choices)]
    network = PolicyNetwork.of(trunk, head, (), observation.shape(rules), choices).eval()
    agent = model_files.FileAgent(network, observation, actions, trained_on=rules)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "warm.safetensors")
        agent.save(path)
        one, two = model_files.load(path), model_files.load(path)
        play_deals(rules, [one, two], [0, 1], range(DEALS))
