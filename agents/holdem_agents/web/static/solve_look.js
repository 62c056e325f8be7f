// A walk through a solution: moves and cards as buttons, the line so far, and the strategy as 13 by 13 cells.

import { cards } from "./cards.js";
import { fill, h, say, segmented } from "./dom.js";
import { classTables } from "./solve_classes.js";
import { Compare } from "./solve_compare.js";
import { LockEditor, lockSign } from "./solve_locks.js";
import { Grid, combosOf, heat, paint, textOf } from "./solve_grid.js";
import { RunOuts } from "./solve_runouts.js";
import { table } from "./watched.js";
import { chips, chips2, count, duration, percent } from "./words.js";

const NAMES = ["In position", "Out of position"];
const SOON = 250; // milliseconds at a place after which EV and equity are asked for
const SMALL_POT = 20; // chips below which cells show a decimal
const LEAST = 0.3; // of a cell's height, for kinds of hands that hardly come there

export class Look {
  /** locks: the form's. solve(): the reader wants the spot solved again. onMove(isMove): `path` is new; isMove: by a click
   * of the reader. */
  constructor(api, locks, solve, onMove) {
    Object.assign(this, { api, locks, onMove, path: [], turn: 0, view: "strategy", whose: 1 });
    this.facts = h("div", { class: "card" });
    this.line = h("nav", { class: "line", "aria-label": "The line so far" });
    this.next = h("div", { class: "moves" });
    this.switches = h("div", { class: "row switches" });
    this.legend = h("ul", { class: "legend" });
    this.hands = h("div", { class: "hands-of-cell", "aria-live": "polite" });
    this.lock = new LockEditor(api, locks, solve);
    locks.listen(() => this.found && this.drawLine());
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.title = h("h2", {});
    this.grid = new Grid("Strategy by kinds of hands", (kind, cell) => this.drawCell(kind, cell));
    for (const name of ["pointerover", "focusin", "click"]) {
      this.grid.element.addEventListener(name, ({ target }) => this.showHands(target.closest(".cell")?.dataset.kind));
    }
    this.chart = h("section", { class: "card solve-chart" }, h("div", { class: "row spread" }, this.title, this.switches), this.grid.element, this.legend);
    this.deal = h("section", { class: "card solve-chart", hidden: true });
    this.runOuts = new RunOuts(api, (card) => this.go([...this.path, card]));
    this.files = h("p", { class: "row files" });
    this.compare = new Compare(api, (path) => this.go(path));
    this.classes = h("section", { class: "card", "aria-label": "Classes of hands" });
    this.handsCard = h("section", { class: "card" }, this.hands, this.files);
    this.element = h("div", { class: "look" }, h("section", { class: "card walk" }, this.line, this.problem, this.next, this.lock.element, this.compare.button), this.chart, this.deal,
      h("div", { class: "beside" }, this.handsCard, this.compare.element, this.classes, this.facts));
  }

  /** Show a solution: at `path`, or from its first move on if it has another tree than the one before. number: which of
   * the server's. */
  async begin(solution, number) {
    const tree = (each) => each && JSON.stringify([each.board, each.pot, each.stack, each.sizes]);
    const path = !this.solution || tree(solution) === tree(this.solution) ? this.path : [];
    Object.assign(this, { solution, number, view: "strategy", whose: 1 });
    this.drawFacts();
    if (await this.go(path, false) || !path.length) return;
    const why = this.problem.textContent;
    await this.go([], false);
    fill(this.problem, why).hidden = false;
  }

