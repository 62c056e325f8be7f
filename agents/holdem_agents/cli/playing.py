"""Playing against an agent in the terminal: the dialogue with the person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from holdem_env.agents.asking import SealedAgent
from holdem_env.agents.error_places import with_place, wrong_signature
from holdem_env.agents.protocol import Agent
from holdem_env.agents.table_agent import ALL_IN_WORDS, DecisionError
from holdem_env.cards.evaluation import CATEGORY_NAMES, category, evaluate
from holdem_env.cards.text import Cards, card_name
from holdem_env.encoders.actions import PotFractions, is_size, parse_size
from holdem_env.encoders.bet_sizes import MILLION, OF_POT, TIMES_BET
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.position_names import seat_positions
from holdem_env.game.rules import Rules
from holdem_env.game.street_names import STREETS
from holdem_env.history import phh
from holdem_env.table.parts import Operation
from holdem_env.table.session import Session
from holdem_env.table.starting import checked_seed
from holdem_env.table.table import Table
from holdem_env.utils.shown_names import shown_name

from ..scripted.amounts import call_and_winnable
from ..scripted.strengths import live_opponents, sampled_shares

if TYPE_CHECKING:
    from holdem_env.solvers.blueprints.agent import BlueprintAgent

YOU = 0
ONE_ROW = np.zeros(1, np.int64)
SAMPLES = 20_000
BEST_OF = range(5, 8)
"""How many cards `evaluate` finds the best five of."""
MOVES = {"f": FOLD, "fold": FOLD, "c": CHECK_CALL, "call": CHECK_CALL, "check": CHECK_CALL}
ALL_IN = "all-in"
RESOLVED: dict[str, str | None] = {"river": "river", "turn": "turn", "none": None}
"""What `--resolve` takes, and what it means."""
HELP = (
    "f folds, c checks or calls, a number raises to that total, so do min, 75%, pot, 2.5x and all-in; "
    "o shows your odds, q ends"
)


def resolving_from(street: str, agent: Agent) -> Agent:
    """The agent, re-solving from this street on if it is a blueprint that its file or config has told nothing else;
    then all that solving needs is compiled.

    Raises ValueError for a street that is none of "river", "turn" and "none".
    """
    if street not in RESOLVED:
        raise ValueError(f"--resolve: {street!r} is none of {', '.join(RESOLVED)}")
    resolving = getattr(agent, "resolving", None)
    if resolving is None or getattr(agent, "resolve", None) is not None or RESOLVED[street] is None:
        return agent
    resolved: BlueprintAgent = resolving(RESOLVED[street])
    if resolved.resolver is not None:
        resolved.resolver.prepare()
    return resolved


def play_hands(
    opponent: Agent,
    rules: Rules,
    seed: int | None,
    ask: Callable[[str], str] = input,
    show: Callable[[str], None] = print,
    save: Path | None = None,
) -> int:
    """Play against an agent, which has all the other seats, until the person quits. Returns the chips won.

    Stacks are fresh every hand. If the rules have a session, it is played until it is over or the person is broke.
    ask: shows a prompt and returns the answer. show: prints a text. save: a .phhs file for the finished hands, with all
    cards visible. Raises ValueError for a file that exists already, and for a game that PHH cannot express.
    """
    if save:
        _check_file(save, rules)
    finished: list[Table] = []
    won = 0
    others = _others(opponent, rules)
    show(f"You are seat {YOU}, {shown_name(opponent.name)} has the others. {HELP}.")
    for table in _hands(rules, checked_seed(seed)):
        if not _play_hand(table, others, ask, show):
            break
        _tell_hand_over(table, others)
        won += table.payoffs[YOU]
        finished.append(table)
        show(f"You: {table.payoffs[YOU]:+d}, in all {won:+d} ({_rate(won, len(finished), rules)})\n")
        if save:
            phh.write(finished, save, players=_names(opponent, rules))
    for agent in others.values():
        agent.close()
    show(_summary(won, len(finished), rules))
    if save and finished:
        show(f"{len(finished)} hands are in {save}")
    return won


def _rate(won: int, hands: int, rules: Rules) -> str:
    return f"{100 * won / rules.unit / hands:+.0f} bb/100"


def _summary(won: int, hands: int, rules: Rules) -> str:
    """What the person has won in the hands that it played to the end."""
    if not hands:
        return "The end: no hand was played to its end."
    count = "1 hand" if hands == 1 else f"{hands} hands"
    return f"The end: in all {won:+d} chips in {count} ({_rate(won, hands, rules)})."


def _check_file(save: Path, rules: Rules) -> None:
    if save.suffix != ".phhs":
        raise ValueError(f"{save}: hands go into a .phhs file")
    if save.exists():
        raise ValueError(f"{save} exists already; name a new file")
    if not save.parent.is_dir():
        raise ValueError(f"{save}: there is no folder {save.parent}")
    phh.dumps(Table(rules, seed=0))  # raises for games that PHH cannot express, before any is played


def _names(opponent: Agent, rules: Rules) -> list[str]:
    return ["you" if seat == YOU else f"{shown_name(opponent.name)} {seat}" for seat in range(rules.seats)]


def _hands(rules: Rules, seed: int) -> Iterator[Table]:
    """The hands that the person is dealt into, one after the other."""
    if rules.session is None:
        hand = 0
        while True:
            yield Table(rules, button=hand % rules.seats, seed=seed, hand=hand)
            hand += 1
    for table in Session(rules, seed=seed):
        if not table.starting_stacks[YOU]:
            return
        yield table


def _others(opponent: Agent, rules: Rules) -> dict[int, Agent]:
    """Who plays each seat but the person's: the agent, or its clones if one of it cannot play several seats."""
    has_one_seat = opponent.tables_at_once is not None or opponent.wants_hand_over
    seats = [seat for seat in range(rules.seats) if seat != YOU]
    return {seat: opponent.clone() if place and has_one_seat else opponent for place, seat in enumerate(seats)}


