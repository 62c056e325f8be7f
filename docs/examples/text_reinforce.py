"""A small transformer learns Kuhn poker in words: REINFORCE on the log-probabilities of its answers.

    python docs/examples/text_reinforce.py --reward solution
    python docs/examples/text_reinforce.py --reward solution chips regret --save learning.svg

A reward of the solution's log-probability with an entropy bonus of the same weight has the solution as its optimum;
self-play for chips needs a bonus that stays up. Regret alone stops where the solution mixes. A minute of one core is
enough. Printed is the exact exploitability, in chips a hand, of the model, and of the mean of its weights, which is
steadier.
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from holdem_env.arena import exploitability
from holdem_env.render.charts import Curve, curve_svg
from holdem_env.solvers import solve
from holdem_env.table.seat_view import SeatView
from holdem_env.text_env import TextPolicy, TextTable
from holdem_env.text_env.outcomes import Outcome
from holdem_env.text_env.rewards import Reward, regret, solution

SIGNS = "".join(map(chr, range(32, 127))) + "\n"
HEADS, LONGEST = 4, 32
HANDS = 64
WARM_UP, EACH = 60, 50
RATE = 5e-4
PAID: dict[tuple[str, int], float] = {}
BONUS = {"solution": 1.0, "regret": 0.02, "chips": 0.4}
"""The weight of the entropy."""


class Model(nn.Module):
    """Reads characters; scores an answer by its signs one by one, given the prompt and those before."""

    def __init__(self, width: int = 64, layers: int = 2) -> None:
        super().__init__()
        self.sign, self.place = nn.Embedding(len(SIGNS) + 1, width), nn.Embedding(LONGEST, width)
        layer = nn.TransformerEncoderLayer(width, HEADS, 4 * width, 0.0, "gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.out = nn.Linear(width, len(SIGNS) + 1)

    def forward(self, signs: Tensor) -> Tensor:
        """(N, L) numbers of signs -> (N, L, signs) log-probabilities of the next one."""
        mask = nn.Transformer.generate_square_subsequent_mask(signs.shape[1])
        read = self.sign(signs) + self.place(torch.arange(signs.shape[1]))
        return self.out(self.layers(read, mask=mask, is_causal=True)).log_softmax(-1)

    def answers(self, prompts: list[str], answers: list[list[str]]) -> list[Tensor]:
        """The log-probability of each answer, with its end, to each prompt."""
        texts = [(prompt + "\n", answer) for prompt, each in zip(prompts, answers, strict=True) for answer in each]
        whole = [[SIGNS.index(sign) + 1 for sign in prompt + answer] + [0] for prompt, answer in texts]
        width = max(map(len, whole))
        signs = torch.tensor([each + [0] * (width - len(each)) for each in whole])
        logs = self(signs[:, :-1]).gather(2, signs[:, 1:, None])[:, :, 0]
        places = torch.arange(width - 1)
        first = torch.tensor([len(prompt) for prompt, _ in texts])[:, None] - 1
        last = torch.tensor([len(each) for each in whole])[:, None] - 1
        sums = (logs * ((places >= first) & (places < last))).sum(1)
        return list(sums.split([len(each) for each in answers]))

    @torch.no_grad()
    def ask(self, prompts: list[str], answers: list[list[str]]) -> list[np.ndarray]:
        """What `TextPolicy` asks."""
        return [each.numpy() for each in self.answers(prompts, answers)]


def brief(view: SeatView) -> str:
    """A prompt of one's own, with as few signs as possible: "Ks: 0 1" holds a king, after a check and a bet."""
    return f"{view.hole_cards()}: {' '.join(str(move.move) for move in view.moves)}"


def legal(table: TextTable) -> list[str]:
    """The answers that make sense, in the words of `TextPolicy`. In Kuhn poker nobody raises."""
    choices = table.hand.legal
    return ["fold", "call"] if choices.call else ["check", f"bet {choices.raise_min}"]


class Seen(NamedTuple):
    """A decision: the number of its prompt, of the answer among those offered, and what it was worth."""

    prompt: int
    chosen: int
    worth: float


