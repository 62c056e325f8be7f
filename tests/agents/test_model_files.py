"""Model files: they play as the model that was saved, nothing in them runs, and whatever is wrong is one sentence."""

from __future__ import annotations

import json
import os
import pickle
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from arena.isolation.bots import needs_jail
from command_line import holdem, refused
from errors import complaint, mentions
from holdem_agents.agent_files import sb3_agent
from holdem_agents.agent_files.model_file_format import FORMAT, MAX_HEADER
from holdem_agents.agent_files.model_files import FileAgent, load, sharpen
from holdem_agents.training.config import Training
from holdem_agents.training.learners.trainee import Trainee
from holdem_env import Rules, Tables
from holdem_env.agents import make_agent
from holdem_env.agents.fingerprints import fingerprint_of
from holdem_env.agents.protocol import Agent
from holdem_env.arena import play_match
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.testing import check_agent

GAME = Rules.preset("heads-up-no-limit")
ROWS = np.arange(256)


def vec_env(rules: Any = GAME, **changes: Any) -> HoldemVecEnv:
    return HoldemVecEnv(rules, 8, opponents=["random"], on_illegal="check_fold", **changes)


def sharpened(model: Any) -> Any:
    """A model whose untrained policy prefers some actions clearly."""
    with torch.no_grad():
        model.policy.action_net.weight.mul_(300)
    return model


def plain_model(algorithm: Any = MaskablePPO, env: Any = None, **kwargs: Any) -> Any:
    settings = {"policy_kwargs": {"net_arch": [8], **kwargs}, "seed": 0, "device": "cpu"}
    return sharpened(algorithm("MlpPolicy", env or vec_env(), **settings))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "mine.safetensors"
    sb3_agent.save(plain_model(), vec_env(), path)
    return path


def situations(rules: Rules = GAME, **changes: Any) -> Tables:
    tables = Tables(rules, len(ROWS), seed=3, **changes)
    for salt in range(3):
        tables.step(tables.random_actions(salt=salt))
    return tables


def assert_same(one: Agent, two: Agent, tables: Tables) -> None:
    """Both play the same, to the last bit."""
    rules = tables.rules
    np.testing.assert_array_equal(one.logits(tables.observation), two.logits(tables.observation))  # type: ignore[attr-defined]
    np.testing.assert_array_equal(one.act(tables.records, rules, ROWS), two.act(tables.records, rules, ROWS))
    pairs = zip(
        one.probabilities(tables.records, rules, ROWS), two.probabilities(tables.records, rules, ROWS), strict=True
    )
    for ours, theirs in pairs:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("deterministic", [False, True])