def _tell_hand_over(table: Table, others: Mapping[int, Agent]) -> None:
    """Tell the agents that want to know it how the hand ended."""
    for seat, agent in others.items():
        if agent.wants_hand_over and table.records["was_dealt"][0, seat]:
            SealedAgent(agent).tell_hands_over(table.records, table.rules, ONE_ROW, np.array([seat]))


def _play_hand(
    table: Table, others: Mapping[int, Agent], ask: Callable[[str], str], show: Callable[[str], None]
) -> bool:
    """Play one hand. Returns False if the person quits."""
    shown = 0
    while not table.is_over:
        shown = _show_new(table, shown, show)
        if table.is_showing:
            if not _ask_to_show(table, ask, show):
                return False
        elif table.actor == YOU:
            if not _ask_move(table, ask, show):
                return False
        elif table.actor is not None:
            table.play(_move_of(others[table.actor], table))
    _show_new(table, shown, show)
    return True


def _move_of(agent: Agent, table: Table) -> int:
    """The agent's move. Raises ValueError, which names the agent and the line of its file, if it raises an error."""
    try:
        return agent.move(table)
    except DecisionError:
        raise  # it says so itself
    except Exception as error:
        wrong = wrong_signature(agent) if isinstance(error, TypeError) else None
        told = wrong or f"agent {agent.name!r}: {type(error).__name__}: {with_place(agent, error)}"
        raise ValueError(str(told)) from error


def _show_new(table: Table, shown: int, show: Callable[[str], None]) -> int:
    """Show the operations after the first `shown` ones that the person may see. Returns how many there are now."""
    for operation in table.log[shown:]:
        if operation.kind in ("burn", "deal_hole"):
            continue  # the person's own cards appear in the description of the situation
        show(f"  {_told(table, operation)}".replace(f"seat {YOU} ", "you "))
    return len(table.log)


def _told(table: Table, operation: Operation) -> str:
    """An operation in words. Board cards have spaces, shown cards the name of their hand; a pot is won."""
    match operation.kind:
        case "push_pot":
            return f"{_wins(operation)} {operation.amount}{_which_pot(table, operation)}"
        case "deal_board":
            return f"deal board {_spaced(operation.cards)}"
        case "show":
            return f"{operation}{_hand_name(table, operation.cards)}"
        case _:
            return str(operation)


def _wins(operation: Operation) -> str:
    return "you win" if operation.seat == YOU else f"seat {operation.seat} wins"


def _which_pot(table: Table, operation: Operation) -> str:
    """Which pot was won, if there is more than one."""
    if not any(each.pot for each in table.log):
        return ""
    return f" of side pot {operation.pot}" if operation.pot else " of the main pot"


def _spaced(cards: Cards) -> str:
    return " ".join(map(card_name, cards))


def _hand_name(table: Table, hole_cards: Cards) -> str:
    """The name of the best five cards at a showdown, such as ", two pair"; nothing in games where the hand is another
    choice of cards or has another name."""
    game, cards = table.game, [*hole_cards, *table.board]
    is_whole = len(table.board) == sum(game.board_cards) and min(cards) >= 0
    if game.ranking != "standard" or game.hole_cards_used is not None or len(cards) not in BEST_OF or not is_whole:
        return ""
    return f", {CATEGORY_NAMES[category(evaluate(cards))]}"


