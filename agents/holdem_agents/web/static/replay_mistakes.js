// What a player's decisions cost: a list that the server makes when somebody asks, each with a way to solve it.

import { cards } from "./cards.js";
import { field, fill, h } from "./dom.js";
import { solveLink } from "./solve_link.js";
import { table } from "./watched.js";
import { count } from "./words.js";

const YOU = "you";

/** A part of the page for the mistakes of one player. names: of the players. */
export function mistakesPart(id, names, api) {
  const inside = h("div", { "aria-live": "polite" });
  const player = h("input", { name: "player", list: "players", autocomplete: "off", value: names.includes(YOU) ? YOU : names[0] ?? "" });
  const button = h("button", { type: "submit" }, "Judge");
  const judge = async (event) => {
    event.preventDefault();
    button.disabled = true;
    fill(inside, h("p", { class: "empty", role: "status" }, "Turns and rivers are solved, which takes seconds to minutes …"));
    try {
      const query = new URLSearchParams({ player: player.value.trim() });
      fill(inside, list(id, await api.get(`/api/replay/${encodeURIComponent(id)}/mistakes?${query}`)));
    } catch (error) {
      fill(inside, h("p", { class: "problem", role: "alert" }, error.message));
    } finally { button.disabled = false; }
  };
  return h("details", { class: "card mistakes" }, h("summary", {}, "Mistakes: what decisions on turns and rivers cost"),
    h("form", { class: "row", onsubmit: judge }, field("Whose decisions", player), button), inside);
}

function list(id, { hands, decisions, mean, half_width: half, assumed, sentences, rows }) {
  const lost = decisions ? `, ${mean.toFixed(2)}${half === null ? "" : ` ± ${half.toFixed(2)}`} bb lost by each on average` : "";
  const hand = ({ number, hand: name }) => h("a", { href: `#/replay/${encodeURIComponent(id)}/${number}/0` }, name);
  return [h("p", {}, `${count(decisions, "decision")} judged in ${count(hands, "hand")}${lost}. ${assumed}`),
    h("p", { class: "dim" }, sentences.join(" ")),
    rows.length > 0 && table(["Hand", "Street", "Cards", "Board", "Made", "Best", "Loses, bb", h("span", { class: "unseen" }, "Solve")], rows.map((each) =>
      [hand(each), each.street, cards(each.cards), cards(each.board), each.made, each.best, each.loss.toFixed(2), solveLink(id, each.number, each.solve)]), 6)];
}