  drawFacts() {
    const { pot, stack, rake, cap, players, iterations, percent: left, seconds, nodes } = this.solution;
    const value = (each) => [chips2(each.ev), percent(each.equity)];
    fill(this.facts, h("h2", {}, "At the beginning"),
      table(["Player", "EV, chips", "Equity"], [1, 0].map((player) => [NAMES[player], ...value(players[player])])),
      h("dl", { class: "facts" }, [["Pot", chips(pot)], ["Stack, each", stack === null ? "?" : chips(stack)], ...rake ? [["Rake", `${rake}%${cap === null ? "" : `, at most ${chips(cap)}`}`]] : [], ["Exploitability", `${left.toFixed(2)}% of the pot`],
        ["Iterations", chips(iterations)], ["Time", seconds < 10 ? `${seconds.toFixed(1)} s` : duration(seconds)], ["Nodes", chips(nodes)]].map(([name, each]) => [h("dt", {}, name), h("dd", {}, each)])),
      h("p", {}, h("a", { class: "button small", href: "/api/solve/file", download: true }, "Save the solution")));
  }

  /** Go to a place; returns whether it is there. */
  async go(path, isMove = true) {
    const turn = ++this.turn;
    this.element.setAttribute("aria-busy", "true");
    try {
      const found = await this.api.get(`/api/solve/place?${new URLSearchParams({ path: path.join(","), number: this.number })}`);
      if (turn !== this.turn) return true;
      const hadFocus = [this.next, this.line, this.deal].some((each) => each.contains(document.activeElement));
      Object.assign(this, { path, found });
      this.onMove(isMove);
      clearTimeout(this.waiting);
      fill(this.files);
      if (found.kind !== "end") this.waiting = setTimeout(() => this.value(turn), SOON);
      this.problem.hidden = true;
      this.draw();
      if (hadFocus) (this.next.querySelector("button") ?? this.deal.querySelector("button:enabled") ?? this.line.querySelector("[aria-current]")).focus({ preventScroll: true });
      return true;
    } catch (error) {
      if (turn === this.turn) fill(this.problem, error.message).hidden = false;
      return false;
    } finally { this.element.removeAttribute("aria-busy"); }
  }

  /** EV and equity, which take seconds in the tree of a flop: the strategy is there before. */
  async value(turn) {
    const isDeal = this.found.kind === "deal";
    try {
      const found = await this.api.get(`/api/solve/${isDeal ? "runouts" : "values"}?${new URLSearchParams({ path: this.path.join(","), number: this.number })}`);
      if (turn !== this.turn) return;
      if (isDeal) return void this.runOuts.show(this.found.board, found);
      this.found.values = found.values;
      this.drawFiles();
      this.compare.draw();
      if (this.view === "strategy") this.showHands(this.kind);
      else this.drawChart();
    } catch (error) {
      const isOld = error.status === 409; // the newer solution is about to be shown
      if (turn !== this.turn || isOld) return;
      fill(this.problem, error.message).hidden = false;
      if (isDeal) this.runOuts.show(this.found.board, null);
    }
  }

  /** The decision as files: columns as of `Solution.to_frame`, and the hands that come here as the text of a range. */
  drawFiles() {
    const { player, cells, moves, values } = this.found;
    const evs = new Map(Object.values(values?.cells[player] ?? {}).flatMap(({ combos }) => combos.map(({ hand, ev }) => [hand, ev])));
    const rows = Object.values(cells).flatMap(({ combos }) => combos.map(({ hand, weight, shares }) => [hand, weight, evs.get(hand) ?? "", ...shares]));
    const csv = [["hand", "weight", "ev", ...moves.map(({ word }) => word)], ...rows].map((row) => `${row.join(",")}\n`).join("");
    const file = (label, name, text) => h("a", { class: "button small", download: name, href: `data:text/plain,${encodeURIComponent(text)}` }, label);
    fill(this.files, file("Save as CSV", "strategy.csv", csv), file("Save the range", "range.txt", textOf(rangeOf(cells))));
  }

  /** Ask for nothing more: another solution comes, or the page is left. */
  rest() { clearTimeout(this.waiting); }

