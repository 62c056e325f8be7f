"""Conformance tests for your own encoders, agents and learners. A failure says what is wrong and how to fix it."""

from .agent_checks import check_agent
from .encoder_checks import check_encoder
from .invariant_checks import broken_invariant
from .learner_checks import check_learner
from .sampled_tables import ConformanceError

__all__ = ["ConformanceError", "broken_invariant", "check_agent", "check_encoder", "check_learner"]
