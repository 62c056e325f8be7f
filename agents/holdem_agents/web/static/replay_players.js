// How the players of a collection play: a table, and what the chosen one won, as lines over its hands.

import { fill, h, svgPart } from "./dom.js";
import { SMALL } from "./watched.js";
import { count, percent, signed, tone } from "./words.js";

const SHARES = [
  ["vpip", "VPIP", "puts chips in before the flop without having to"], ["pfr", "PFR", "raises before the flop"],
  ["3_bet", "3-bet", "raises before the flop after one raise of somebody else, where a raise is allowed"],
  ["aggression", "Aggression", "bets and raises for each call after the flop"],
  ["went_to_showdown", "To showdown", "of the hands in which it saw the flop"],
  ["won_at_showdown", "Won there", "of its showdowns"],
];

/** A part of the page that loads when it is opened. */
export function playersPart(id, api) {
  const inside = h("div", {}, h("p", { class: "empty", role: "status" }, "The hands are played again …"));
  const part = h("details", { class: "card players" }, h("summary", {}, "Players: how they play and what they won"), inside);
  part.addEventListener("toggle", () => load(id, api, inside), { once: true });
  return part;
}

async function load(id, api, inside) {
  const path = `/api/replay/${encodeURIComponent(id)}/players`;
  try {
    const found = await api.get(path);
    if (!found.players.length) return void fill(inside, h("p", { class: "empty" }, "No hand here has an end."));
    const drawing = h("figure", { class: "alone" });
    const choose = async (row, player) => {
      for (const other of row.parentElement.children) other.toggleAttribute("data-chosen", other === row);
      const query = new URLSearchParams({ player: player.id, layout: SMALL.matches ? "narrow" : "wide" });
      fill(drawing, svgPart((await api.get(`${path}/winnings?${query}`)).svg));
    };
    const rows = found.players.map((player) => playerRow(player, choose));
    const some = found.counted < found.hands ? `The latest ${count(found.counted, "hand")} of ${found.hands.toLocaleString("en-US")}.` : "";
    fill(inside, some && h("p", { class: "dim" }, some),
      h("div", { class: "rows" }, h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"),
        h("th", { class: "number", scope: "col" }, "Hands"),
        SHARES.map(([, title, words]) => h("th", { class: "number", scope: "col", title: words }, title)),
        h("th", { class: "number", scope: "col" }, found.unit))), h("tbody", {}, rows))), drawing);
    await choose(rows[0], found.players[0]);
  } catch (error) {
    fill(inside, h("p", { class: "problem", role: "alert" }, error.message));
  }
}

function playerRow(player, choose) {
  const figure = (key) => player[key] === null ? "–" : key === "aggression" ? player[key].toFixed(1) : percent(player[key], 0);
  const button = h("button", { class: "quiet small", type: "button", onclick: () => choose(row, player) }, player.name);
  const row = h("tr", {}, h("td", {}, button), h("td", { class: "number" }, player.hands.toLocaleString("en-US")),
    SHARES.map(([key]) => h("td", { class: "number" }, figure(key))),
    h("td", { class: `number ${tone(player.rate)}` }, player.rate_text));
  return row;
}
