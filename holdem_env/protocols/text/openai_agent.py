"""OpenAIAgent: a language model behind a server that speaks the OpenAI chat protocol, on this machine or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

from ...utils.extras import explain_missing_extra
from ..http_json import HttpError, JsonServer
from .text_agent import TRIES, Message, TextAgent, WithoutAnswer

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
MAX_TRIES, MAX_CONCURRENT = 20, 256
PROMPT_SUFFIXES = (".txt", ".md")


class OpenAIAgent(TextAgent):
    """A language model behind an OpenAI-compatible server: OpenAI, vLLM, llama.cpp, Ollama and others.

    It needs the package httpx: the extra `online`.

    Args:
        model: The model's name at the server.
        base_url: The server, without "/chat/completions".
        api_key_env: The environment variable that holds the key; its name contains API_KEY. By default OPENAI_API_KEY
            for OpenAI's own server, and no key for any other. The key itself is never kept.
        temperature, max_tokens: Of an answer; None leaves them to the server.
        timeout: Seconds for the whole of an answer, at most 600.
        retries: How often a request is sent again after a lost connection, silence, or the statuses 429 and 5xx, within
            600 seconds.
        backoff: Seconds before the second retry, doubled with each further one.
        tries, without_answer, concurrent, remembers: As in `TextAgent`.
        prompt: How to play, its `advice`; a text that ends in .txt or .md names a file.
        options: Further fields of a request, such as {"seed": 1} or {"reasoning_effort": "low"}.
        prices: Dollars for a million tokens in and out, such as {"in": 0.15, "out": 0.6}, which `usage` then counts.

    Raises:
        ValueError: If the address is wrong, the key is missing or a prompt cannot be read.
    """

    name = "openai"

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI,
        api_key_env: str | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float = 60.0,
        retries: int = 5,
        backoff: float = 1.0,
        tries: int = TRIES,
        without_answer: WithoutAnswer = "check_or_fold",
        concurrent: int = 4,
        prompt: str | None = None,
        options: Mapping[str, Any] | None = None,
        prices: Mapping[str, float] | None = None,
        remembers: int = 0,
    ) -> None:
        with explain_missing_extra(f"agent {self.name!r}"):
            import httpx  # noqa: F401
        for name, value, most in (("tries", tries, MAX_TRIES), ("concurrent", concurrent, MAX_CONCURRENT)):
            if not 1 <= value <= most:
                raise ValueError(f"{name}: {value} is not between 1 and {most}")
        if remembers < 0:
            raise ValueError(f"remembers: must be 0 hands or more, got {remembers}")
        self.model, self.base_url, self.api_key_env = model, base_url, api_key_env
        self.temperature, self.max_tokens, self.timeout = temperature, max_tokens, timeout
        self.retries, self.backoff, self.tries, self.concurrent = retries, backoff, tries, concurrent
        self.remembers = remembers
        key = api_key_env or (OPENAI_KEY if base_url.rstrip("/") == OPENAI else None)
        self.without_answer = without_answer
        self.prompt, self.options = prompt, dict(options) if options else None
        self.usage.prices = None if prices is None else _checked_prices(prices)
        self.prices = None if prices is None else dict(prices)
        if prompt is not None:
            self.advice = _text_of(prompt)
        self._server = JsonServer(base_url, timeout, retries, backoff, key)

    def complete(self, messages: list[Message]) -> str:
        """Return the model's answer, without parts such as its thoughts.

        Raises:
            HttpError: If the server gives no answer. It is an OSError.
        """
        body: dict[str, Any] = {"model": self.model, "messages": messages, **(self.options or {})}
        for name, value in (("temperature", self.temperature), ("max_tokens", self.max_tokens)):
            if value is not None:
                body[name] = value
        answer = self._server.post("chat/completions", body)
        try:
            content = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            raise HttpError(f"{self.base_url}: the answer has no choices[0].message.content") from None
        self._count(answer.get("usage"))
        return _text_in(content)

    def close(self) -> None:
        self._server.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.model!r} at {self.base_url}>"

    def _count(self, usage: Any) -> None:
        if isinstance(usage, dict):
            tokens = {name: usage.get(name) or 0 for name in ("prompt_tokens", "completion_tokens")}
            self.usage.add(**{name: value for name, value in tokens.items() if isinstance(value, int)})


def _checked_prices(prices: Any) -> tuple[float, float]:
    named = isinstance(prices, Mapping) and set(prices) == {"in", "out"}
    if not named or not all(isinstance(each, int | float) and 0 <= each < inf for each in prices.values()):
        raise ValueError(f'prices: must be dollars for a million tokens, {{"in": 0.15, "out": 0.6}}, got {prices!r}')
    return float(prices["in"]), float(prices["out"])


def _text_of(prompt: str) -> str:
    if Path(prompt).suffix not in PROMPT_SUFFIXES or "\n" in prompt:
        return prompt
    try:
        return Path(prompt).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"prompt: {prompt} cannot be read: {error.strerror}") from None


def _text_in(content: Any) -> str:
    """The text of a message: itself, the texts of its parts, or "" where a model has only thought."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""
