// The page "charts": what agents do before the flop, 13 by 13, and what a range holds.
// #/charts/AGENT/GAME/SEATS/STACK/LINE is one place in an agent's tree; #/charts/range/TEXT is a range.

import { families, field, fill, grouped, h, segmented, setAddress, svgPart } from "./dom.js";
import { bb, called, percent } from "./words.js";

const SMALL = matchMedia("(max-width: 700px)");
const STANDARD = "22+, A2s+, K9s+, QTs+, JTs, ATo+, KJo+";

/** Draw the page into `main`. parts: what follows its name in the address. */
export async function page(main, parts, api) {
  const body = h("div");
  const isRange = parts[0] === "range";
  const kinds = [["agent", "What an agent does"], ["range", "A range"]];
  const go = (kind) => { location.hash = kind === "range" ? "#/charts/range" : "#/charts"; };
  fill(main, h("div", { class: "row spread head" }, h("h1", {}, "Charts"),
    segmented("What the chart shows", kinds, isRange ? "range" : "agent", go)), body);
  const view = isRange ? new RangeChart(body, parts.slice(1).join("/"), api) : new AgentChart(body, parts, api);
  await view.begin();
  const turned = () => view.show();
  SMALL.addEventListener("change", turned);
  const leave = () => { view.ended = true; SMALL.removeEventListener("change", turned); };
  return Object.assign(leave, { follow: (next) => view.follow?.(next) });
}

function movesIn(line) {
  return (line ?? "").split(",").filter(Boolean).map(Number);
}

function layout() {
  return SMALL.matches ? "narrow" : "wide";
}

/* A range that is typed in */

class RangeChart {
  constructor(body, text, api) {
    Object.assign(this, { api, text: text || STANDARD });
    this.input = h("input", { type: "text", value: this.text, maxlength: 2000, spellcheck: "false", autocapitalize: "off",
      oninput: () => this.typed() });
    this.problem = h("p", { class: "problem", hidden: true, role: "status" });
    this.figure = h("figure");
    const note = "Pairs (77, 77+, 22-55), suited, offsuit or any hands (AQs+, A2s-A5s, KJo), single hands (AsKd), weights (AKs:0.5).";
    fill(body, h("div", { class: "card" }, field("Range", this.input, note), this.problem), h("div", { class: "card one-chart" }, this.figure));
  }

  begin() { return this.show(); }

  typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.show(), 250);
  }

  async show() {
    const text = this.text = this.input.value;
    try {
      const found = await this.api.get(`/api/charts/range?layout=${layout()}&text=${encodeURIComponent(text)}`);
      if (text !== this.text || this.ended) return; // somebody typed on, or left
      this.problem.hidden = true;
      fill(this.figure, svgPart(found.svg));
      setAddress(`#/charts/range/${encodeURIComponent(text)}`);
    } catch (error) {
      if (text !== this.text) return;
      this.problem.hidden = false;
      this.problem.textContent = error.message;
    }
  }
}

/* What an agent does */

class AgentChart {
  constructor(body, parts, api) {
    const [agent, game, seats, stack, line] = parts;
    Object.assign(this, { body, api, agent, game, turn: 0 });
    this.seats = Number(seats) || null;
    this.stack = Number(stack) || null;
    this.line = movesIn(line);
  }

  /** Back and forward between moves. */
  follow([agent, game, seats, stack, line]) {
    if (String([agent, game, seats, stack]) !== String([this.agent, this.game, this.seats, this.stack ?? "own"])) return false;
    this.go(movesIn(line), false);
    return true;
  }

  async begin() {
    fill(this.body, h("p", { class: "empty", role: "status" }, "The agents are looked up …"));
    this.choices = await this.api.get("/api/charts");
    const { agents, rules } = this.choices;
    if (!agents.length || !rules.length) {
      fill(this.body, h("p", { class: "empty" }, "No agent of this server tells its strategy."));
      return;
    }
    const given = agents.some((each) => each.id === this.agent);
    const first = agents.find((each) => each.id === "blueprint_100bb") ?? agents[0];
    if (!given) this.agent = first.id;
    this.frame();
    this.agentBox.value = this.agent;
    this.waits();
    if (!this.game || !rules.some((each) => each.id === this.game)) await this.useOwnGame();
    const own = rules.find((each) => each.id === this.game);
    this.seats ??= own.seats;
    this.stack ??= own.stack_bb;
    this.fillControls();
    await this.show();
  }

  /** The game that the agent was trained on, else the first. */
  async useOwnGame() {
    const own = await this.api.get(`/api/charts/agents/${encodeURIComponent(this.agent)}`).catch(() => null);
    const trained = own?.trained_on;
    const game = this.choices.rules.find((each) => each.id === trained?.id)
      ?? this.choices.rules.find((each) => each.id === this.game)
      ?? this.choices.rules.find((each) => each.id === "six-max-no-limit") ?? this.choices.rules[0];
    this.game = game.id;
    this.seats = trained?.seats ?? game.seats;
    this.stack = trained?.stack_bb ?? game.stack_bb;
    this.line = [];
  }

