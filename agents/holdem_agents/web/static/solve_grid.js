// The 169 kinds of hands as 13 by 13 buttons, or the deck as 4 by 13, one of which is in the order of the Tab key; arrows go to the others.
// And a range in such a grid, with its text beside it.

import { field, fill, h, segmented } from "./dom.js";

export const RANKS = "AKQJT98765432";
const LAST = RANKS.length - 1;
const COMBOS = 1326;
const WEIGHTS = ["1", "0.75", "0.5", "0.25", "0"];
const PAUSE = 300; // milliseconds after a key, before the text is read

export const DECK = "shdc".split("").flatMap((suit) => RANKS.split("").map((rank) => rank + suit));

/** What the cell of a row and a column is called: pairs on the diagonal, suited hands above it. */
export function kindAt(row, column) {
  const [high, low] = row < column ? [row, column] : [column, row];
  return RANKS[high] + RANKS[low] + (row === column ? "" : row < column ? "s" : "o");
}

const KINDS = RANKS.split("").flatMap((_, row) => RANKS.split("").map((__, column) => kindAt(row, column)));

export class Grid {
  /** label: what the grid shows. draw(kind, cell): fills a cell. kinds: of all cells, row by row. */
  constructor(label, draw, kinds = KINDS) {
    this.draw = draw;
    this.cells = kinds.map((kind, k) => h("button", { type: "button", class: "cell", "data-kind": kind, tabindex: k ? -1 : 0 }));
    this.element = h("div", { class: "kinds", role: "group", "aria-label": label, onkeydown: (event) => this.key(event) }, this.cells);
    this.element.addEventListener("focusin", ({ target }) => this.cells.forEach((each) => { each.tabIndex = each === target ? 0 : -1; }));
  }

  key(event) {
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
    const at = this.cells.indexOf(event.target);
    if (down === undefined || at < 0) return;
    event.preventDefault();
    let [row, column, cell] = [Math.floor(at / RANKS.length), at % RANKS.length];
    do {
      [row, column] = [row + down, column + right];
      cell = column >= 0 && column <= LAST ? this.cells[row * RANKS.length + column] : null;
    } while (cell?.disabled);
    cell?.focus();
  }

  show() {
    for (const cell of this.cells) this.draw(cell.dataset.kind, cell);
    const first = this.cells.find((cell) => cell.tabIndex === 0 && !cell.disabled) ?? this.cells.find((cell) => !cell.disabled);
    for (const cell of this.cells) cell.tabIndex = cell === first ? 0 : -1;
  }
}

/** Fill a cell: its kind of hand and a word below it; stops: [colour, from 0 to 1 of the width], high: of the height. */
export function paint(cell, word, stops, high, label) {
  let from = 0;
  const parts = stops.map(([colour, share]) => `${colour} ${(100 * from).toFixed(1)}% ${(100 * (from += share)).toFixed(1)}%`);
  cell.style.background = parts.length ? `linear-gradient(to right, ${parts.join(", ")}) left bottom / 100% ${(100 * high).toFixed(0)}% no-repeat var(--cell)` : "";
  cell.classList.toggle("none", !parts.length);
  cell.setAttribute("aria-label", label);
  fill(cell, h("span", {}, cell.dataset.kind), word && h("small", {}, word));
}

/** A stop for `paint`: full is from 0 to 1. */
export function heat(full) {
  return [`color-mix(in srgb, var(--part-3) ${Math.round(10 + 90 * full)}%, var(--cell))`, 1];
}

/** A range: the grid, the weight that a click gives, and the text, which always say the same. */
export class RangeBox {
  constructor(title, api, onChange) {
    Object.assign(this, { api, onChange, cells: {}, weight: 1, turn: 0 });
    this.grid = new Grid(`${title}: kinds of hands`, (kind, cell) => this.drawCell(kind, cell));
    this.input = h("textarea", { rows: 2, maxlength: 20_000, spellcheck: "false", autocapitalize: "off", oninput: () => this.typed() });
    this.note = h("small", { role: "status" });
    const clear = h("button", { type: "button", class: "small quiet", onclick: () => this.set({}) }, "Clear");
    this.element = h("div", { class: "range-box" }, h("div", { class: "row spread" }, h("h3", {}, title), clear), this.grid.element,
      segmented("Weight that a click sets", WEIGHTS.map((each) => [each, each]), "1", (each) => { this.weight = Number(each); }),
      field(`${title}, as text`, this.input), this.note);
    this.listen();
  }

