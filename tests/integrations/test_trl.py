"""integrations/trl: GRPOTrainer takes steps with a tiny model that the test makes.

`make integrations` installs TRL in an environment of its own; elsewhere these tests skip.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from holdem_env.text_env import TextEnv
from pages import blocks

pytest.importorskip("trl", reason="TRL is not installed: make integrations")
pytest.importorskip("holdem_trl", reason="integrations/trl is not installed: make integrations")
import holdem_trl
import torch
import trl
from holdem_trl import deals, hands, rollouts, won
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.stands_on("integrations/trl", "holdem_env/text_env"),
]
MARKS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]
ENDS = {
    "qwen3": "<|im_end|>",
    "llama3_1": "<|eot_id|>",
    "gemma3": "<end_of_turn>",
    "phi3_5": "<|end|>",
    "cohere": "<|END_OF_TURN_TOKEN|>",
}


def tokenizer(family: str = "qwen3") -> PreTrainedTokenizerFast:
    """A token a byte, in the chat form of a family of models, which TRL ships."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({sign: k for k, sign in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=made, eos_token=ENDS[family], pad_token=MARKS[0])
    fast.add_tokens(MARKS)
    folder = Path(trl.__file__).parent / "chat_templates"
    fast.chat_template = (folder / f"{family}.jinja").read_text(encoding="utf-8")
    return fast


