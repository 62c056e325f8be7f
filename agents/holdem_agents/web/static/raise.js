// How much to raise to: sizes by buttons, a slider, and a number in chips or big blinds.

import { h } from "./dom.js";
import { amount } from "./words.js";

const STEPS = 1000;
const BEND = 2.2; // small sizes have more of the slider than all-ins

/** The controls of a raise. raiseTo(total) is called when one is decided on. */
export class Raise {
  constructor(view, mode, raiseTo) {
    const { raise_min: least, raise_max: most } = view.legal;
    Object.assign(this, { view, mode, raiseTo, least, most, total: least });
    this.button = h("button", { class: "main raise", type: "button", onclick: () => this.decide() });
    this.slider = h("input", { type: "range", min: 0, max: STEPS, value: 0, "aria-label": "How much to raise to",
      oninput: () => this.set(this.atStep(Number(this.slider.value)), "slider") });
    this.number = h("input", { inputmode: "decimal", autocomplete: "off", "aria-label": `Raise to, in ${mode === "bb" ? "big blinds" : "chips"}`,
      oninput: () => this.typed(), onfocus: () => this.number.select(), onkeydown: (event) => this.key(event) });
    this.sizes = least < most ? view.legal.buttons.filter((each) => each.move > 0) : [];
    this.element = h("div", { class: "sizes" }, h("div", { class: "row fractions" }, this.sizes.map((each, k) => this.size(each, k))),
      least < most && h("div", { class: "row slide" }, this.slider, h("span", { class: "amount-in" }, this.number, mode === "bb" ? "bb" : "chips")));
    this.set(least);
  }

  size(each, place) {
    return h("button", { class: "small", type: "button", "data-size": place + 1, title: `${each.verb} ${this.shown(each.move)} (key ${place + 1})`,
      onclick: () => this.set(each.move) }, h("span", {}, each.size), h("small", {}, this.shown(each.move)));
  }

  shown(chips) {
    return amount(chips, this.view.unit, this.mode);
  }

  /** The total at a step of the slider, on a round number of chips that can be bet, unless it is an end. */
  atStep(step) {
    if (step >= STEPS) return this.most;
    const exact = this.least + (this.most - this.least) * (step / STEPS) ** BEND;
    const chip = this.view.smallest_chip;
    const round = Math.max(chip, Math.round(this.view.unit / 2 / chip) * chip);
    return Math.min(this.most, Math.max(this.least, Math.round(exact / round) * round));
  }

  stepOf(total) {
    return this.most === this.least ? 0 : Math.round(STEPS * ((total - this.least) / (this.most - this.least)) ** (1 / BEND));
  }

  set(total, from = "") {
    this.total = Math.round(total);
    const isLegal = this.total >= this.least && this.total <= this.most && (this.total % this.view.smallest_chip === 0 || this.total === this.most);
    if (from !== "slider") this.slider.value = this.stepOf(Math.min(this.most, Math.max(this.least, this.total)));
    if (from !== "number") this.number.value = this.mode === "bb" ? Math.round(100 * this.total / this.view.unit) / 100 : this.total;
    const shown = Number.isFinite(this.total) ? this.shown(this.total) : "…";
    const { raise_verb: verb, raise_max_verb: verbOfMost } = this.view.legal;
    this.slider.setAttribute("aria-valuetext", shown);
    const words = isLegal ? `${this.total === this.most ? verbOfMost : verb} ${shown}` : this.limits();
    this.button.replaceChildren(words, h("kbd", { "aria-hidden": "true" }, "R"));
    this.button.disabled = !isLegal;
    this.number.setAttribute("aria-invalid", String(!isLegal));
    this.element.querySelectorAll("[data-size]").forEach((each, k) => each.toggleAttribute("data-chosen", this.sizes[k].move === this.total));
  }

  limits() {
    const { least, most, view: { smallest_chip: chip } } = this;
    return `${this.shown(least)} to ${this.shown(most)}${chip > 1 ? `, by ${this.shown(chip)}` : ""} only`;
  }

  typed() {
    const value = Number(this.number.value.replace(",", "."));
    this.set(Number.isFinite(value) ? value * (this.mode === "bb" ? this.view.unit : 1) : NaN, "number");
  }

  key(event) {
    if (event.key === "Enter") { event.preventDefault(); this.decide(); }
    if (event.key === "Escape") this.number.blur();
  }

  decide() {
    if (!this.button.disabled) this.raiseTo(this.total);
  }

  /** The key R: the number is typed next; where there is one size only, it is played. */
  ask() {
    if (this.least === this.most) this.decide();
    else this.number.focus();
  }
}
