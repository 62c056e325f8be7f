"""Agents on the Hugging Face Hub: `make_agent("hf:USER/NAME")` plays a model file from there, `push` puts one there. A
model file is data alone, and nothing else is ever downloaded. The cache, the token and the address of the Hub are
huggingface_hub's: HF_HOME, HF_TOKEN, HF_ENDPOINT."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..utils.links import leads_out
from .protocol import Agent
from .registry import MODEL_SUFFIX, make_agent

SCHEME = "hf"
MODEL = f"model{MODEL_SUFFIX}"
CARD = "README.md"  # what the Hub shows as the page of a repository
CARDS = ("model_card.md", "{stem}.md")
"""Where the card of a model file lies: in a run's folder, or beside a file under its name."""
PICKLES = (".zip", ".pt", ".pth", ".bin", ".ckpt", ".pkl", ".pickle", ".joblib")
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
SECONDS = 10.0  # to wait for the Hub's first answer
LOG_IN = "`hf auth login` stores a token, and the environment variable HF_TOKEN holds one, too"
HEADER = """\
---
library_name: holdem-env
tags: [poker, texas-holdem, reinforcement-learning]
---
`holdem match hf:{repository} tight_aggressive` plays this agent of holdem_env.

"""


def hub_agent(repository: str, deterministic: bool = False, seed: int = 0) -> Agent:
    """The agent of a repository of the Hub, such as "USER/NAME". Parameters: see NetworkAgent.

    Raises ValueError for an invalid name, a repository that is not there, has no model file or one that is wrong;
    ConnectionError if the Hub cannot be reached and the file was never downloaded.
    """
    path = download(repository)
    name = f"{SCHEME}:{repository}"
    try:
        agent = make_agent(path, deterministic=deterministic, seed=seed)
    except ValueError as error:
        raise ValueError(str(error).replace(str(path), f"{name}/{MODEL}")) from None
    agent.name, agent.facts = name, replace(agent.facts, files=(path,))
    return agent


@cache
def download(repository: str) -> Path:
    """The model file of a repository, in the cache of this computer: the newest, or without the Hub the last one.
    Within a process it stays the same. Raises as `hub_agent`."""
    from huggingface_hub import HfApi, hf_hub_download, try_to_load_from_cache
    from huggingface_hub.errors import RepositoryNotFoundError

    name = f"{SCHEME}:{_checked(repository)}"
    with _said(name):
        try:
            files = [file.rfilename for file in HfApi().model_info(repository, timeout=SECONDS).siblings or []]
        except RepositoryNotFoundError:
            raise
        except _no_answer():
            cached = try_to_load_from_cache(repository, MODEL)
            if not isinstance(cached, str):
                raise
            return Path(cached)
        if MODEL in files:
            return Path(hf_hub_download(repository, MODEL))
    if pickles := [file for file in files if Path(file).suffix in PICKLES]:
        raise ValueError(
            f"{name}: the repository has no {MODEL}, and {pickles[0]} may hold pickles, which can run any code when "
            "they are loaded; ask its author to `holdem convert` it to a model file, and to `holdem push` that"
        )
    raise ValueError(f"{name}: the repository has no {MODEL}; `holdem push` writes one")


def push(path: Path, repository: str, private: bool = False) -> str:
    """Put a model file and its card into a repository of the Hub, which is made if there is none. Returns its address.

    The card is `model_card.md` beside the file, as in a run's folder, or a file of the same name ending in .md; without
    one, the page says how to play the agent. private: nobody else sees a repository that is made.

    Raises ValueError for a file that is not a model file, without a token, and for what the Hub does not allow;
    ConnectionError if it cannot be reached.
    """
    from huggingface_hub import CommitOperationAdd, HfApi, get_token

    _checked(repository)
    if path.suffix != MODEL_SUFFIX:
        raise ValueError(f"{path}: only data is shared, a model file ({MODEL_SUFFIX}); `holdem convert` makes one")
    make_agent(path)  # damaged files stay here
    if get_token() is None:
        raise ValueError(f"push: there is no token of the Hub; {LOG_IN}")
    api = HfApi()
    files = {MODEL: path.read_bytes(), CARD: _card(path, repository).encode()}
    operations = [CommitOperationAdd(name, content) for name, content in files.items()]
    with _said(f"{SCHEME}:{repository}"):
        address = api.create_repo(repository, private=private, exist_ok=True)
        api.create_commit(repository, operations, commit_message=f"{path.name} of holdem_env")
    return str(address)


def _card(path: Path, repository: str) -> str:
    cards = (path.with_name(name.format(stem=path.stem)) for name in CARDS)
    card = next((each for each in cards if each.is_file()), None)
    if card is not None and leads_out(card, path.parent):
        raise ValueError(f"push: {card} must be a file of its own, got a link to {card.resolve()}")
    return HEADER.format(repository=repository) + ("" if card is None else card.read_text(encoding="utf-8"))


def _checked(repository: str) -> str:
    if not REPOSITORY.fullmatch(repository):
        raise ValueError(
            f"{SCHEME}:{repository}: give the owner and the name of a repository, as in {SCHEME}:USER/NAME"
        )
    return repository


def _no_answer() -> tuple[type[Exception], ...]:
    """The errors for an answer that is an error, or that does not come."""
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    return HfHubHTTPError.__bases__[0], OfflineModeIsEnabled  # the first is the HTTP client's, whichever that is


@contextmanager
def _said(name: str) -> Iterator[None]:
    """What goes wrong with the Hub, as one sentence that names the repository."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    try:
        yield
    except GatedRepoError:
        raise ValueError(f"{name}: its owner asks you to request access on its page first; {LOG_IN}") from None
    except RepositoryNotFoundError:
        raise ValueError(f"{name}: the Hub has no such repository, or it is private; {LOG_IN}") from None
    except _no_answer() as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status in (401, 403):
            raise ValueError(f"{name}: the Hub refuses your token for it (status {status}); {LOG_IN}") from None
        why = f"it answers with the status {status}" if status else str(error)
        raise ConnectionError(f"{name!r}: the Hub cannot be reached ({why})") from None