@pytest.mark.parametrize(
    "learner",
    [{"hidden": [16]}, {"hidden": [16, 8], "kl_coef": 0.01, "suits": "canonical"}, {"hidden": [8], "average": 0.9}],
    ids=["plain", "canonical", "average"],
)
def test_it_plays_as_the_zip_does(tmp_path: Path, learner: dict[str, Any], deterministic: bool) -> None:
    config = Training(
        rules=GAME,
        budget={"decisions": 1},
        tables=16,
        learner={"kind": "sb3", "n_steps": 8, "batch_size": 64, "threads": 1, **learner},
    )
    made = Trainee(config)
    sharpened(made.model)
    for suffix in ("safetensors", "zip"):
        sb3_agent.save(made.model, made.env, tmp_path / f"a.{suffix}", made.final_agent.policy)
    data = make_agent(tmp_path / "a.safetensors", deterministic=deterministic, seed=5)
    pickled = make_agent(tmp_path / "a.zip", deterministic=deterministic, seed=5, trust=True)
    assert isinstance(data, FileAgent)
    assert (data.algorithm, data.training, data.trained_on) == ("MaskablePPO", {"decisions": 0, "seed": 0}, GAME)
    assert_same(data, pickled, situations())
    pickled.save(tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == (tmp_path / "a.safetensors").read_bytes()


def test_a_temperature_divides_the_logits_and_nothing_else(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "sharp.safetensors"
    path.write_bytes(file.read_bytes())
    sharpen(path, 0.25)
    plain, sharp, seen = load(file), load(path), situations().observation
    before, after = np.diff(plain.logits(seen), axis=1), np.diff(sharp.logits(seen), axis=1)
    assert np.abs(before).max() > 0
    np.testing.assert_allclose(after, 4 * before, rtol=1e-3, atol=1e-6)
    assert (sharp.algorithm, sharp.training, sharp.trained_on) == (plain.algorithm, plain.training, plain.trained_on)
    torch.testing.assert_close(sharp.policy.values(torch.from_numpy(seen)), plain.policy.values(torch.from_numpy(seen)))


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("algorithm", [MaskablePPO, PPO, A2C])
@pytest.mark.parametrize("activation", [nn.Tanh, nn.SiLU])
def test_algorithms_and_activations(tmp_path: Path, algorithm: Any, activation: Any) -> None:
    model = plain_model(algorithm, activation_fn=activation, share_features_extractor=activation is nn.Tanh)
    sb3_agent.save(model, vec_env(), tmp_path / "a.safetensors")
    model.save(tmp_path / "a.zip")
    one = make_agent(tmp_path / "a.safetensors")
    assert_same(one, sb3_agent.load(tmp_path / "a.zip", rules=GAME, trust=True), situations())
    values = model.policy.predict_values(torch.from_numpy(situations().observation)).detach()[:, 0]
    torch.testing.assert_close(one.policy.values(torch.from_numpy(situations().observation)), values)  # type: ignore[attr-defined]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("rules", "encoders"),
    [
        ("heads-up-limit", {"observation": "flat+equity"}),
        ("six-max-no-limit", {"observation": "planes", "actions": "50%, 75%, all-in"}),
        ("leduc", {}),
    ],
)
def test_games_and_encoders(tmp_path: Path, rules: str, encoders: dict[str, str]) -> None:
    env = vec_env(rules, **encoders)
    sb3_agent.save(plain_model(env=env), env, tmp_path / "a.safetensors")
    agent = load(tmp_path / "a.safetensors")
    assert agent.trained_on == Rules.preset(rules)
    assert agent.action_encoder.meanings(agent.trained_on) == env.action_encoder.meanings(env.rules)
    check_agent(agent, games=[agent.trained_on])


def test_loading_draws_no_random_numbers(file: Path) -> None:
    before = torch.get_rng_state()
    load(file)
    assert torch.equal(torch.get_rng_state(), before)


def test_an_agent_from_a_file_is_saved_as_a_config_or_a_copy(file: Path, tmp_path: Path) -> None:
    agent = make_agent(file, deterministic=True, seed=3)
    agent.save(tmp_path / "mine.json")
    assert json.loads((tmp_path / "mine.json").read_text()) == {"agent": str(file), "deterministic": True, "seed": 3}
    agent.save(tmp_path / "copy.safetensors")
    copied = make_agent(tmp_path / "copy.safetensors", deterministic=True)
    assert_same(make_agent(tmp_path / "mine.json"), copied, situations())


class Doubled(BaseFeaturesExtractor):
    """It does more than its layers."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, 8)
        self.layers = nn.Sequential(nn.Linear(space.shape[0], 8))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return 2 * self.layers(observations)


class Hidden(BaseFeaturesExtractor):
    def __init__(self, space: Any) -> None:
        super().__init__(space, space.shape[0])

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return observations


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"features_extractor_class": Doubled}, "it does more than its layers do"),
        ({"features_extractor_class": Hidden}, "features extractor Hidden"),
        ({"activation_fn": nn.Softsign}, "layer Softsign"),
    ],
)
def test_networks_that_it_cannot_hold_are_refused(tmp_path: Path, kwargs: dict[str, Any], message: str) -> None:
    assert re.search(message, complaint(sb3_agent.save, plain_model(**kwargs), vec_env(), tmp_path / "a.safetensors"))
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    model, env = plain_model(), vec_env()
    mentions(complaint(sb3_agent.save, model, env, tmp_path / "a.pkl"), "a.pkl")
    agent = sb3_agent.SB3Agent(model.policy, env.observation_encoder, env.action_encoder)
    mentions(complaint(agent.save, tmp_path / "a.safetensors"), "says for which game the agent was trained")
    with torch.no_grad():
        model.policy.value_net.bias.fill_(float("inf"))
    mentions(complaint(sb3_agent.save, model, env, tmp_path / "a.safetensors"), "value.2.bias")


class Evil:
    """What a stranger's model may hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.folder),)


def evil_zip(path: Path, target: Path) -> Path:
    """A .zip of SB3 whose settings make a folder when they are loaded."""
    import base64

    plain_model().save(path)
    with zipfile.ZipFile(path) as old:
        contents = {name: old.read(name) for name in old.namelist()}
    data = json.loads(contents["data"])
    data["policy_class"] = {":type:": "x", ":serialized:": base64.b64encode(pickle.dumps(Evil(target))).decode()}
    contents["data"] = json.dumps(data).encode()
    with zipfile.ZipFile(path, "w") as new:
        for name, content in contents.items():
            new.writestr(name, content)
    return path


def test_nothing_of_a_zip_runs_without_trust(tmp_path: Path) -> None:
    path, target = evil_zip(tmp_path / "evil.zip", tmp_path / "was here"), tmp_path / "was here"
    config = tmp_path / "evil.json"
    config.write_text(json.dumps({"agent": str(path)}))
    for loading in (
        lambda: make_agent(path),
        lambda: make_agent(config),
        lambda: make_agent(path, trust="no"),
        lambda: sb3_agent.load(path),
        lambda: play_match(str(path), "random", GAME, 10),
    ):
        mentions(complaint(loading), "evil.zip")
    renamed = tmp_path / "evil.safetensors"
    renamed.write_bytes(path.read_bytes())
    mentions(complaint(make_agent, renamed, trust=True), "it is no safetensors file")
    for command in (["match", str(path), "random"], ["play", str(path)], ["exploit", str(path)]):
        assert "--trust" in refused(*command)
    assert not target.exists()
    mentions(complaint(make_agent, path, trust=True), "models of MaskablePPO, PPO and A2C can play")
    assert target.exists()  # so the .zip was a dangerous one


@needs_jail
@pytest.mark.slow
def test_a_jail_needs_no_trust(tmp_path: Path, file: Path) -> None:
    plain_model().save(tmp_path / "a.zip")
    tournament = Tournament(rules=GAME, agents=[str(tmp_path / "a.zip"), str(file)], hands=200)
    store = Store(tmp_path / "t.db", create=True)
    run(tournament, store)
    assert not store.forfeits()


def test_trust_does_not_make_another_agent(tmp_path: Path) -> None:
    plain_model().save(tmp_path / "a.zip")
    agent = make_agent(tmp_path / "a.zip", trust=True)
    made_of = {"agent": str(tmp_path / "a.zip")}
    with_trust = fingerprint_of(agent, json.dumps({**made_of, "trust": True}))
    assert "trust" not in with_trust
    assert Tournament(rules=GAME, agents=["maniac", {**made_of, "trust": True, "name": "mine"}]).agents[1].parameters


@pytest.mark.slow
def test_a_plain_zip_is_converted(tmp_path: Path) -> None:
    env = vec_env(observation="flat+equity", actions="fcpa")
    plain_model(env=env).save(tmp_path / "a.zip")
    one, two = str(tmp_path / "a.zip"), str(tmp_path / "a.safetensors")
    for options, message in (
        ([], "--trust"),
        (["--trust"], "does not say for which game it was trained: give --rules"),
        (["--trust", "--rules", "six-max-no-limit"], "as no encoder in this game"),
    ):
        assert message in refused("convert", one, two, *options)
    seen = ["convert", one, two, "--trust", "--rules", "heads-up-no-limit"]
    assert holdem(*seen).exit_code == 0
    agent = make_agent(two)
    assert_same(agent, make_agent(one, rules=GAME, trust=True), situations(observation="flat+equity", actions="fcpa"))
    assert agent.algorithm == "MaskablePPO"  # type: ignore[attr-defined]
    assert "exists already" in refused(*seen)
    for wrong in ([two, one], ["gone.zip", str(tmp_path / "b.safetensors")]):
        assert holdem("convert", *wrong, "--trust").exit_code == 2


def parts(content: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """The header, the description in it, and the tensors of a model file."""
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + length])
    return header, json.loads(header["__metadata__"]["holdem"]), content[8 + length :]


