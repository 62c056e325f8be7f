// The page "watch": training runs and tournaments while they grow.
// #/watch lists them; #/watch/runs/A/B lays runs over each other; #/watch/tournaments/T follows a tournament.

import { fill, h, svgPart } from "./dom.js";
import { SMALL, View, cardBox, progressOf, redraw, stateOf, table } from "./watched.js";
import { curvesFigure } from "./watch_curves.js";
import { TournamentView } from "./watch_tournament.js";
import { chips, count, duration, interval, percent, signed } from "./words.js";

const GROUPS = { strength: "Strength", learning: "Learning", moves: "Moves" };
const KINDS = { run: "run", league: "league", seeds: "seeds" };
const MOST = 100; // runs over each other
const SORTS = ["written", "name", "game", "state", "progress", "decisions"];
const PAUSE = 250; // milliseconds after a key, before the search
let cardIsOpen = false;

/** Draw the page into `main`. parts: what follows its name in the address. */
export async function page(main, parts, api) {
  const [what, ...ids] = parts;
  if (what === "runs" && ids.length) return follow(new RunsView(main, ids, api));
  if (what === "tournaments" && ids.length) return follow(new TournamentView(main, ids[0], api));
  return follow(new Overview(main, api));
}

/** Load a view, and again whenever the server says that its files have changed; returns what ends that. */
async function follow(view) {
  await view.load();
  let isEnded = false, isLoading = false, isStale = false;
  async function again() {
    if (isLoading) { isStale = true; return; }
    isLoading = true;
    do {
      isStale = false;
      try { await view.load(); view.lost(null); } catch (error) { view.lost(error); }
      await new Promise((done) => setTimeout(done, 700)); // files that change all the time
    } while (isStale && !isEnded);
    isLoading = false;
  }
  const endEvents = view.api.events(view.events, () => !isEnded && again(),
    (state, error) => view.lost(state === "lost" ? error ?? new Error("The connection is lost; trying again …") : null));
  const timer = setInterval(() => view.tick?.(again), 10_000);
  const turned = () => again();
  SMALL.addEventListener("change", turned);
  return () => {
    isEnded = true;
    clearInterval(timer);
    SMALL.removeEventListener("change", turned);
    endEvents();
  };
}

/* All runs and tournaments */

class Overview extends View {
  constructor(main, api) {
    super(main, api);
    this.events = "/api/watch/events";
    this.chosen = new Set();
    this.turn = 0;
    this.asked = { search: "", sort: "-written", page: 1 };
    this.runs = h("div", {}, h("p", { class: "empty", role: "status" }, "The runs are looked up …"));
    this.tournaments = h("div");
    this.form = this.searchForm();
    fill(main, h("h1", {}, "Watch"), this.notice,
      h("section", { class: "card" }, h("h2", {}, "Training runs"), this.form, this.runs), this.tournaments);
  }

  async load() {
    const mine = ++this.turn;
    const [runs, tournaments] = await Promise.all(
      [this.api.get(`/api/watch/runs?${new URLSearchParams(this.asked)}`), this.api.get("/api/watch/tournaments")]);
    if (mine !== this.turn) return;
    this.known = runs;
    this.draw();
    redraw(this.tournaments, tournaments, () => tournamentList(tournaments.tournaments));
  }

  tick(again) { again(); } // times go on

  searchForm() {
    const search = h("input", { type: "search", "aria-label": "Search", placeholder: "name or configuration", autocomplete: "off",
      oninput: () => this.ask({ search: search.value.trim() }, PAUSE) });
    const sort = h("select", { "aria-label": "Sort by", onchange: () => this.ask({ sort: turned() + sort.value }) },
      SORTS.map((each) => h("option", { value: each }, `by ${each === "written" ? "time" : each}`)));
    const down = h("button", { type: "button", "aria-label": "Turn the order around", title: "Turn the order around",
      onclick: () => this.ask({ sort: (turned() ? "" : "-") + sort.value }) }, "⇅");
    const turned = () => this.asked.sort.startsWith("-") ? "-" : "";
    return h("form", { class: "run-search", role: "search", hidden: true, onsubmit: (event) => event.preventDefault() }, search, sort, down);
  }

