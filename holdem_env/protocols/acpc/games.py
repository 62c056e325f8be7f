"""Games by name or file, as far as the ACPC's protocol can say them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...game.presets import PRESETS
from ...game.rules import Rules
from ...game.rules_input import YAML_SUFFIXES, as_rules
from ...history.acpc_game import SUFFIX, Game, check_expressible, game_definition, game_file, read_game
from ...history.errors import HistoryError
from ...history.files import open_text

OTHER_PROTOCOL = "the JSON lines protocol (docs/protocol.md) has every game"


class Definition(NamedTuple):
    """A game and the file that defines it: its name and its text."""

    game: Game
    file: str
    text: str


def game_of(name: str | Path) -> Definition:
    """Return a game by its file or name.

    For Rules, seat 0 is position 0 and the last seat has the button.

    Args:
        name: A definition file, one in this library ("holdem.limit.3p.game"), a YAML file with the fields of Rules, or
            a preset ("acpc-nolimit-2p").

    Raises:
        FileNotFoundError: If the game does not exist.
        ValueError: If the protocol or Rules cannot express the game.
    """
    path = Path(name)
    if path.suffix in YAML_SUFFIXES or str(name) in PRESETS:
        rules = as_rules(str(name))
        check_sayable(rules)
        file_name = f"{path.name.removesuffix(path.suffix)}{SUFFIX}"
        return Definition(Game(rules, rules.seats - 1), file_name, game_definition(rules))
    path = game_file(path, PRESETS)
    game = read_game(path)
    check_sayable(game.rules)
    with open_text(path) as file:
        return Definition(game, path.name.removesuffix(".xz").removesuffix(".gz"), file.read())


def check_sayable(rules: Rules) -> None:
    """Raise ValueError for a game that the protocol cannot say; the message names one that can."""
    try:
        check_expressible(rules)
    except HistoryError as error:
        raise ValueError(f"{error.reason}; {OTHER_PROTOCOL}") from None
    if rules.session is not None:
        raise ValueError(
            f"the ACPC's protocol has no sessions, every hand begins with the same stacks; {OTHER_PROTOCOL}"
        )
    if rules.smallest_chip != 1:
        raise ValueError(f"the ACPC's protocol has chips of 1, not of {rules.smallest_chip}; {OTHER_PROTOCOL}")
    if rules.dealer_errors is not None:
        raise ValueError(f"the ACPC's protocol has no dealer_errors; {OTHER_PROTOCOL}")
