"""What a client sends and gets."""

from __future__ import annotations

from pydantic import Field

from openenv.core.env_server.types import Action, Observation


class HoldemAction(Action):
    """An answer in words. Its end has the move: "Action: raise to 300"."""

    text: str = Field("", description="The answer; its last line names the move, as in: Action: call")
    give_up: bool = Field(False, description="The model has stopped: fold the rest of the episode")


class HoldemObservation(Observation):
    """What the seat reads, and what has happened so far. After an answer that is no legal move, `text` says what is."""

    text: str = Field(..., description="The table in words, a refusal, or how the hand has ended")
    seat: int = Field(..., description="The seat that is asked")
    faults: int = Field(..., description="Decisions of the episode without a legal answer")
    rejected: int = Field(..., description="Answers of the episode that were no legal move")
    chips: int = Field(..., description="Chips won in the episode by hands that are over")
    failed: str = Field("", description="Why the episode was broken off, if an opponent failed")