  /** Load another part of the list. pause: milliseconds to wait for more keys. */
  ask(change, pause = 0) {
    Object.assign(this.asked, { page: 1, ...change });
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      this.runs.setAttribute("aria-busy", "true");
      try { await this.load(); } catch (error) { this.lost(error); }
      this.runs.removeAttribute("aria-busy");
    }, pause);
  }

  draw() {
    const { runs, folder, found, page, pages } = this.known;
    const rows = runs.map((run) => this.row(run));
    this.form.hidden = !this.asked.search && found < 2;
    redraw(this.runs, [this.known, [...this.chosen]], () => [
      h("div", { class: "row spread" }, h("p", { class: "dim", role: "status" }, count(found, "run")), found > 1 && this.comparing()),
      rows.length ? h("div", { class: "runs" }, rows)
        : this.asked.search ? h("p", { class: "empty" }, "No run has these words in its name or configuration.")
        : h("p", { class: "empty" }, `There is no run in the folder ${folder} yet. `, h("code", {}, "holdem train demo"),
          " trains one in a minute; it shows up here at once."),
      pages > 1 && this.pager(page, pages)]);
  }

  pager(page, pages) {
    const to = (number, text, isThere) =>
      h("button", { type: "button", disabled: !isThere, "aria-label": text, onclick: () => this.ask({ page: number }) }, text);
    return h("nav", { class: "row pages", "aria-label": "Pages of the list" }, to(page - 1, "‹ Before", page > 1),
      h("span", {}, `page ${page} of ${pages}`), to(page + 1, "After ›", page < pages));
  }

  comparing() {
    const ids = [...this.chosen];
    const all = this.known.runs.map((run) => run.id);
    const isAll = all.every((id) => this.chosen.has(id));
    return h("div", { class: "row" },
      h("button", { class: "small quiet", onclick: () => this.chooseAll(isAll ? [] : all) }, isAll ? "Untick all" : "Tick all here"),
      h("button", { class: "small", disabled: ids.length < 2, onclick: () => { location.hash = runsAddress(ids); } },
        ids.length < 2 ? "Tick runs to lay them over each other" : `Lay ${ids.length} runs over each other`));
  }

  row(run) {
    const tick = h("input", { type: "checkbox", checked: this.chosen.has(run.id), "aria-label": `Compare ${run.name}`,
      onchange: (event) => { this.choose(run.id, event.target); } });
    return h("div", { class: "run" },
      h("label", { class: "tick" }, tick),
      h("a", { class: "run-link", href: runsAddress([run.id]) },
        h("span", { class: "run-name" }, run.name, run.kind !== "run" && h("span", { class: "chip-label" }, KINDS[run.kind])),
        h("small", {}, [run.game, `${chips(run.decisions)} ${run.unit}`].filter(Boolean).join(" · ")),
        run.sentences.map((each) => h("small", { class: "warn" }, each))),
      stateOf(run), progressOf(run));
  }

  chooseAll(ids) {
    this.chosen = new Set(ids.length ? [...this.chosen, ...ids].slice(0, MOST) : []);
    this.draw();
  }

  choose(id, box) {
    if (box.checked && this.chosen.size >= MOST) box.checked = false;
    else if (box.checked) this.chosen.add(id);
    else this.chosen.delete(id);
    this.draw();
  }
}

