"""The PettingZoo AEC environment: one table, its seats as agents, one hand or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..agents.protocol import Agent
from ..encoders import (
    ActionEncoder,
    BoxActionEncoder,
    EncoderError,
    ObservationEncoder,
    get_actions,
    get_observation,
)
from ..encoders.decoding import nearest_action
from ..encoders.describing import one_line
from ..engine import batch, record, session_kernels
from ..engine.legality import MOVE, check_move
from ..engine.record import NOBODY
from ..game.rule_checks import check_automatic_showing
from ..game.rules_input import RulesLike, as_rules
from ..game.session_rules import SessionRules
from ..table.hand_setup import checked_seed, write_deck
from ..table.prizes import Winnings
from ..table.running_session import RunningSession
from ..utils.suggestions import known_keywords
from ..utils.validation import whole_number
from .aec_kernels import NO_LOG, OVER
from .arguments import NO_OPTIONS, agent_at, checked_choice, checked_options, chips_in_unit, with_session
from .hand_rewards import RewardFunction, checked_reward_function, own_rewards
from .rendering import RENDER_MODES, Renderer
from .session_requests import AgentID, Observation, SessionRequests
from .view import TableView


class HoldemEnv(SessionRequests):
    """Texas hold'em as an AEC environment. The agents are "player_0", "player_1" ...; player_i has seat i.

    An observation is {"observation": float32 (D,) or of the encoder's shape, "action_mask": int8 (A,)}; with
    mask_in_info it is the first of the two. The mask of a seat that is not to act is all zeros. With continuous actions
    every action is legal, and there is no "action_mask".

    Once a hand is over, `infos[agent]["shown_cards"]` of every agent has the cards that were tabled in it,
    {"player_0": [card, ...]}. It stays until the next hand is over, and leaves out mucked cards (R29).

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file; by default Rules(),
            six-handed no-limit.
        observation, actions: Encoders, by name or as objects; actions=None is `limit` in fixed limit and
            `pot_fractions` otherwise.
        num_hands: Hands in an episode; None plays until one seat has all the chips. Stacks carry over, the button moves
            (R10), and a seat without chips is terminated and leaves.
        render_mode: "ansi" returns text, "rgb_array" pixels (with the extra `pictures`). "human" shows every move in a
            notebook or a window, and prints text where there is neither.
        reward_unit: "big_blind" or "chips"; by default the rules' unit. Every seat is paid at the end of each hand.
        on_illegal: What to do with an action that is not offered: "raise" an error, or play "check_fold" instead.
        session: SessionRules or a dict of their fields: blind levels, phases of mixed hold'em, prizes and so on; by
            default the rules' session. An episode is then a session, and the session's num_hands sets its length.
        reward_function: A function of EndedHands that pays every seat at the end of each hand instead.
        mask_in_info: Whether observations are plain arrays, and `infos[agent]["action_mask"]` is the mask.
    """

    metadata = {
        "name": "holdem_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    @known_keywords("HoldemEnv")
    def __init__(
        self,
        rules: RulesLike | None = None,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        num_hands: int | None = 1,
        render_mode: str | None = None,
        reward_unit: Literal["big_blind", "chips"] | None = None,
        on_illegal: Literal["raise", "check_fold"] = "raise",
        session: SessionRules | Mapping[str, Any] | None = None,
        reward_function: RewardFunction | None = None,
        mask_in_info: bool = False,
    ) -> None:
        super().__init__()
        given = as_rules(rules)
        self.rules = with_session(given, session, num_hands)
        self._empty_seats = num_hands != 1 or session is not None or given.session is not None
        self.session = cast(SessionRules, self.rules.session)
        self.num_hands = self.session.num_hands
        self.on_illegal = checked_choice("on_illegal", on_illegal, ("raise", "check_fold"))
        self.reward_unit = chips_in_unit(self.rules, reward_unit)
        self.reward_function = checked_reward_function(reward_function)
        self.mask_in_info = checked_choice("mask_in_info", mask_in_info, (False, True))
        self.observation_encoder = get_observation(observation)
        self.action_encoder = get_actions(actions, self.rules)
        self.possible_agents = [agent_at(seat) for seat in range(self.rules.seats)]
        self.agents: list[AgentID] = []
        self._renderer = Renderer(render_mode, self.possible_agents)
        self.render_mode = render_mode
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._is_box = isinstance(self.action_encoder, BoxActionEncoder)
        check_automatic_showing(self.rules, type(self).__name__)
        self._make_spaces()
        self._make_buffers()
        self._seed = checked_seed(None)
        self._requests = []

    def _make_spaces(self) -> None:
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.action_encoder.space(self.rules) for agent in self.possible_agents}
        box = self.observation_encoder.space(self.rules)
        low, high = (np.tile(side.ravel(), self.rules.seats) for side in (box.low, box.high))
        self.state_space = gymnasium.spaces.Box(low, high, dtype=np.float32)

    def _new_observation_space(self) -> gymnasium.spaces.Space[Any]:
        """A new space, so that each agent's space can be seeded separately."""
        box = self.observation_encoder.space(self.rules)
        if self.mask_in_info:
            return box
        parts: dict[str, gymnasium.spaces.Space[Any]] = {"observation": box}
        if not self._is_box:
            parts["action_mask"] = gymnasium.spaces.Box(0, 1, (self.action_encoder.size(self.rules),), np.int8)
        return gymnasium.spaces.Dict(parts)

    def _make_buffers(self) -> None:
        self._rules = self.rules.record
        # With a reward function, the second record is a copy of the table as the latest hand ended.
        self._records = record.new_records(record.TABLE, 1 if self.reward_function is None else 2)
        self._empty_mask = np.zeros(self.action_encoder.size(self.rules), np.int8)
        self._view = TableView(self._records, self.rules, self.observation_encoder, self.action_encoder)
        self._running = RunningSession(self.rules, self._records)
        self._winnings = Winnings(self.session, self.reward_unit)

    def observation_space(self, agent: AgentID) -> gymnasium.spaces.Space[Any]:
        """The same space for every agent: a Dict, or with mask_in_info a Box."""
        self._seat_of("observation_space", agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: AgentID) -> gymnasium.spaces.Space[Any]:
        """The same space for every agent: Discrete, or a Box if the actions are continuous."""
        self._seat_of("action_space", agent)
        return self.action_spaces[agent]

    def __repr__(self) -> str:
        state = f"{self.agent_selection} to act" if self.agents else "no episode: call reset()"
        return one_line(self, "", self.rules, self.observation_encoder, self.action_encoder, state)

    @property
    def records(self) -> record.Records:
        """The TABLE record behind the environment, in an array of length one. Do not write to it."""
        return self._records[:1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: The seed of all the episode's decks. Hand h has the deck of hand h of table 0 under this seed, as in
                Table, Tables and Session. Without a seed, the previous episode's seed decides.
            options: A dict with some of these:

                - "deck": the first hand's cards in dealing order (R4), as text or ints, or a list of decks, one per
                  hand; the seed fills in missing cards
                - "stacks": chips per seat
                - "button": the first button, by default seat 0
                - "dealer_errors", "reshuffles": for the first hand, as Table takes them (R33-R38). Observations show
                  the exposed cards if the environment's rules have dealer_errors, `DealerErrors()` for example.
                - "game": the first hand's game, as `name_game` takes it (R19)

        Raises:
            ValueError: If an option is invalid; nothing changes.
        """
        chosen = batch.next_seed(self._seed) if seed is None else checked_seed(int(seed))
        given = checked_options(self.rules, options, chosen, self._empty_seats) if options else NO_OPTIONS
        stacks = given.stacks or self.rules.starting_stacks
        self._seed, self._decks, self._injected_errors = chosen, given.decks, given.injected
        self.hands_played = 0
        self._named = given.named
        self._new_agents(stacks)
        if given is NO_OPTIONS:
            self._running.begin_books(stacks)
            self._select(self._view.deal(chosen))
        else:
            self._running.begin(chosen, given.stacks, given.button)
            self._select(self._deal_hand())

    def _new_agents(self, stacks: Sequence[int]) -> None:
        """Who has chips becomes an agent."""
        self.agents = self.possible_agents[:]
        if not all(stacks):  # empty seats
            self.agents = [agent for agent in self.agents if stacks[self._seat[agent]]]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = self.terminations.copy()
        self.infos: dict[AgentID, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = False
        self._requests = []
        self._refused = []
        self._winnings.begin(stacks)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    def _deal_hand(self) -> int:
        """Deal the next hand, with the deck and the dealer errors from the options of `reset`, if any. Returns the seat
        to act."""
        has_deck = self.hands_played < len(self._decks)
        injected = self._injected_errors if self.hands_played == 0 else None
        named, self._named = self._named, session_kernels.SCHEDULE
        if not has_deck and injected is None and named == session_kernels.SCHEDULE:
            return self._view.deal()
        session_kernels.arrange_hands(self._records, self._rules, NO_LOG, named)
        if has_deck:
            write_deck(self.rules, self._records, self._decks[self.hands_played])
        if injected is not None:
            injected.write_to(self._records, has_deck)
        return self._view.deal(is_arranged=True)

    def _select(self, actor: int) -> None:
        """Select the seat to act. With nobody to act the hand is over: deal until somebody is, or the episode over."""
        while actor < 0:
            if self._finish_hand(actor == OVER):
                break
            actor = self._deal_hand()
        else:
            self.agent_selection = self.possible_agents[actor]
        if self._paid:
            self._accumulate_rewards()  # once a step, however many hands it ended: PettingZoo's own test adds so
            self._deads_step_first()
        if self.mask_in_info:
            self._update_masks()

    def _finish_hand(self, is_over: bool) -> bool:
        """Pay every seat and let players join and leave. Returns whether the episode is over.

        is_over: whether it is, unless players come or go.
        """
        self.hands_played += 1
        running = self._running
        payoffs, rebuys, stacks, places = self._view.ended()
        running.note_hand(rebuys, places)
        if self._requests:
            is_over = self._carry_out_requests()
            stacks = running.chips()
            self._view.actor = NOBODY  # what the seats saw may have changed
        if not is_over and running.is_abandoned:
            running.end()
            is_over = True
        prizes = () if self.session.reward == "chips" else running.prizes_paid()
        rewards = self._winnings.of_hand(payoffs, stacks, prizes, is_over)
        if self.reward_function is not None:
            usual, ended = np.array([rewards]), self._records[1:].copy()
            rewards = own_rewards(self.reward_function, self.rules, ended, usual, [running.places], is_over)[0].tolist()
        self._pay(rewards, stacks, is_over)
        return is_over

    def _pay(self, rewards: Sequence[float], stacks: Sequence[int], is_over: bool) -> None:
        """Pay each seat for a hand, report the cards that were shown in it, and terminate agents without chips, or when
        the episode is over all."""
        shown = self._view.shown_cards()
        self._paid = True
        for agent in self.agents:
            seat = self._seat[agent]
            self.rewards[agent] += rewards[seat]
            info = self.infos[agent]
            info["shown_cards"] = shown
            if is_over or not stacks[seat]:
                self.terminations[agent] = True
                if place := self._running.place_of(seat):
                    info["place"] = place

    def step(self, action: Any) -> None:
        """Play an action of the selected agent.

        Args:
            action: An action of the space; None for a terminated agent.

        Raises:
            ValueError: If the action is outside the space or the mask (unless on_illegal="check_fold"), before reset,
                or after the episode; nothing changes.
        """
        if not self.agents:
            raise ValueError("step: the episode is over (or was never begun); call reset() first")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._play(self._move_of(action))

    def action_of(self, agent: Agent) -> int:
        """Return the action for an agent's move at the seat to act: `env.step(env.unwrapped.action_of(agent))`.

        If the move is not offered it is the nearest one that is: the raise whose total has the nearest ratio, else
        check or call. `env.unwrapped.play(agent.move(env.unwrapped))` plays the exact move.

        Raises:
            ValueError: If the actions are continuous.
        """
        encoder = self.action_encoder
        if isinstance(encoder, BoxActionEncoder):
            raise ValueError("action_of: the actions are continuous; use env.unwrapped.play(agent.move(env.unwrapped))")
        offered = np.empty((1, encoder.size(self.rules)), np.int64)
        encoder.choose(self.records, self.rules.record, np.zeros(1, np.int64), offered)
        return nearest_action(offered[0], agent.move(self))

    def play(self, move: int) -> None:
        """Step with an engine move instead of an action.

        Any legal move is allowed, whatever bet sizes the action encoder offers.

        Args:
            move: -1 folds, 0 checks or calls, a positive number is the street total to raise to.

        Raises:
            IllegalMove: If the rules do not allow the move; nothing changes.
            ValueError: If nobody is to act.
        """
        if not self.agents or self.terminations[self.agent_selection]:
            raise ValueError(
                "play: nobody is to act; call step(None) for terminated agents, or reset() to begin an episode"
            )
        move = whole_number("play", move, MOVE)
        check_move(self._records, self._rules, 0, move)
        self._play(move)

    def _play(self, move: int) -> None:
        """Play a legal move, and continue to the next decision."""
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self._refused:
            self._clear_refusal(self.agent_selection)
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self._select(self._view.play(move))
        if self.render_mode == "human":
            self.render()

    def _move_of(self, action: Any) -> int:
        """The engine move that an action means."""
        try:
            return self._view.decoded(action) if self._is_box else self._view.chosen(action)
        except EncoderError:
            raise
        except ValueError:
            if self.on_illegal == "raise":
                raise
        return self._view.check_or_fold()

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return the selected agent's observation, reward since its last step, termination, truncation and info.

        Args:
            observe: Whether to make the observation; otherwise it is None.

        Raises:
            ValueError: If it is called before reset or after the episode.
        """
        if not self.agents:
            raise ValueError("last: the episode is over (or was never begun); call reset() first")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: AgentID) -> Observation:
        """Return what the agent's seat sees now, also when it is not its turn.

        Raises:
            ValueError: If the agent does not exist.
        """
        seat = self._seat_of("observe", agent)
        seen = self._view.seen(seat)
        if self.mask_in_info:
            return seen
        if self._is_box:
            return {"observation": seen}
        return {
            "observation": seen,
            "action_mask": self._view.offered() if seat == self._view.actor else self._empty_mask.copy(),
        }

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats, hidden cards included, one after the other in one flat array. For centralised
        critics in training."""
        return self._view.seen_by_all().ravel()

    def _update_masks(self) -> None:
        """Put the masks where `mask_in_info` wants them."""
        for agent in self.agents if not self._is_box else ():
            acts = self._seat[agent] == self._view.actor
            self.infos[agent]["action_mask"] = self._view.offered() if acts else self._empty_mask.copy()

    def render(self, seat: int | None = None) -> str | NDArray[np.uint8] | None:
        """Render the table in the environment's render_mode.

        Args:
            seat: The seat that sees the table: other hands are hidden unless they were shown. By default all cards are
                drawn.

        Returns:
            Text for "ansi", (height, width, 3) uint8 pixels for "rgb_array". "human" shows a picture in a notebook or a
            window, and prints text where there is neither.

        Raises:
            ValueError: If the seat does not exist.
        """
        return self._renderer.render(self.records, self.rules, seat)

    def _repr_html_(self) -> str | None:
        """The table, for notebooks; nothing before the first reset."""
        is_dealt = getattr(self, "agent_selection", None) is not None
        return self._renderer.drawn(self.records, self.rules) if is_dealt else None

    def close(self) -> None:
        """Nothing to release."""