  frame() {
    const { agents } = this.choices;
    this.agentBox = h("select", { onchange: () => this.chooseAgent() }, agents.map((each) => h("option", { value: each.id }, called(each))));
    this.gameBox = h("select", { onchange: () => this.chooseGame() });
    this.seatsBox = h("input", { type: "number", min: 2, max: 10, inputmode: "numeric", onchange: () => this.chooseNumbers() });
    this.stackBox = h("input", { type: "number", min: 1, step: "any", inputmode: "decimal", onchange: () => this.chooseNumbers() });
    this.openings = h("div", { class: "line", role: "group", "aria-label": "Everybody before folds" });
    this.steps = h("div", { class: "line", role: "group", "aria-label": "The moves so far" });
    this.moves = h("div", { class: "moves" });
    this.problem = h("p", { class: "problem", hidden: true, role: "status" });
    this.figure = h("figure", { "aria-live": "polite" });
    this.note = h("p", { class: "dim" });
    fill(this.body, h("div", { class: "chart-page" },
      h("div", { class: "card choices" }, field("Agent", this.agentBox), field("Game", this.gameBox),
        h("div", { class: "two" }, field("Seats", this.seatsBox), field("Stacks, big blinds", this.stackBox))),
      h("div", { class: "card chart" }, this.problem, this.figure, this.note),
      h("div", { class: "card walk" }, h("h2", {}, "First in"), this.openings,
        h("h2", {}, "The moves so far"), this.steps, h("h2", {}, "Then"), this.moves)));
  }

  fillControls() {
    this.agentBox.value = this.agent;
    const able = this.choices.rules.filter((each) => !each.cannot.includes(this.agent) || each.id === this.game);
    fill(this.gameBox, grouped(families(able), this.game));
    this.gameBox.value = this.game;
    this.seatsBox.value = this.seats ?? "";
    this.stackBox.value = this.stack ?? "";
  }

  async chooseAgent() {
    this.agent = this.agentBox.value;
    await this.ownGame();
  }

  async ownGame() {
    fill(this.figure);
    this.problem.hidden = true;
    this.waits();
    await this.useOwnGame();
    this.fillControls();
    await this.show();
  }

  chooseGame() {
    const game = this.choices.rules.find((each) => each.id === this.gameBox.value);
    Object.assign(this, { game: game.id, seats: game.seats, stack: game.stack_bb, line: [] });
    this.fillControls();
    this.show();
  }

  chooseNumbers() {
    this.seats = Number(this.seatsBox.value) || null;
    this.stack = Number(this.stackBox.value) || null;
    this.line = [];
    this.show();
  }

  go(line, isMove = true) {
    this.line = line;
    this.show(isMove);
  }

  async show(isMove = false) {
    const turn = ++this.turn;
    const { agent, game, seats, stack, line } = this;
    const asked = new URLSearchParams({ agent, rules: game, seats: seats ?? "", stack: stack ?? "", line: line.join(","), layout: layout() });
    this.figure.setAttribute("aria-busy", "true");
    this.waits();
    try {
      const found = await this.api.get(`/api/charts/preflop?${asked}`);
      if (turn !== this.turn || this.ended) return;
      this.problem.hidden = true;
      this.draw(found);
      this.seats = found.seats;
      const place = [agent, game, found.seats, stack ?? "own", line.join(",")].map(encodeURIComponent).join("/");
      setAddress(`#/charts/${place}`, isMove);
    } catch (error) {
      if (turn !== this.turn || this.ended) return;
      this.problem.hidden = false;
      fill(this.problem, error.message, " ", h("button", { class: "small", onclick: () => this.ownGame() }, "Its own game"));
      fill(this.figure);
      fill(this.moves);
      fill(this.openings);
      this.note.textContent = "";
      this.drawSteps([]);
    } finally {
      this.figure.removeAttribute("aria-busy");
    }
  }

  /** What the empty place of the first chart says until it is there; later ones stay until they are replaced. */
  waits() {
    if (!this.figure.querySelector("svg")) fill(this.figure, h("p", { class: "empty", role: "status" },
      `${called(this.choices.agents.find((each) => each.id === this.agent))} is asked … The first time takes some seconds.`));
  }

  draw(found) {
    if (found.opening.length) {
      fill(this.openings, found.opening.map((each) => this.place(each.position, null, each.line,
        String(each.line) === String(this.line))));
    }
    this.drawSteps(found.line);
    fill(this.moves, found.over ? h("p", { class: "dim" }, found.over) : found.moves.map((each) => this.move(each)),
      !found.over && found.raise_min !== null && this.otherRaise(found));
    if (found.svg) fill(this.figure, svgPart(found.svg));
    else fill(this.figure, h("p", { class: "empty" }, `${found.over} The pot is ${bb(found.pot, found.unit)}.`));
    this.note.textContent = found.note ?? "";
  }

  drawSteps(steps) {
    fill(this.steps, this.place("Start", null, [], !steps.length), steps.map((step, k) =>
      this.place(step.position, step.label, this.line.slice(0, k + 1), k === steps.length - 1)));
  }

  place(title, label, line, isHere) {
    return h("button", { "aria-current": isHere ? "step" : null, onclick: () => this.go(line) }, h("span", {}, title),
      label && h("small", {}, label));
  }

  move({ move, label, share }) {
    return h("button", { "data-move": move, onclick: () => this.go([...this.line, move]) }, h("span", {}, label),
      h("span", { class: share ? null : "never dim" }, share ? percent(share) : "never"),
      h("span", { class: "bar" }, h("i", { style: `width:${(100 * share).toFixed(1)}%` })));
  }

  /** Any other raise that is legal here. */
  otherRaise({ raise_min, raise_max }) {
    if (raise_min === raise_max) return null;
    const box = h("input", { type: "number", min: raise_min, max: raise_max, inputmode: "numeric", "aria-label": "Another raise, in chips" });
    const raise = () => box.value && this.go([...this.line, Number(box.value)]);
    box.addEventListener("keydown", (event) => { if (event.key === "Enter") raise(); });
    box.placeholder = `${raise_min}–${raise_max} chips`;
    return h("div", { class: "row nowrap" }, box, h("button", { class: "small", onclick: raise }, "Raise to"));
  }
}