function tournamentList(tournaments) {
  const rows = tournaments.map((each) => h("div", { class: "run" }, h("span"),
    h("a", { class: "run-link", href: `#/watch/tournaments/${encodeURIComponent(each.id)}` },
      h("span", { class: "run-name" }, each.name, h("span", { class: "chip-label" }, each.kind || "tournament")),
      h("small", {}, [each.game, count(each.hands, "hand")].filter(Boolean).join(" · ")),
      each.sentence && h("small", { class: "warn" }, each.sentence)),
    stateOf(each), progressOf({ ...each, progress: each.total ? each.done / each.total : null })));
  return h("section", { class: "card" }, h("h2", {}, "Tournaments"), rows.length ? h("div", { class: "runs" }, rows)
    : h("p", { class: "dim" }, "None was named. Start with ", h("code", {}, "holdem web --tournament NAME.db"),
      " to watch one, even while it is played."));
}

function runsAddress(ids) {
  return `#/watch/runs/${ids.map(encodeURIComponent).join("/")}`;
}

/* One run, or several over each other */

class RunsView extends View {
  constructor(main, ids, api) {
    super(main, api);
    this.ids = ids;
    this.query = ids.map((id) => `run=${encodeURIComponent(id)}`).join("&");
    this.events = `/api/watch/events?${this.query}`;
    this.head = h("div");
    this.more = h("div");
    this.groups = Object.keys(GROUPS).map((name) => new ChartGroup(name));
    const charts = this.groups.map((group) => group.element);
    fill(this.head, h("p", { class: "empty", role: "status" }, "The logs are read …"));
    fill(main, h("p", {}, h("a", { href: "#/watch" }, "← All runs")), this.notice, this.head, charts, this.more);
  }

  async load() {
    const layout = SMALL.matches ? "narrow" : "wide";
    const isOne = this.ids.length === 1;
    const asked = [this.api.get(isOne ? `/api/watch/charts?${this.query}&layout=${layout}` : `/api/watch/curves?${this.query}`)];
    if (isOne) asked.push(this.api.get(`/api/watch/runs/${encodeURIComponent(this.ids[0])}`));
    const [{ charts, runs }, details] = await Promise.all(asked);
    redraw(this.head, details ?? runs, () => details ? runHead(details) : comparedHead(runs));
    for (const group of this.groups) group.show(charts);
    if (!charts.length) this.groups[0].empty();
    if (details) this.showMore(details);
    document.title = `${runs.map((run) => run.name).join(", ")} · holdem`;
  }

  tick(again) { again(); }

  /** Below the charts: left as it is while nothing in it changes, as somebody may be reading. */
  showMore(details) {
    const { opponents, results, exploiters, mistakes_html, card_html } = details;
    redraw(this.more, [opponents, results, exploiters, mistakes_html, card_html], () => runMore(details));
  }
}