def _ask_move(table: Table, ask: Callable[[str], str], show: Callable[[str], None]) -> bool:
    """Ask the person for a move and play it. Returns False if the person quits."""
    show(_situation(table))
    while True:
        try:
            word = ask(f"Your move ({table.legal}): ").strip().lower()
        except EOFError:
            return False
        if word in ("q", "quit"):
            return False
        if word in ("o", "odds"):
            show(_odds(table))
            continue
        try:
            table.play(_move(table, word))
        except ValueError as error:  # IllegalMove is one
            show(str(error))
            continue
        return True


def _ask_to_show(table: Table, ask: Callable[[str], str], show: Callable[[str], None]) -> bool:
    """The choice of a player who is beaten, or who wins alone: the person's, or an agent's, which shows nothing.
    Returns False if the person quits."""
    if table.actor != YOU:
        table.no_action()
        return True
    while True:
        try:
            word = ask("Show your cards (s), or give them back face down (m)? ").strip().lower()
        except EOFError:
            return False
        if word in ("q", "quit"):
            return False
        if word in ("s", "show"):
            table.show(YOU)
            return True
        if word in ("m", "muck"):
            table.muck(YOU)
            return True
        show("s shows your cards, m mucks them, q ends.")


def _situation(table: Table) -> str:
    """The board, the pot, and every player in the hand."""
    pot = sum(table.starting_stacks) - sum(table.stacks)
    record = table.records[0]
    dealt = [seat for seat in range(table.game.seats) if record["was_dealt"][seat]]
    small, big = (int(record[name]) for name in ("small_blind_seat", "big_blind_seat"))
    names = seat_positions(dealt, table.button, small if small >= 0 else None, big) if big >= 0 else {}
    lines = [f"{STREETS[table.street]}: board {_spaced(table.board) or '-'}, pot {pot}"]
    for seat in dealt:
        if table.is_folded(seat):
            continue
        who = "you" if seat == YOU else f"seat {seat}"
        position = f" ({names[seat].name})" if seat in names else ""
        bet = f", bet {table.bets[seat]}" if table.bets[seat] else ""
        cards = f", cards {table.hole_cards(YOU)}" if seat == YOU else ""
        lines.append(f"    {who}{position}: {table.stacks[seat]} chips{bet}{cards}")
    return "\n".join(lines)


def _odds(table: Table) -> str:
    """The person's share of the pot against random hands, and the pot odds of a call."""
    opponents = live_opponents(table.records, ONE_ROW)
    share = sampled_shares(table.records, table.rules, ONE_ROW, opponents.astype(np.int64), SAMPLES)[0]
    count = int(opponents.sum())
    text = f"Against {count} random hand{'s' if count > 1 else ''} your share of the pot is {share:.1%}."
    call, pot = (int(chips[0]) for chips in call_and_winnable(table.records, ONE_ROW))
    return f"{text} A call of {call} to win {pot} needs {call / (call + pot):.1%}." if call else text


def _move(table: Table, word: str) -> int:
    """The engine move that a word stands for. Raises ValueError if it stands for none."""
    call = table.legal.call or 0
    if word == "check" and call:
        raise ValueError(f"a check is free, and there are {call} to call: type call, or c. Legal: {table.legal}.")
    if word in MOVES:
        return MOVES[word]
    if word in ALL_IN_WORDS:
        if call == table.stacks[YOU]:
            return CHECK_CALL
        word = ALL_IN
    if is_size(word):
        return _sized(table, word)
    digits = word.removeprefix("r").removeprefix("aise").removeprefix(" to").strip()
    if not digits.isdigit() or not int(digits):
        raise ValueError(f"{HELP}.")
    return int(digits)


def _sized(table: Table, word: str) -> int:
    """The raise of this size. Raises ValueError if it is not legal."""
    sizes = PotFractions(word)
    choices = np.empty((1, sizes.size(table.rules)), np.int64)
    sizes.choose(table.records, table.rules.record, ONE_ROW, choices)
    if choices[0, -1] == NO_MOVE:
        raise ValueError(f"{word} is no legal raise here. Legal: {table.legal}.{_too_small(table, word)}")
    return int(choices[0, -1])


def _too_small(table: Table, word: str) -> str:
    """A sentence about a share of the pot, or a multiple of the bet, that is less than the least raise."""
    size, least, price = parse_size(word), table.legal.raise_min, table.legal.call or 0
    to_match = table.bets[YOU] + price
    pot = sum(table.starting_stacks) - sum(table.stacks)
    if size.kind == OF_POT:
        total = to_match + size.value * (pot + price) // MILLION
    else:
        total = size.value * to_match // MILLION
    if least is None or size.kind not in (OF_POT, TIMES_BET) or total >= least:
        return ""
    return f" It is too small: a raise to {total}, and the least is {least}."
