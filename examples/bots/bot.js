// A bot for the protocol of docs/protocol.md: holdem match "program:node bot.js" nit
// It looks at one decision at a time: how strong is the hand, what does a call cost, what is there to win.
"use strict";
const readline = require("readline");

const RANKS = "23456789TJQKA";
const STRONG = 0.8;
const BLUFFS = 0.1;

const rankOf = (card) => RANKS.indexOf(card[0]);

/** How often each value occurs. */
function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) || 0) + 1);
  return found;
}

/** How good a hand is, from 0 to 1, by simple rules. */
function strength(hole, board) {
  const own = hole.map(rankOf).sort((a, b) => b - a);
  const suits = counts([...hole, ...board].map((card) => card[1]));
  if (board.length === 0) {
    const pair = new Set(own).size < own.length;
    const suited = Math.max(...suits.values()) > 1;
    return 0.15 + 0.02 * (own[0] + (own[1] || 0)) + (pair ? 0.3 : 0) + (suited ? 0.05 : 0);
  }
  const ranks = counts([...hole, ...board].map(rankOf));
  const mine = [...new Set(own)].map((rank) => ranks.get(rank)).sort((a, b) => b - a);
  const flush = hole.some((card) => suits.get(card[1]) >= 5);
  const straight = [0, 1, 2, 3, 4, 5, 6, 7, 8].some((low) => [0, 1, 2, 3, 4].every((k) => ranks.has(low + k)));
  const pairs = [...ranks.values()].filter((count) => count > 1).length;
  if (flush || straight || (mine[0] >= 3 && pairs > 1)) return 0.95;
  if (mine[0] >= 3) return 0.85;
  if (mine[0] === 2 && mine[1] === 2) return 0.75;
  if (mine[0] === 2) {
    const pair = Math.max(...own.filter((rank) => ranks.get(rank) === 2));
    return pair >= Math.max(...board.map(rankOf)) ? 0.6 : 0.45;
  }
  return 0.15 + 0.01 * own[0];
}

/** The move at a decision, as an answer without its id. */
function decide(m) {
  const opponents = m.folded.filter((folded) => !folded).length - 1;
  const share = strength(m.hole_cards, m.board) - 0.04 * (opponents - 1);
  const { check, call, raise_min: least, raise_max: most } = m.legal;
  const bluffs = check && m.random < BLUFFS;
  if (least !== null && (share >= STRONG || bluffs)) {
    const chip = m.game.smallest_chip;
    const total = Math.floor((m.bets[m.seat] + call + (2 * m.pot) / 3) / chip) * chip;
    return { move: "raise", to: Math.max(least, Math.min(total, most)) };
  }
  if (check) return { move: "check" };
  const price = call / (m.pot + call); // the share of the pot that a call needs
  return { move: share >= price + 0.1 ? "call" : "fold" };
}

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ name: "javascript bot" });
  else if (message.type === "decision") say({ id: message.id, ...decide(message) });
  // other messages need no answer
});
