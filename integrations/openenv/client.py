"""A client of the server."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

from .models import HoldemAction, HoldemObservation


class HoldemEnv(EnvClient[HoldemAction, HoldemObservation, State]):
    """A seat at a server: `reset(seed=1, rules="leduc", opponents="calling_station")`, then `step(HoldemAction(...))`.

    with HoldemEnv(base_url="http://127.0.0.1:8000").sync() as env: ...
    """

    def _step_payload(self, action: HoldemAction) -> dict[str, Any]:
        return action.model_dump(exclude={"metadata"})

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[HoldemObservation]:
        done, reward = payload.get("done", False), payload.get("reward")
        observation = HoldemObservation(**{**payload["observation"], "done": done, "reward": reward})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
