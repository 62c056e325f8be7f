// The hands of one collection, with a search.

import { field, fill, h } from "./dom.js";
import { mistakesPart } from "./replay_mistakes.js";
import { playersPart } from "./replay_players.js";
import { bb, chips, count, tone } from "./words.js";

const STREETS = [["", "any street"], ["flop", "the flop"], ["turn", "the turn"], ["river", "the river"]];
const SHOWDOWNS = [["", "with or not"], ["1", "with"], ["0", "without"]];
const PAUSE = 250; // milliseconds after a key, before the search

/** Show the list of a collection. */
export async function listPage(main, id, api) {
  const list = new HandList(id, api);
  await list.load();
  fill(main, list.element);
  document.title = `${list.found.title} · holdem`;
  return () => clearTimeout(list.timer);
}

class HandList {
  constructor(id, api) {
    Object.assign(this, { id, api, turn: 0 });
    this.key = `holdem-replay-${id}`;
    this.asked = { street: "", min_pot: "", agent: "", showdown: "", page: 1, ...kept(this.key) };
    this.rows = h("div", {});
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.element = h("div", { class: "hand-list" });
  }

  async load() {
    const mine = ++this.turn;
    const query = new URLSearchParams(Object.entries(this.asked).filter(([, value]) => value !== ""));
    try {
      const found = await this.api.get(`/api/replay/${encodeURIComponent(this.id)}?${query}`);
      if (mine !== this.turn) return;
      sessionStorage.setItem(this.key, JSON.stringify(this.asked));
      const isFirst = !this.found;
      this.found = found;
      this.problem.hidden = true;
      if (isFirst) this.frame();
      this.draw();
    } catch (error) {
      if (!this.found && this.asked.page === 1 && !this.isSearching()) throw error;
      if (!this.found) return void (await this.clear());
      if (mine !== this.turn) return;
      this.problem.hidden = false;
      fill(this.problem, error.message);
    }
  }

  isSearching() {
    return Object.entries(this.asked).some(([name, value]) => name !== "page" && value !== "");
  }

  clear() {
    Object.assign(this.asked, { street: "", min_pot: "", agent: "", showdown: "", page: 1 });
    for (const control of this.form?.elements ?? []) if (control.name in this.asked) control.value = "";
    return this.load();
  }

  /** What stays while the search changes. */
  frame() {
    const { title, problems, problem_count: problemCount } = this.found;
    this.form = this.searchForm();
    fill(this.element,
      h("p", { class: "back" }, h("a", { href: "#/replay" }, "‹ All collections")),
      h("h1", {}, title),
      problemCount ? h("details", { class: "note" },
        h("summary", {}, `${count(problemCount, "hand")} could not be read`),
        h("ul", {}, problems.map((each) => h("li", {}, each))),
        problemCount > problems.length ? h("p", { class: "dim" }, `and ${count(problemCount - problems.length, "other")}`) : null) : null,
      playersPart(this.id, this.api), mistakesPart(this.id, this.found.players, this.api), this.form, this.problem, this.rows);
  }

  searchForm() {
    const change = (name) => (event) => this.search(name, event.target.value.trim());
    const select = (name, options) => h("select", { name, onchange: change(name) },
      options.map(([value, text]) => h("option", { value, selected: value === this.asked[name] }, text)));
    const names = h("datalist", { id: "players" }, this.found.players.map((name) => h("option", { value: name })));
    return h("form", { class: "card search", role: "search", onsubmit: (event) => { event.preventDefault(); this.load(); } },
      field("Came at least to", select("street", STREETS)),
      field("Pot of at least", h("input", { name: "min_pot", value: this.asked.min_pot, inputmode: "text", autocomplete: "off",
        placeholder: "50bb, or 2000", oninput: change("min_pot") })),
      field("Player", h("input", { name: "agent", value: this.asked.agent, list: "players", autocomplete: "off",
        placeholder: "anybody", oninput: change("agent") })),
      field("Showdown", select("showdown", SHOWDOWNS)), names);
  }

  search(name, value) {
    Object.assign(this.asked, { [name]: value, page: 1 });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), PAUSE);
  }

  draw() {
    const { found, hands, rows, page, pages } = this.found;
    const foundText = found === hands ? count(hands, "hand") : `${chips(found)} of ${count(hands, "hand")}`;
    fill(this.rows,
      h("div", { class: "row spread found" }, h("p", { role: "status" }, h("b", {}, foundText)),
        this.isSearching() ? h("button", { class: "quiet small", type: "button", onclick: () => this.clear() }, "Show all") : null),
      rows.length ? h("div", { class: "card rows" }, this.table(rows)) : h("p", { class: "empty" }, hands ? "No hand is like this. Ask for less." : "There are no hands here yet."),
      pages > 1 ? this.pages(page, pages) : null);
  }

  table(rows) {
    const heads = [["Hand"], ["Players", "wide"], ["Street"], ["Pot", "number"], ["Won by", ""], ["Won", "number"]];
    return h("table", { class: "numbers hands" },
      h("thead", {}, h("tr", {}, heads.map(([text, kind]) => h("th", { class: kind, scope: "col" }, text)))),
      h("tbody", {}, rows.map((each) => this.row(each))));
  }

  row(each) {
    const address = `#/replay/${encodeURIComponent(this.id)}/${each.number}/0`;
    const most = each.payoffs ? Math.max(...each.payoffs) : 0;
    const winners = most > 0 ? each.players.filter((_, seat) => each.payoffs[seat] === most) : [];
    const won = h("td", { class: `number ${tone(most)}` }, winners.length ? signedMoney(most) : "");
    return h("tr", { onclick: (event) => { if (!event.target.closest("a")) location.hash = address; } },
      h("td", {}, h("a", { href: address }, String(each.hand))),
      h("td", { class: "wide dim" }, each.players.join(", ")),
      h("td", {}, each.street, each.showdown ? h("small", { title: "with a showdown" }, " · showdown") : null),
      h("td", { class: "number" }, amountText(each.pot), h("small", {}, ` ${bb(each.pot, each.big_blind)}`)),
      h("td", {}, winners.join(", ") || h("span", { class: "dim" }, each.payoffs ? "split" : "–")), won);
  }

  pages(page, pages) {
    const to = (number, text, isThere) => h("button", { type: "button", disabled: !isThere, onclick: () => this.turnTo(number) }, text);
    return h("nav", { class: "row pages", "aria-label": "Pages of the list" }, to(page - 1, "‹ Earlier", page > 1),
      h("span", {}, `page ${page} of ${pages}`), to(page + 1, "Later ›", page < pages));
  }

  async turnTo(page) {
    this.asked.page = page;
    await this.load();
    this.form.scrollIntoView();
  }
}

/** An amount of money, with its cents if it has any. */
export function amountText(amount) {
  const cents = Number.isInteger(amount) ? 0 : 2;
  return amount.toLocaleString("en-US", { minimumFractionDigits: cents, maximumFractionDigits: cents }).replace("-", "−");
}

/** The same with its sign, and the sign of its currency. */
export function signedMoney(amount, currency = "") {
  return (amount > 0 ? "+" : amount < 0 ? "−" : "") + currency + amountText(Math.abs(amount));
}

function kept(key) {
  try { return JSON.parse(sessionStorage.getItem(key)) ?? {}; } catch { return {}; }
}
