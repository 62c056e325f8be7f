// Two places side by side: one that the reader keeps, and the one where the walk is.

import { cards } from "./cards.js";
import { fill, h } from "./dom.js";
import { table } from "./watched.js";
import { chips2, percent } from "./words.js";

const WHO = ["IP", "OOP"];

export class Compare {
  /** go(path): the reader wants to be there. */
  constructor(api, go) {
    Object.assign(this, { api, go, kept: null });
    this.button = h("button", { type: "button", class: "small", onclick: () => this.keep() }, "Keep to compare");
    this.element = h("section", { class: "card compare", "aria-label": "Comparison", hidden: true });
  }

  /** Where the walk is; kind: the hands that are looked at. */
  show(at, kind) {
    Object.assign(this, { at, kind });
    this.button.hidden = at.found.kind !== "move";
    this.draw();
  }

  async keep() {
    const { found, path, number } = this.at;
    this.kept = { found, path, number };
    this.draw();
    if (found.values !== undefined) return;
    found.values = (await this.api.get(`/api/solve/values?${new URLSearchParams({ path: path.join(","), number })}`).catch(() => ({ values: null }))).values;
    this.draw();
  }

  draw() {
    const { kept, at, kind } = this;
    const isThere = kept && String(at.path) === String(kept.path) && at.number === kept.number;
    this.element.hidden = !kept || isThere || at.found.kind !== "move";
    if (this.element.hidden) return;
    const both = [at.found, kept.found];
    const row = (name, of, shown) => [name, ...both.map((found) => { const value = of(found); return value === undefined || value === null ? "–" : shown(value); })];
    const mean = (name, who) => (found) => found.values?.means[name][who];
    const words = [...new Set(both.flatMap(({ moves }) => moves.map(({ word }) => word)))];
    const shareOf = (word, shares) => (found) => shares(found)?.[found.moves.findIndex((move) => move.word === word)];
    const moves = (shares) => words.map((word) => row(word, shareOf(word, shares), percent));
    const cell = (found) => found.cells[kind];
    fill(this.element, h("h2", {}, "Compared"),
      table(["", "Here", "Kept"], [
        ["To act", ...both.map(({ player }) => WHO[player])],
        ...[1, 0].flatMap((who) => [row(`EV ${WHO[who]}`, mean("ev", who), chips2), row(`Equity ${WHO[who]}`, mean("equity", who), percent)]),
        ...moves((found) => found.moves.map(({ share }) => share))]),
      kind && both.some(cell) && [h("h3", {}, kind), table(["", "Here", "Kept"], [
        row("EV", (found) => found.values?.cells[found.player][kind]?.ev, chips2), ...moves((found) => cell(found)?.shares)])],
      h("p", { class: "dim" }, "Kept: ", this.lineOf(kept)),
      h("p", { class: "row" }, h("button", { type: "button", class: "small", onclick: () => this.go(kept.path) }, "Go there"),
        h("button", { type: "button", class: "small", onclick: () => this.drop() }, "Forget it")));
  }

  lineOf({ found: { steps } }) {
    return steps.length ? steps.flatMap(({ word, player }, k) => [k ? ", " : "", player === null ? cards(word) : word]) : "the start";
  }

  drop() {
    this.kept = null;
    this.draw();
    this.button.focus();
  }
}
