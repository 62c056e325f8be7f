"""OpenAIAgent against a server on loopback, and agents that are asked in English in matches."""

from __future__ import annotations

import copy
import json
import pickle
import re
from threading import Barrier

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Table
from holdem_env.agents import DecisionError, make_agent
from holdem_env.agents.config_files import config_of, save_agent
from holdem_env.agents.fingerprints import fingerprint_of
from holdem_env.arena import AgentFailed, play_deals, play_sittings
from holdem_env.protocols.text import OpenAIAgent, TextAgent
from protocols.loopback import DROP, Asked, Reply, serving

HEADS_UP = Rules.preset("heads-up-no-limit")
KEY = "sk-very-secret-1234"
FAST = {"backoff": 0.0, "timeout": 5.0}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def completion(text: str | None, prompt_tokens: int = 100, completion_tokens: int = 7) -> dict[str, object]:
    return {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens},
    }


def in_turn(*answers: object):
    """A server's answers, one after the other."""
    rest = iter(answers)
    return lambda asked: next(rest)


def move(*answers: object, **parameters: object) -> tuple[int, list[Asked], OpenAIAgent]:
    """The move at a first decision, what the server was asked, and the agent."""
    with serving(in_turn(*answers)) as server:
        agent = OpenAIAgent("tiny", f"{server.url}/v1", **{**FAST, **parameters})
        return agent.move(Table(HEADS_UP, seed=1)), server.asked, agent


def test_a_decision():
    chosen, asked, agent = move(completion("I like it. Action: raise to 6"), temperature=0.2, max_tokens=50)
    assert chosen == 6
    assert [each.path for each in asked] == ["/v1/chat/completions"]
    body = asked[0].body
    settings = {"model": "tiny", "temperature": 0.2, "max_tokens": 50}
    assert {**body, "messages": None} == {**settings, "messages": None}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "- raise to any total from 4 to 200 (all-in)" in body["messages"][1]["content"]
    assert "Authorization" not in asked[0].headers
    assert str(agent.usage) == "1 calls, 0 answers rejected, 100 tokens in, 7 out, 107 tokens a decision"


def test_what_is_not_given_is_left_to_the_server():
    _, asked, _ = move(completion("call"), options={"seed": 1, "reasoning_effort": "low"})
    assert set(asked[0].body) == {"model", "messages", "seed", "reasoning_effort"}


def test_after_nonsense_it_is_told_why_and_asked_again():
    chosen, asked, agent = move(completion("banana"), completion("raise to 3"), completion("call"))
    assert chosen == 0
    seen = [message["content"] for message in asked[2].body["messages"]]
    assert seen[2] == "banana"
    assert seen[3].startswith("'banana' is not one plain move. Legal: fold, call 1, raise to 4..200. End with one line")
    assert "the least it may raise to is 4" in seen[5]
    assert (agent.usage.calls, agent.usage.rejected) == (3, 2)


@pytest.mark.parametrize("content", [None, "", "<think>so long that the tokens ran out</think>", []])
def test_an_answer_without_text_is_no_move(content):
    assert move(completion(content), completion("call"))[0] == 0
    parts = [{"type": "text", "text": "Action: "}, {"type": "text", "text": "fold"}]
    assert move(completion(parts))[0] == -1


FAILING = [Reply(status, {"error": {"message": "later"}}) for status in (429, 500, 502, 503, 504)]


@pytest.mark.parametrize("reply", [*FAILING, Reply(429, {}, {"Retry-After": "0"}), DROP])
def test_a_busy_or_failing_server_and_a_lost_connection_are_tried_again(reply):
    chosen, asked, agent = move(reply, completion("call"))
    assert (chosen, len(asked), agent.usage.calls) == (0, 2, 1)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([Reply(404, {"error": {"message": "no model tiny"}})], "/v1/chat/completions: HTTP 404: no model tiny"),
        ([Reply(400, raw=b"bad")], "HTTP 400: bad"),
        ([Reply(429, {"error": "quota"})] * 3, "HTTP 429: quota"),
        ([Reply(302, {}, {"Location": "http://example.org"})], "HTTP 302"),
        ([Reply(200, raw=b"<html>")], "the answer is not a JSON object: '<html>'"),
        ([{"choices": []}], "has no choices[0].message.content"),
        ([[1]], "the answer is not a JSON object"),
        ([DROP] * 3, "no answer ("),
    ],
)
def test_what_a_server_may_do_wrong(answers, message):
    with pytest.raises(DecisionError) as error:
        move(*answers, retries=2)
    assert message in str(error.value)
    assert "HttpError" in str(error.value)


def test_a_server_that_does_not_answer():
    waiting = Barrier(2)

    def silent(asked):
        waiting.wait(5)
        return DROP

    with serving(silent) as server:
        agent = OpenAIAgent("tiny", server.url, timeout=0.1, retries=0)
        mentions(complaint(agent.move, Table(HEADS_UP, seed=1), kind=DecisionError), "0.1")
        waiting.wait(5)


