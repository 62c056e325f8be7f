"""Rules: one game of hold'em as a validated, immutable value, and the named presets.

The compiled engine sees a Rules only as RULES records (`rules.record`). Amounts are integer chips.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import accumulate
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, model_validator

from ..compiled.records import Records, frozen, new_records
from ..utils.hooks import hook
from ..utils.validation import Validated
from . import rules_record as rec
from .big_blinds import warn_deep, with_chips
from .dealer_errors import DealerErrors
from .differences import differing_fields, meaning
from .field_types import (
    HAND_FIELDS as HAND_FIELDS,
)
from .field_types import (
    USUAL_MAX_RAISES,
    Blinds,
    BoardCards,
    BurnCards,
    Chips,
    Deck,
    FirstToAct,
    HoleCards,
    MaxRaises,
    PositiveChips,
    Ranking,
    Split,
    Structure,
)
from .presets import PRESETS, preset_fields, use_preset
from .rake import Rake
from .rule_checks import CHECKS, HOLDEM_BOARD, of_chips
from .session_rules import SessionRules

STRUCTURES = {"fixed_limit": rec.FIXED_LIMIT, "pot_limit": rec.POT_LIMIT, "no_limit": rec.NO_LIMIT}
UNCAPPED = {"never": rec.NEVER, "at_start": rec.AT_START, "when_two_left": rec.WHEN_TWO_LEFT}
RANKINGS = {
    "standard": rec.STANDARD_RANKING,
    "short_deck": rec.SHORT_DECK_RANKING,
    "pair": rec.PAIR_RANKING,
}
SPLITS = {"high": rec.HIGH, "high_low": rec.HIGH_LOW}
FIRST_TO_ACT = {"after_blinds": rec.AFTER_BLINDS, "left_of_button": rec.LEFT_OF_BUTTON}
FULL_DECK = tuple(range(rec.DECK))
DEFAULT_STACK_IN_BIG_BLINDS = 100
AS_PLAYED = {"stacks": "as played"}
"""A context of `Rules.model_validate`, for games that were played elsewhere: no warning about deep stacks."""
# When turn and river come too early (R37, R38), an earlier turn card and one extra burn card stay out of the deck.
DISCARDS = 2


class Rules(Validated):
    """A game of hold'em. Every field has a default: `Rules()` is six-handed no-limit 50/100 with 10,000 chips each.

    You may give stacks, antes, straddle and bets in big blinds, too, if they are whole chips: stacks="50bb",
    ante="0.5bb". `chips` is another way to set stacks and smallest_chip: `chips={5: 20, 10: 15, 25: 15}` gives each
    player twenty chips of 5, and so on (R13). If you give stacks or smallest_chip, too, they override it.

    Attributes:
        structure: "fixed_limit", "pot_limit" or "no_limit" (R16-R18).
        seats: 2 to 10 (R5).
        blinds: (small, big) in chips (R6). Heads-up, the button posts the small blind (R7).
        ante, big_blind_ante, straddle: Chips, 0 = none (R8). `straddle=True` is twice the big blind.
        small_bet, big_bet: The bets of fixed limit; by default the big blind and twice the big blind (R18).
        min_bet: The minimum opening bet in no limit and pot limit, by default the big blind (R16); one number, or one
            per street.
        max_raises: Fixed limit's cap: the most bets and raises by players, per street; None = no cap (R18).
        uncapped_heads_up: "never", "at_start" of a round or "when_two_left" (R18).
        reopen: "cumulative" (R23) or "strict" (R21 alone).
        reopen_fraction: An all-in of at least this fraction of a full bet counts as a full bet (R24); None = 0.5 in
            fixed limit, 1.0 otherwise.
        smallest_chip: Every amount is a multiple of it (R13).
        rake: None, a percentage, or a Rake (R31).
        muck: Whether a beaten hand may stay hidden at the showdown (R29); False: everybody shows.
        showing: Who decides whether a hand stays hidden. "automatic": the rule mucks a beaten hand, and a player who
            wins alone shows nothing. "manual": each player but the first chooses to show or to give up (R29), and a
            player who wins alone chooses (R30). Only Table and Session play it.
        face_up_all_in: Whether hands are turned up when betting has ended before the river (R25); False for cash games.
        split: "high", or "high_low": half of each pot goes to the best low hand, eight or better (R32).
        stacks: Starting stacks in chips, one number or one per seat; by default 100 big blinds. A UserWarning is given
            above 1,000 big blinds.
        deck: The cards of the deck, as ints or text (R1).
        hole_cards: The number of hole cards of a player.
        hole_cards_used: How many hole cards make a hand: None = any number, 2 = exactly two, as in Omaha.
        board_cards, burn_cards: The number of cards dealt to the board and burned, one value per street (R4).
        first_to_act: "after_blinds" or "left_of_button", one value per street (R15).
        ranking: "standard" (R2), "short_deck" (a flush beats a full house, A-6-7-8-9 is the lowest straight) or "pair"
            (one or two cards in all: a pair beats no pair, then the higher card wins).
        dealer_errors: None, or DealerErrors: the probability of each dealer error (R33-R38). Encoders then show exposed
            cards.
        reward_unit: The chips in one unit of an environment's reward: "big_blind", "chips" or a number.
        session: None for single hands, or SessionRules or a dict of their fields: how hands follow each other (R10,
            R19, R39). In a dict, the rebuy may be given in big blinds: {"rebuy": "100bb"}.

    Raises:
        pydantic.ValidationError: If a field is invalid. It is a ValueError that names the field, what was wrong and
            what would be right.
    """

    structure: Structure = "no_limit"
    seats: Annotated[int, Field(ge=2, le=rec.MAX_SEATS)] = 6
    blinds: Blinds = (50, 100)
    ante: Chips = 0
    big_blind_ante: Chips = 0
    straddle: Chips = 0
    small_bet: PositiveChips | None = None
    big_bet: PositiveChips | None = None
    min_bet: PositiveChips | tuple[PositiveChips, ...] | None = None
    max_raises: MaxRaises | None = USUAL_MAX_RAISES
    uncapped_heads_up: Literal["never", "at_start", "when_two_left"] = "never"
    reopen: Literal["cumulative", "strict"] = "cumulative"
    reopen_fraction: Annotated[float, Field(gt=0, le=1)] | None = None
    smallest_chip: PositiveChips = 1
    rake: Rake | None = None
    muck: bool = True
    showing: Literal["automatic", "manual"] = "automatic"
    face_up_all_in: bool = True
    split: Split = "high"
    stacks: PositiveChips | tuple[PositiveChips, ...] | None = None
    deck: Deck = Field(default=FULL_DECK, repr=False)
    hole_cards: HoleCards = 2
    hole_cards_used: int | None = None
    board_cards: BoardCards = HOLDEM_BOARD
    burn_cards: BurnCards | None = None
    first_to_act: FirstToAct | None = None
    ranking: Ranking = "standard"
    dealer_errors: DealerErrors | None = None
    reward_unit: Literal["big_blind", "chips"] | PositiveChips = "big_blind"
    session: SessionRules | None = None

    def __new__(cls, *given: Any, **fields: Any) -> Self:
        """Refuses fields without their names. Not in `__init__`: warnings point to the line that made the rules."""
        if given:
            raise TypeError(f"Rules: give fields by name, such as Rules(seats=2); {use_preset(given[0])}")
        return super().__new__(cls)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Rules:
        """Return a named game, optionally with changes: `Rules.preset("leaflet", seats=4)`.

        Args:
            name: One of `Rules.presets()`.
            **changes: Fields that differ from the preset's.

        Raises:
            ValueError: If the name is unknown. The message suggests the nearest one.
        """
        return cls(**{**preset_fields(name), **changes})

    @staticmethod
    def presets() -> list[str]:
        """The names that `preset` knows."""
        return list(PRESETS)

    def __eq__(self, other: object) -> bool:
        """Compares the fields only: cached values include arrays, which `==` compares element by element."""
        if not isinstance(other, Rules):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Rules.model_fields)

    def replace(self, **changes: Any) -> Rules:
        """The same game with changes, validated again."""
        return Rules(**{**{name: getattr(self, name) for name in Rules.model_fields}, **changes})

    @model_validator(mode="before")
    @classmethod
    def _shorthands(cls, data: Any) -> Any:
        """Expands shorthands: "50bb" becomes chips, `straddle=True` becomes twice the big blind, the default caps are
        cut to the number of streets, and `chips` becomes stacks and smallest_chip."""
        if not isinstance(data, dict):
            return data
        if "preset" in data:
            raise ValueError(f"preset: {use_preset(data['preset'])}")
        if "chips" in data:
            data = dict(data)
            data = {**of_chips(data.pop("chips")), **data}
        data = with_chips(data, cls.model_fields["blinds"].default)
        if data.get("straddle") is True:
            match data.get("blinds", cls.model_fields["blinds"].default):
                case [_, int(big)]:
                    data["straddle"] = 2 * big
                case _:
                    data["straddle"] = 0  # the blinds are invalid; their own check reports it
        if "max_raises" not in data and isinstance(board := data.get("board_cards"), list | tuple):
            data["max_raises"] = USUAL_MAX_RAISES[: len(board)]
        return data

    @model_validator(mode="after")
    def _consistent(self, info: ValidationInfo) -> Self:
        for check in CHECKS:
            check(self)
        _ = self.stages  # making the stages validates them
        if info.context is not AS_PLAYED:
            warn_deep(self)
        return self

    @property
    def stages(self) -> tuple[Rules, ...]:
        """The games of a session, in the order of the records, blind level by blind level, and phase by phase within a
        level. Without a session, only this game."""
        return self._session_stages or (self,)

    @cached_property
    def _session_stages(self) -> tuple[Rules, ...]:
        return () if self.session is None else self.session.stages_of(self)

    @property
    def small_blind(self) -> int:
        """Chips of the small blind."""
        return self.blinds[0]

    @property
    def big_blind(self) -> int:
        return self.blinds[1]

    @property
    def streets(self) -> int:
        """The number of betting rounds in a hand that is not over early."""
        return len(self.board_cards)

    @property
    def board_sizes(self) -> tuple[int, ...]:
        """How many cards lie on the board during each street's betting; 0, 3, 4, 5 in hold'em."""
        return tuple(accumulate(self.board_cards))

    @property
    def has_holdem_streets(self) -> bool:
        """Whether the streets are hold'em's flop, turn and river after the preflop, or the first of them."""
        return self.streets > 1 and self.board_cards == HOLDEM_BOARD[: self.streets]

    @property
    def has_holdem_hands(self) -> bool:
        """True for hands of Texas hold'em, two cards of a full deck; any number of them makes the best five with the
        board, by the standard ranking. The board may be another, and the best low may share the pots."""
        two_any = self.hole_cards == 2 and self.hole_cards_used is None
        return two_any and self.ranking == "standard" and len(self.deck) == rec.DECK

    @property
    def has_holdem_showdowns(self) -> bool:
        """Whether hold'em's hands (`has_holdem_hands`) meet on a board of five cards, however they were dealt."""
        return self.has_holdem_hands and sum(self.board_cards) == rec.MAX_BOARD

    @cached_property
    def is_texas_holdem(self) -> bool:
        """Whether the cards are Texas hold'em's and the best high hand wins, in every phase; the betting may be any."""
        return not self.hand_differences()

    def hand_differences(self, other: Rules | None = None) -> list[str]:
        """Which of HAND_FIELDS are not those of another game, by default of Texas hold'em; of mixed hold'em in any
        phase (R19)."""
        its = other or HOLDEM
        return [name for name in HAND_FIELDS if self.phase_values(name, meaning) != its.phase_values(name, meaning)]

    def differences(self, other: Rules) -> list[str]:
        """The fields that mean something else than in another game, such as ["blinds", "stacks"]; none if the two are
        the same game. A default and the value that it stands for do not differ.
        """
        return differing_fields(self, other, Rules.model_fields)

    def phase_values(self, name: str, value_of: Callable[[Rules, str], Any] = getattr) -> tuple[Any, ...]:
        """Return a field's values in the phases of mixed hold'em, in their order (R19).

        Args:
            name: The field.
            value_of: A function of the game and the field's name that gives the value; by default the field itself.

        Returns:
            One value if it is the same in all phases, and in a game without phases.
        """
        phases = self.session.phases if self.session else ()
        values = tuple(value_of(stage, name) for stage in self.stages[: len(phases) or 1])
        return values[:1] if all(value == values[0] for value in values) else values

    @property
    def phase_names(self) -> list[str]:
        """The names of the phases of mixed hold'em, in their order (R19).

        A name is the phase's own, or its game's, or else its structure.
        """
        stages = zip(self.session.phases if self.session else (), self.stages, strict=False)
        return [phase.name or phase.game or stage.structure for phase, stage in stages]

    @property
    def changes_hands(self) -> bool:
        """Whether the phases of mixed hold'em differ in their hands, not in the betting alone (R19)."""
        return any(len(self.phase_values(name)) > 1 for name in HAND_FIELDS)

    @cached_property
    def street_bets(self) -> tuple[int, ...]:
        """The bet on each street in fixed limit, the minimum opening bet in the other structures (R16, R18)."""
        if self.structure == "fixed_limit":
            small = self.small_bet or self.big_blind or 1
            big = self.big_bet or 2 * small
            half = (self.streets + 1) // 2
            return (small,) * half + (big,) * (self.streets - half)
        if isinstance(self.min_bet, tuple):
            return self.min_bet
        return (self.min_bet or self.big_blind or max(self.ante, self.smallest_chip),) * self.streets

    @cached_property
    def starting_stacks(self) -> tuple[int, ...]:
        """Chips per seat at the start."""
        if isinstance(self.stacks, tuple):
            return self.stacks
        return (self.stacks or DEFAULT_STACK_IN_BIG_BLINDS * max(self.big_blind, self.street_bets[0]),) * self.seats

    @cached_property
    def unit(self) -> int:
        """Chips in one unit of reward."""
        if self.reward_unit == "big_blind":
            return self.big_blind or self.street_bets[0]
        return 1 if self.reward_unit == "chips" else self.reward_unit

    def _repr_html_(self) -> str:
        page: str = hook("rules_html")(self)
        return page

    @cached_property
    def record(self) -> Records:
        """The rules as the compiled engine reads them, an array of RULES records, one per stage,
        that nobody can make writable."""
        record = new_records(rec.RULES, len(self.stages))
        for k, stage in enumerate(self.stages):
            fields = stage._fields_of_record() | (self.session.record_fields(k) if self.session else {})
            for name, value in fields.items():
                field = record[name][k]
                if field.ndim:
                    field[: len(value)] = value
                else:
                    record[name][k] = value
        return frozen(record)

    def _fields_of_record(self) -> dict[str, Any]:
        rake = self.rake or Rake(percent=0)
        default_fraction = 0.5 if self.structure == "fixed_limit" else 1.0
        return {
            "structure": STRUCTURES[self.structure],
            "seats": self.seats,
            "small_blind": self.small_blind,
            "big_blind": self.big_blind,
            "ante": self.ante,
            "big_blind_ante": self.big_blind_ante,
            "straddle": self.straddle,
            "smallest_chip": self.smallest_chip,
            "cumulative": self.reopen == "cumulative",
            "reopen_fraction": self.reopen_fraction or default_fraction,
            "uncapped_heads_up": UNCAPPED[self.uncapped_heads_up],
            "rake_ppm": round(rake.percent * 10_000),
            "rake_cap": rec.NO_CAP if rake.cap is None else rake.cap,
            "no_flop_no_drop": rake.no_flop_no_drop,
            "rake_of_pot": rake.by_pot,
            "muck": self.muck,
            "manual_showing": self.showing == "manual",
            "face_up_all_in": self.face_up_all_in,
            "streets": self.streets,
            "board_cards": self.board_cards,
            "burn_cards": self.street_burns,
            "first_to_act": [FIRST_TO_ACT[first] for first in self._first_to_act],
            "min_bet": self.street_bets,
            "max_raises": self.max_raises or (rec.NO_CAP,) * self.streets,
            "deck_size": len(self.deck),
            "deck": self.deck,
            "hole_cards": self.hole_cards,
            "hole_cards_used": -1 if self.hole_cards_used is None else self.hole_cards_used,
            "ranking": RANKINGS[self.ranking],
            "split": SPLITS[self.split],
            "holdem_showdowns": self.has_holdem_showdowns,
            "cards_needed": self.cards_needed,
            "dealer_errors": self.dealer_errors is not None,
            "error_chance": (self.dealer_errors or DealerErrors()).probabilities,
            "error_mid_round": (self.dealer_errors or DealerErrors()).mid_round_chance,
            "stacks": self.starting_stacks,
            "reward_unit": self.unit,
        }

    @property
    def street_burns(self) -> tuple[int, ...]:
        """How many cards are burnt before each street's board cards; by default one, and none before the first."""
        return self.burn_cards or tuple(int(street > 0) for street in range(self.streets))

    @property
    def _first_to_act(self) -> FirstToAct:
        later: FirstToAct = tuple("left_of_button" for _ in range(self.streets - 1))
        return self.first_to_act or ("after_blinds", *later)

    @property
    def max_seats(self) -> int:
        """The most players for whom the deck has enough cards; at most ten (R5)."""
        others = self.cards_needed - self.seats * self.hole_cards
        return min(rec.MAX_SEATS, (len(self.deck) - others) // self.hole_cards)

    @property
    def cards_needed(self) -> int:
        """How many cards a full table can use, with hole cards, burn cards, the board and what dealer errors add."""
        discards = 0 if self.dealer_errors is None else DISCARDS
        return self.seats * self.hole_cards + sum(self.board_cards) + sum(self.street_burns) + discards


HOLDEM = Rules()
"""Texas hold'em: the game whose fields are all at their defaults."""