def joined(header: Any, about: Any, tensors: bytes) -> bytes:
    if isinstance(header, dict):
        text = about if isinstance(about, str) else json.dumps(about)
        header = json.dumps({**header, "__metadata__": {"holdem": text}}).encode()
    return struct.pack("<Q", len(header)) + header + tensors


def edited(change: Callable[[dict[str, Any]], Any], part: int = 0) -> Callable[[bytes], bytes]:
    """A file with another description; part 1: with another header."""

    def changed(content: bytes) -> bytes:
        header, about, tensors = parts(content)
        change((about, header)[part])
        return joined(header, about, tensors)

    return changed


def about(part: str, **values: Any) -> Callable[[bytes], bytes]:
    """A file with other values in a part of its description."""
    return edited(lambda described: described[part].update(values))


def tensor(**values: Any) -> Callable[[bytes], bytes]:
    """A file whose header has something else of a tensor."""
    return edited(lambda header: header["policy.2.bias"].update(values), 1)


def with_a_huge_layer(described: dict[str, Any]) -> None:
    layers = described["network"]["policy"]
    layers[0]["outputs"] = layers[2]["inputs"] = 2**30


def rewritten(text: Any) -> Callable[[bytes], bytes]:
    """A file whose description is this text."""
    return lambda content: joined(parts(content)[0], text, parts(content)[2])


