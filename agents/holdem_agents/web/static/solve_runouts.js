// Run-outs: the deck as a heat map of what each card that may come next is worth, and the same as a table.

import { cards } from "./cards.js";
import { fill, grouped, h, say } from "./dom.js";
import { DECK, Grid, heat, paint } from "./solve_grid.js";
import { redraw, sortedTable } from "./watched.js";
import { chips2, percent } from "./words.js";

const NAMES = ["In position", "Out of position"];

export class RunOuts {
  /** go(card): deals it. */
  constructor(api, go) {
    Object.assign(this, { chosen: 0, sort: { column: 0, isUp: false } });
    this.select = h("select", { "aria-label": "What the cards show", onchange: () => { this.chosen = this.select.selectedIndex; this.draw(); } });
    this.note = h("p", { class: "dim", role: "status" });
    this.grid = new Grid("The next card", (card, cell) => this.drawCell(card, cell), DECK);
    this.grid.element.classList.add("deck");
    this.grid.element.addEventListener("click", ({ target }) => {
      const cell = target.closest(".cell:enabled");
      if (cell) go(cell.dataset.kind);
    });
    this.list = h("div", { class: "run-outs" });
    this.go = go;
    this.parts = [h("div", { class: "row spread" }, h("h2", {}, "Deal a card"), this.select), this.grid.element, this.note, this.list];
  }

  /** board: the cards that lie there. report: of the server; undefined while it is made, null if there is none. */
  show(board, report) {
    Object.assign(this, { board, report });
    const { player, moves } = report ?? { moves: [] };
    const both = (name, key, shown) => [1, 0].map((who) => ({ name: `${name} ${who ? "OOP" : "IP"}`, label: `${NAMES[who]}: ${name}`, of: (card) => card[key][who], shown }));
    this.columns = [...both("EV", "ev", chips2), ...both("Equity", "equity", percent),
      ...moves.map((word, k) => ({ name: word, label: `${NAMES[player]}: ${word}`, of: (card) => card.shares[k], shown: percent }))];
    this.cards = Object.entries(report?.cards ?? {});
    this.hasValues = this.cards.length > 0;
    if (this.chosen >= this.columns.length && report) this.chosen = 0;
    const groups = [["Worth", 0, 4], ["First decision after the card", 4]];
    fill(this.select, grouped(groups.map(([label, ...part]) => [label, this.columns.map((each, k) => [k, each.label]).slice(...part)]), this.chosen));
    this.draw();
    if (this.hasValues) say("The cards are compared.");
  }

  draw() {
    const { columns, cards: found, hasValues, sort } = this;
    this.select.hidden = !hasValues;
    const { label, of, shown } = columns[this.chosen] ?? columns[0];
    const values = found.map(([, card]) => of(card));
    this.span = [Math.min(...values), Math.max(...values)];
    this.grid.show();
    fill(this.note, hasValues ? `${label}, ${shown(this.span[0])} to ${shown(this.span[1])}: the fuller the colour, the higher.`
      : this.report === undefined ? "EV, equity and frequencies after each card are computed …" : this.report && "No hand comes here: this line is never played.");
    if (sort.column > columns.length) sort.column = 0;
    redraw(this.list, [sort, found], () => hasValues && sortedTable(["Card", ...columns.map(({ name }) => name)], found.map(([name, card]) =>
      [[-DECK.indexOf(name), h("button", { type: "button", class: "small quiet", "aria-label": `Go to ${name}`, onclick: () => this.go(name) }, cards(name))],
        ...columns.map((each) => [each.of(card), each.shown(each.of(card))])]), sort, () => this.draw()));
  }

  drawCell(name, cell) {
    const card = this.report?.cards[name];
    const { label, of, shown } = this.columns[this.chosen] ?? this.columns[0];
    cell.disabled = this.board.includes(name) || (this.hasValues && !card);
    const value = card && of(card);
    const [low, high] = this.span;
    const word = card && short(shown === percent ? 100 * value : value);
    paint(cell, word, card ? [heat((value - low) / Math.max(high - low, 1e-9))] : [], 1, `Deal ${name}${card ? `: ${label} ${shown(value)}` : ""}`);
    cell.firstChild.replaceWith(cell.disabled ? "" : cards(name));
  }
}

/** A number as a cell has room for it: 12.5, 123, 1.23K. */
function short(number) {
  return Math.abs(number) < 99.95 ? chips2(number) : number.toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: 3 }).replace("-", "−");
}
