"""Parts of your own in a training: encoders, a reward, a network, which a configuration names as FILE.py:NAME.

A training copies the file into its run folder, under a name with a digest of it. That name stands in the run's
configuration and in its model file, which stays data alone: to play it elsewhere is to trust the code.
"""

from __future__ import annotations

import re
import shutil
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from holdem_env.agents.python_files import imported_beside, run_file
from holdem_env.agents.registry import CODE
from holdem_env.encoders import ActionEncoder, ObservationEncoder, register_actions, register_observation
from holdem_env.encoders.base import Encoder

SEES = "(t, r, seat, out) with @observation_encoder(size=2)"
OFFERS = "(t, r, choices) with @action_encoder(['fold', 'call', 'shove'])"
PART = re.compile(r"(?P<file>[^\s:+]+\.py):(?P<name>[A-Za-z_]\w*)")


class OwnCodeError(ValueError):
    """An error in custom code. The message names the file, the line and the error; the cause is the error."""


class _Loaded(NamedTuple):
    """A part that this process has loaded. made: what its file defines, checked. digest: of the file."""

    made: Any
    path: Path
    digest: str


_loaded: dict[str, _Loaded] = {}


def parts_in(text: Any) -> list[str]:
    """The parts that a text names: none, one, or those that plus signs join.

    >>> parts_in("flat+mine.py:pot_odds"), parts_in("33%, pot")
    (['mine.py:pot_odds'], [])
    """
    pieces = [piece.strip() for piece in text.split("+")] if isinstance(text, str) else []
    return [piece for piece in pieces if PART.fullmatch(piece)]


def parts_of_agent(settings: Mapping[str, Any]) -> list[str]:
    """The parts of a configuration that its agent runs at the table: its encoders and its network."""
    texts = settings.get("observation"), settings.get("actions"), (settings.get("learner") or {}).get("policy")
    return [each for text in texts for each in parts_in(text)]


def all_parts_in(settings: Mapping[str, Any]) -> list[str]:
    """The parts that a configuration names."""
    return [each for _, text in _named(settings) for each in parts_in(text)]


def is_known(text: str) -> bool:
    """Whether this process has loaded a part."""
    return text in _loaded


def part(text: str) -> Any:
    """A part that was loaded: an encoder, a reward function, the class of a network."""
    return _loaded[text].made


@contextmanager
def own_errors(*texts: str) -> Iterator[None]:
    """Turn errors of the code of these parts, which are loaded, into an OwnCodeError of one sentence.

    An error that PyTorch finds later, in the gradient of a network, is that of its `logits_and_values`.
    """
    try:
        yield
    except OwnCodeError:
        raise
    except Exception as error:
        if not (where := _place(error, texts)):
            raise
        raise OwnCodeError(f"{where}: {_said(error)}") from error


def _place(error: Exception, texts: tuple[str, ...]) -> str | None:
    """The file and line of these parts where an error is; None if it is elsewhere."""
    files = {each.resolve() for text in texts for each in _files(_loaded[text].path)}
    if line := _line_of(error, files):
        return line
    frames = traceback.extract_tb(error.__traceback__)
    if frames and "torch" in Path(frames[-1].filename).parts:
        for text in texts:
            if code := getattr(getattr(part(text), "logits_and_values", None), "__code__", None):
                return f"{_loaded[text].path}, line {code.co_firstlineno}, {code.co_qualname}"
    return None


def _line_of(error: Exception, files: set[Path]) -> str | None:
    """The last line of these files that an error came through."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).resolve() in files:
            return f"{frame.filename}, line {frame.lineno}{f', {frame.line}' if frame.line else ''}"
    return None


def _said(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def load_parts(settings: Mapping[str, Any], *folders: Path) -> None:
    """Run the files of all parts that a configuration names, so that encoders are known by these names. folders: where
    the files may lie, or in their folders "code"; otherwise in the working directory.

    Raises ValueError for a file without such a part, or a part of another kind; FileNotFoundError for a missing file.
    """
    for kind, text in _named(settings):
        for each in parts_in(text):
            file, name = PART.fullmatch(each).groups()  # type: ignore[union-attr] # it is a part
            path = _found(kind, file, folders)
            digest = _digest(path)
            if each in _loaded and _loaded[each].digest == digest:
                continue
            defined = vars(run_own_file(path))
            if name not in defined:
                raise ValueError(f"{kind}: {path} must define {name}, got {', '.join(_public(defined)) or 'nothing'}")
            _loaded[each] = _Loaded(KINDS[kind](each, defined[name]), path, digest)


def copy_parts(settings: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The same settings with the names of copies of all parts, which are loaded, in the folder's folder "code"."""
    names = {}
    for kind, text in _named(settings):
        for each in parts_in(text):
            names[each] = copied = _copied(each, folder / CODE)
            made, path, digest = _loaded[each]
            _loaded[copied] = _Loaded(KINDS[kind](copied, made), path, digest)
    renamed: dict[str, Any] = _renamed(settings, names)
    return renamed


