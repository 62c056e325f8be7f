// The page "ladder": what agents won from a fixed set of opponents, head to head, a table for each game.

import { fill, h, svgPart } from "./dom.js";
import { SMALL, table, titled } from "./watched.js";
import { chips, signed } from "./words.js";

/** Draw the page into `main`. parts: the name of one ladder, or none. */
export async function page(main, parts, api) {
  fill(main, h("h1", {}, "Ladder"), h("p", { class: "empty", role: "status" }, "The ladders are added up …"));
  const found = await api.get("/api/ladder");
  const draw = () => fill(main, h("h1", {}, "Ladder"), shown(found, parts[0]));
  draw();
  SMALL.addEventListener("change", draw);
  return () => SMALL.removeEventListener("change", draw);
}

function shown(found, name) {
  const ladders = found.ladders.filter((each) => !name || each.name === name);
  return [
    found.sentence && h("p", { class: "problem" }, found.sentence),
    h("p", { class: "dim" }, h("code", {}, "holdem ladder add runs/demo/final.safetensors"),
      ` plays an agent against everybody here and keeps the results in ${found.folder}.`),
    ladders.map((each) => one({ ...each, explanation: found.explanation })),
    !ladders.length && h("p", { class: "empty" }, "There is no such ladder."),
  ];
}

function one(ladder) {
  const rows = ladder.rows.map((row) => ({ ...row, ...score(row, ladder.anchors) })).sort((one, two) => two.points - one.points);
  return h("section", { class: "card ladder" }, h("h2", {}, ladder.title),
    table(["agent", "beats", ...ladder.anchors.map(inParts), "hands", "added", ""], rows.map((row) => [
      titled(row.name, ladder.titles), row.beats, ...ladder.anchors.map((anchor) => rate(row.against[anchor])), chips(row.hands), row.added, row.note])),
    h("p", { class: "dim" }, h("small", {}, `Against each opponent: bb/100 by ${ladder.estimate}, with the 95 % interval. `,
      "Who beats more of them stands higher; an interval that holds 0 counts for neither.")),
    h("details", {}, h("summary", {}, "Ratings: one number for each agent"),
      h("figure", { class: "alone" }, svgPart(SMALL.matches ? ladder.svg_narrow : ladder.svg)),
      h("p", { class: "dim" }, h("small", {}, ladder.explanation))));
}

/** How many opponents an agent beats for certain, less those that beat it, as a share of those that it played. */
function score(row, anchors) {
  const rates = anchors.map((anchor) => row.against[anchor]).filter((each) => each && each.mean !== null && each.half_width !== null);
  const won = rates.filter((each) => each.mean > each.half_width).length;
  const lost = rates.filter((each) => -each.mean > each.half_width).length;
  return { beats: rates.length ? `${won} of ${rates.length}` : "", points: rates.length ? (won - lost) / rates.length : -2 };
}

function rate(each) {
  if (!each || each.mean === null) return "";
  return [h("b", {}, signed(each.mean)), h("br"), h("small", {}, each.half_width === null ? "± ∞" : `± ${each.half_width.toFixed(0)}`)];
}

/** A name that may go over two lines behind each "_". */
function inParts(name) {
  return name.split("_").flatMap((part, k) => k ? ["_", h("wbr"), part] : [part]);
}