  draw() {
    const { found } = this;
    this.drawLine();
    const heading = h("p", { class: "dim" }, cards(found.board), h("br"), `Pot ${chips(found.pot)}`, found.stack !== null && `, ${chips(found.stack)} behind`);
    if (found.kind === "end") fill(this.next, heading, h("p", {}, found.sentence));
    else if (found.kind === "deal") fill(this.next, heading);
    else fill(this.next, heading, h("h2", {}, `${NAMES[found.player]} acts`), found.moves.map((move) => this.move(move)));
    this.chart.hidden = this.handsCard.hidden = this.classes.hidden = found.kind !== "move";
    this.lock.show(found.kind === "move" && { found, number: this.number, path: this.path, kind: () => this.kind });
    fill(this.deal, found.kind === "deal" && this.runOuts.parts).hidden = found.kind !== "deal";
    if (found.kind === "deal") this.runOuts.show(found.board);
    this.compare.show(this, this.kind);
    if (found.kind === "move") this.drawChart();
  }

  drawLine() {
    const step = (text, who, end, isLocked) => h("button", { type: "button", class: "small", "data-locked": isLocked, "aria-current": end === this.path.length ? "step" : null,
      onclick: () => this.go(this.path.slice(0, end)) }, who && h("small", {}, who), h("span", {}, text, isLocked && lockSign()));
    fill(this.line, step("Start", null, 0), this.found.steps.map(({ word, player, lock }, k) =>
      step(player === null ? cards(word) : word, player === null ? "Dealt" : player ? "OOP" : "IP", k + 1, this.locks.has(lock))));
  }

  move(move) {
    const { word, share, colour } = move;
    return h("button", { type: "button", "data-move": word, onclick: () => this.go([...this.path, word]) },
      h("span", {}, swatch(colour), labelOf(move)), h("span", {}, percent(share)),
      h("span", { class: "bar" }, h("i", { style: `width:${(100 * share).toFixed(1)}%; background:var(--${colour})` })));
  }

  drawChart() {
    const { found } = this;
    const change = (name) => (value) => {
      if (this.view === "strategy") this.whose = found.player;
      this[name] = name === "whose" ? Number(value) : value;
      this.drawChart();
    };
    const focused = document.activeElement?.value;
    const hadFocus = this.switches.contains(document.activeElement);
    fill(this.switches, segmented("What the chart shows", [["strategy", "Strategy"], ["ev", "EV"], ["equity", "Equity"]], this.view, change("view")),
      this.view !== "strategy" && segmented("Whose hands", [["1", NAMES[1]], ["0", NAMES[0]]], String(this.whose), change("whose")));
    if (hadFocus) [...this.switches.querySelectorAll("input")].find((each) => each.value === focused)?.focus();
    const who = this.view === "strategy" ? found.player : this.whose;
    fill(this.title, `${NAMES[who]}: ${{ strategy: "strategy", ev: "EV in chips", equity: "equity" }[this.view]}`);
    this.cells = this.view === "strategy" ? found.cells : found.values?.cells[this.whose] ?? {};
    const all = Object.values(this.cells);
    this.most = Math.max(...Object.entries(this.cells).map(([kind, each]) => each.weight / combosOf(kind)), 1e-9);
    const values = all.map((each) => each[this.view]).filter((each) => each !== null && this.view !== "strategy");
    this.span = this.view === "equity" ? [0, 1] : [Math.min(...values), Math.max(...values)];
    this.grid.show();
    fill(this.legend, this.view === "strategy" ? found.moves.map((move) => h("li", {}, swatch(move.colour), `${labelOf(move)} ${percent(move.share)}`))
      : h("li", {}, found.values === undefined ? "EV and equity are computed …" : "The fuller the colour, the more a hand is worth."), this.view === "strategy" && h("li", { class: "dim" }, "Lower cells: fewer of these hands come here."));
    const heads = this.view === "strategy" ? () => found.moves.map(headOf) : null;
    fill(this.classes, found.classes && all.length > 0 && classTables(found.classes, this.cells, heads)).hidden = !found.classes || !all.length;
    if (!found.arrive) fill(this.legend, h("li", {}, "No hand comes here: this line is never played."));
    this.showHands(this.kind in this.cells ? this.kind : null);
    say(`${this.title.textContent}. ${found.moves.map(({ word, share }) => `${word} ${percent(share)}`).join(", ")}`);
  }

