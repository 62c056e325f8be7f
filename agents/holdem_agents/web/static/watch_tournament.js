// A tournament while it is played: standings, crosstable, who plays now, who has forfeited.

import { fill, h, say, svgPart } from "./dom.js";
import { SMALL, View, redraw, stateOf, table, titled } from "./watched.js";
import { chips, duration, percent } from "./words.js";

const LONGEST = 20; // characters of a name in the crosstable

/** Follows one tournament. */
export class TournamentView extends View {
  constructor(main, id, api) {
    super(main, api);
    this.path = `/api/watch/tournaments/${encodeURIComponent(id)}`;
    this.events = `${this.path}/events`;
    this.body = h("div");
    fill(main, h("p", {}, h("a", { href: "#/watch" }, "← All runs and tournaments")), this.notice, this.body);
  }

  async load() {
    const found = await this.api.get(this.path);
    document.title = `${found.name} · holdem`;
    redraw(this.body, found, () => tournamentParts(found, this.path));
    if (this.forfeits !== undefined && this.forfeits < found.forfeits.length) say(`${found.forfeits.at(-1).name} has forfeited.`);
    this.forfeits = found.forfeits.length;
  }

  tick(again) { again(); }
}

function tournamentParts(found, path) {
  const share = found.total ? found.done / found.total : null;
  const facts = [
    ["Game", found.game], ["Format", found.kind], ["Hands", chips(found.hands)],
    [found.is_most ? `${words(found.deal)}, at most` : words(found.deal),
      found.total === null ? chips(found.done) : `${chips(found.done)} of ${chips(found.total)}`],
    ["Time left", found.seconds_left === null ? "" : `about ${duration(found.seconds_left)}`],
    ["Playing now", found.state === "running" ? found.now.map((pair) => pair.join(" against ")).join("; ") : ""],
    ["Stored last", found.latest ? found.latest.join(found.latest.length > 2 ? ", " : " against ") : ""],
  ].filter(([, value]) => value);
  return [
    h("section", { class: "card" },
      h("div", { class: "row spread" }, h("h1", {}, found.name), stateOf(found)),
      share !== null && h("div", { class: "how-far big" },
        h("span", { class: "bar" }, h("i", { style: `width:${(100 * share).toFixed(1)}%` })), h("small", {}, percent(share, 0))),
      found.sentence && h("p", { class: "problem" }, found.sentence),
      h("dl", { class: "facts left" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      found.rows.length > 0 && h("div", { class: "row" },
        h("a", { class: "button small", href: `${path}/report`, target: "_blank", rel: "noopener" }, "The whole report"))),
    found.forfeits.length > 0 && h("section", { class: "card" }, h("h2", {}, "Forfeited"),
      h("dl", { class: "forfeits" }, found.forfeits.map((each) => [h("dt", {}, each.name), h("dd", {}, each.reason)]))),
    found.svg && h("section", { class: "card" }, h("h2", {}, "Standings"), h("figure", { class: "alone" }, svgPart(SMALL.matches ? found.svg_narrow : found.svg)),
      standings(found), h("p", { class: "dim" }, h("small", {}, found.explanation))),
    found.cross.length > 0 && h("section", { class: "card" }, h("h2", {}, "Crosstable"), crosstable(found)),
    !found.rows.length && !found.sentence && h("p", { class: "empty" }, "Nothing is finished yet."),
  ];
}

function words(deal) {
  return deal === "session" ? "Sessions" : "Deals";
}

function standings(found) {
  const agent = found.columns.findIndex((column) => column.key === "agent");
  const rows = found.cells.map((cells, k) => cells.map((cell, j) => j === agent ? titled(found.names[k], found.titles, cell) : cell));
  return table(found.columns.map((column) => column.heading), rows, found.columns.map((column, k) => k === 0 || column.is_words));
}

/** A name in a table, at most LONGEST characters; the title has the whole one. */
function cut(name) {
  return name.length <= LONGEST ? name : h("span", { title: name }, `${name.slice(0, LONGEST - 1)}…`);
}

/** Who wins from whom. Signs say it; shades say how much, where the interval leaves no doubt. */
function crosstable(found) {
  const most = Math.max(1, ...found.cross.flat().filter(Boolean).map((each) => Math.abs(each.mean ?? 0)));
  const cell = (each) => {
    if (!each || each.mean === null) return h("td", { class: "number dim" }, each ? "–" : "");
    const isClear = each.half_width !== null && Math.abs(each.mean) > each.half_width;
    const strength = isClear ? Math.round(12 + 38 * Math.min(Math.abs(each.mean) / most, 1)) : 0;
    const shade = strength ? `background:color-mix(in srgb, var(--panel), var(--${each.mean > 0 ? "part-1" : "part-2"}) ${strength * 2}%)` : null;
    return h("td", { class: strength ? "number shaded" : "number", style: shade }, h("b", {}, each.text),
      h("br"), h("small", {}, each.width_text));
  };
  return [h("div", { class: "scroll cross-box", tabindex: "0", role: "region", "aria-label": "Crosstable" }, h("table", { class: "numbers cross" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Agent")), found.names.map((name) => h("th", { scope: "col", class: "number" }, cut(name))))),
    h("tbody", {}, found.cross.map((row, k) => h("tr", {}, h("th", { scope: "row" }, titled(found.names[k], found.titles, cut(found.names[k]))), row.map(cell)))))),
  h("p", {}, h("small", {}, `${found.unit} of the row's agent. Blue wins, orange loses, where the ${percent(found.confidence, 0)} interval leaves no doubt.`))];
}


