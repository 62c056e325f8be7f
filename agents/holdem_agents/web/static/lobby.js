// The lobby: which game, against whom. Whatever is not changed is sensible, so "Play" alone sits you down.

import { families, field, fill, grouped, h, segmented, toast } from "./dom.js";
import { cardBox } from "./watched.js";
import { called, count, signed } from "./words.js";

const KEPT = "holdem-lobby";
const ANY_GAME = "tight_aggressive"; // who plays where no agent in the box was made for the game
const LATE = 2000; // milliseconds after which the page says that the server does not answer yet
const KINDS = [["hands", "Single hands"], ["cash", "Cash game"], ["freezeout", "Freezeout"]];
const ABOUT = {
  hands: "Every hand begins with fresh stacks. Best for measuring how well you play.",
  cash: "Stacks carry over from hand to hand. A player who is broke brings a new one.",
  freezeout: "Blinds rise, and a player without chips is out. The last one wins.",
};

/** Show the lobby. */
export async function lobby(main, api) {
  const wait = h("p", { class: "empty", role: "status" }, "The games and agents are looked up …");
  fill(main, h("h1", {}, "Play"), wait);
  const late = setTimeout(() => fill(wait, "The server does not answer yet. It may be starting, or busy; the page comes when it does."), LATE);
  const query = keptChoice().opponents?.map((id) => `agent=${encodeURIComponent(id)}`).join("&") ?? "";
  const [site, played] = await Promise.all([api.get(`/api/site?${query}`), api.get("/api/play")]).finally(() => clearTimeout(late));
  const form = new Lobby(site, api);
  fill(main, h("div", { class: "lobby" }, form.element, h("div", { class: "beside" }, tables(played.tables), keysCard())));
}

function tables(found) {
  const open = found.filter((table) => !table.over);
  if (!found.length) return null;
  return h("section", { class: "card" }, h("h2", {}, open.length ? "Your tables" : "Finished tables"),
    h("ul", { class: "tables" }, [...open, ...found.filter((table) => table.over)].slice(0, 8).map(tableLink)));
}

function tableLink(table) {
  const state = `${count(table.hands, "hand")}, ${signed(table.chips)} chips`;
  return h("li", {}, h("a", { href: `#/play/${table.table}` },
    h("span", {}, h("b", {}, table.title), h("small", {}, state)),
    h("span", { class: `button small ${table.over ? "quiet" : "main"}` }, table.over ? "Look" : "Continue")));
}

function keysCard() {
  const keys = [["F", "fold"], ["C", "check or call"], ["R", "raise to a number"], ["1 – 6", "the size buttons"],
    ["Enter", "next hand"], ["H", "hints"], ["?", "all keys"]];
  return h("section", { class: "card keys-card" }, h("h2", {}, "Play by keys"),
    h("dl", { class: "keys" }, keys.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])));
}

/** What was played last time. */
function keptChoice() {
  try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; } // the stored text is not JSON: start afresh
}

class Lobby {
  constructor(site, api) {
    this.site = site;
    this.api = api;
    this.chosen = this.start();
    this.element = h("form", { class: "card setup", onsubmit: (event) => this.sit(event) });
    this.draw();
  }

  /** What was played last time, if it is still there; else the server's suggestion. */
  start() {
    const suggested = { kind: "hands", ante: "", stacks: "", name: "", seed: "", same: true, ...this.site.default };
    const kept = keptChoice();
    const has = (list, id) => list.some((each) => each.id === id);
    const fits = has(this.site.rules, kept.rules) && (kept.opponents ?? []).every((id) => has(this.site.agents, id));
    const chosen = { ...suggested, ...(fits ? kept : {}) };
    chosen.rules = has(this.site.rules, chosen.rules) ? chosen.rules : this.site.rules[0]?.id;
    chosen.seats ??= this.rules(chosen).seats;
    chosen.opponents = chosen.opponents?.length ? [...chosen.opponents] : [this.site.agents[0]?.id];
    return chosen;
  }

  rules(chosen = this.chosen) {
    return this.site.rules.find((each) => each.id === chosen.rules);
  }

  agent(id) {
    return this.site.agents.find((each) => each.id === id);
  }

  draw() {
    const { rules, more } = { rules: this.rules(), more: this.element.querySelector("details.stacks")?.open ?? false };
    fill(this.element,
      h("h1", {}, "Play"),
      h("p", { class: "summary" }, this.summary()),
      h("button", { class: "main big", type: "submit" }, "Play"),
      h("p", { class: "problem", hidden: true, role: "alert" }),
      h("div", { class: "two" },
        field("Game", this.gameSelect()),
        field("Seats", this.seatsControl(rules))),
      rules.is_session ? null : field("How", segmented("How", KINDS, this.chosen.kind, (kind) => this.set({ kind })),
        ABOUT[this.chosen.kind]),
      this.opponents(),
      h("details", { class: "stacks", open: more }, h("summary", {}, "Stacks, antes, name"), this.more(rules)));
  }

