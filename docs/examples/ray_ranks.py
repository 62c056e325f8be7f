"""One learner in several processes of a Ray cluster, which Ray Train starts:

    python docs/examples/ray_ranks.py headsup_nolimit_100bb /shared/runs/wide 4 tables=4096 exploiters=null

trains that configuration with these changes in four processes. The folder must be one that all machines see.
"""

import sys
from pathlib import Path
from typing import Any

import ray
from ray.train import ScalingConfig
from ray.train.torch import TorchConfig, TorchTrainer

from holdem_agents.runs import load_config, train
from holdem_agents.world import together


def learn(given: dict[str, Any]) -> None:
    """What each process does. Ray has connected them: `together` is what torchrun's processes enter, too."""
    with together() as world:
        train(given["config"], given["folder"], world=world)


if __name__ == "__main__":
    config, folder, number, *changes = sys.argv[1:]
    ray.init()  # the cluster of this machine or of $RAY_ADDRESS, or one of its own
    given = {"config": load_config(config, ["learner.threads=1", *changes]), "folder": Path(folder).absolute()}
    has_gpu = "GPU" in ray.cluster_resources()
    TorchTrainer(
        learn,
        train_loop_config=given,
        torch_config=TorchConfig(backend="cpu:gloo,cuda:nccl" if has_gpu else "gloo"),
        scaling_config=ScalingConfig(num_workers=int(number), use_gpu=has_gpu),
    ).fit()
