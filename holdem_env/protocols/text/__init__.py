"""Tables in plain English and answers in free text: agents that are language models."""

from .answers import AnswerError, read_answer
from .game_words import describe_game
from .openai_agent import OpenAIAgent
from .situation import describe_choices, describe_table
from .text_agent import TextAgent, Usage

__all__ = [
    "AnswerError",
    "OpenAIAgent",
    "TextAgent",
    "Usage",
    "describe_choices",
    "describe_game",
    "describe_table",
    "read_answer",
]
