"""The conformance kit, for your own encoders and agents: a failure says what is wrong and how to mend it."""

from .agents import check_agent
from .encoders import check_encoder
from .positions import ConformanceError

__all__ = ["ConformanceError", "check_agent", "check_encoder"]
