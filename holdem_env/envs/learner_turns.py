"""Tables with learners' seats and agents in the others: who plays a hand, and whose turn it is."""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline, kernel
from ..engine.invariants import watched
from ..engine.random_numbers import GOLDEN, hand_stream, mix, random_below
from ..engine.record import MAX_SEATS, NOBODY
from ..engine.stepping import deal_next_hand, next_session_decision

LEARNER = -1
NO_AGENT = -2
"""No agent stands for the learner: only `learner_seat` learns. In `played_by`: nobody was dealt in."""
# The agents' weights sum to this.
WHOLE = 1_000_000
# After this many hands in a row without a decision of the learner, the game is called unplayable.
MAX_HANDS = 10_000
SEATING_SALT = 0x53454154
ONE_OPPONENT_SALT = 0x4F4E45


@inline
def agent_at(number, thresholds):
    """The agent whose part of WHOLE contains the number."""
    agent = 0
    while number >= thresholds[agent]:
        agent += 1
    return agent


@inline
def draw_agents(t, r, learner_seat, thresholds, itself, one_opponent, sitting, owners):
    """Draw the agent of each seat for this sitting of `sitting` hands, from seed, table, sitting and seat, whatever the
    deck.

    In `one_opponent` of WHOLE sittings one agent plays all seats but the learner's; in the others each seat's agent is
    drawn separately. Seats for which the agent `itself` is drawn learn, too.
    """
    number = t.hand // sitting
    whole_table = hand_stream(t.seed ^ ONE_OPPONENT_SALT, t.table_id, number) + GOLDEN
    is_one = random_below(mix(whole_table), WHOLE) < one_opponent
    the_one = agent_at(random_below(mix(whole_table + GOLDEN), WHOLE), thresholds)
    stream = hand_stream(t.seed ^ SEATING_SALT, t.table_id, number)
    for seat in range(r.seats):
        stream = stream + GOLDEN
        agent = the_one if is_one else agent_at(random_below(mix(stream), WHOLE), thresholds)
        owners[seat] = LEARNER if seat == learner_seat or agent == itself else agent


@kernel
def seat_agents(tables, rules, learner_seats, thresholds, itself, one_opponent, sitting, owners):
    """Draw the agents of the running hands.

    thresholds: the running sums of the agents' weights, the last one WHOLE. itself, one_opponent, sitting: see
    `draw_agents`.
    """
    for i in range(tables.size):
        draw_agents(tables[i], rules[0], learner_seats[i], thresholds, itself, one_opponent, sitting, owners[i])


@inline
def pay_learner(t, seat, i, acted, reward, done, finished):
    """Pay the learner for the hand that is over at table i, if it had a decision in it. Keep the final record if
    `finished` has rows.
    """
    if acted[i]:
        reward[i] = t.stack[seat] - t.start_stack[seat]
        done[i] = True
        acted[i] = False
        if finished.size > 0:
            finished[i] = t


@watched
@kernel
def next_turns(
    tables,
    rules,
    log,
    rows,
    learner_seats,
    thresholds,
    one_opponent,
    owners,
    acted,
    reward,
    done,
    finished,
    waited,
    queue,
    starts,
):
    """Pay finished hands at tables[rows] and deal the next ones; then sort the tables where an agent is to act.

    Agent a's tables are queue[starts[a]:starts[a + 1]]; the other tables wait for the learner.
    acted: whether the learner had a decision in the running hand.
    waited: hands dealt since the learner's last decision.
    finished: the final records of the learner's hands, one per table, or an empty array if they are not needed.
    Returns the first table where the learner never gets a decision, or -1.
    """
    r = rules[0]
    starts[:] = 0
    for k in range(rows.size):
        i = rows[k]
        t = tables[i]
        seat = learner_seats[i]
        while t.actor == NOBODY:
            if waited[i] >= MAX_HANDS:
                return i
            pay_learner(t, seat, i, acted, reward, done, finished)
            waited[i] += 1
            deal_next_hand(t, rules, log[0])
            draw_agents(t, r, seat, thresholds, NO_AGENT, one_opponent, 1, owners[i])
        owner = owners[i, t.actor]
        if owner != LEARNER:
            starts[owner + 1] += 1
    for agent in range(1, starts.size):
        starts[agent] += starts[agent - 1]
    sort_by_agent(tables, rows, owners, queue, starts)
    return NOBODY


@inline
def sort_by_agent(tables, rows, owners, queue, starts):
    """Write each agent's tables to its part of the queue, in order. `starts` is restored at the end."""
    for k in range(rows.size):
        owner = owners[rows[k], tables[rows[k]].actor]
        if owner != LEARNER:
            queue[starts[owner]] = rows[k]
            starts[owner] += 1
    for agent in range(starts.size - 1, 0, -1):
        starts[agent] = starts[agent - 1]
    starts[0] = 0


@inline
def learner_is_in(t, r, owners):
    """Whether a seat of the learner still has cards."""
    for seat in range(r.seats):
        if owners[seat] == LEARNER and t.in_hand[seat]:
            return True
    return False


@watched
@kernel
def finish_hands(
    tables,
    rules,
    log,
    learner_seats,
    thresholds,
    itself,
    one_opponent,
    sitting,
    owners,
    is_session,
    ended,
    finished,
    played_by,
):
    """Deal the next hands where hands are over, until somebody is to act, and draw who plays them.

    A hand that stands alone is over for the learner once all its seats have folded; the others need not play it out,
    but in sittings of several hands, where everybody may remember how it ended.
    is_session: whether hands follow each other as in a session, where stacks carry over; else each stands alone. The
    first numbers of `ended` are the tables where hands with decisions ended, and the first rows of `finished` and
    `played_by` their final records and who had each seat, NO_AGENT where nobody was dealt in. Returns how many there
    are.
    """
    count = 0
    unpaid, places = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int8)
    for i in range(tables.size):
        t = tables[i]
        if t.actor != NOBODY and (is_session or sitting > 1 or learner_is_in(t, rules[t.stage], owners[i])):
            continue
        ended[count] = i
        finished[count] = t
        for seat in range(rules[0].seats):
            played_by[count, seat] = owners[i, seat] if t.was_dealt[seat] else NO_AGENT
        count += 1
        if is_session:
            next_session_decision(t, rules, log[0], unpaid, places)
        else:
            for _ in range(MAX_HANDS):
                deal_next_hand(t, rules, log[0])
                if t.actor != NOBODY:
                    break
        draw_agents(t, rules[0], learner_seats[i], thresholds, itself, one_opponent, sitting, owners[i])
    return count


@kernel
def sort_turns(tables, owners, queue, starts):
    """Sort all tables by who is to act: part 0 of the queue, queue[starts[0]:starts[1]], is the learner's, and part
    a + 1 is agent a's.

    Returns a table where nobody is to act, or -1.
    """
    starts[:] = 0
    for i in range(tables.size):
        if tables[i].actor == NOBODY:
            return i
        starts[owners[i, tables[i].actor] + 2] += 1
    for part in range(1, starts.size):
        starts[part] += starts[part - 1]
    for i in range(tables.size):
        part = owners[i, tables[i].actor] + 1
        queue[starts[part]] = i
        starts[part] += 1
    for part in range(starts.size - 1, 0, -1):
        starts[part] = starts[part - 1]
    starts[0] = 0
    return NOBODY
