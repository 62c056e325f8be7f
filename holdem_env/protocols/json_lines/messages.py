"""The messages of the protocol (docs/protocol.md): plain dicts, whose types also are the source of the JSON Schema.
Cards are text ("As", "Td"), amounts are whole chips, and seats are numbers from 0; a list with an entry for each seat
has the seats in order."""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict  # pydantic wants this one below Python 3.12

PROTOCOL: Final = "holdem"
VERSION: Final = 1

Seat = Annotated[int, Field(ge=0)]
Chips = Annotated[int, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Card = str


class Described(TypedDict):
    """A part of a message; the docstrings of its fields are their descriptions in the schema."""


Described.__pydantic_config__ = ConfigDict(use_attribute_docstrings=True)  # type: ignore[attr-defined]


class Game(Described):
    """The game that is played: in a session, that of the blind level and the phase in force."""

    structure: Literal["fixed_limit", "pot_limit", "no_limit"]
    """The betting structure."""
    seats: Annotated[int, Field(ge=2)]
    """How many seats the table has; some may be empty."""
    blinds: list[Chips]
    """The small blind and the big blind."""
    ante: Chips
    """What everybody posts before the deal; it does not count towards calling."""
    big_blind_ante: Chips
    """What the big blind posts for the whole table."""
    straddle: Chips
    """The straddle, 0 if there is none."""
    street_bets: list[Chips]
    """For each street: the bet of fixed limit, or the least opening bet of the other structures."""
    max_raises: list[Count] | None
    """Fixed limit: the most bets and raises on each street; null for no cap. Null in the other structures."""
    smallest_chip: Annotated[int, Field(ge=1)]
    """Every amount is a multiple of it."""
    hole_cards: Annotated[int, Field(ge=1)]
    """How many hole cards each player gets."""
    hole_cards_used: Count | None
    """How many of them make the hand, as 2 in Omaha; null for any number."""
    board_cards: list[Count]
    """For each street: how many board cards are dealt before its betting. [0, 3, 1, 1] in hold'em."""
    deck: list[Card]
    """All cards of the deck, in no particular order."""
    ranking: Literal["standard", "short_deck", "pair"]
    """Which hand wins; "short_deck": a flush beats a full house, "pair": a pair, then the higher card."""
    split: Literal["high", "high_low"]
    """"high_low": half of each pot goes to the best low hand, eight or better."""
    rake: float
    """The house's share in percent."""
    rake_cap: Chips | None
    """The most it takes of a hand; null for no cap."""


class Posted(Described):
    """What a seat posted before the deal."""

    seat: Seat
    kinds: list[Literal["ante", "small_blind", "big_blind", "big_blind_ante", "live_blind", "dead_blind", "straddle"]]
    """What for. A player who comes back posts missed blinds: the big one live, the small one dead."""
    ante: Chips
    """The chips of the ante."""
    bet: Chips
    """The chips that count as the seat's first bet: blinds and straddle."""
    dead: Chips
    """The chips that are nobody's contribution: the big-blind ante, a missed small blind."""


class Move(Described):
    """A move of this hand."""

    seat: Seat
    street: Count
    move: Literal["fold", "check", "call", "raise"]
    """A bet is a raise, too."""
    to: NotRequired[Chips]
    """Of a raise: the total of the street that it went to."""


class Session(Described):
    """What is known of the session that the hand belongs to."""

    kind: Literal["tournament", "cash"]
    hands_played: Count
    """The hands before this one."""
    num_hands: Count | None
    """After how many hands the session ends; null: when one player has all the chips."""
    level: Count
    """The blind level in force, an index."""
    level_hands: Count
    """How many hands this level has had before this one."""
    phase: Count
    """The phase of mixed hold'em in force, an index."""
    players_left: Count
    places: list[Count]
    """For each seat, the finishing place of its player; 0: still in, or nobody sits there."""
    prizes: list[float]
    """By finishing place, best first; empty if none were given."""
    rebuy: Chips
    """What a player who has lost everything gets between hands; 0: the player is out."""


class Legal(Described):
    """What the seat may do. A fold is always legal, even if a check is free."""

    check: bool
    """Whether a check is free."""
    call: Chips
    """What a call costs, at most the whole stack; 0 if a check is free."""
    raise_min: Chips | None
    """The least total of the street to bet or raise to; null if no raise is legal."""
    raise_max: Chips | None
    """The greatest. Every multiple of the smallest chip between them is legal, and `raise_max` itself."""


class Situation(Described):
    """A hand as one seat may see it."""

    version: Literal[1]
    hand: str
    """The same for all messages to one seat about one hand; in a session, for all its hands. A name without meaning."""
    game: Game
    seat: Seat
    """The bot's own."""
    button: Seat
    """The seat of the button; in a session it may be empty."""
    positions: list[str | None]
    """For each seat "BTN", "SB", "BB", "UTG" and so on; null for a seat that was not dealt in."""
    street: Count
    """The betting round: 0 before the flop."""
    board: list[Card]
    hole_cards: list[Card]
    """The bot's own."""
    shown: list[list[Card] | None]
    """For each seat its hole cards if they lie face up, else null."""
    exposed: list[Card]
    """Cards that a dealer's error has shown to everybody."""
    stacks: list[Chips]
    """For each seat the chips that are not bet."""
    starting_stacks: list[Chips]
    """For each seat the chips before anything was posted."""
    bets: list[Chips]
    """For each seat the chips that it has bet on this street."""
    pot: Chips
    """All chips in the middle, the bets of this street included."""
    folded: list[bool]
    """For each seat whether it has folded, or was not dealt in."""
    posted: list[Posted]
    """What was posted before the deal, seat by seat."""
    moves: list[Move]
    """The moves of this hand, oldest first: the latest 64."""
    moves_left_out: Count
    """How many earlier moves are not listed. Where their street is cut, a check may stand as a call."""
    session: Session | None
    """Null if hands stand alone."""


class Decision(Situation):
    """The seat is to act. The bot answers with a `MoveAnswer` or a `RaiseAnswer`."""

    type: Literal["decision"]
    id: Count
    """The answer has the same."""
    more: Count
    """How many decisions were sent right behind this one. At 0 the sender waits for all answers."""
    random: Annotated[float, Field(ge=0, lt=1)]
    """A random number of this decision, for bots that mix: the same when the same decision is repeated."""
    legal: Legal


class HandOver(Situation):
    """A hand is over in which the bot had a seat. It is sent to bots that asked for it; there is no answer."""

    type: Literal["hand_over"]
    payoffs: list[int]
    """For each seat the chips won or lost."""
    rake_taken: Chips
    """The chips that the house took."""


class Hello(Described):
    """The first message. The bot answers with a `HelloAnswer`."""

    type: Literal["hello"]
    protocol: Literal["holdem"]
    version: Literal[1]
    games: list[Game]
    """The game that comes first; of a session all, one for each blind level and phase."""


class Reset(Described):
    """Forget what earlier hands have taught. There is no answer."""

    type: Literal["reset"]


class Bye(Described):
    """The last message: the bot ends. There is no answer."""

    type: Literal["bye"]


class HelloAnswer(Described):
    """The answer to `hello`; {} is enough. Other fields are ignored."""

    name: NotRequired[str]
    """How the bot calls itself, for people who read the conversation."""
    hand_over: NotRequired[bool]
    """Whether it wants to be notified how hands ended. By default it is not."""


class MoveAnswer(Described):
    """The answer to a decision: no raise. Other fields are ignored."""

    id: Count
    """That of the decision."""
    move: Literal["fold", "check", "call"]
    """"check" only if it is free; "call" checks if there is nothing to call."""


class RaiseAnswer(Described):
    """The answer to a decision: a bet or a raise. Other fields are ignored."""

    id: Count
    """That of the decision."""
    move: Literal["raise"]
    to: Annotated[int, Field(ge=1)]
    """The total of the street in chips, not the chips added."""


class ErrorAnswer(Described):
    """Instead of any answer: the bot gives up. The match ends, and its organiser reads the text."""

    error: str


ToBot = Annotated[Hello | Decision | HandOver | Reset | Bye, Field(discriminator="type")]
ToHello = HelloAnswer | ErrorAnswer
ToDecision = MoveAnswer | RaiseAnswer | ErrorAnswer