  summary() {
    const { seats, kind, opponents, same, stacks } = this.chosen;
    const rules = this.rules();
    const others = same ? [opponents[0]] : [...new Set(this.seated())];
    const names = others.length > 2 ? `${others.length} agents` : others.map((id) => this.agent(id)?.title ?? id).join(" and ");
    const depth = stacks || (rules.stack_bb ? `${rules.stack_bb} bb` : "");
    const how = rules.is_session ? "" : kind === "hands" ? "" : `, ${kind === "cash" ? "cash game" : "freezeout"}`;
    return `${rules.title}${seats === rules.seats ? "" : `, ${seats} seats`}${depth ? `, ${depth}` : ""}${how}, against ${names}.`;
  }

  gameSelect() {
    const change = (event) => { this.chosen.rules = event.target.value; this.gameChanged(); };
    return h("select", { name: "rules", onchange: change }, grouped(families(this.site.rules), this.chosen.rules));
  }

  gameChanged() {
    this.changeGame({ seats: this.rules().seats, stacks: "" });
    this.draw();
  }

  /** Another game: the best agent makes room for the best one there, and who cannot play it for one that can. */
  changeGame(changes) {
    const wasBest = !this.isByHand && this.chosen.opponents.every((id) => this.agent(id)?.is_made_for_games || id === ANY_GAME);
    Object.assign(this.chosen, changes);
    if (wasBest && this.first().length) this.chosen.opponents = [this.first()[0]];
    this.fitOpponents();
  }

  /** The agents in the box that were made for the game, as far as the seats are its own. */
  first() {
    const rules = this.rules();
    return this.chosen.seats === rules.seats ? rules.first : [];
  }

  /** Whether an agent can play the game that is chosen, as far as that is known. */
  canPlay(agent) {
    const rules = this.rules();
    if (this.chosen.seats === rules.seats) return !rules.cannot.includes(agent.id);
    return !agent.is_made_for_games;
  }

  /** An agent that cannot play the game gives its seat to one that was made for it, or plays any. */
  fitOpponents() {
    const instead = this.first()[0] ?? ANY_GAME;
    this.chosen.opponents = this.chosen.opponents.map((id) => this.canPlay(this.agent(id)) ? id : this.agent(instead)?.id ?? id);
  }

  /** Another number of seats is another game where there is one with the same stakes, and its best agent sits down. */
  seatsChanged(seats) {
    const { stakes, stack_bb: depth } = this.rules();
    const own = this.site.rules.find((each) => each.seats === seats && each.stakes === stakes && each.stack_bb === depth);
    this.changeGame({ seats, rules: own?.id ?? this.chosen.rules });
    this.set({});
  }

  seatsControl(rules) {
    const numbers = rules.is_session ? [rules.seats] : [2, 3, 4, 5, 6, 7, 8, 9, 10];
    return h("select", { name: "seats", onchange: (event) => this.seatsChanged(Number(event.target.value)) },
      numbers.map((each) => h("option", { value: each, selected: each === this.chosen.seats }, `${each} seats`)));
  }

  opponents() {
    const { seats, same } = this.chosen;
    const several = seats > 2;
    const one = same || !several;
    const rows = one ? [this.agentSelect(0, several ? "All other seats" : "Opponent")]
      : Array.from({ length: seats - 1 }, (_, place) => this.agentSelect(place, `Seat ${place + 2}`));
    return h("div", { class: "opponents" }, rows, this.moreRuns(), this.untrusted(), several && h("label", { class: "tick" },
      h("input", { type: "checkbox", checked: same, onchange: (event) => this.set({ same: event.target.checked }) }),
      "The same agent in every seat"));
  }

