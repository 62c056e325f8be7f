"""Hold'em for TRL's GRPOTrainer: an environment whose tools are the moves, and rollouts in plain text.

    GRPOTrainer(model, environment_factory=hands("leduc", opponents="calling_station", seed=1), args=..., ...)
    GRPOTrainer(model, rollout_func=rollouts(hands("kuhn")), reward_funcs=won, train_dataset=deals(100), args=..., ...)

The answers of a group, `num_generations` of them, are to one deal: the group's mean takes the luck of the cards off.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from datasets import Dataset
from trl import GRPOTrainer

from holdem_env.arena import AgentFailed
from holdem_env.text_env import TextEnv

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
        """
        Fold the hand.

        Returns:
            What has happened since, and the table.
        """
        return self._answer("fold")

    def check_or_call(self) -> str:
        """
        Check where nothing is to be called, otherwise call.

        Returns:
            What has happened since, and the table.
        """
        return self._answer("check" if self._env.table.hand.legal.call == 0 else "call")

    def raise_to(self, total: int) -> str:
        """
        Bet or raise.

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

    What the table says between two answers is in the completion, and masked. Completions end with the episode, or
    where `max_completion_length` would be exceeded. The rewards come as "reward", which `won` hands on.
    """
    pool: list[HoldemTools] = []
    dealt = [0]

    def rollout(prompts: list[Any], trainer: GRPOTrainer) -> dict[str, Any]:
        pool.extend(make() for _ in range(len(prompts) - len(pool)))
        group = trainer.num_generations if trainer.model.training else trainer.num_generations_eval
        played = [_play(pool[k], dealt[0] + k // group, trainer) for k in range(len(prompts))]
        dealt[0] += -(-len(prompts) // group)
        return {name: [each[name] for each in played] for name in played[0]}

    return rollout


def won(completions: list[Any], reward: list[float | None], **_: Any) -> list[float | None]:
    """A reward function for `rollouts`: what the episode was worth."""
    return reward


def _play(seat: HoldemTools, hand: int, trainer: GRPOTrainer) -> dict[str, Any]:
    """An episode, answer by answer."""
    tokenizer, room = trainer.processing_class, trainer.max_completion_length
    prompt = tokenizer.encode(seat.reset(hand) + "\n", add_special_tokens=False)
    ids, mask, logs = list[int](), list[int](), list[float]()
    while len(ids) < room:
        said, likely = _sampled(prompt + ids, room - len(ids), trainer)
        ids, mask, logs = ids + said, mask + [1] * len(said), logs + likely
        if len(ids) >= room and said[-1] != tokenizer.eos_token_id:  # an answer that was cut off is none
            break
        text = "" if seat._over else seat._answer(tokenizer.decode(said, skip_special_tokens=True))
        heard = tokenizer.encode(f"\n{text}\n", add_special_tokens=False)
        if seat._over or len(ids) + len(heard) >= room:
            break
        ids, mask, logs = ids + heard, mask + [0] * len(heard), logs + [0.0] * len(heard)
    return {
        "prompt_ids": prompt,
        "completion_ids": ids,
        "logprobs": logs,
        "env_mask": mask,
        "reward": seat.get_reward(),
    }


@torch.no_grad()
def _sampled(ids: list[int], most: int, trainer: GRPOTrainer) -> tuple[list[int], list[float]]:
    """An answer of the model, and the log-probability of each of its tokens."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    given = torch.tensor([ids], device=model.device)
    config = copy.deepcopy(trainer.generation_config)
    config.max_new_tokens, config.return_dict_in_generate, config.output_logits = most, True, True
    out = model.generate(given, attention_mask=torch.ones_like(given), generation_config=config)
    said = out.sequences[0, len(ids) :]
    logits = torch.stack(out.logits)[:, 0] / trainer.temperature
    likely = logits.log_softmax(-1).gather(1, said[:, None])[:, 0]
    return said.tolist(), likely.tolist()
