"""HoldemGame and HoldemState: our rules as a game of OpenSpiel's, played by our engine, and `load_game`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from itertools import count
from typing import Any

import pyspiel

from ...cards.text import Cards, card_name
from ...engine.legality import move_text
from ...game.rules_input import RulesLike, as_rules
from ...game.rules_record import MAX_SEATS
from ..arguments import RewardUnit
from .observer import HoldemObserver, has_tensor
from .positions import Position
from .settings import DEFAULTS, Settings, quoted, rules_text, settings_of

NAME = "holdem_env"


def load_game(
    rules: RulesLike | None = None,
    actions: str | None = None,
    observation: str = "flat",
    reward_unit: RewardUnit | None = None,
    chance: str = "auto",
    button: int | None = None,
    seed: int | None = None,
) -> HoldemGame:
    """Return a game for OpenSpiel.

    `pyspiel.load_game("holdem_env", {...})` makes the same one from OpenSpiel's parameters.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file. Single hands.
        actions: The name of an action encoder, or bet sizes such as "50%, 100%, all-in"; None is `limit` in fixed limit
            and `pot_fractions` otherwise.
        observation: The name of the observation encoder.
        reward_unit: The unit of returns, "big_blind" or "chips"; None is the rules' own unit.
        chance: "explicit" deals card by card, and algorithms see every outcome; "sampled" deals a whole deck in one
            step; "auto" is explicit if there are at most a million ways to deal all cards.
        button: Its seat, by default the last: player 0 is then left of the button.
        seed: The seed of the sampled decks: the game deals hand 0 under this seed, then hand 1 and so on. None is a
            random one.

    Raises:
        ValueError: If an argument is invalid, or the game has a session, dealer errors, manual showing or continuous
            actions, which OpenSpiel does not support.

    >>> game = load_game("leduc")
    >>> state = game.new_initial_state()
    >>> while state.is_chance_node():
    ...     state.apply_action(state.legal_actions()[0])
    >>> state.legal_actions(), state.information_state_string()
    ([1, 2], 'p0 Jh -')
    """
    for name, encoder in (("actions", actions), ("observation", observation)):
        if not isinstance(encoder, str) and encoder is not None:
            raise ValueError(
                f"{name}: OpenSpiel's parameters are text; register {encoder!r} with register_{name} and give its name"
            )
    parameters = {
        "rules": rules_text(as_rules(rules)),
        "actions": actions or "",
        "observation": observation,
        "reward_unit": reward_unit or "",
        "chance": chance,
        "button": -1 if button is None else button,
        "rng_seed": -1 if seed is None else seed,
    }
    return pyspiel.load_game(NAME, quoted(parameters))  # type: ignore[no-any-return]


def game_type(settings: Settings | None = None) -> Any:
    """OpenSpiel's GameType: of one game, or, without settings, of the name that is registered."""
    raked = settings is not None and settings.rules.rake is not None
    sampled = settings is not None and not settings.explicit
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="Texas hold'em and its relatives, by holdem_env",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.SAMPLED_STOCHASTIC if sampled else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if raked else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=settings is None or has_tensor(settings),
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
    )


def game_info(settings: Settings) -> Any:
    """OpenSpiel's GameInfo of one game."""
    rules = settings.rules
    stacks = rules.starting_stacks
    return pyspiel.GameInfo(
        num_distinct_actions=len(settings.meanings),
        max_chance_outcomes=len(rules.deck) if settings.explicit else 1,
        num_players=rules.seats,
        min_utility=-max(stacks) / settings.chips,
        max_utility=(sum(stacks) - min(stacks)) / settings.chips,
        utility_sum=None if rules.rake is not None else 0.0,
        max_game_length=settings.longest,
    )


class HoldemGame(pyspiel.Game):
    """A game of holdem_env for OpenSpiel's algorithms. Make it with `load_game`.

    Player p sits in seat p. Returns come at the end of the hand. With rake the game is general-sum, otherwise
    zero-sum.

    Args:
        params: OpenSpiel's parameters.

    Attributes:
        settings: The rules and the encoders.
        first: The position before the deal.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = quoted(params or {})
        self.settings = settings_of(tuple(sorted(parameters.items())))
        super().__init__(game_type(self.settings), game_info(self.settings), parameters)
        seed = self.settings.seed
        self._seed = secrets.randbits(63) if seed is None else seed
        self._hands = count()
        self.first = Position.first(self.settings)

    def new_initial_state(self) -> HoldemState:
        """The state before the deal."""
        return HoldemState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> HoldemObserver:
        """An observer; see `HoldemObserver`."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return HoldemObserver(self.settings, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """How many cards are dealt at most; one deck, if chance is sampled."""
        return self.settings.dealt_by[-1] if self.settings.explicit else 1

    def deal_deck(self, position: Position) -> Position:
        """Sampled chance: the position with the next hand's deck."""
        return position.deal_deck(self._seed, next(self._hands))


class IllegalAction(ValueError, pyspiel.SpielError):
    """An action that is not offered; OpenSpiel's own games raise a `pyspiel.SpielError`."""


class HoldemState(pyspiel.State):
    """A state of a HoldemGame. `position.table` is the `Table` behind it, None before the deal; do not play on it."""

    def __init__(self, game: HoldemGame) -> None:
        super().__init__(game)
        self.position = game.first

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's mark for chance or for the end."""
        position = self.position
        if position.due:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if position.actor is None else position.actor

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """What each player has won; zeros before the end."""
        return self.position.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can do, and how likely it is."""
        return self.position.outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.choices)

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.due and not position.settings.explicit:
            self.position = self.get_game().deal_deck(position)
        else:
            try:
                self.position = position.after(action)
            except ValueError as error:
                raise IllegalAction(str(error)) from None

    def _action_to_string(self, player: int, action: int) -> str:
        settings = self.position.settings
        is_chance = player == pyspiel.PlayerId.CHANCE
        if is_chance and not settings.explicit:
            return "deal"
        if action not in range(len(settings.rules.deck if is_chance else settings.meanings)):
            return f"action {action}"  # OpenSpiel names an illegal action in its error
        if is_chance:
            return card_name(settings.rules.deck[action])
        move = self.position.choices.get(action, 0)
        return move_text(move) if move > 0 else settings.meanings[action]

    def __str__(self) -> str:
        position = self.position
        hands = " ".join(str(Cards(position.hand(seat))) or "-" for seat in range(position.settings.rules.seats))
        return f"{hands} {position.betting}"


pyspiel.register_game(game_type(), HoldemGame)
