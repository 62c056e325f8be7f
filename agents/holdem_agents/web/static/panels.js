// Beside the table: the running result, the session, the log of the hand.

import { fill, h } from "./dom.js";
import { count, ordinal, signed, tone } from "./words.js";

/** The result so far, with its interval and the all-in value, and how the session stands. */
export function resultPanel(element, view) {
  const { result, session } = view;
  fill(element, h("h2", {}, "Result"), result?.hands ? numbers(result) : h("p", { class: "dim" }, "Your first hand is running."),
    session && sessionFacts(session),
    result?.hands ? h("p", {}, h("a", { href: `/api/play/${view.table}/hands.phhs`, download: true }, "Save the hands (PHH)")) : null);
}

function numbers(result) {
  const rate = (value, text) => [h("b", { class: tone(value) }, text), h("small", {}, ` ${result.unit}`)];
  const isNew = result.half_width === null;
  return [
    h("p", { class: "total" }, h("b", { class: tone(result.chips) }, `${signed(result.chips)} chips`),
      h("small", {}, ` in ${count(result.hands, "hand")}`)),
    h("dl", { class: "facts" },
      h("dt", { title: "With its 95 % interval" }, "Win rate"), h("dd", {}, rate(result.rate, result.rate_text)),
      result.all_in_rate !== null && [
        h("dt", { title: "As if each all-in had paid its mean over the cards that could have come: less luck, the same mean" }, "All-in value"),
        h("dd", {}, rate(result.all_in_rate, result.all_in_text))]),
    isNew && h("p", { class: "dim small-print" }, "An interval needs more hands."),
  ];
}

function sessionFacts(session) {
  const facts = [["Level", session.level], ["Hands to the next level", session.next_level_in],
    ["Players left", session.players_left], ["Your place", session.place && ordinal(session.place)], ["Prize", session.prize]];
  return h("dl", { class: "facts session" }, facts.filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [h("dt", {}, name), h("dd", {}, typeof value === "number" ? value.toLocaleString("en-US") : value)]));
}

/** The log of this hand, the newest line in sight. */
export function logPanel(element, view) {
  const list = h("ol", { class: "lines" }, view.log.map((line) => h("li", {}, line)));
  fill(element, h("h2", {}, "This hand"), view.log.length ? list : h("p", { class: "dim" }, "Nothing has happened yet."));
  list.scrollTop = list.scrollHeight;
}
