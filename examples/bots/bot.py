"""A bot for the protocol of docs/protocol.md, with Python alone: `holdem match "program:python3 bot.py" nit`.

It looks at one decision at a time: how strong is the hand, what does a call cost, what is there to win.
"""

import json
import sys
from collections import Counter

RANKS = "23456789TJQKA"
STRONG, BLUFFS = 0.8, 0.1


def strength(hole, board):
    """How good a hand is, from 0 to 1, by simple rules."""
    own = sorted((RANKS.index(card[0]) for card in hole), reverse=True)
    suits = Counter(card[1] for card in hole + board)
    if not board:
        pair = len(set(own)) < len(own)
        suited = max(suits.values()) > 1
        return 0.15 + 0.02 * sum(own[:2]) + 0.3 * pair + 0.05 * suited
    ranks = Counter(RANKS.index(card[0]) for card in hole + board)
    mine = sorted((ranks[rank] for rank in set(own)), reverse=True)  # how often each of my ranks is there
    flush = any(suits[card[1]] >= 5 for card in hole)
    straight = any(all(low + k in ranks for k in range(5)) for low in range(9))
    if flush or straight or (mine[0] >= 3 and len([n for n in ranks.values() if n > 1]) > 1):
        return 0.95
    if mine[0] >= 3:
        return 0.85
    if mine[:2] == [2, 2]:
        return 0.75
    if mine[0] == 2:
        pair = max(rank for rank in own if ranks[rank] == 2)
        return 0.6 if pair >= max(RANKS.index(card[0]) for card in board) else 0.45
    return 0.15 + 0.01 * own[0]


def decide(m):
    """The move at a decision, as an answer without its id."""
    legal, seat = m["legal"], m["seat"]
    opponents = sum(not folded for folded in m["folded"]) - 1
    share = strength(m["hole_cards"], m["board"]) - 0.04 * (opponents - 1)
    bluffs = legal["check"] and m["random"] < BLUFFS
    if legal["raise_min"] is not None and (share >= STRONG or bluffs):
        chip = m["game"]["smallest_chip"]
        total = (m["bets"][seat] + legal["call"] + 2 * m["pot"] // 3) // chip * chip
        return {"move": "raise", "to": max(legal["raise_min"], min(total, legal["raise_max"]))}
    if legal["check"]:
        return {"move": "check"}
    price = legal["call"] / (m["pot"] + legal["call"])  # the share of the pot that a call needs
    return {"move": "call" if share >= price + 0.1 else "fold"}


def main():
    """Answer line by line; other messages need no answer."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"name": "python bot"}), flush=True)
        elif message["type"] == "decision":
            answer = {"id": message["id"], **decide(message)}
            print(json.dumps(answer), flush=message["more"] == 0)


main()
