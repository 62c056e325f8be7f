"""SessionRequests: the part of the PettingZoo environment in which players join and leave between hands (R10, R12)."""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ..game.rules import Rules
from ..game.session_rules import SessionRules
from ..table.prizes import Winnings
from ..table.running_session import Result, RunningSession, SessionError, named_phase
from .view import TableView

AgentID = str
Observation = dict[str, NDArray[Any]] | NDArray[np.float32]


class Request(NamedTuple):
    """An operation of RunningSession, asked for while a hand runs."""

    operation: str
    seat: int
    arguments: tuple[Any, ...]


class SessionRequests(AECEnv[AgentID, Observation, int]):
    """The operations of a session, for an environment that deals the next hand as soon as one is over.

    A hand is always running between `reset` and the end of the episode, so all operations are requests. They take
    effect in the step that ends the running hand: after the hand's chips are pushed, after rebuys and after broke
    players are out, and before the next hand is dealt, in the order in which they were made.

    A request that cannot succeed raises SessionError, a ValueError, at once, and changes nothing. What the running hand
    will bring is not known then: stacks are taken to be those with which it began. A request that the hand makes
    impossible is dropped, and `infos[agent]["refused"]` says why, until the agent has acted. Such a request is to
    leave, top up or sit out for a player whom the hand put out of the tournament. When the session ends, all requests
    are dropped.
    """

    agents: list[AgentID]
    rules: Rules
    session: SessionRules
    _seat: dict[AgentID, int]
    _view: TableView
    _running: RunningSession
    _winnings: Winnings
    _requests: list[Request]
    _refused: list[AgentID]
    _named: int

    @property
    def places(self) -> list[int]:
        """(seats,) the finishing place of the player who sits or sat last in each seat; see Session.places."""
        return self._running.places

    @property
    def results(self) -> list[Result]:
        """What became of every player who has a place, in the order in which they went out; see Session.results."""
        return self._running.results

    @property
    def payouts(self) -> list[float]:
        """(seats,) what each seat has won in the hands that are over, in chips or prizes; see Session.payouts."""
        running = self._running
        return running.payouts((running.stacks if self._is_over else running.start_stacks).tolist())

    def is_away(self, agent: AgentID) -> bool:
        """Return whether an agent sits out, or waits to be dealt in.

        Raises:
            ValueError: If the agent does not exist.
        """
        return self._running.is_away(self._seat_of("is_away", agent))

    def owes(self, agent: AgentID) -> tuple[int, int]:
        """Return the missed blinds that an agent owes, (big, small) in chips; see `Session.owes`.

        Raises:
            ValueError: If the agent does not exist.
        """
        return self._running.owes(self._seat_of("owes", agent))

    def leave(self, agent: AgentID) -> None:
        """Let a player leave the table with its chips when the running hand is over (R12).

        The seat is paid for the hand and terminated, and `infos[agent]["left_with"]` is the number of chips that it
        took. A player who leaves a tournament finishes behind all who stay. Asking again changes nothing.

        Raises:
            SessionError: If the agent is not at the table; nothing changes.
        """
        asked = [request.operation for request in self._requests if self.possible_agents[request.seat] == agent]
        if asked[-1:] == ["leave"]:
            return
        try:
            self._ask("leave", agent)
        except ValueError:
            seated = ", ".join(agent for agent in self.agents if not self.terminations[agent]) or "nobody"
            raise SessionError(f"leave: {agent!r} is not at the table; there are {seated}") from None

    def join(self, agent: AgentID, chips: SupportsIndex, post: bool = True) -> None:
        """Let a player sit down in an empty seat when the running hand is over.

        The agent is then in `agents` again, with rewards, terminations and infos as after `reset`. If the seat had a
        player before, this is a new one.

        Args:
            agent: The agent of the empty seat.
            chips: The chips that the player brings.
            post: What a newcomer posts, as in `Session.join` (R10).

        Raises:
            SessionError: If the seat is taken, the chips cannot be bought, or the session will be over. Also if a
                reward has been a prize, because a late entry would take it back.
        """
        if agent in self.agents and not self.terminations[agent]:
            raise SessionError(f"join: seat {self._seat[agent]} is taken")
        self._ask("join", agent, chips, post)

    def top_up(self, agent: AgentID, chips: SupportsIndex) -> None:
        """Add chips to a stack when the running hand is over (R12).

        In a cash game, a player who has lost all is terminated, but the seat is still taken: with `top_up` the agent
        comes back, as after `join`. If you ask in the hand in which the player loses all, the agent is not terminated.

        Raises:
            SessionError: If nobody has the seat, the chips cannot be bought, or a tournament has no rebuys.
        """
        self._ask("top_up", agent, chips)

    def sit_out(self, agent: AgentID) -> None:
        """Sit out from the next hand on. The agent stays in `agents`, but is not asked.

        In a cash game it misses blinds and owes them; in a tournament it is dealt in, posts and is folded (R10). The
        episode ends if fewer than two players are left for the next hand. It also ends if all players of a tournament
        sit out; they are then placed by their chips.

        Raises:
            SessionError: If nobody has the seat.
        """
        self._ask("sit_out", agent)

    def sit_in(self, agent: AgentID, post: bool = True) -> None:
        """Come back when the running hand is over.

        Args:
            agent: The agent that sits out.
            post: Whether a player who owes blinds posts them as soon as the seat allows, or waits for the big blind
                (R10).

        Raises:
            SessionError: If nobody has the seat, or its player is not away.
        """
        self._ask("sit_in", agent, post)

    def name_game(self, game: str | int) -> None:
        """Name the game of the next hand.

        Its phase begins with that hand, unless it is due anyway, and the schedule goes on from there. You may name
        another game until the running hand is over.

        Args:
            game: One of the session's phases (R19), by its name or its number.

        Raises:
            SessionError: If the session does not declare the game. The message names those it declares.
        """
        if self._is_over:
            raise SessionError("name_game: the episode is over (or was never begun); call reset() first")
        self._named = named_phase("name_game", self.rules, game)

    @property
    def _is_over(self) -> bool:
        """Whether no hand is running."""
        return self._view.actor < 0

    def _ask(self, operation: str, agent: AgentID, *arguments: Any) -> None:
        """Try a request on a copy of the session, after those already made, and keep it."""
        request = Request(operation, self._seat_of(operation, agent), arguments)
        if self._is_over:
            raise SessionError(f"{operation}: the episode is over (or was never begun); call reset() first")
        later = self._running.after_this_hand()
        for asked in (*self._requests, request):
            self._carry_out(later, asked)
        self._requests.append(request)

    def _carry_out(self, session: RunningSession, request: Request) -> Any:
        """What the operation returns."""
        if request.operation == "join" and self.session.reward != "chips" and any(session.prizes_paid()):
            raise SessionError("join: a prize has been paid; nobody can enter any more")
        return getattr(session, request.operation)(request.seat, *request.arguments)

    def _carry_out_requests(self) -> bool:
        """Between two hands, let players join and leave. Returns whether the episode is over."""
        for request in self._requests if not self._running.is_over else ():
            agent = self.possible_agents[request.seat]
            try:
                result = self._carry_out(self._running, request)
            except ValueError as error:
                self.infos.get(agent, {})["refused"] = str(error)
                self._refused.append(agent)
                continue
            self._update_agent(request, agent, result)
        self._requests = []
        return not self._running.can_deal

    def _clear_refusal(self, agent: AgentID) -> None:
        """An agent acts, and has had its infos."""
        self._refused = [other for other in self._refused if other != agent]
        self.infos[agent].pop("refused", None)

    def _update_agent(self, request: Request, agent: AgentID, result: Any) -> None:
        """What a request that was carried out changes for its agent."""
        if request.operation == "leave" and agent in self.agents:
            self.infos[agent]["left_with"] = result
        if request.operation == "join":
            self._winnings.enter(request.seat, self._running.stacks.tolist())
        if request.operation in ("join", "top_up") and agent not in self.agents:
            self._add(agent)

    def _add(self, agent: AgentID) -> None:
        """An agent that was not there, or not any more, comes to the table."""
        self.agents = [known for known in self.possible_agents if known in self.agents or known == agent]
        self.rewards[agent] = self._cumulative_rewards[agent] = 0.0
        self.terminations[agent] = self.truncations[agent] = False
        self.infos[agent] = {}

    def _seat_of(self, what: str, agent: AgentID) -> int:
        """The seat of an agent. Raises ValueError for an agent that does not exist."""
        try:
            return self._seat[agent]
        except KeyError:
            raise ValueError(
                f"{what}: there is no agent {agent!r}; agents are {self.possible_agents[0]!r} to "
                f"{self.possible_agents[-1]!r}"
            ) from None