function runHead(run) {
  const facts = [
    ["Game", run.game], ["Budget", run.budget], [`${run.unit[0].toUpperCase()}${run.unit.slice(1)} so far`, chips(run.decisions)],
    ["Learners", run.kind === "league" ? run.learners.join(", ") : ""],
    ["Time left", run.seconds_left === null ? "" : `about ${duration(run.seconds_left)}, and the final matches`],
  ].filter(([, value]) => value);
  return h("section", { class: "card" },
    h("div", { class: "row spread" }, h("h1", {}, run.name), stateOf(run)),
    run.progress !== null && h("div", { class: "how-far big" },
      h("span", { class: "bar" }, h("i", { style: `width:${(100 * run.progress).toFixed(1)}%` })),
      h("small", {}, percent(run.progress, 0))),
    h("p", { class: "dim" }, run.state_in_words),
    run.sentences.map((each) => h("p", { class: "problem" }, each)),
    h("dl", { class: "facts left" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    run.seeds.length > 0 && h("p", {}, "Seeds: ", run.seeds.map((seed, k) =>
      [k > 0 && ", ", h("a", { href: runsAddress([seed.id]) }, seed.name)])),
    run.agent && h("div", { class: "row" }, h("a", { class: "button small", href: `#/charts/${encodeURIComponent(run.agent)}` },
      "What it does before the flop")));
}

function comparedHead(runs) {
  return h("section", { class: "card" }, h("h1", {}, `${runs.length} runs over each other`),
    h("p", { class: "dim" }, "One curve a configuration: the mean of its seeds in a band of one standard deviation; of a single run, with its intervals."),
    h("details", { open: runs.length <= 8 }, h("summary", {}, "The runs"), h("div", { class: "runs" }, runs.map((run) => h("div", { class: "run" }, h("span"),
      h("a", { class: "run-link", href: runsAddress([run.id]) }, h("span", { class: "run-name" }, run.name),
        h("small", {}, [run.game, `${chips(run.decisions)} ${run.unit}`].filter(Boolean).join(" · ")),
        run.sentences.map((each) => h("small", { class: "warn" }, each))),
      stateOf(run), progressOf(run))))));
}

/** The charts of one kind. Those that are there already are redrawn in place. */
class ChartGroup {
  constructor(name) {
    this.name = name;
    this.grid = h("div", { class: "charts" });
    const isFirst = name === Object.keys(GROUPS)[0];
    this.element = isFirst ? h("section", { class: "chart-group", hidden: true }, h("h2", {}, GROUPS[name]), this.grid)
      : h("details", { class: "chart-group", hidden: true }, h("summary", {}, h("h2", {}, GROUPS[name])), this.grid);
    this.figures = new Map();
  }

  show(charts) {
    this.grid.querySelector(".empty")?.remove();
    const own = charts.filter((chart) => chart.group === this.name);
    this.element.hidden = !own.length;
    const kept = new Set(own.map((chart) => chart.name));
    for (const [name, figure] of this.figures) if (!kept.has(name)) { figure.remove(); this.figures.delete(name); }
    own.forEach((chart, place) => {
      let figure = this.figures.get(chart.name);
      if (!figure) {
        figure = h("figure", { "data-chart": chart.name });
        this.figures.set(chart.name, figure);
      }
      const drawing = chart.svg ?? JSON.stringify([SMALL.matches, chart]);
      if (figure.drawing !== drawing) {
        figure.drawing = drawing;
        fill(figure, chart.svg ? svgPart(chart.svg) : curvesFigure(chart));
      }
      if (this.grid.children[place] !== figure) this.grid.insertBefore(figure, this.grid.children[place] ?? null);
    });
  }

  empty() {
    this.element.hidden = false;
    this.figures.clear();
    fill(this.grid, h("p", { class: "empty" }, "Nothing to draw yet: the first rollout is under way, or its logs cannot be read."));
  }
}

function runMore(run) {
  return [
    run.opponents.length > 0 && h("section", { class: "card" }, h("h2", {}, "Trains against"),
      h("div", { class: "shares" }, run.opponents.map((each) => [
        h("span", {}, each.name),
        h("span", { class: "bar" }, h("i", { style: `width:${(100 * each.share).toFixed(1)}%` })),
        h("span", { class: "number" }, percent(each.share, 0),
          each.rate !== null && h("small", {}, ` · ${each.rate} now`)),
      ]))),
    run.exploiters_svg && h("section", { class: "card" }, h("h2", {}, "Exploiters"),
      h("p", { class: "dim" }, "Fresh learners that trained against this agent alone: what they win is a lower bound of what it can lose."),
      h("figure", { class: "alone" }, svgPart(SMALL.matches ? run.exploiters_svg_narrow : run.exploiters_svg))),
    run.results.length > 0 && h("section", { class: "card" }, h("h2", {}, "Final matches"),
      table(["against", "plays", run.results[0].unit, "hands"], run.results.map((each) =>
        [each.opponent, each.plays, each.rate, chips(each.hands ?? 0)]), 2)),
    run.mistakes_html && h("section", { class: "card" }, h("h2", {}, "What its decisions lose"), cardBox(run.mistakes_html)),
    run.card_html && cardOf(run.card_html),
  ];
}

/** The model card. */
function cardOf(html) {
  return h("details", { class: "card", open: cardIsOpen, ontoggle: (event) => { cardIsOpen = event.target.open; } }, h("summary", {}, h("h2", {}, "Model card")), cardBox(html));
}

