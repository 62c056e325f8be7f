"""Hold'em in words, for those who train language models: an environment, tables of several seats, rewards, policies."""

from . import rewards as rewards
from .env import TextEnv as TextEnv
from .policy import SampledPolicy as SampledPolicy
from .policy import TextPolicy as TextPolicy
from .table import Answered as Answered
from .table import TextTable as TextTable
