"""The agents that come with the two packages: their names, what people call them, and what makes each."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

BLUEPRINTS = "holdem_env.solvers.blueprints.agent"
AGENTS = {
    "acpc": ("Player on an ACPC server", "holdem_env.protocols.acpc.agent:AcpcAgent"),
    "always_fold": ("Folds everything", "holdem_agents.scripted:AlwaysFold"),
    "blueprint_100bb": ("Blueprint, 100 big blinds", f"{BLUEPRINTS}:blueprint_100bb"),
    "blueprint_20bb": ("Blueprint, 20 big blinds", f"{BLUEPRINTS}:blueprint_20bb"),
    "blueprint_limit": ("Blueprint, fixed limit", f"{BLUEPRINTS}:blueprint_limit"),
    "calling_station": ("Calling station", "holdem_agents.scripted:CallingStation"),
    "changing": ("Two styles in turn", "holdem_agents.scripted:Changing"),
    "hf": ("Model on the Hugging Face Hub", "holdem_env.agents.hub:hub_agent"),
    "loose_aggressive": ("Loose and aggressive", "holdem_agents.scripted:loose_aggressive"),
    "loose_passive": ("Loose and passive", "holdem_agents.scripted:loose_passive"),
    "maniac": ("Maniac", "holdem_agents.scripted:Maniac"),
    "nit": ("Nit", "holdem_agents.scripted:nit"),
    "openai": ("Chat model", "holdem_env.protocols.text:OpenAIAgent"),
    "pot_odds": ("Plays by pot odds", "holdem_agents.scripted:PotOdds"),
    "ppo_100bb": ("Trained network, 100 big blinds", "holdem_agents.shipped:ppo_100bb"),
    "ppo_20bb": ("Trained network, 20 big blinds", "holdem_agents.shipped:ppo_20bb"),
    "ppo_limit": ("Trained network, fixed limit", "holdem_agents.shipped:ppo_limit"),
    "ppo_sixmax": ("Trained network, six-max", "holdem_agents.shipped:ppo_sixmax"),
    "profile": ("Style by three numbers", "holdem_agents.scripted:Profile"),
    "program": ("Program in any language", "holdem_env.protocols.json_lines:ProgramAgent"),
    "random": ("Random moves", "holdem_agents.scripted:Random"),
    "remote": ("Bot that joins a tournament", "holdem_env.protocols.json_lines.remote_agent:RemoteAgent"),
    "tight_aggressive": ("Solid regular", "holdem_agents.scripted:tight_aggressive"),
}
"""By name: the title, and "module:callable" as an entry point has it. A new agent is a module and a line here."""


def first_sentence(thing: object) -> str:
    """The first sentence of something's docstring."""
    text = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return text.split(". ")[0].rstrip(".")


def titles_of(names: Iterable[str]) -> dict[str, str]:
    """The titles of those that have one, by name."""
    return {name: AGENTS[name][0] for name in names if name in AGENTS}


def title_of(name: str) -> str:
    """An agent's title; its name where it has none."""
    return AGENTS[name][0] if name in AGENTS else name
