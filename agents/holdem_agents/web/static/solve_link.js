// Solve from here: to the page "Solve", with the spot of a hand that was played.

import { h } from "./dom.js";

/** A link. id: of the collection; number: the hand's place in it; street: 1 for the flop. */
export function solveLink(id, number, street) {
  return h("a", { class: "button small solve-link", href: `#/solve?from=${encodeURIComponent(id)}/${number}/${street}`,
    title: "Solve this street from its beginning" }, "Solve from here");
}
