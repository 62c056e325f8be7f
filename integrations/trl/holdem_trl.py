"""Hold'em for TRL's GRPOTrainer: an environment whose tools are the moves, and rollouts in words.

    GRPOTrainer(model, environment_factory=hands("leduc", opponents="calling_station", seed=1), args=..., ...)
    GRPOTrainer(model, rollout_func=rollouts(hands("kuhn")), reward_funcs=won, train_dataset=deals(100), args=..., ...)

The answers of a group, `num_generations` of them, are to one deal: the group's mean takes the luck of the cards off.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch
from datasets import Dataset
from trl import GRPOTrainer
from trl.models import unwrap_model_for_generation

from holdem_env.arena import AgentFailed
from holdem_env.text_env import TextEnv

ANSWER = "@answer@"
"""Stands for an answer in a dialogue, to find what a chat template writes after one."""
ASK = "Play the hand of poker with the tools, move by move, until it is over.\n\n"


def deals(number: int, ask: str = ASK) -> Dataset:
    """A data set of that many deals. Each row is a deal, its prompt `ask`, to which `reset` appends the table."""
    rows = [{"prompt": [{"role": "user", "content": ask}], "hand": hand} for hand in range(number)]
    return Dataset.from_list(rows)


class HoldemTools:
    """A seat whose moves are tools. Made by `hands`.

    env: a TextEnv. seed: of all decks. Rewards are summed over the episode. If the model stops before its end, the
    rest of the episode is folded and `unfinished` is added: stopping never pays more than folding.
    """

    def __init__(self, env: TextEnv, seed: int, unfinished: float) -> None:
        self._env, self._seed, self._unfinished = env, seed, unfinished
        self._reward, self._over, self._failed = 0.0, True, ""

    def reset(self, hand: int = 0, **_: Any) -> str:
        """Deal the hand of that number, and return what the seat reads."""
        self._reward, self._over, self._failed = 0.0, False, ""
        try:
            text: str = self._env.reset(seed=self._seed + hand)[0]
        except AgentFailed as error:
            self._over, self._failed = True, str(error)
            return "An opponent has failed; the hand is broken off."
        return text

    def get_reward(self) -> float | None:
        """The rewards of the episode; None, which trains nothing, if an opponent failed."""
        if self._failed:
            return None
        if not self._over:
            self._take(self._env.give_up())
            self._reward += self._unfinished
        return None if self._failed else self._reward

    def fold(self) -> str:
        """Fold the hand.

        Returns:
            What has happened since, and the table.
        """
        return self._answer("fold")

    def check_or_call(self) -> str:
        """Check where nothing is to be called, otherwise call.

        Returns:
            What has happened since, and the table.
        """
        return self._answer("check" if self._env.table.hand.legal.call == 0 else "call")

    def raise_to(self, total: int) -> str:
        """Bet or raise.

        Args:
            total: The total of your chips in this betting round, not what you add to them.

        Returns:
            What has happened since, and the table.
        """
        return self._answer(f"raise to {total}")

    def _answer(self, said: str) -> str:
        if self._over:
            raise ValueError("the hand is over; no more moves")
        return self._take(self._env.step(said))

    def _take(self, stepped: tuple[str, float, bool, bool, dict[str, Any]]) -> str:
        text, reward, terminated, truncated, info = stepped
        self._reward += reward
        self._over, self._failed = terminated or truncated, info.get("failed", "")
        return text


def hands(
    rules: Any = "heads-up-no-limit", *, seed: int = 0, unfinished: float = -1.0, **given: Any
) -> Callable[[], HoldemTools]:
    """A factory for `environment_factory`. given: of TextEnv, such as opponents and reward. unfinished: see
    `HoldemTools`; raises ValueError if it is above 0."""
    if not unfinished <= 0:
        raise ValueError(f"unfinished: must be 0 or less, got {unfinished}")
    TextEnv(rules, **given)  # what cannot be is refused here
    return lambda: HoldemTools(TextEnv(rules, **given), seed, unfinished)


def rollouts(make: Callable[[], HoldemTools]) -> Callable[[list[Any], GRPOTrainer], dict[str, Any]]:
    """A `rollout_func` without tools: the model reads the table and answers in words until the episode is over.

    The table and the model speak in turn, as user and assistant of the tokenizer's chat template; without a template,
    in lines of text. What the table says between two answers is in the completion, and masked. All unfinished episodes
    are generated together. A completion ends with its episode, or where `max_completion_length` would be exceeded: an
    answer that has no end there is none, and its episode counts as unfinished. The rewards come as "reward", which
    `won` hands on.
    """
    pool: list[HoldemTools] = []
    dealt = [0]

    def rollout(prompts: list[Any], trainer: GRPOTrainer) -> dict[str, Any]:
        pool.extend(make() for _ in range(len(prompts) - len(pool)))
        group = trainer.num_generations if trainer.model.training else trainer.num_generations_eval
        played = _play(pool[: len(prompts)], [dealt[0] + k // group for k in range(len(prompts))], trainer)
        dealt[0] += -(-len(prompts) // group)
        return {name: [each[name] for each in played] for name in played[0]}

    return rollout


def won(completions: list[Any], reward: list[float | None], **_: Any) -> list[float | None]:
    """A reward function for `rollouts`: what the episode was worth."""
    return reward


class _Words:
    """A dialogue of table and model as tokens.

    ends: the tokens that end an answer.
    """

    def __init__(self, trainer: GRPOTrainer) -> None:
        self.tokenizer, self.ends = trainer.processing_class, set(trainer.eos_token_ids)
        self._template = trainer.chat_template_kwargs if self.tokenizer.chat_template else None

    def first(self, text: str) -> list[int]:
        """The prompt: what the table says first."""
        return self._ids(f"{text}\n" if self._template is None else self._chat([text]))

    def next(self, text: str) -> list[int]:
        """What stands between an answer with its end and the next answer, if the table says `text`."""
        if self._template is None:
            return self._ids(f"\n{text}\n")
        ids = self._ids(self._chat(["", ANSWER, text]).partition(ANSWER)[2])
        end = next((k + 1 for k, token in enumerate(ids) if token in self.ends), 0)
        return ids[end:]  # the answer has its end already

    def said(self, ids: list[int]) -> str:
        """An answer as text."""
        text: str = self.tokenizer.decode(ids, skip_special_tokens=True)
        return text

    def _chat(self, turns: list[str]) -> str:
        messages = [{"role": ("user", "assistant")[k % 2], "content": text} for k, text in enumerate(turns)]
        text: str = self.tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=False, **(self._template or {})
        )
        return text

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids


class _Episode:
    """An episode that is played answer by answer.

    room: how many tokens its completion can still take; 0 when nothing more is asked.
    """

    def __init__(self, seat: HoldemTools, hand: int, words: _Words, room: int) -> None:
        self.seat, self.words, self.room = seat, words, room
        self.prompt = words.first(seat.reset(hand))
        self.ids, self.mask, self.logs = list[int](), list[int](), list[float]()

    def take(self, said: list[int], likely: list[float]) -> None:
        """Take an answer, cut where there is no more room, and hear what the table says to it."""
        said = said[: self.room]
        self._add(said, 1, likely[: self.room])
        if said[-1] not in self.words.ends:  # an answer that was cut off is none
            self.room = 0
            return
        text = "" if self.seat._over else self.seat._answer(self.words.said(said))
        heard = self.words.next(text)
        if self.seat._over or len(heard) >= self.room:
            self.room = 0
        else:
            self._add(heard, 0, [0.0] * len(heard))

    def result(self) -> dict[str, Any]:
        """The fields of a rollout."""
        given = {"prompt_ids": self.prompt, "completion_ids": self.ids, "logprobs": self.logs, "env_mask": self.mask}
        return given | {"reward": self.seat.get_reward()}

    def _add(self, ids: list[int], own: int, logs: list[float]) -> None:
        self.ids, self.mask, self.logs = self.ids + ids, self.mask + [own] * len(ids), self.logs + logs
        self.room -= len(ids)


def _play(seats: Sequence[HoldemTools], hands: Sequence[int], trainer: GRPOTrainer) -> list[dict[str, Any]]:
    """Play an episode on each seat: the unfinished ones are asked together."""
    words, room = _Words(trainer), trainer.max_completion_length
    episodes = [_Episode(seat, hand, words, room) for seat, hand in zip(seats, hands, strict=True)]
    while asked := [each for each in episodes if each.room]:
        contexts = [each.prompt + each.ids for each in asked]
        for each, (said, likely) in zip(
            asked, _sampled(contexts, max(each.room for each in asked), trainer), strict=True
        ):
            each.take(said, likely)
    return [each.result() for each in episodes]


@torch.no_grad()
def _sampled(contexts: list[list[int]], most: int, trainer: GRPOTrainer) -> list[tuple[list[int], list[float]]]:
    """An answer of the model to each context, with its end if it has one, and its tokens' log-probabilities."""
    config = copy.deepcopy(trainer.generation_config)
    config.max_new_tokens, config.return_dict_in_generate, config.output_logits = most, True, True
    longest = max(map(len, contexts))
    padding = [longest - len(ids) for ids in contexts]
    padded = [[config.pad_token_id] * left + ids for left, ids in zip(padding, contexts, strict=True)]
    seen = [[0] * left + [1] * (longest - left) for left in padding]
    checkpointing = trainer.args.gradient_checkpointing_kwargs
    with unwrap_model_for_generation(
        trainer.model_wrapped, trainer.accelerator, gradient_checkpointing_kwargs=checkpointing
    ) as model:
        given, attention = (torch.tensor(rows, device=model.device) for rows in (padded, seen))
        out = model.generate(given, attention_mask=attention, generation_config=config)
    tokens, ends = out.sequences[:, longest:], set(trainer.eos_token_ids)
    steps = enumerate(step / trainer.temperature for step in out.logits)
    logs = torch.cat([step.log_softmax(-1).gather(1, tokens[:, [k]]) for k, step in steps], 1)
    lengths = [next((k + 1 for k, each in enumerate(row) if each in ends), len(row)) for row in tokens.tolist()]
    return [(row[:n], of[:n]) for n, row, of in zip(lengths, tokens.tolist(), logs.tolist(), strict=True)]
