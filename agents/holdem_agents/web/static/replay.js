// The page "Replay": #/replay lists what there is, #/replay/HID its hands, #/replay/HID/HAND/STEP is one hand.

import { fill, h, toast } from "./dom.js";
import { handPage } from "./replay_hand.js";
import { listPage } from "./replay_list.js";
import { count, signed, tone } from "./words.js";

const KINDS = { play: "Played here", history: "Histories", run: "Training runs", tournament: "Tournaments" };

/** Draw the page into `main`. parts: what follows its name in the address. */
export async function page(main, parts, api) {
  const [collection, hand, step] = parts;
  if (hand) return handPage(main, collection, hand, step, api);
  if (collection) return listPage(main, collection, api);
  return collectionsPage(main, api);
}

async function collectionsPage(main, api) {
  fill(main, h("h1", {}, "Replay hands"), h("p", { class: "empty", role: "status" }, "The collections are looked up …"));
  const { collections } = await api.get("/api/replay");
  const kinds = Object.entries(KINDS).filter(([kind]) => collections.some((each) => each.kind === kind));
  fill(main, h("div", { class: "collections" },
    h("h1", {}, "Replay hands"),
    kinds.map(([kind, title]) => h("section", { class: "card" }, h("h2", {}, title),
      h("ul", { class: "tables" }, collections.filter((each) => each.kind === kind).map(collectionLink)))),
    opener(main, collections.length, api)));
}

/** A button that opens a file, and the page as a place to drop one. */
function opener(main, isMore, api) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const open = async (file) => {
    if (!file) return;
    problem.hidden = true;
    button.disabled = true;
    try {
      const { id } = await api.send(`/api/replay/open?name=${encodeURIComponent(file.name)}`, file);
      toast(`${file.name} is open until the server ends.`);
      location.hash = `#/replay/${encodeURIComponent(id)}`;
    } catch (error) {
      fill(problem, error.message).hidden = false;
    } finally { button.disabled = false; }
  };
  const input = h("input", { type: "file", hidden: true, "aria-label": "A file of hands", onchange: () => open(input.files[0]) });
  const button = h("button", { class: "main", type: "button", onclick: () => input.click() }, "Open a file …");
  const card = h("section", { class: "card drop" }, h("h2", {}, isMore ? "More hands" : "No hands yet"), problem,
    h("div", { class: "row" }, button, h("span", { class: "dim" }, "or drop one on this page."), input),
    h("p", { class: "dim" }, "PHH, logs of the ACPC and PokerStars' text, also compressed. Hands that you play here appear by themselves; ",
      h("code", {}, "holdem web --history FOLDER"), " opens whole folders."));
  main.addEventListener("dragover", (event) => { event.preventDefault(); card.dataset.over = ""; });
  main.addEventListener("dragleave", () => delete card.dataset.over);
  main.addEventListener("drop", (event) => { event.preventDefault(); delete card.dataset.over; open(event.dataTransfer.files[0]); });
  return card;
}

function collectionLink(each) {
  return h("li", {}, h("a", { href: `#/replay/${encodeURIComponent(each.id)}` },
    h("span", {}, h("b", {}, each.title), h("small", {}, facts(each))),
    h("span", { class: "button small main" }, "Open")));
}

/** Date, opponents, hands and the result, as far as they are known. */
function facts(each) {
  const date = each.date && new Date(1000 * each.date).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const known = [date, each.opponents && `against ${each.opponents.join(", ")}`, each.hands === null ? null : count(each.hands, "hand")];
  const result = each.chips === undefined ? null
    : [" · ", h("b", { class: tone(each.chips) }, `${signed(each.chips)} chips`), ` (${each.rate})`];
  return [known.filter(Boolean).join(" · "), result];
}