  /** Of many training runs the latest are offered: a search for others. */
  moreRuns() {
    const { count: all } = this.site.runs;
    const offered = this.site.agents.filter((each) => each.id.startsWith("run-")).length;
    if (all <= offered + this.site.untrusted.length) return null;
    return field("Find another training run", h("input", { type: "search", name: "find-run", autocomplete: "off",
      placeholder: "its name, then Enter", onchange: (event) => this.find(event.target.value),
      onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); this.find(event.target.value); } } }),
    this.foundText ?? `The latest ${offered} of ${count(all, "run")} are offered.`);
  }

  async find(search) {
    if (search === this.searched) return;
    this.searched = search;
    const query = new URLSearchParams([["search", search], ...this.chosen.opponents.map((id) => ["agent", id])]);
    try {
      this.site = await this.api.get(`/api/site?${query}`);
      this.foundText = search ? `${count(this.site.runs.found, "run")} found; the latest are offered above.` : null;
      this.set({});
    } catch (error) {
      this.searched = null; // may be tried again
      toast(error.message, "wrong");
    }
  }

  /** Which training runs are missing, and why. */
  untrusted() {
    const { untrusted } = this.site;
    return untrusted.length > 0 && h("p", { class: "dim" }, `${untrusted.join(", ")}: trained with custom code, which runs at the table. `,
      h("code", {}, "holdem web --trust"), " offers such runs.");
  }

  /** Who sits in each of the other seats. */
  seated() {
    const { seats, opponents } = this.chosen;
    return Array.from({ length: seats - 1 }, (_, place) => opponents[place] ?? opponents[0]);
  }

  agentSelect(place, label) {
    const now = this.seated()[place] ?? this.chosen.opponents[0];
    const change = (event) => {
      const opponents = this.seated();
      opponents[place] = event.target.value;
      this.isByHand = true;
      this.set({ opponents });
    };
    const first = this.first();
    const able = this.site.agents.filter((each) => this.canPlay(each) && !first.includes(each.id));
    const own = (agent) => agent.title === agent.name;
    const pairs = (agents) => agents.map((each) => [each.id, called(each)]);
    const options = grouped([["Made for this game", pairs(first.map((id) => this.agent(id)))], ["Yours", pairs(able.filter(own))],
      ["Others", pairs(able.filter((each) => !own(each)))]], now);
    const isOne = this.chosen.same || this.chosen.seats === 2;
    const about = isOne ? this.agent(now)?.about : null;
    const select = field(label, h("select", { name: `opponent-${place}`, onchange: change }, options), about);
    return isOne && this.agent(now)?.has_card ? [select, this.card(now)] : select;
  }

  /** The model card of an agent, fetched when somebody opens it. */
  card(id) {
    const box = h("div");
    const open = async (event) => {
      if (!event.target.open || box.firstChild) return;
      try {
        const { html } = await this.api.get(`/api/site/cards/${encodeURIComponent(id)}`);
        box.append(cardBox(html));
      } catch (error) { box.append(h("p", { class: "problem" }, error.message)); }
    };
    return h("details", { ontoggle: open }, h("summary", {}, "Model card"), box);
  }

  more(rules) {
    const text = (name, label, note, how = {}) => field(label, h("input", { name, value: this.chosen[name] ?? "",
      oninput: (event) => { this.chosen[name] = event.target.value.trim(); }, onchange: () => this.showSummary(), ...how }), note);
    return h("div", { class: "two" },
      text("stacks", "Stacks", "Chips, or big blinds: 50bb", { placeholder: rules.stack_bb ? `${rules.stack_bb}bb` : "" }),
      text("ante", "Ante", "Chips for each player", { placeholder: "none", inputmode: "numeric" }),
      text("name", "Your name", null, { placeholder: "you", maxlength: 24, autocomplete: "off" }),
      text("seed", "Seed", "The same seed deals the same cards", { placeholder: "drawn", inputmode: "numeric" }));
  }

  showSummary() {
    this.element.querySelector(".summary").textContent = this.summary();
  }

  /** Change something and redraw; the focus stays where it was. */
  set(changes) {
    const name = document.activeElement?.name;
    const value = document.activeElement?.value;
    Object.assign(this.chosen, changes);
    this.draw();
    const same = [...this.element.elements].filter((each) => each.name && each.name === name);
    (same.find((each) => each.value === value) ?? same[0])?.focus();
  }

  body() {
    const { rules, kind, stacks, ante, name, seed, same, seats, opponents } = this.chosen;
    const body = { rules, opponents: same ? [opponents[0]] : this.seated() };
    if (!this.rules().is_session) Object.assign(body, { kind, seats });
    if (stacks) body.stacks = /^\d+$/.test(stacks) ? Number(stacks) : stacks;
    if (ante) body.ante = Number(ante);
    if (seed) body.seed = Number(seed);
    if (name) body.name = name;
    return body;
  }

  async sit(event) {
    event.preventDefault();
    const button = this.element.querySelector("button.main");
    const problem = this.element.querySelector(".problem");
    button.disabled = true;
    problem.hidden = true;
    try {
      const { table } = await this.api.post("/api/play", this.body());
      localStorage.setItem(KEPT, JSON.stringify({ ...this.chosen, seed: "" }));
      location.hash = `#/play/${table}`;
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      if (!("status" in error)) toast(error.message, "wrong");
    } finally {
      button.disabled = false;
    }
  }
}