def model(fast: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    size |= {"vocab_size": len(fast), "num_key_value_heads": 2, "head_dim": 16}
    return Qwen3ForCausalLM(Qwen3Config(**size, eos_token_id=fast.eos_token_id, pad_token_id=fast.pad_token_id))


def trainer(tmp_path: Path, **given: Any) -> trl.GRPOTrainer:
    fast = tokenizer()
    steps = {"max_completion_length": 64, "max_steps": 2, "learning_rate": 0.01, "logging_steps": 1}
    quiet = {"use_cpu": True, "report_to": [], "save_strategy": "no", "disable_tqdm": True}
    size = {"per_device_train_batch_size": 4, "num_generations": 2}
    args = trl.GRPOConfig(output_dir=str(tmp_path), **size, **steps, **quiet)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return trl.GRPOTrainer(model(fast), args=args, processing_class=fast, train_dataset=deals(8), **given)


def test_the_page_makes_trainers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[2] / "integrations" / "trl" / "README.md"
    fast = tokenizer()
    names: dict[str, Any] = {"model": model(fast), "tokenizer": fast}
    for block in blocks(page, "python"):
        exec(block.replace("GRPOConfig(", "GRPOConfig(use_cpu=True, "), names)
        assert names["trainer"].num_generations == 8


def test_the_moves_are_tools_and_the_environment_rewards(tmp_path: Path) -> None:
    made = trainer(tmp_path, environment_factory=hands("kuhn", opponents="calling_station"))
    assert sorted(tool.__name__ for tool in made.tools) == ["check_or_call", "fold", "raise_to"]
    made.train()
    logged = [row for row in made.state.log_history if "rewards/HoldemTools/mean" in row]
    assert len(logged) == 2
    assert all(row["rewards/HoldemTools/mean"] <= 2 for row in logged)


def test_a_model_that_calls_tools_plays_hands(tmp_path: Path) -> None:
    """What the trainer samples is given: a call of a tool after each turn, until the table says that it is over."""
    made = trainer(tmp_path, environment_factory=hands("kuhn", opponents="calling_station", seed=3))
    call = '<tool_call>\n{"name": "check_or_call", "arguments": {}}\n</tool_call><|im_end|>'
    ids = made.processing_class.encode(call, add_special_tokens=False)
    made.max_completion_length = 2_000
    asked: list[int] = []

    def sampled(prompts: list[list[int]], *_: Any, **__: Any) -> tuple[list[list[int]], None]:
        asked.append(len(prompts))
        end = [made.processing_class.eos_token_id]
        over = ["hand is over" in made.processing_class.decode(prompt) for prompt in prompts]
        return [end if each else ids for each in over], None

    made._generate_single_turn = sampled
    made.train()
    assert len(asked) > 2
    rewards = [row["rewards/HoldemTools/mean"] for row in made.state.log_history if "reward" in row]
    assert all(-2 <= reward <= 2 for reward in rewards)
    env = made.environments[0]
    assert env._over
    assert abs(env.get_reward()) in (1, 2)


def test_rollouts_without_tools_train_and_mask_what_the_table_says(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []
    play = rollouts(hands("kuhn", opponents="calling_station", prompt="short", tries=2))

    def watched(prompts: list[Any], trainer: trl.GRPOTrainer) -> dict[str, Any]:
        seen.append(play(prompts, trainer))
        return seen[-1]

    def letters(completions: list[Any], **_: Any) -> list[float]:  # a model that knows nothing loses alike every time
        return [float(sum(map(str.isalpha, each[0]["content"]))) for each in completions]

    made = trainer(tmp_path, rollout_func=watched, reward_funcs=[won, letters])
    before = [each.clone() for each in made.model.parameters()]
    made.train()
    assert any((old != new).any() for old, new in zip(before, made.model.parameters(), strict=True))
    assert len({tuple(ids) for batch in seen for ids in batch["prompt_ids"]}) > 1, "deals differ"
    for batch in seen:
        assert batch["prompt_ids"][0] == batch["prompt_ids"][1]  # a group is one deal
        for ids, mask, logs in zip(batch["completion_ids"], batch["env_mask"], batch["logprobs"], strict=True):
            assert len(ids) == len(mask) == len(logs) <= 64
            assert all((log < 0) == bool(own) for log, own in zip(logs, mask, strict=True))


@pytest.mark.parametrize("family", ENDS)
def test_dialogues_are_written_as_the_chat_template_writes_them(family: str) -> None:
    fast, texts = tokenizer(family), ["Your cards: Kh.", "Action: call", "You may check."]
    said = SimpleNamespace(processing_class=fast, eos_token_ids=[fast.eos_token_id], chat_template_kwargs={})
    words, answer = holdem_trl._Words(said), fast.encode(texts[1], add_special_tokens=False)
    turns = [{"role": role, "content": text} for role, text in zip(["user", "assistant", "user"], texts, strict=True)]
    whole = fast.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
    ids = words.first(texts[0]) + answer + [fast.eos_token_id] + words.next(texts[2])
    assert ids == fast.encode(whole, add_special_tokens=False)


def test_answers_in_a_batch_are_those_of_each_context_alone(tmp_path: Path) -> None:
    made = trainer(tmp_path, rollout_func=rollouts(hands("kuhn")), reward_funcs=won)
    made.generation_config.do_sample = False
    contexts = [made.processing_class.encode(text) for text in ("Your cards: Kh.", "Kh", "You may check or bet 1.")]
    ends = made.eos_token_ids = [*made.eos_token_ids, holdem_trl._sampled(contexts[1:2], 20, made)[0][0][7]]
    made.generation_config.eos_token_id = ends
    together = holdem_trl._sampled(contexts, 20, made)
    for context, (said, likely) in zip(contexts, together, strict=True):
        ((alone, logs),) = holdem_trl._sampled([context], 20, made)
        assert said == alone
        assert likely == pytest.approx(logs, abs=1e-4)
        assert len(said) == 20 or said[-1] in ends
    assert len(together[1][0]) <= 8


def test_unfinished_hands_are_asked_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = trainer(tmp_path, rollout_func=rollouts(hands("kuhn")), reward_funcs=won)
    made.max_completion_length, batches = 1_000, list[int]()

    def sampled(contexts: list[list[int]], most: int, _: Any) -> list[tuple[list[int], list[float]]]:
        batches.append(len(contexts))
        said = made.processing_class.encode("Action: no" if len(batches) == 1 else "Action: fold<|im_end|>")
        first = said + [made.processing_class.eos_token_id] * (len(batches) == 1)
        return [(first, [-1.0] * len(first))] * (len(contexts) - 1) + [(said[:3], [-1.0] * 3)]

    monkeypatch.setattr(holdem_trl, "_sampled", sampled)
    seats = [hands("kuhn", opponents="calling_station", seat=0)() for _ in range(3)]
    played = holdem_trl._play(seats, [1, 1, 1], made)
    assert batches == [3, 2]
    assert [each["reward"] for each in played] == [-1.0, -2.0, -2.0]  # cut off: folded, and one more
    text = made.processing_class.decode(played[0]["completion_ids"])
    assert text.startswith("Action: no<|im_end|>\n<|im_start|>user\n")
    assert text.endswith("<|im_end|>\n<|im_start|>assistant\nAction: fold<|im_end|>")


def test_a_group_has_one_deal_and_the_text_of_the_environment() -> None:
    make = hands("kuhn", opponents="calling_station", seed=5)
    first, other = make(), make()
    text = first.reset(hand=1, prompt=None)
    assert text == other.reset(hand=1) == TextEnv("kuhn", opponents="calling_station").reset(seed=6)[0]
    assert "Legal" in first.raise_to(10**9)
    assert first.get_reward() == -2.0  # not played to its end: folded, and one more
    while "over" not in other.check_or_call():
        pass
    assert abs(other.get_reward()) in (1, 2)
    with pytest.raises(ValueError, match="over"):
        other.fold()


def test_an_opponent_that_fails_trains_nothing() -> None:
    from holdem_env.agents.table_agent import TableAgent
    from holdem_env.table.seat_view import SeatView

    class Dies(TableAgent):
        name = "dies"

        def decide(self, view: SeatView) -> int:
            raise ConnectionError("the server is gone")

    seat = hands("heads-up-no-limit", seat=0, opponents=Dies(), seed=1)()
    for hand in range(8):
        text = seat.reset(hand)
        assert "failed" in text or "failed" in seat.check_or_call()
        assert seat.get_reward() is None
