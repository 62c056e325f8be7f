// The page "ladder": agents rated against a fixed set of opponents, a table for each game.

import { fill, h, svgPart } from "./dom.js";
import { SMALL, table } from "./watched.js";
import { chips, interval } from "./words.js";

/** Draw the page into `main`. parts: the name of one ladder, or none. */
export async function page(main, parts, api) {
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
      ` plays an agent against everybody here and keeps the results in ${found.file}.`),
    ladders.map(one),
    !ladders.length && h("p", { class: "empty" }, "There is no such ladder."),
    h("p", { class: "dim" }, h("small", {}, found.explanation)),
  ];
}

function one(ladder) {
  return h("section", { class: "card" }, h("h2", {}, ladder.title),
    h("figure", { class: "alone" }, svgPart(SMALL.matches ? ladder.svg_narrow : ladder.svg)),
    table(["", "agent", "bb/100", ...ladder.rungs, "hands", "added", ""], ladder.rows.map((row) => [
      row.rank, row.name, rate(row.rate), ...ladder.rungs.map((rung) => rate(row.against[rung])), chips(row.hands),
      row.added, row.note]), 2),
    h("p", { class: "dim" }, h("small", {}, `Against each opponent: bb/100 by ${ladder.estimate}.`)));
}

function rate(each) {
  if (!each || each.mean === null) return "";
  return each.half_width === null ? `${interval(each.mean, null, 0)} ± ∞` : interval(each.mean, each.half_width, 0);
}