def test_the_key_is_sent_and_shown_nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("MY_API_KEY", KEY)
    with serving(in_turn(completion("call"), Reply(401, {"error": {"message": f"wrong key {KEY}"}}))) as server:
        agent = OpenAIAgent("tiny", server.url, api_key_env="MY_API_KEY", **FAST)
        agent.move(Table(HEADS_UP, seed=1))
        assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"
        with pytest.raises(DecisionError) as error:
            agent.move(Table(HEADS_UP, seed=1))
    save_agent(agent, tmp_path / "a.yaml")
    shown = [repr(agent), str(vars(agent)), str(error.value), repr(error.value.__cause__)]
    shown += [json.dumps(config_of(agent)), fingerprint_of(agent, json.dumps(config_of(agent)))]
    shown += [(tmp_path / "a.yaml").read_text(), repr(copy.deepcopy(agent)), pickle.dumps(agent).decode("latin-1")]
    assert "wrong key (the key)" in shown[2]
    assert not [text for text in shown if KEY in text]
    chain: BaseException | None = error.value
    while chain is not None:  # no exception holds the request, and with it the key
        assert not hasattr(chain, "request")
        assert KEY not in str(vars(chain))
        chain = chain.__cause__ or chain.__context__


def test_a_netrc_file_is_not_asked_for_passwords(monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert "Authorization" not in move(completion("call"))[1][0].headers


def test_openais_own_key_goes_to_openai_alone(monkeypatch):
    mentions(complaint(OpenAIAgent, "gpt"), "OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    OpenAIAgent("gpt")
    assert "Authorization" not in move(completion("call"))[1][0].headers


def test_a_config_reaches_no_other_secret(monkeypatch):
    """A config from somebody else names the server and the variable."""
    monkeypatch.setenv("AWS_SECRET", "mine")
    mentions(complaint(OpenAIAgent, "tiny", "http://127.0.0.1:1", api_key_env="AWS_SECRET"), "API_KEY", "AWS_SECRET")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"base_url": "127.0.0.1:8000"}, "is not an address such as http://127.0.0.1:8000/v1"),
        ({"base_url": "http://me:secret@host/v1"}, "the address of host holds a name or password; leave it out"),
        ({"tries": 0}, "tries: 0 is not between 1 and 20"),
        ({"tries": 10**9}, "tries: 1000000000 is not between 1 and 20"),
        *(({"prices": p}, "prices: must be") for p in ({"in": 1}, {"in": -1, "out": 2}, {"in": 1, "out": "2"}, 3)),
        ({"concurrent": 0}, "concurrent: 0 is not between 1 and 256"),
        ({"timeout": 1e9}, "timeout: 1000000000.0 is not between 0 and 600 seconds"),
        ({"timeout": float("nan")}, "timeout: nan is not between 0 and 600 seconds"),
        ({"prompt": "gone.txt"}, "prompt: gone.txt cannot be read"),
    ],
)
def test_wrong_parameters(parameters, message):
    with pytest.raises(ValueError, match=message) as error:
        OpenAIAgent("tiny", **{"base_url": "http://127.0.0.1:1", **parameters})
    assert "secret" not in str(error.value)
    mentions(complaint(make_agent, "openai", kind=TypeError), "openai", "model")


def test_a_config_and_its_prompt(tmp_path):
    (tmp_path / "tight.md").write_text("Play tight.\n")
    with serving(in_turn(completion("call"), completion("call"))) as server:
        agent = make_agent(
            {"agent": "openai", "model": "tiny", "base_url": server.url, "prompt": str(tmp_path / "tight.md")}
        )
        save_agent(agent, tmp_path / "agent.json")
        make_agent(tmp_path / "agent.json").move(Table(HEADS_UP, seed=1))
        system = server.asked[0].body["messages"][0]["content"]
        assert "\nPlay tight.\nEnd with one line" in system
        make_agent(tmp_path / "agent.json", prompt="Play loose.").move(Table(HEADS_UP, seed=1))
        assert "\nPlay loose.\n" in server.asked[1].body["messages"][0]["content"]


def by_the_legal_moves(asked: Asked) -> object:
    """Checks or calls, whatever comes, and raises with an ace; now and then it is busy."""
    cards = asked.body["messages"][1]["content"].split("Your cards: ")[1].splitlines()[0]
    choices = asked.body["messages"][1]["content"].split("You may:")[1]
    if "A" in cards and "bet any amount from " in choices:
        total = choices.split("amount from ")[1].split()[0]
        return completion(f"An ace.\n**Action: bet {total}**")
    return completion("Action: call" if "- call" in choices else "Action: check")


