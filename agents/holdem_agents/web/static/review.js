// The last hand again, at once: every decision and what it cost, and on request the folded cards and what they were worth.

import { cards } from "./cards.js";
import { fill, h } from "./dom.js";
import { adviceBars, adviserSelect, keptAdviser } from "./hints.js";
import { solveLink } from "./solve_link.js";
import { amount, count, percent, signed, tone } from "./words.js";

const NOTHING = 0.005; // big blinds: what is shown as 0.00

export class Review {
  constructor(element, tid, agents, api) {
    Object.assign(this, { element, tid, agents, api, hand: null, folded: false, mode: "chips", turn: 0, judged: null });
    this.adviser = keptAdviser(agents);
    element.hidden = true;
  }

  /** Show the last finished hand if it has changed. */
  update(view, mode) {
    const isNew = view.last_hand && view.last_hand.hand !== this.hand;
    if (!isNew && (mode === this.mode || !this.found)) return;
    Object.assign(this, { view, mode });
    if (!isNew) return void this.draw();
    this.hand = view.last_hand.hand;
    this.folded = false;
    this.load();
    this.judge();
  }

  async load() {
    const mine = ++this.turn;
    const query = `hand=${this.hand}&folded=${Number(this.folded)}&agent=${encodeURIComponent(this.view.cannot?.includes(this.adviser) ? "" : this.adviser)}`;
    try {
      const found = await this.api.get(`/api/play/${this.tid}/review?${query}`);
      if (mine !== this.turn) return;
      this.found = found;
      this.draw();
    } catch (error) {
      if (mine === this.turn && this.found) fill(this.element, h("h2", {}, "Last hand"), h("p", { class: "problem" }, error.message));
    }
  }

  /** What the hand's decisions cost: turns and rivers, and the flop if it is asked for. */
  async judge(flop = false) {
    const { hand } = this;
    this.judged = { note: flop ? "The flop is solved, which takes up to a minute …" : "Decisions are judged …" };
    this.draw();
    try {
      const found = await this.api.get(`/api/play/${this.tid}/costs?hand=${hand}&flop=${Number(flop)}`);
      if (hand === this.hand) this.judged = found;
    } catch (error) {
      if (hand === this.hand) this.judged = { note: error.message };
    }
    if (hand === this.hand) this.draw();
  }

  draw() {
    const { found, view } = this;
    if (!found) return;
    const last = view.last_hand;
    const won = last?.hand === found.hand ? `${signed(last.chips)} chips` : "";
    this.element.hidden = false;
    fill(this.element,
      h("div", { class: "row spread" }, h("h2", {}, "Last hand"), won && h("b", { class: tone(last.chips) }, won)),
      this.holdings(), h("ol", { class: "decisions" }, this.decisions()), this.session(), this.controls());
  }

  /** Bring it into sight, on a phone below the table. */
  reveal() {
    const side = this.element.parentElement;
    const top = (element) => element.getBoundingClientRect().top;
    if (getComputedStyle(side).overflowY === "auto") side.scrollTop += top(this.element) - top(side);
    else this.element.scrollIntoView({ block: "start" });
  }

  holdings() {
    const { names, seat } = this.view;
    const shown = this.found.cards.map((held, each) => held && [each === seat ? "You" : names[each], held]).filter(Boolean);
    return h("p", { class: "holdings" }, shown.map(([name, held]) => [h("small", {}, name), cards(held)]));
  }

  /** The decisions, with a heading where a street begins. */
  decisions() {
    let street = null;
    const costs = this.found.hand === this.hand ? this.judged?.costs : null;
    return this.found.decisions.flatMap((each, k) => {
      const heading = each.street === street ? [] : [h("li", { class: "street" }, h("b", {}, each.street), cards(each.board),
        h("small", {}, `pot ${amount(each.pot, this.view.unit, this.mode)}`), each.solve && solveLink(`play-${this.tid}`, this.hand, each.solve))];
      street = each.street;
      return [...heading, this.decision(each, costs?.[k])];
    });
  }

  decision(each, cost) {
    const isMine = each.seat === this.view.seat;
    const equity = each.equity === null || each.equity === undefined ? null : h("span", { class: "chip-label" }, `equity ${percent(each.equity)}`);
    return h("li", { class: isMine ? "mine" : "" }, h("span", { class: "row" }, h("span", { class: "dim" }, isMine ? "You" : each.name),
      h("span", {}, each.label), equity, costLabel(cost)), isMine && each.advice?.length ? adviceBars(each.advice) : null);
  }

  /** What the session's decisions cost, and those of the hand that were not judged. */
  session() {
    const { note, sentences, hands, decisions, sum, worst, can_judge_flop: hasFlop } = this.judged ?? {};
    if (note) return h("p", { class: "dim", role: "status" }, note);
    if (!sentences) return null;
    return h("div", { class: "session-costs" }, h("p", { class: "dim" }, sentences.join(" ")),
      hasFlop && h("button", { type: "button", class: "small", onclick: () => this.judge(true) }, "Judge the flop, too"),
      decisions > 0 && h("p", {}, `This session: ${count(decisions, "decision")} judged in ${count(hands, "hand")}, which cost `, h("b", {}, `${sum.toFixed(2)} bb`),
        worst.length > 0 ? "; the most:" : "."),
      worst?.length > 0 && h("ol", { class: "worst" }, worst.map((each) => h("li", {}, h("a", { href: `#/replay/play-${this.tid}/${each.hand}/0` }, `Hand ${each.hand}`),
        `, ${each.street}: ${each.made}, ${each.loss.toFixed(2)} bb (best: ${each.best})`))));
  }

  controls() {
    const folded = h("label", { class: "tick" }, h("input", { type: "checkbox", checked: this.folded,
      onchange: (event) => { this.folded = event.target.checked; this.load(); } }), "Show folded cards and equity");
    const who = h("label", { class: "field ask" }, h("span", { class: "label" }, "What would this agent have done?"),
      adviserSelect(this.agents, this.view.cannot, this.adviser, (id) => { this.adviser = id; this.load(); }, "What would this agent have done?"));
    return [folded, who, h("a", { href: `#/replay/play-${this.tid}/${this.hand}/0` }, "Replay this hand")];
  }
}

function costLabel(cost) {
  if (!cost) return null;
  const isBest = cost.loss < NOTHING;
  return h("span", { class: isBest ? "dim" : tone(-1) }, isBest ? "costs nothing" : `costs ${cost.loss.toFixed(2)} bb (best: ${cost.best})`);
}
