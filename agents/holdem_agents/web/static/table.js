// The table: what the server draws, the actions below it, the panels beside it. The server knows the game; this page
// shows its newest view, and says with each action which view it has seen.

import { actions } from "./actions.js";
import { fill, h, say, segmented, svgPart, toast } from "./dom.js";
import { Hints } from "./hints.js";
import { listen, showKeys } from "./keys.js";
import { logPanel, resultPanel } from "./panels.js";
import { Review } from "./review.js";
import { chips } from "./words.js";

const PHONE = matchMedia("(max-width: 720px)");
const TABS = [["table", "Table"], ["hints", "Hints"], ["result", "Result"], ["review", "Last hand"], ["log", "Log"]];
const LOST_AFTER = 800; // ms: a short break is no news

/** Show a table until the reader leaves. */
export async function tablePage(main, tid, api) {
  const [site, view] = await Promise.all([api.get("/api/site"), api.get(`/api/play/${encodeURIComponent(tid)}`)]);
  const page = new TablePage(main, tid, api, site);
  page.show(view);
  return page.start();
}

class TablePage {
  constructor(main, tid, api, site) {
    Object.assign(this, { main, api, view: null, busy: false, path: `/api/play/${encodeURIComponent(tid)}`, bar: { keys: {} } });
    this.mode = localStorage.getItem("holdem-amounts") === "bb" ? "bb" : "chips";
    const card = (name) => h("section", { class: `card ${name}` });
    this.parts = Object.fromEntries(["result", "hints", "review", "log"].map((name) => [name, card(name)]));
    this.hints = new Hints(this.parts.hints, this.path, site.agents, api);
    this.review = new Review(this.parts.review, tid, site.agents, api);
    this.title = h("h1", {});
    this.unit = h("div", { title: "B" });
    this.lost = h("div", { class: "lost problem", role: "status", hidden: true });
    this.tabs = h("div", { class: "tabs" });
    this.felt = h("div", { class: "felt" });
    this.actions = h("div", { class: "actions", tabindex: "-1" });
    const tools = h("div", { class: "row tools" }, this.title, this.unit,
      h("button", { class: "small", type: "button", "aria-label": "Keys", title: "Keys (?)", onclick: showKeys }, "?"));
    this.element = h("div", { class: "play" }, h("div", { class: "stage" }, tools, this.tabs, this.lost, this.felt, this.actions),
      h("aside", { class: "beside" }, Object.values(this.parts)));
    fill(main, this.element);
    this.open("table");
  }

  /** What a phone shows above the buttons: the table, or one of the panels. */
  open(tab) {
    this.element.dataset.tab = tab;
    this.hasLast = Boolean(this.view?.last_hand);
    const tabs = TABS.filter(([name]) => name !== "review" || this.hasLast);
    fill(this.tabs, segmented("Shown", tabs, tab, (chosen) => this.open(chosen)));
    if (tab === "hints" && !this.hints.wanted) this.hints.toggle();
  }

  /** Follow the table; returns what ends it. */
  start() {
    const redraw = () => this.draw();
    const stops = [
      this.api.events(`${this.path}/events`, (view) => this.show(view), (state, error) => this.connection(state, error)),
      listen(() => ({ ...this.bar.keys, h: () => this.hints.toggle(), b: () => this.switchUnit(), "?": showKeys })),
      () => PHONE.removeEventListener("change", redraw),
      () => { clearTimeout(this.lostTimer); delete document.documentElement.dataset.amounts; },
    ];
    PHONE.addEventListener("change", redraw);
    return () => stops.forEach((stop) => stop());
  }

  /** Show a view unless a newer one is there. */
  show(view) {
    if (this.view && view.version < this.view.version) return;
    const before = this.view;
    this.view = view;
    if (before?.version === view.version) return;
    this.draw();
    this.tell(before);
  }

  draw() {
    const { view, mode } = this;
    document.documentElement.dataset.amounts = mode;
    fill(this.title, `Hand ${chips(view.hand)}`, h("small", {}, ` ${against(view)}`));
    if (mode !== this.shownMode) fill(this.unit, segmented("Amounts", [["chips", "Chips"], ["bb", "bb"]], mode, () => this.switchUnit()));
    this.shownMode = mode;
    fill(this.felt, svgPart(PHONE.matches ? view.svg_narrow ?? view.svg : view.svg));
    this.drawActions();
    resultPanel(this.parts.result, view);
    logPanel(this.parts.log, view);
    if (this.hasLast !== Boolean(view.last_hand)) this.open(this.element.dataset.tab);
    this.hints.update(view, mode);
    this.review.update(view, mode);
  }

  /** Who had the focus in the bar keeps it there: its first button is the one that goes on. */
  drawActions() {
    const hadFocus = this.actions.contains(document.activeElement);
    this.bar = actions(this.view, this.mode, (what, body) => this.send(what, body), () => PHONE.matches ? this.open("review") : this.review.reveal());
    fill(this.actions, this.bar.element);
    if (hadFocus) (this.actions.querySelector("[data-first]") ?? this.actions).focus({ preventScroll: true });
  }

  /** Tell what is new to those who listen. */
  tell(before) {
    const { view } = this;
    const isSame = before?.hand === view.hand;
    const news = view.log.slice(isSame ? before.log.length : 0);
    const status = this.actions.querySelector(".status")?.textContent ?? "";
    say([...news, view.waiting === "agent" ? "" : status].join(". "));
    document.title = `${view.waiting === "move" ? "● " : ""}${view.title} · holdem`;
  }

  async send(what, body = {}) {
    if (this.busy) return;
    this.setBusy(true);
    try {
      this.show(await this.api.post(`${this.path}/${what}`, { version: this.view.version, ...body }));
    } catch (error) {
      if (error.body?.view) this.show(error.body.view);
      if (!(error.wasRepeated && error.body?.view)) toast(error.message, "wrong");
      if (!("status" in error)) console.error(error);
    } finally {
      this.setBusy(false);
    }
  }

  setBusy(busy) {
    this.busy = busy;
    this.actions.setAttribute("aria-busy", String(busy));
  }

  switchUnit() {
    this.mode = this.mode === "bb" ? "chips" : "bb";
    localStorage.setItem("holdem-amounts", this.mode);
    this.draw();
  }

  connection(state, error) {
    clearTimeout(this.lostTimer);
    if (state === "live") return void (this.lost.hidden = true);
    const isRefused = error?.status >= 400 && error.status < 500;
    const words = isRefused ? error.message : "The connection is lost. Your hand is safe on the server; trying again…";
    this.lostTimer = setTimeout(() => { fill(this.lost, words); this.lost.hidden = false; }, isRefused ? 0 : LOST_AFTER);
  }
}

/** "against maniac": who else is at the table. */
function against(view) {
  const others = view.names.filter((_, seat) => seat !== view.seat).map((name) => view.titles?.[name] ?? name);
  return others.length > 2 ? `with ${others.length} agents` : `against ${others.join(" and ")}`;
}