WRONG = {
    "empty": (lambda _: b"", "cut short"),
    "text": (lambda _: b"this is no model at all", "no safetensors file"),
    "no header": (lambda content: content[:100], "cut short"),
    "no tensors": (lambda content: content[:-1000], "damaged"),
    "more at the end": (lambda content: content + b"x" * 10, "damaged"),
    "a huge header": (lambda _: struct.pack("<Q", 2 * MAX_HEADER) + b" " * 2 * MAX_HEADER, "header .* 1,048,576"),
    "an impossible header": (lambda content: b"\xff" * 8 + content[8:], "cut short"),
    "no JSON": (lambda content: joined(b"{" * 100, {}, b""), "header is not the JSON"),
    "deep JSON": (lambda content: joined(b"[" * 100_000, {}, b""), "header is not the JSON"),
    "a list": (lambda content: joined(b"[1]", {}, b""), "header is not a JSON object"),
    "keys twice": (lambda content: joined(b'{"a": 1, "a": 2}', {}, b""), "key is there twice"),
    "no UTF-8": (lambda content: joined(b"\xff\xfe\x00", {}, b""), "header is not the JSON"),
    "another's file": (lambda content: joined(b"{}", {}, b""), "no model that holdem has written"),
    "metadata as a list": (lambda content: joined(b'{"__metadata__": []}', {}, b""), "no model that holdem"),
    "no description": (rewritten("nothing"), "description is not the JSON"),
    "NaN in JSON": (rewritten('{"format": NaN}'), "NaN is no number of JSON"),
    "huge number": (rewritten('{"format": 1' + "0" * 5000 + "}"), "description is not the JSON"),
    "deep description": (rewritten('{"rules": ' + "[" * 100_000), "description is not the JSON"),
    "new format": (edited(lambda about: about.update(format=2)), f"format 2; .* {FORMAT}"),
    "no format": (edited(lambda about: about.pop("format")), "format None"),
    **{
        f"policy {policy}": (edited(lambda about, policy=policy: about.update(network=None, policy=policy)), message)
        for policy, message in {
            "../../x:Evil": "policy must be FILE.py:NAME, got '../../x:Evil'",
            "a.py:X+b.py:Y": "policy must be FILE.py:NAME",
            "../../x.py:Evil": "code must lie beside it",
            "/tmp/x.py:Evil": "code must lie beside it",
        }.items()
    },
    "no rules": (edited(lambda about: about.pop("rules")), "rules: Field required"),
    "unknown field": (edited(lambda about: about.update(extra=1)), "no field 'extra'"),
    "invalid rules": (about("rules", seats=99), "rules are no game: seats"),
    "rules of no field": (about("rules", chairs=2), "Rules has no field 'chairs'"),
    "huge stacks": (about("rules", stacks=10**300), "rules are no game"),
    "a number without end": (about("rules", stacks=10**4000), "digits"),
    "rules of another game": (about("rules", seats=6), "another version of the observation"),
    "unknown observation": (about("observation", name="flta"), "observation encoder 'flta'"),
    "endless observation": (about("observation", name="+".join(["flat"] * 1000)), "observation.name: .*1000"),
    "unknown actions": (about("actions", name="magic"), "no action encoder"),
    "other actions": (about("actions", name="50%, all-in"), "was trained with the actions"),
    "too few actions": (edited(lambda about: about["actions"]["meanings"].pop()), r"policy ends in the shape \[7\]"),
    "another version": (about("observation", layout="0"), "another version of the observation 'flat'"),
    "another shape": (about("observation", shape=[148]), r"given the shape \[148\]|layer trunk|policy"),
    "unknown layer": (
        edited(lambda about: about["network"]["policy"][1].update(kind="lambda")),
        "network.policy.1.kind: .*'linear'",
    ),
    "no outputs": (edited(lambda about: about["network"]["policy"][0].pop("outputs")), "inputs and outputs"),
    "a huge layer": (edited(with_a_huge_layer), "float32 of the shape"),
    "endless layers": (about("network", trunk=[{"kind": "relu"}] * 1000), "network.trunk: .*100"),
    "suits of nothing": (
        about("network", trunk=[{"kind": "canonical_suits", "cards": [140]}]),
        r"layer trunk.0 \(canonical_suits\) has cards at \[140\]",
    ),
    "a missing tensor": (edited(lambda header: header.pop("policy.2.bias"), 1), "'policy.2.bias' is missing"),
    "a tensor too many": (
        edited(lambda header: header.update(more={"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}), 1),
        "'more' .* no such tensor",
    ),
    "a tensor of another type": (tensor(dtype="I32"), "needs float32"),
    "no tensor": (edited(lambda header: header.update({"policy.2.bias": 1}), 1), "needs float32"),
    "tensors that overlap": (tensor(data_offsets=[4, 32]), "damaged"),
    "NaN": (lambda content: content[:-4] + struct.pack("<f", float("nan")), "numbers that are not finite"),
    "a flipped weight": (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "weights are not those"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_sentence(file: Path, tmp_path: Path, name: str) -> None:
    change, message = WRONG[name]
    path = tmp_path / "wrong.safetensors"
    path.write_bytes(change(file.read_bytes()))
    with pytest.raises(ValueError, match=message) as raised:
        make_agent(path)
    text = str(raised.value)
    assert type(raised.value) is ValueError
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert len(text) < 700


def test_rules_are_not_given_twice(file: Path) -> None:
    mentions(complaint(make_agent, file, rules=GAME), "says for which game it was trained")
    mentions(complaint(make_agent, "gone.safetensors", kind=FileNotFoundError), "there is no such file")


def loaded_or_refused(content: bytes, path: Path) -> FileAgent | None:
    """What a file gives: an agent, or a ValueError of one line that names the file."""
    path.write_bytes(content)
    try:
        return load(path)
    except ValueError as error:
        seen = str(error)
    assert seen.startswith(f"{path}: "), seen
    assert "\n" not in seen, seen
    return None


def test_no_damage_goes_unnoticed_or_breaks_the_loader(file: Path, tmp_path: Path) -> None:
    """Bits are flipped and files cut anywhere. A file that still loads has the weights that were written."""
    content, rng = file.read_bytes(), np.random.default_rng(0)
    weights = load(file).policy.state_dict()
    header = 8 + struct.unpack("<Q", content[:8])[0]
    path = tmp_path / "damaged.safetensors"
    for turn in range(600):
        damaged = bytearray(content)
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(header if turn % 4 else len(content)))
            damaged[place] = int(rng.integers(256)) if turn % 2 else damaged[place] ^ (1 << int(rng.integers(8)))
        agent = loaded_or_refused(bytes(damaged), path)
        if agent is not None:
            assert all(torch.equal(tensor, weights[name]) for name, tensor in agent.policy.state_dict().items())
    for end in rng.integers(0, len(content), 100):
        assert loaded_or_refused(content[:end], path) is None
