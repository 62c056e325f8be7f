// Locks: decisions that are held fixed when the spot is solved again; their list in the form, and the editor in the walk.

import { fill, h, say, segmented, svgPart } from "./dom.js";
import { percent } from "./words.js";

const PADLOCK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 14"><path fill="none" stroke="currentColor" stroke-width="1.6" d="M3 6V4a3 3 0 0 1 6 0v2"/><rect x="1" y="6" width="10" height="7.5" rx="1.5" fill="currentColor"/></svg>';
const CLOSE = 0.05; // percent points by which a sum may differ from 100

/** The sign of a locked decision. */
export function lockSign() {
  return h("i", { class: "lock-sign", role: "img", "aria-label": "locked", title: "Locked" }, svgPart(PADLOCK));
}

/** The locks of the form, by the moves that lead to them. */
export class Locks {
  constructor(onChange) {
    Object.assign(this, { kept: new Map(), heard: [onChange] });
    this.element = h("section", { class: "locks", "aria-label": "Locked nodes", hidden: true });
  }

  /** Locks as the spot has them: strategies by path. */
  get given() { return Object.fromEntries([...this.kept].map(([path, { strategy }]) => [path, strategy])); }

  get isEmpty() { return !this.kept.size; }

  get(path) { return this.kept.get(path); }

  has(path) { return this.kept.has(path); }

  listen(heard) { this.heard.push(heard); }

  set(locks) {
    this.kept = new Map(locks.map((lock) => [lock.path, lock]));
    this.changed();
  }

  put(lock) {
    this.kept.set(lock.path, lock);
    this.changed();
  }

  drop(path) {
    this.kept.delete(path);
    this.changed();
  }

  changed() {
    this.element.hidden = this.isEmpty;
    fill(this.element, h("h3", {}, "Locked nodes"), h("ul", {}, [...this.kept.values()].map((lock) => h("li", { class: "row spread" },
      h("span", {}, lockSign(), h("b", {}, lock.path || "Start"), h("span", { class: "dim" }, ` ${lockWords(lock)}`)),
      h("button", { type: "button", class: "small", "aria-label": `Unlock ${lock.path || "the start"}`, onclick: () => this.drop(lock.path) }, "Unlock")))));
    for (const heard of this.heard) heard();
  }
}

/** "check 30%, bet 75 70%"; or that hands differ. */
function lockWords({ moves, strategy }) {
  return Array.isArray(strategy[0]) ? "hand by hand" : moves.map((word, k) => `${word} ${percent(strategy[k])}`).join(", ");
}

/** Locks the decision at which the walk is. */
export class LockEditor {
  constructor(api, locks, solve) {
    Object.assign(this, { api, locks, solve, at: null, mode: "all", isOpen: false });
    this.element = h("div", { class: "lock-editor", hidden: true });
    locks.listen(() => this.draw());
  }

  /** Where the walk is. at: {found, number, path, kind()}, or false where nobody acts. */
  show(at) {
    Object.assign(this, { at, isOpen: false });
    this.draw();
  }

  draw() {
    this.element.hidden = !this.at;
    if (!this.at) return;
    const lock = this.locks.get(this.at.found.lock);
    const open = h("button", { type: "button", class: "small", onclick: () => this.open() }, lock ? "Lock otherwise …" : "Lock …");
    const rest = lock && [h("button", { type: "button", class: "small", onclick: () => this.locks.drop(lock.path) }, "Unlock"),
      h("button", { type: "button", class: "small main", onclick: () => this.solve() }, "Solve again")];
    fill(this.element, lock && h("p", {}, lockSign(), h("b", {}, "Locked: "), lockWords(lock)), this.isOpen ? this.form() : h("div", { class: "row" }, open, rest));
  }

  open() {
    Object.assign(this, { isOpen: true, mode: "all", chosen: this.at.kind() });
    this.draw();
    this.element.querySelector("input[type=number]").focus();
  }

  close() {
    this.isOpen = false;
    this.draw();
    this.element.querySelector("button").focus();
  }

  form() {
    const { found } = this.at;
    const isDealt = found.steps.some(({ player }) => player === null);
    const kind = this.chosen in found.cells ? this.chosen : null;
    const options = [["all", "All hands"], ["now", "As now"], ...kind ? [["kind", kind]] : []];
    this.inputs = found.moves.map(({ word }) => h("input", { type: "number", min: 0, max: 100, step: "any", "aria-label": `${word}, %`, oninput: () => this.check() }));
    this.fields = h("div", { class: "lock-moves" }, found.moves.map(({ word }, k) => h("label", {}, h("span", {}, word), this.inputs[k], "%")));
    this.note = h("small", { role: "status" });
    this.button = h("button", { type: "submit", class: "small main" }, "Lock");
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); this.save(kind); } },
      segmented("Which hands", options, this.mode, (mode) => { this.mode = mode; this.fillIn(kind); }), this.fields, this.note,
      isDealt && h("small", {}, "Holds on all cards dealt."),
      h("div", { class: "row" }, this.button, h("button", { type: "button", class: "small", onclick: () => this.close() }, "Cancel")));
    this.fillIn(kind);
    return form;
  }

  /** The present shares, which the reader changes. */
  fillIn(kind) {
    const { moves, cells } = this.at.found;
    const shares = this.mode === "kind" ? cells[kind].shares : moves.map(({ share }) => share);
    this.inputs.forEach((input, k) => { input.value = (100 * shares[k]).toFixed(1).replace(".0", ""); });
    this.fields.hidden = this.mode === "now";
    this.check();
  }

  get sum() { return this.inputs.reduce((sum, input) => sum + Number(input.value), 0); }

  check() {
    const isGood = this.mode === "now" || this.inputs.every((input) => Number(input.value) >= 0) && Math.abs(this.sum - 100) <= CLOSE * this.inputs.length;
    this.button.disabled = !isGood;
    this.note.textContent = this.mode === "now" ? "Each hand goes on as it plays here." : !isGood ? `Must add up to 100%; it is ${this.sum.toFixed(1)}%.`
      : this.mode === "kind" ? "Other hands go on as they play here." : "";
  }

  async save(kind) {
    const { found, number, path } = this.at;
    const shares = this.mode === "now" ? null : this.inputs.map((input) => Number(input.value) / this.sum);
    const chosen = this.mode === "kind" ? { kind, held: this.locks.get(found.lock)?.strategy ?? null } : {};
    try {
      const lock = await this.api.post("/api/solve/lock", { path: path.join(","), number, shares, ...chosen });
      this.isOpen = false;
      this.locks.put(lock);
      say("Locked.");
      [...this.element.querySelectorAll("button")].at(-1).focus();
    } catch (error) { fill(this.note, h("span", { class: "minus" }, `⚠ ${error.message}`)); }
  }
}