  drawCell(kind, cell) {
    const each = this.cells[kind];
    if (!each) return paint(cell, null, [], 0, `${kind}: not in the range`);
    const high = LEAST + (1 - LEAST) * each.weight / combosOf(kind) / this.most;
    if (this.view === "strategy") {
      const { moves } = this.found;
      const label = moves.map(({ word }, k) => `${word} ${percent(each.shares[k], 0)}`).join(", ");
      return paint(cell, null, each.shares.map((share, k) => [`var(--${moves[k].colour})`, share]), high, `${kind}: ${label}`);
    }
    const value = each[this.view];
    const word = value === null ? "–" : this.view === "ev" ? this.found.pot < SMALL_POT ? chips2(value) : chips(Math.round(value)) : (100 * value).toFixed(0);
    const full = value === null ? 0 : (value - this.span[0]) / Math.max(this.span[1] - this.span[0], 1e-9);
    return paint(cell, word, [heat(full)], 1, `${kind}: ${word}`);
  }

  /** The hands of a cell, one by one. */
  showHands(kind) {
    if (kind === undefined || !this.cells) return;
    this.kind = kind;
    this.compare.show(this, kind);
    for (const cell of this.grid.cells) cell.classList.toggle("chosen", cell.dataset.kind === kind);
    const each = this.cells[kind];
    if (!each) {
      fill(this.hands, h("h2", {}, kind ?? "Hands"), h("p", { class: "dim" }, kind ? "None of these hands comes here." : "Point at a cell, or tap it, to see its hands one by one."));
      return;
    }
    const evs = this.view === "strategy" && new Map(this.found.values?.cells[this.found.player][kind]?.combos.map((hand) => [hand.hand, hand.ev]));
    const isKnown = this.found.values !== undefined;
    const ev = (value) => !isKnown ? "…" : value === null || value === undefined ? "–" : chips2(value);
    const rest = (hand) => this.view === "strategy" ? [...evs ? [ev(evs.get(hand.hand))] : [], ...hand.shares.map((share) => percent(share, 0))]
      : [ev(hand.ev), hand.equity === null ? "–" : percent(hand.equity)];
    const heads = this.view === "strategy" ? [...evs ? ["EV"] : [], ...this.found.moves.map(headOf)] : ["EV", "Equity"];
    fill(this.hands, h("h2", {}, `${kind}: ${count(each.combos.length, "hand")}`),
      table(["Hand", "Weight", ...heads], each.combos.map((hand) => [cards(hand.hand), hand.weight.toFixed(2), ...rest(hand)])));
  }
}

/** The weight of each kind of hand, for `textOf`; hand by hand where they differ. */
function rangeOf(cells) {
  return Object.fromEntries(Object.entries(cells).map(([kind, { combos }]) => {
    const isOne = combos.every(({ weight }) => weight === combos[0].weight);
    return [kind, isOne ? combos[0].weight : { text: combos.map(({ hand, weight }) => `${hand}:${weight}`).join(", ") }];
  }));
}

/** A move in words, bets and raises with their percent of the pot. */
function labelOf({ word, percent: ofPot, all_in: isAllIn }) {
  return `${word}${ofPot === null ? "" : ` (${ofPot.toFixed(0)}%)`}${isAllIn ? ", all-in" : ""}`;
}

/** A move as the head of a column. */
function headOf(move) {
  return [swatch(move.colour), h("br"), h("span", { title: labelOf(move) }, move.word.split(" ").at(-1))];
}

function swatch(colour) {
  return h("i", { class: "swatch", style: `background:var(--${colour})` });
}
