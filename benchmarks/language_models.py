"""How many hands and tokens it takes to measure a language model: `python -m benchmarks.language_models`, some minutes.

A server on this machine answers in OpenAI's chat protocol as models of three strengths would: it reads the prompt, and
plays at random, always calls, or bets by its equity against a random hand. Each plays `OPPONENT` by `OpenAIAgent`;
printed is what one hand of each deal, duplicate, and duplicate with AIVAT need for an interval of ±50 bb/100, or of
`--half-width`, in hands, tokens and dollars. First comes how many tokens a decision has in each prompt of `text_env`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

OPPONENT = "tight_aggressive"
RULES = "heads-up-no-limit"
LETTERS_A_TOKEN = 4
PRICES = (0.15, 0.60)
"""Dollars for a million tokens in and out."""
CARDS = re.compile(r"Your cards: ([2-9TJQKA][cdhs]) ([2-9TJQKA][cdhs])")
BOARD = re.compile(r"The board: ((?:[2-9TJQKA][cdhs] ?)+)\.")
MOVES = re.compile(r"^- (fold|check|call|bet|raise)(?: to (?:any total from )?(\d+))?", re.MULTILINE)
SHOWN = ("raw", "duplicate", "duplicate + aivat")


def at_random(prompt: str, offered: list[str], rng: random.Random) -> str:
    """Any move, raises by the least amount."""
    return rng.choice(offered)


def calls(prompt: str, offered: list[str], rng: random.Random) -> str:
    """Checks and calls."""
    return "check" if "check" in offered else "call" if "call" in offered else "fold"


def by_equity(prompt: str, offered: list[str], rng: random.Random) -> str:
    """Bets with two thirds of the pot, calls with 45 %."""
    from holdem_env.equities.equity import equity

    hand, board = CARDS.search(prompt), BOARD.search(prompt)
    assert hand is not None
    share = equity([" ".join(hand.groups()), "random"], board[1] if board else "", samples=300, seed=1).equity[0]
    aggressive = [word for word in offered if word in ("bet", "raise")]
    if share > 2 / 3 and aggressive:
        return aggressive[0]
    return calls(prompt, offered, rng) if share > 0.45 or "check" in offered else "fold"


Model = Callable[[str, list[str], random.Random], str]
MODELS: dict[str, Model] = {"random": at_random, "calls": calls, "by equity": by_equity}


def answer_to(prompt: str, model: Model, rng: random.Random) -> str:
    """What the model says."""
    table = prompt[prompt.rindex("You may:") :]
    offered = dict(MOVES.findall(table))
    chosen = model(prompt, list(offered), rng)
    amount = f" to {offered[chosen]}" if chosen in ("bet", "raise") else ""
    return f"I look at my cards and at the pot before I choose.\n\nAction: {chosen}{amount}"


@contextmanager
def serving(model: Model) -> Iterator[str]:
    """The address of a server that answers as a model, while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
            prompt = json.loads(asked)["messages"][-1]["content"]
            text = answer_to(prompt, model, random.Random(prompt))
            usage = {"prompt_tokens": len(asked) // LETTERS_A_TOKEN, "completion_tokens": len(text) // LETTERS_A_TOKEN}
            body = json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()


def tokens_of_prompts(hands: int = 200) -> None:
    """Print the mean tokens of a decision, by the prompt."""
    from holdem_env.agents import make_agent
    from holdem_env.table.table import Table
    from holdem_env.text_env.prompts import PROMPTS

    agent, letters, decisions = make_agent(OPPONENT), dict.fromkeys(PROMPTS, 0), 0
    for seed in range(hands):
        table = Table(RULES, seed=seed)
        while not table.is_over:
            view = table.view()
            for name, prompt in PROMPTS.items():
                letters[name] += len(prompt(view))
            decisions += 1
            table.play(agent.move(view))
    means = ", ".join(f"{name} {count / decisions / LETTERS_A_TOKEN:.0f}" for name, count in letters.items())
    print(f"tokens of a prompt: {means}")


def measure(name: str, hands: int, half_width: float, prices: tuple[float, float]) -> None:
    """Play one model, and print its lines."""
    from holdem_env import Rules
    from holdem_env.agents import make_agent
    from holdem_env.arena.estimators.stopping import play_estimated
    from holdem_env.protocols.text import OpenAIAgent

    with serving(MODELS[name]) as address:
        agent = OpenAIAgent(name, address)
        found, _ = play_estimated([agent, make_agent(OPPONENT)], Rules.preset(RULES), hands)
        agent.close()
    used = agent.usage.prompt_tokens / hands, agent.usage.completion_tokens / hands
    dollars = sum(price * tokens for price, tokens in zip(prices, used, strict=True)) / 1e6
    print(f"{name}: {agent.usage}")
    for each in found:
        if each.name in SHOWN:
            needed = each.hands_for(half_width)
            rate = "{:+.0f} ± {:.0f}".format(*each.rate)
            cost = f"{needed:9,.0f} hands, {needed * sum(used) / 1e6:6.1f} M tokens, {needed * dollars:7.2f} dollars"
            print(f"  {each.name:18} {rate:>14} bb/100; ±{half_width:g} needs {cost}", flush=True)


def main() -> None:
    """Measure each model."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.language_models", description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=2_000, help="each plays (%(default)s)")
    parser.add_argument("--half-width", type=float, default=50.0, help="bb/100 (%(default)g)")
    parser.add_argument(
        "--prices", type=float, nargs=2, default=PRICES, help="dollars for a million tokens, in and out"
    )
    given = parser.parse_args()
    tokens_of_prompts()
    for name in MODELS:
        measure(name, given.hands, given.half_width, given.prices)


if __name__ == "__main__":
    main()