  /** Cells are painted by a click, a key, or by dragging over them. */
  listen() {
    const { element } = this.grid;
    element.addEventListener("pointerdown", (event) => {
      const cell = event.target.closest(".cell");
      if (!cell || event.button) return;
      this.isDragging = true;
      element.setPointerCapture(event.pointerId);
      cell.focus({ preventScroll: true });
      this.put(cell);
    });
    element.addEventListener("pointermove", (event) => {
      const cell = this.isDragging && document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
      if (cell && element.contains(cell)) this.put(cell);
    });
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => { this.isDragging = false; });
    element.addEventListener("click", (event) => { // of a key; the pointer's has painted already
      if (!event.detail) this.put(event.target.closest(".cell") ?? document.activeElement);
    });
  }

  put(cell) {
    const kind = cell.dataset.kind;
    if (!kind || (this.cells[kind] ?? 0) === this.weight) return;
    const { [kind]: _, ...others } = this.cells;
    this.set(this.weight ? { ...others, [kind]: this.weight } : others);
  }

  /** Another range, from its cells. */
  set(cells) {
    this.turn++;
    clearTimeout(this.waiting);
    this.cells = cells;
    this.input.value = textOf(cells);
    this.changed();
  }

  get text() { return this.input.value; }

  typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.read(), PAUSE);
  }

  /** Another range, from its text. */
  async read(text = this.input.value) {
    const turn = ++this.turn;
    this.input.value = text;
    try {
      const { cells } = await this.api.post("/api/solve/range", { text });
      if (turn !== this.turn) return;
      this.cells = cells;
      this.changed();
    } catch (error) {
      if (turn === this.turn) this.wrong(error.message);
    }
  }

  wrong(sentence) {
    this.input.setAttribute("aria-invalid", "true");
    fill(this.note, h("span", { class: "minus" }, `⚠ ${sentence}`));
    this.onChange();
  }

  changed() {
    this.input.removeAttribute("aria-invalid");
    const hands = Object.entries(this.cells).reduce((sum, [kind, each]) => sum + meanOf(each) * combosOf(kind), 0);
    this.note.textContent = `${hands.toLocaleString("en-US", { maximumFractionDigits: 1 })} of 1,326 hands, ${(100 * hands / COMBOS).toFixed(1)}%`;
    this.grid.show();
    this.onChange();
  }

  drawCell(kind, cell) {
    const weight = meanOf(this.cells[kind] ?? 0);
    const word = weight > 0 && weight < 1 ? `${(100 * weight).toFixed(0)}` : null;
    paint(cell, word, weight ? [["var(--part-3)", 1]] : [], weight < 1 ? 0.15 + 0.7 * weight : 1, `${kind}: ${(100 * weight).toFixed(0)}%`);
  }
}

function meanOf(each) {
  return typeof each === "number" ? each : each.mean;
}

/** How many of the 1,326 hands are of a kind. */
export function combosOf(kind) {
  return kind.length === 2 ? 6 : kind[2] === "s" ? 4 : 12;
}

/** The text of a range, as short as pieces like "77+" and "A2s-A5s" make it. */
export function textOf(cells) {
  const places = RANKS.split("").map((_, k) => k);
  const rows = [places.map((k) => kindAt(k, k))];
  for (const high of places) rows.push(places.slice(high + 1).map((low) => kindAt(high, low)));
  for (const high of places) rows.push(places.slice(high + 1).map((low) => kindAt(low, high)));
  const every = rows.flat().map((kind) => cells[kind]);
  if (typeof every[0] === "number" && every.every((each) => each === every[0])) return `random${weightText(every[0])}`;
  return rows.flatMap((row) => pieces(row, cells)).join(", ");
}

/** The pieces of kinds that lie in a row, the highest first. */
function pieces(row, cells) {
  const found = [];
  for (let first = 0; first < row.length;) {
    const weight = cells[row[first]];
    let end = first + 1;
    if (typeof weight === "number") while (end < row.length && cells[row[end]] === weight) end++;
    const [one, other] = [row[first], row[end - 1]];
    if (typeof weight === "object") found.push(weight.text);
    else if (weight) found.push((end === first + 1 ? one : first ? `${other}-${one}` : `${other}+`) + weightText(weight));
    first = end;
  }
  return found;
}

function weightText(weight) {
  return weight === 1 ? "" : `:${weight}`;
}
