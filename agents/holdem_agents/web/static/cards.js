// Cards inside a text: rank and suit, by shape and by colour. Whole tables are drawn by the server.

import { h } from "./dom.js";

const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** Cards such as "Ah Kd" or "AhKd" as elements; unknown ones lie face down. */
export function cards(text) {
  const found = (text ?? "").match(/[2-9TJQKA][cdhs]|\?\?/g) ?? [];
  return h("span", { class: "cards" }, found.map(card));
}

function card(text) {
  const [rank, suit] = text;
  if (!(suit in SIGNS)) return h("span", { class: "card-back", title: "face down" });
  return h("span", { class: `card-in-text suit-${suit}`, role: "img", "aria-label": `${rank} of ${NAMES[suit]}` },
    rank, h("i", {}, SIGNS[suit]));
}