def test_a_match_is_the_same_however_many_tables_are_asked_at_once():
    results = []
    for concurrent in (1, 3):
        with serving(by_the_legal_moves) as server:
            agent = OpenAIAgent("tiny", server.url, concurrent=concurrent, **FAST)
            deals = play_deals(HEADS_UP, [agent, make_agent("maniac")], [0, 1], range(4), seed=3)
            results.append(deals.columns["chips"].tolist())
        assert np.shape(results[-1]) == (4, 2, 2)
        assert agent.usage.calls == len(server.asked) > 4 * 2
        assert agent.usage.prompt_tokens == 100 * agent.usage.calls
        assert agent.usage.completion_tokens == 7 * agent.usage.calls
    assert results[0] == results[1]


@pytest.mark.parametrize("concurrent", [1, 3])
def test_who_only_talks_nonsense_forfeits_by_name(concurrent):
    with serving(lambda asked: completion("banana")) as server:
        agent = OpenAIAgent("tiny", server.url, concurrent=concurrent, without_answer="stop", **FAST)
        with pytest.raises(AgentFailed) as failed:
            play_deals(HEADS_UP, [make_agent("calling_station"), agent], [0, 1], range(4), seed=3)
    assert failed.value.name == "openai"
    assert failed.value.agent == 1
    assert "AnswerError: no legal move in 3 answers" in failed.value.reason


def test_clones_count_together():
    agent = Scripted("call")
    clone = copy.deepcopy(agent)
    clone.answers.append("more")
    clone.move(Table(HEADS_UP, seed=1))
    assert agent.usage.calls == 1
    assert agent.answers == ["call"], "but share nothing else"
    assert pickle.loads(pickle.dumps(agent.usage)).calls == 1


class Scripted(TextAgent):
    """Gives its answers one after the other, then the last one again."""

    name = "scripted"

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def complete(self, messages):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.mark.parametrize("without_answer", ["check_or_fold", "stop"])
def test_a_model_without_a_legal_answer_checks_or_folds_or_stops(without_answer):
    agent = OpenAIAgent("m", "http://127.0.0.1:9/v1", tries=2)
    agent.without_answer = without_answer if without_answer == "stop" else agent.without_answer
    agent.complete = lambda messages: "Hm."
    assert agent.without_answer == without_answer
    table = Table("heads-up-no-limit", seed=1)
    if without_answer == "stop":
        mentions(complaint(agent.move, table, kind=DecisionError), 2)
        return
    assert agent.move(table) == -1
    table.check_call()
    assert agent.move(table) == 0
    assert (agent.usage.calls, agent.usage.rejected, agent.usage.given_up) == (4, 4, 2)
    assert "checked or folded 2 times" in str(agent.usage)


def test_what_it_costs():
    prices = {"in": 2.0, "out": 10.0}
    _, _, agent = move(completion("maybe"), completion("Action: fold"), prices=prices)
    assert (agent.usage.decisions, agent.usage.dollars) == (1, pytest.approx((200 * 2 + 14 * 10) / 1e6))
    assert str(agent.usage).endswith("214 tokens a decision, $0.00, $0.00054 a decision")
    assert copy.deepcopy(agent).usage is agent.usage
    assert OpenAIAgent("tiny", "http://127.0.0.1:1/v1").usage.dollars is None


class Watching(TextAgent):
    """Raises before the flop, then checks and calls, and notes its prompts."""

    name = "watching"
    remembers = 2

    def __init__(self):
        self.prompts = PROMPTS

    def complete(self, messages):
        text = messages[1]["content"]
        self.prompts.append(text)
        least = re.search(r"- (?:bet|raise) to any total from (\d+)", text)
        if least and "The board: none yet" in text:
            return f"Action: raise to {least[1]}"
        return "Action: call" if "- call" in text else "Action: check"

    def __deepcopy__(self, memo):
        return type(self)()


PROMPTS: list[str] = []


def test_its_prompts_have_earlier_hands_at_its_table():
    PROMPTS.clear()
    play_sittings(Watching(), "calling_station", HEADS_UP, hands=9, sitting=9, seed=3, num_tables=1)
    assert not PROMPTS[0].startswith("The session so far:")
    last = [text for text in PROMPTS if " of 8 hands" in text][-1]
    rates = r"- seat \d, you: came in 100% of 8 hands, raised before the flop 100%\n"
    other = r"- seat \d: came in 100% of 8 hands, raised before the flop 0%\n"
    assert re.match(
        rf"The session so far:\n(?:{rates}{other}|{other}{rates})The last hands, the latest first:\n1", last
    )
    assert re.findall(r"^(\d)\. You had .. ..\. seat", last, re.MULTILINE) == ["1", "2"]
    assert any(re.search(r"seat \d showed .. ..\. You lost \d+ chips\.\n", text) for text in PROMPTS)


def test_it_forgets_and_says_what_it_won():
    PROMPTS.clear()
    agent = Watching()
    play_sittings(agent, "always_fold", HEADS_UP, hands=3, sitting=3, seed=3, num_tables=1)
    assert any("You won 2 chips." in text for text in PROMPTS)  # the big blind
    agent.reset()
    assert len(agent.messages(Table(HEADS_UP, seed=1).view())[1]["content"]) < 1_000