def play(
    known: dict[str, list[str]], likely: list[np.ndarray], reward: Reward | None, random: np.random.Generator
) -> list[Seen]:
    """Hands of self-play. known: prompts and their answers, to which new ones are added; likely: how likely each answer
    is, prompt by prompt; new ones are answered by chance."""
    seen: list[Seen] = []
    for _ in range(HANDS):
        table, own = TextTable("kuhn", prompt=brief, seed=int(random.integers(2**40))), []
        while table.seat is not None:
            text = table.text
            offered = known.setdefault(text, legal(table))
            place = list(known).index(text)
            choice = int(random.choice(len(offered), p=likely[place] if place < len(likely) else None))
            answered = table.answer(offered[choice])
            assert answered is not None
            if reward and (text, choice) not in PAID:  # the same decision has the same reward always
                PAID[text, choice] = reward(Outcome(table.rules, answered))
            worth = PAID[text, choice] if reward else 0.0
            own.append((answered.seat, Seen(place, choice, worth)))
        seen += [one if reward else one._replace(worth=table.hand.payoffs[seat]) for seat, one in own]
    return seen


def train(kind: str, steps: int, seed: int = 0, width: int = 64, layers: int = 2) -> list[float]:
    """Train a model from nothing, and print how exploitable it is. Returns that of the mean of its weights, every
    EACH steps."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    random, model, solved = np.random.default_rng(seed), Model(width, layers), solve("kuhn", accuracy=1e-4)
    reward = {"solution": solution(solved), "regret": regret(solved), "chips": None}[kind]
    mean, optimizer, bonus = copy.deepcopy(model), torch.optim.Adam(model.parameters(), 1e-3), BONUS[kind]
    known: dict[str, list[str]] = {}
    play(known, [], None, random)
    start, found = time.perf_counter(), list[float]()
    for step in range(1, steps + 1):
        logs = model.answers(list(known), list(known.values()))
        own = [each.log_softmax(0) for each in logs]
        loss = -torch.stack([each.logsumexp(0) for each in logs]).mean()  # of all texts, give legal answers
        if step <= WARM_UP:  # all of them alike, before chips mean anything
            loss = loss - torch.stack([each.mean() for each in own]).mean()
        else:
            optimizer.param_groups[0]["lr"] = RATE
            seen = play(known, [each.detach().double().softmax(0).numpy() for each in own], reward, random)
            chosen = torch.stack([own[one.prompt][one.chosen] for one in seen])
            gained = torch.tensor([one.worth for one in seen]) - bonus * chosen.detach()
            where = torch.tensor([one.prompt for one in seen])
            sums = torch.zeros(len(known)).index_add(0, where, gained)
            counts = torch.bincount(where, minlength=len(known))
            loss = 0.1 * loss - (chosen * (gained - (sums / counts)[where])).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            for averaged, weight in zip(mean.parameters(), model.parameters(), strict=True):
                averaged.lerp_(weight, max(1 / step, 0.01))
        if step % EACH == 0:
            now, by_mean = (exploitability(TextPolicy(each.ask, prompt=brief), "kuhn") for each in (model, mean))
            print(
                f"{time.perf_counter() - start:4.0f} s {step:5} steps: {now:.3f}, mean of weights {by_mean:.3f}",
                flush=True,
            )
            found.append(by_mean)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reward", choices=sorted(BONUS), nargs="+", default=["solution"])
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--width", type=int, default=64, help="of the model, a multiple of 4")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--save", type=Path, help="the picture of the curves, an .svg")
    given = parser.parse_args()
    curves = []
    for reward in given.reward:
        print(f"reward {reward}")
        gains = train(reward, given.steps, width=given.width, layers=given.layers)
        hands = [HANDS * EACH * (k + 1) for k in range(len(gains))]
        curves.append(Curve(reward, hands, gains))
    if given.save:
        title, note = "Kuhn poker in words", "Exact exploitability of the mean of the weights, by the reward"
        given.save.write_text(curve_svg(curves, title, "hands", "chips a hand", note, y_range=(0, 1)))
