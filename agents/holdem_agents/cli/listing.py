"""What there is to choose from, for `holdem list`: games, agents, configurations and encoders, as tables."""

from __future__ import annotations

from itertools import takewhile

from rich.markup import escape
from rich.table import Table

from holdem_env.agents.names import AGENTS, agent_names
from holdem_env.encoders import action_names, get_actions, get_observation, observation_names
from holdem_env.game.presets import FAMILIES, PRESETS
from holdem_env.game.rules import Rules
from holdem_env.utils import yaml_files

from ..catalog import first_sentence, titles_of
from ..runs.config import shipped_configs
from ..shipped.fitting import file_of, in_the_box
from .console import table_of


def presets_table() -> Table:
    """The named games."""
    rows = []
    for family, name in ((family, name) for family, names in FAMILIES.items() for name in names):
        rules = Rules.preset(name)
        blinds = "/".join(map(str, rules.blinds)) if rules.big_blind else f"ante {rules.ante}"
        stacks = f"{max(rules.starting_stacks):,}"
        rows.append((family, PRESETS[name].name, name, str(rules.seats), blinds, stacks))
    headings = ["family", "game", "name", "seats", "blinds", "stacks"]
    return table_of("Games: holdem match A B --rules NAME", headings, rows)


def agents_table() -> Table:
    """The agents that have names."""
    titles = titles_of(agent_names())
    table = table_of(
        "Agents: holdem match A B; a .safetensors, .strategy, .zip, .py or .json file is an agent, too",
        ["name", "title", "how it plays"],
        [(name, titles.get(name, ""), first_sentence(AGENTS.get(name))) for name in agent_names()],
    )
    folders = dict.fromkeys(str(path.parent) for name in in_the_box() if (path := file_of(name)) is not None)
    table.caption = escape(f"Model cards of those that come with files: {', '.join(folders)}")
    table.caption_justify = "left"
    return table


def configs_table() -> Table:
    """The configurations that come with the package."""
    rows = []
    for name, path in sorted(shipped_configs().items()):
        text = path.read_text(encoding="utf-8")
        fields = yaml_files.loads(text)
        base = fields.get("base")
        game = fields.get("rules", f"that of {base.get('config') if isinstance(base, dict) else base}")
        game = game.get("preset", "fields of its own") if isinstance(game, dict) else str(game)
        rows.append((name, game, _first_sentence(text)))
    return table_of(
        "Configurations: holdem train NAME (tournament, hu_..., sixmax_100bb: holdem tournament; sweep...: sweep)",
        ["name", "game", "what it is"],
        rows,
    )


def encoders_table() -> Table:
    """The observation and action encoders."""
    rows = [(name, "observation", first_sentence(type(get_observation(name)))) for name in observation_names()]
    rows += [(name, "actions", first_sentence(type(get_actions(name, Rules())))) for name in action_names()]
    return table_of("Encoders: python -m holdem_env.encoders NAME", ["name", "of", "what it is"], rows)


TABLES = {
    "presets": presets_table,
    "agents": agents_table,
    "configs": configs_table,
    "encoders": encoders_table,
}


def _first_sentence(text: str) -> str:
    """The first sentence of the comment at the top of a file."""
    comment = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ") for line in comment).split(". ")[0].rstrip(".")