def run_own_file(path: Path) -> Any:
    """A file of custom code as a module. Raises OwnCodeError for an error in it."""
    try:
        return run_file(path)
    except (ValueError, ModuleNotFoundError):  # they name the file
        raise
    except Exception as error:
        raise OwnCodeError(f"{_line_of(error, {path.resolve()}) or path}: {_said(error)}") from error


def _named(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields, at any depth, that may name parts, with their values."""
    for key, value in settings.items():
        if key in KINDS:
            yield key, value
        elif isinstance(value, Mapping):
            yield from _named(value)


def _renamed(settings: Any, names: Mapping[str, str]) -> Any:
    if isinstance(settings, Mapping):
        return {key: _renamed(value, names) for key, value in settings.items()}
    if parts := parts_in(settings):
        return "+".join(names[piece.strip()] if piece.strip() in parts else piece for piece in settings.split("+"))
    return settings


def _found(kind: str, file: str, folders: tuple[Path, ...]) -> Path:
    places = [*(folder / within / file for folder in folders for within in ("", CODE)), Path(file)]
    for path in places:
        if path.is_file():
            return path
    raise FileNotFoundError(f"{kind}: there is no file {file}; looked for {', '.join(map(str, places))}")


def _copied(text: str, folder: Path) -> str:
    """Copy a part's file, and what it imports from beside it. Returns the name of the copy's part."""
    path, digest, (file, name) = *_loaded[text][1:], PART.fullmatch(text).groups()  # type: ignore[union-attr] # a part
    copy = folder / f"{Path(file).stem.removesuffix(f'-{digest}')}-{digest}.py"
    for each in _files(path):
        target = copy if each == path else folder / each.relative_to(path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(each, target)
    return f"{copy.name}:{name}"


def _files(path: Path) -> list[Path]:
    return [path, *(each for each in imported_beside(path) if each.is_file())]


def _digest(path: Path) -> str:
    return sha256(b"".join(each.read_bytes() for each in _files(path))).hexdigest()[:8]


def _public(defined: Mapping[str, Any]) -> list[str]:
    return [name for name in defined if not name.startswith("_")]


def _encoder(kind: str, base: type[Encoder], register: Callable[..., None], like: str, text: str, value: Any) -> Any:
    """An encoder of a kind, registered under its part's name. like: an example of one, for the error."""
    encoder = value() if isinstance(value, type) and issubclass(value, base) else value
    if not isinstance(encoder, base):
        raise ValueError(f"{kind}: {text} must be an {base.__name__}, such as a function {like}, got {value!r}")
    encoder.name = text
    register(text, lambda: encoder)
    return encoder


def _reward(text: str, value: Any) -> Callable[..., Any]:
    if not callable(value):
        raise ValueError(f"reward: {text} must be a function of EndedHands that returns (hands, seats), got {value!r}")
    function: Callable[..., Any] = value
    return function


def _policy(text: str, value: Any) -> Any:
    if not isinstance(value, type) or not hasattr(value, "logits_and_values"):
        raise ValueError(
            f"learner.policy: {text} must be a class of torch.nn.Module, made with (shape, actions), with a method "
            f"logits_and_values(observations), got {value!r}"
        )
    return value


def _learner(text: str, value: Any) -> Any:
    is_class = isinstance(value, type)
    if not (hasattr(value, "losses") or hasattr(value, "load_state") if is_class else callable(value)):
        raise ValueError(
            f"learner.kind: {text} must be a subclass of holdem_agents.ppo.PPO, a class with the methods of "
            f"holdem_agents.learning.Learner, or a function that makes one, got {value!r}"
        )
    return value


KINDS: dict[str, Callable[[str, Any], Any]] = {
    "kind": _learner,
    "observation": partial(_encoder, "observation", ObservationEncoder, register_observation, SEES),
    "actions": partial(_encoder, "actions", ActionEncoder, register_actions, OFFERS),
    "reward": _reward,
    "policy": _policy,
}
"""The fields that may name parts, and what makes a part of what its file defines."""
