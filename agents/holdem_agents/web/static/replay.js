// The page "Replay": #/replay lists what there is, #/replay/HID its hands, #/replay/HID/HAND/STEP is one hand.

import { fill, h } from "./dom.js";
import { handPage } from "./replay_hand.js";
import { listPage } from "./replay_list.js";
import { count } from "./words.js";

const KINDS = { play: "Played here", history: "Histories", run: "Training runs", tournament: "Tournaments" };

/** Draw the page into `main`. parts: what follows its name in the address. */
export async function page(main, parts, api) {
  const [collection, hand, step] = parts;
  if (hand) return handPage(main, collection, hand, step, api);
  if (collection) return listPage(main, collection, api);
  return collectionsPage(main, api);
}

async function collectionsPage(main, api) {
  const { collections } = await api.get("/api/replay");
  const kinds = Object.entries(KINDS).filter(([kind]) => collections.some((each) => each.kind === kind));
  fill(main, h("div", { class: "collections" },
    h("h1", {}, "Replay hands"),
    kinds.map(([kind, title]) => h("section", { class: "card" }, h("h2", {}, title),
      h("ul", { class: "tables" }, collections.filter((each) => each.kind === kind).map(collectionLink)))),
    h("section", { class: "card" }, h("h2", {}, collections.length ? "More hands" : "No hands yet"),
      h("p", {}, "Hands that you play here appear by themselves. To open a history, start the server with it:"),
      h("p", {}, h("code", {}, "holdem web --history hands.phhs")),
      h("p", { class: "dim" }, "PHH files, logs of the ACPC and PokerStars' text can be read, also compressed, and whole folders of them."))));
}

function collectionLink(each) {
  return h("li", {}, h("a", { href: `#/replay/${encodeURIComponent(each.id)}` },
    h("span", {}, h("b", {}, each.title), each.hands === null ? null : h("small", {}, count(each.hands, "hand"))),
    h("span", { class: "button small main" }, "Open")));
}
