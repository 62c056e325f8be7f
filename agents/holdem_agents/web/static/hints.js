// Hints, if they are wanted: the odds, and what an agent would do with which probabilities.

import { fill, h } from "./dom.js";
import { amount, called, percent } from "./words.js";

/** Bars of what an agent would do. advice: [{label, probability}]. */
export function adviceBars(advice) {
  return h("div", { class: "shares" }, advice.slice(0, 6).map((each) => [
    h("span", {}, each.label), h("span", { class: "bar" }, h("i", { style: `width:${percent(each.probability)}` })),
    h("span", { class: "number" }, percent(each.probability, 0))]));
}

/** A select of the agents that know their probabilities and can play the game; "" is none. */
export function adviserSelect(agents, cannot, chosen, onChange, label) {
  const able = agents.filter((agent) => agent.gives_probabilities !== false && !cannot?.includes(agent.id));
  return h("select", { "aria-label": label, onchange: (event) => onChange(event.target.value) },
    h("option", { value: "", selected: !chosen }, "nobody"),
    able.map((agent) => h("option", { value: agent.id, selected: agent.id === chosen }, called(agent))));
}

/** The agent that was asked last, if it is still offered. */
export function keptAdviser(agents) {
  const kept = localStorage.getItem("holdem-adviser");
  return agents.some((each) => each.id === kept) ? kept : "";
}

export class Hints {
  constructor(element, path, agents, api) {
    Object.assign(this, { element, path, agents, api, view: null, wanted: false, mode: "chips" });
    this.adviser = keptAdviser(agents);
    this.turn = 0;
  }

  toggle() {
    this.wanted = !this.wanted;
    this.update(this.view, this.mode);
  }

  /** Ask again if it is the person's turn; an answer that comes too late is not shown. */
  async update(view, mode) {
    Object.assign(this, { view, mode });
    const mine = ++this.turn;
    const isAsked = this.wanted && view.waiting === "move";
    if (!isAsked) return this.draw(this.wanted ? h("p", { class: "dim" }, "When it is your turn, your odds stand here.") : null);
    try {
      const found = await this.api.get(`${this.path}/hints?agent=${encodeURIComponent(this.able())}`);
      if (mine === this.turn) this.draw(this.odds(found.odds), this.advice(found));
    } catch (error) {
      if (mine === this.turn && error.status !== 409) this.draw(h("p", { class: "problem" }, error.message));
    }
  }

  draw(...parts) {
    const button = h("button", { class: "small", type: "button", "aria-pressed": String(this.wanted), onclick: () => this.toggle() },
      this.wanted ? "Hide" : "Show", h("kbd", { "aria-hidden": "true" }, "H"));
    const who = h("label", { class: "field ask" }, h("span", { class: "label" }, "What would this agent do?"),
      adviserSelect(this.agents, this.view?.cannot, this.adviser, (id) => this.choose(id), "What would this agent do?"));
    fill(this.element, h("div", { class: "row spread" }, h("h2", {}, "Hints"), button), this.wanted && [parts[0], who, parts[1]]);
  }

  /** Who is asked: nobody if that agent cannot play this game. */
  able() {
    return this.view.cannot?.includes(this.adviser) ? "" : this.adviser;
  }

  choose(id) {
    this.adviser = id;
    localStorage.setItem("holdem-adviser", id);
    this.update(this.view, this.mode);
  }

  odds(odds) {
    if (!odds) return null;
    const random = odds.opponents - odds.read;
    const others = !odds.read ? (odds.opponents === 1 ? "a random hand" : `${odds.opponents} random hands`)
      : `what ${odds.opponents === 1 ? "it" : "they"} may have after the raise${random ? ` (${random} random)` : ""}`;
    const price = odds.needs === null ? "Checking is free."
      : `A call of ${amount(odds.call, this.view.unit, this.mode)} needs ${percent(odds.needs)}.`;
    const mark = odds.needs === null ? null : h("b", { class: "mark", style: `left:${percent(odds.needs)}`, title: `A call needs ${percent(odds.needs)}` });
    return h("div", { class: "odds" }, h("p", {}, h("b", { class: "large" }, percent(odds.share)), ` of the pot against ${others}`),
      h("div", { class: "gauge" }, h("i", { style: `width:${percent(odds.share)}` }), mark), h("p", { class: "dim" }, price));
  }

  advice(found) {
    return [found.advice && adviceBars(found.advice), found.note && h("p", { class: "dim" }, found.note)];
  }
}
