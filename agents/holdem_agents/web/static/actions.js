// The bar below the table: what the person may do now. It shows what the server says is legal.

import { h } from "./dom.js";
import { Raise } from "./raise.js";
import { amount, count, interval, ordinal, signed, tone } from "./words.js";

/**
 * What to show for a view. send(what, body) posts an action; mode: "chips" or "bb"; review() shows the last hand.
 * Returns {element, keys, raise}: keys maps a key to what it does.
 */
export function actions(view, mode, send, review) {
  const make = { move, show, agent, hand_over: handOver, over, failed }[view.waiting] ?? agent;
  return make(view, mode, send, review);
}

function shortcut(key) {
  return h("kbd", { "aria-hidden": "true" }, key);
}

function status(...words) {
  return h("p", { class: "status" }, words);
}

function move(view, mode, send) {
  const { legal } = view;
  const play = (chosen) => send("move", { move: chosen });
  const shown = (chips) => amount(chips, view.unit, mode);
  const raise = legal.raise_max ? new Raise(view, mode, play) : null;
  const [folding, calling] = legal.buttons;
  const fold = h("button", { class: "fold", type: "button", disabled: !legal.fold, onclick: () => play(folding.move) }, folding.verb, shortcut("F"));
  const call = h("button", { class: "call", type: "button", "data-first": true, onclick: () => play(calling.move) },
    calling.chips === null ? calling.verb : `${calling.verb} ${shown(calling.chips)}`, shortcut("C"));
  const ask = legal.check ? "Your turn: nothing to call." : `Your turn: ${shown(view.to_call)} to call.`;
  const element = h("div", { class: "act" }, h("p", { class: "status turn" }, h("b", {}, ask)), raise?.element,
    h("div", { class: `buttons ${raise ? "three" : ""}` }, fold, call, raise?.button));
  const keys = { c: () => play(calling.move), k: () => legal.check && play(calling.move), r: () => raise?.ask() };
  if (legal.fold) keys.f = () => play(folding.move);
  raise?.sizes.forEach((each, k) => { keys[k + 1] = () => raise.set(each.move); });
  return { element, keys, raise };
}

function show(view, mode, send) {
  const element = h("div", { class: "act" }, status(h("b", {}, "Showdown: show your cards, or give them back face down?")),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => send("muck") }, "Muck", shortcut("M")),
      h("button", { class: "main", type: "button", "data-first": true, onclick: () => send("show") }, "Show", shortcut("S"))));
  return { element, keys: { s: () => send("show"), m: () => send("muck") } };
}

function agent(view, mode, send) {
  const who = view.seats.find((seat) => seat.is_actor)?.name;
  const words = view.busy ?? (who ? `${who} is thinking` : "The cards are being dealt");
  const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  const leave = h("button", { class: "quiet small", type: "button", onclick: () => send("leave") }, "Leave the table");
  return { element: h("div", { class: "act waits" }, status(words, dots), view.busy && h("div", { class: "buttons" }, leave)), keys: {} };
}

/** "You win 24 chips": the end of a hand. */
export function outcome(view, mode) {
  const last = view.last_hand;
  if (!last) return [h("b", {}, "The hand is over.")];
  const size = amount(Math.abs(last.chips), view.unit, mode);
  const words = last.chips > 0 ? `You win ${size}` : last.chips < 0 ? `You lose ${size}` : "You neither win nor lose";
  const sign = last.chips > 0 ? "▲ " : last.chips < 0 ? "▼ " : "";
  const luck = last.all_in_chips !== null && Math.abs(last.all_in_chips - last.chips) >= 1
    ? h("small", {}, ` by all-in value ${signed(last.all_in_chips, 1)} chips`) : null;
  const folds = last.is_by_folds && last.chips > 0 ? " Everybody else has folded." : "";
  return [h("b", { class: tone(last.chips) }, sign, words, "."), folds, luck];
}

function handOver(view, mode, send, review) {
  const next = () => send("next");
  const element = h("div", { class: "act" }, status(outcome(view, mode)), h("div", { class: "buttons" },
    h("button", { class: "quiet leave", type: "button", onclick: () => send("leave") }, "Leave"),
    h("button", { type: "button", onclick: review }, "Review", shortcut("V")),
    h("button", { class: "main next", type: "button", "data-first": true, onclick: next }, "Next hand", shortcut("↵"))));
  return { element, keys: { Enter: next, " ": next, v: review } };
}

function over(view, mode) {
  const { result, session } = view;
  const place = session?.place ? `You finished ${ordinal(session.place)} of ${view.seats.length}${session.prize ? `: ${session.prize}` : ""}. ` : "";
  const words = result?.hands ? `${count(result.hands, "hand")}: ${signed(result.chips)} chips, ${result.rate_text} ${result.unit}.`
    : "No hand was played to its end.";
  const element = h("div", { class: "act" }, status(h("b", {}, "The game is over. "), place, words), h("div", { class: "buttons" },
    result?.hands ? h("a", { class: "button", href: `/api/play/${view.table}/hands.phhs`, download: true }, "Save the hands") : null,
    h("a", { class: "button main", href: "#/play", "data-first": true }, "New table")));
  return { element, keys: { Enter: () => { location.hash = "#/play"; } } };
}

function failed(view, mode, send) {
  const button = (what, words) => h("button", { type: "button", onclick: () => send(what) }, words);
  const element = h("div", { class: "act" }, h("p", { class: "problem" }, h("b", {}, `${view.failure?.name ?? "An agent"} failed. `),
    "The table is unchanged."), h("pre", { class: "failure" }, view.failure?.text ?? ""),
    h("div", { class: "buttons" }, button("retry", "Ask it again"), button("check_fold", "Let it check or fold"), button("void", "Void the hand")));
  return { element, keys: {} };
}
