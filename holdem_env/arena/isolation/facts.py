"""What an agent's process says of the agent: plain data, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ...agents.facts import AgentFacts, Clock
from ...game.rules import Rules
from ...utils.plain_data import json_of, untrusted
from ...utils.shown_names import shown_text

Text = Annotated[str, Field(max_length=2_000)]


class StatedFacts(BaseModel):
    """What an untrusted agent states of itself: its own attributes and facts, and whether it has a method `reset`."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: Text
    gives_probabilities: bool
    gives_ranges: bool
    answers_counted: Annotated[int, Field(ge=2, lt=2**31)] | None
    tables_at_once: Annotated[int, Field(ge=1, lt=2**31)] | None
    resets: bool
    wants_hand_over: bool
    trained_on: Rules | None

    def agent_facts(self, clock: Clock) -> AgentFacts:
        """Return the agent's facts, with the clock that the organiser has chosen."""
        return AgentFacts(clock, False, self.tables_at_once, self.answers_counted, self.trained_on)

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> StatedFacts:
        """From the answer of an agent's process. Raises ValueError, which says what is wrong."""
        with untrusted(ValueError):
            return cls._of(answer)

    @classmethod
    def _of(cls, answer: Mapping[str, Any]) -> StatedFacts:
        try:
            return cls.model_validate({name: answer.get(name) for name in cls.model_fields})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None

    @field_validator("name")
    @classmethod
    def _can_be_shown(cls, name: str) -> str:
        return shown_text(name)

    @field_validator("trained_on", mode="before")
    @classmethod
    def _is_a_game(cls, given: Any) -> Rules | None:
        if given is None or isinstance(given, Rules):
            return given
        with untrusted(lambda why: ValueError(f"no game ({why})")):
            return Rules.model_validate(json_of(given))
