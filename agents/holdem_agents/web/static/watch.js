// The page "watch": training runs and tournaments while they grow.
// #/watch lists them; #/watch/runs/A/B lays runs over each other; #/watch/tournaments/T follows a tournament.

import { fill, h, say, svgPart } from "./dom.js";
import { chips, duration, interval, percent, signed } from "./words.js";

const GROUPS = { strength: "Strength", learning: "Learning", moves: "Moves" };
const STATES = { running: ["●", "running"], finished: ["✓", "finished"], quiet: ["‖", "quiet"] };
const KINDS = { run: "run", league: "league", seeds: "seeds" };
const SMALL = matchMedia("(max-width: 700px)");
const MOST = 8; // runs over each other
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
  let is_ended = false, is_loading = false, is_stale = false;
  async function again() {
    if (is_loading) { is_stale = true; return; }
    is_loading = true;
    do {
      is_stale = false;
      try { await view.load(); view.lost(null); } catch (error) { view.lost(error); }
      await new Promise((done) => setTimeout(done, 700)); // files that change all the time
    } while (is_stale && !is_ended);
    is_loading = false;
  }
  const endEvents = view.api.events(view.events, () => !is_ended && again(),
    (state, error) => view.lost(state === "lost" ? error ?? new Error("The connection is lost; trying again …") : null));
  const timer = setInterval(() => view.tick?.(again), 10_000);
  const turned = () => again();
  SMALL.addEventListener("change", turned);
  return () => {
    is_ended = true;
    clearInterval(timer);
    SMALL.removeEventListener("change", turned);
    endEvents();
  };
}

class View {
  constructor(main, api) {
    Object.assign(this, { main, api });
    this.notice = h("p", { class: "problem", hidden: true, role: "status" });
  }

  /** Say that what is shown may be old. */
  lost(error) {
    this.notice.hidden = !error;
    this.notice.textContent = error ? error.message : "";
  }
}

/** Draw anew only if what is drawn is another (`data`), and leave the focus where it is. */
function redraw(box, data, draw) {
  const now = JSON.stringify([SMALL.matches, data], (key, value) => key === "seconds_ago" || key === "seconds_left" ? about(value) : value);
  if (box.drawnOf === now) return;
  box.drawnOf = now;
  const at = box.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  fill(box, draw());
  if (at) [...box.querySelectorAll("a, button, input, summary")].find((each) => nameOf(each) === at)?.focus();
}

function nameOf(element) {
  return element.getAttribute("aria-label") ?? element.getAttribute("href") ?? element.className;
}

function about(seconds) {
  return seconds === null ? null : duration(seconds);
}

/* All runs and tournaments */

class Overview extends View {
  constructor(main, api) {
    super(main, api);
    this.events = "/api/watch/events";
    this.chosen = new Set();
    this.runs = h("div");
    this.tournaments = h("div");
    fill(main, h("h1", {}, "Watch"), this.notice, this.runs, this.tournaments);
  }

  async load() {
    const [runs, tournaments] = await Promise.all(
      [this.api.get("/api/watch/runs"), this.api.get("/api/watch/tournaments")]);
    this.known = runs;
    this.draw();
    redraw(this.tournaments, tournaments, () => tournamentList(tournaments.tournaments));
  }

  tick(again) { again(); } // times go on

  draw() {
    const { runs, folder } = this.known;
    const there = new Set(runs.map((run) => run.id));
    this.chosen = new Set([...this.chosen].filter((id) => there.has(id)));
    const rows = runs.map((run) => this.row(run));
    redraw(this.runs, [runs, [...this.chosen]], () => h("section", { class: "card" },
      h("div", { class: "row spread" }, h("h2", {}, "Training runs"), runs.length > 1 && this.comparing()),
      rows.length ? h("div", { class: "runs" }, rows)
        : h("p", { class: "empty" }, `There is no run in the folder ${folder} yet. `, h("code", {}, "holdem train demo"),
          " trains one in a minute; it shows up here at once.")));
  }

  comparing() {
    const ids = [...this.chosen];
    return h("button", { class: "small", disabled: ids.length < 2, onclick: () => { location.hash = runsAddress(ids); } },
      ids.length < 2 ? "Tick runs to lay them over each other" : `Lay ${ids.length} runs over each other`);
  }

  row(run) {
    const tick = h("input", { type: "checkbox", checked: this.chosen.has(run.id), "aria-label": `Compare ${run.name}`,
      onchange: (event) => { this.choose(run.id, event.target); } });
    return h("div", { class: "run" },
      h("label", { class: "tick" }, tick),
      h("a", { class: "run-link", href: runsAddress([run.id]) },
        h("span", { class: "run-name" }, run.name, run.kind !== "run" && h("span", { class: "chip-label" }, KINDS[run.kind])),
        h("small", {}, [run.game, `${chips(run.decisions)} decisions`].filter(Boolean).join(" · ")),
        run.sentences.map((each) => h("small", { class: "warn" }, each))),
      stateOf(run), progressOf(run));
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
      h("small", {}, [each.game, `${chips(each.hands)} hands`].filter(Boolean).join(" · ")),
      each.sentence && h("small", { class: "warn" }, each.sentence)),
    stateOf(each), progressOf({ ...each, progress: each.total ? each.done / each.total : null })));
  return h("section", { class: "card" }, h("h2", {}, "Tournaments"), rows.length ? h("div", { class: "runs" }, rows)
    : h("p", { class: "dim" }, "None was named. Start with ", h("code", {}, "holdem web --tournament NAME.db"),
      " to watch one, even while it is played."));
}

function runsAddress(ids) {
  return `#/watch/runs/${ids.map(encodeURIComponent).join("/")}`;
}

function stateOf(each) {
  const [sign, word] = STATES[each.state];
  return h("span", { class: `state ${each.state}`, title: each.state_in_words ?? "" },
    h("span", { "aria-hidden": "true" }, `${sign} `), word);
}

/** A bar, and the time that is left, or when something was written last. */
function progressOf(each) {
  const share = each.progress;
  const left = each.seconds_left !== null ? `about ${duration(each.seconds_left)} left`
    : each.seconds_ago === null ? "" : each.state === "running" ? "" : `${duration(each.seconds_ago)} ago`;
  return h("span", { class: "how-far" },
    share === null ? h("span") : h("span", { class: "bar", role: "img", "aria-label": percent(share, 0) },
      h("i", { style: `width:${(100 * share).toFixed(1)}%` })),
    h("small", {}, [share === null ? "" : percent(share, 0), left].filter(Boolean).join(" · ")));
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
    fill(main, h("p", {}, h("a", { href: "#/watch" }, "← All runs")), this.notice, this.head, charts, this.more);
  }

  async load() {
    const layout = SMALL.matches ? "narrow" : "wide";
    const asked = [this.api.get(`/api/watch/charts?${this.query}&layout=${layout}`)];
    if (this.ids.length === 1) asked.push(this.api.get(`/api/watch/runs/${encodeURIComponent(this.ids[0])}`));
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
    const { opponents, results, exploiters, card_html } = details;
    redraw(this.more, [opponents, results, exploiters, card_html], () => runMore(details));
  }
}

function runHead(run) {
  const facts = [
    ["Game", run.game], ["Budget", run.budget], ["Decisions so far", chips(run.decisions)],
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
    h("div", { class: "runs" }, runs.map((run) => h("div", { class: "run" }, h("span"),
      h("a", { class: "run-link", href: runsAddress([run.id]) }, h("span", { class: "run-name" }, run.name),
        h("small", {}, [run.game, `${chips(run.decisions)} decisions`].filter(Boolean).join(" · ")),
        run.sentences.map((each) => h("small", { class: "warn" }, each))),
      stateOf(run), progressOf(run)))));
}

/** The charts of one kind. Those that are there already are drawn anew in their place. */
class ChartGroup {
  constructor(name) {
    this.name = name;
    this.grid = h("div", { class: "charts" });
    this.element = h("section", { class: "chart-group", hidden: true }, h("h2", {}, GROUPS[name]), this.grid);
    this.figures = new Map();
  }

  show(charts) {
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
      if (figure.drawing !== chart.svg) {
        figure.drawing = chart.svg;
        fill(figure, svgPart(chart.svg));
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
          each.bb_per_100 !== null && h("small", {}, ` · ${signed(each.bb_per_100)} bb/100 now`)),
      ]))),
    run.exploiters_svg && h("section", { class: "card" }, h("h2", {}, "Exploiters"),
      h("p", { class: "dim" }, "Fresh learners that trained against this agent alone: what they win is a lower bound of what it can lose."),
      h("figure", { class: "alone" }, svgPart(SMALL.matches ? run.exploiters_svg_narrow : run.exploiters_svg))),
    run.results.length > 0 && h("section", { class: "card" }, h("h2", {}, "Final matches"),
      table(["against", "plays", "bb/100", "hands"], run.results.map((each) =>
        [each.opponent, each.plays, interval(each.bb_per_100 ?? 0, each.half_width), chips(each.hands ?? 0)]), 2)),
    run.card_html && cardOf(run.card_html),
  ];
}

/** The model card. The server made it of Markdown in which HTML is text. */
function cardOf(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  const box = h("div", { class: "model-card" }, [...parsed.childNodes].map((node) => document.importNode(node, true)));
  for (const each of box.querySelectorAll("table")) {
    each.className = "numbers";
    const scroll = h("div", { class: "scroll" });
    each.replaceWith(scroll);
    scroll.append(each);
  }
  return h("details", { class: "card", open: cardIsOpen, ontoggle: (event) => { cardIsOpen = event.target.open; } }, h("summary", {}, h("h2", {}, "Model card")), box);
}

/** A table of words and numbers. words: how many columns in front are words. */
function table(headings, rows, words = 1) {
  const kind = (k) => ({ class: k < words ? null : "number" });
  return h("div", { class: "scroll" }, h("table", { class: "numbers" },
    h("thead", {}, h("tr", {}, headings.map((each, k) => h("th", { scope: "col", ...kind(k) }, each)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, k) => h("td", kind(k), cell)))))));
}

/* A tournament */

class TournamentView extends View {
  constructor(main, id, api) {
    super(main, api);
    this.path = `/api/watch/tournaments/${encodeURIComponent(id)}`;
    this.events = `${this.path}/events`;
    this.body = h("div");
    fill(main, h("p", {}, h("a", { href: "#/watch" }, "← All runs and tournaments")), this.notice, this.body);
  }

  async load() {
    const found = await this.api.get(this.path);
    document.title = `${found.name} · holdem`;
    redraw(this.body, found, () => tournamentParts(found, this.path));
    if (this.forfeits !== undefined && this.forfeits < found.forfeits.length) say(`${found.forfeits.at(-1).name} has forfeited.`);
    this.forfeits = found.forfeits.length;
  }

  tick(again) { again(); }
}

function tournamentParts(found, path) {
  const share = found.total ? found.done / found.total : null;
  const facts = [
    ["Game", found.game], ["Format", found.kind], ["Hands", chips(found.hands)],
    [found.is_most ? `${words(found.deal)}, at most` : words(found.deal),
      found.total === null ? chips(found.done) : `${chips(found.done)} of ${chips(found.total)}`],
    ["Time left", found.seconds_left === null ? "" : `about ${duration(found.seconds_left)}`],
    ["Playing now", found.state === "running" ? found.now.map((pair) => pair.join(" against ")).join("; ") : ""],
    ["Stored last", found.latest ? found.latest.join(found.latest.length > 2 ? ", " : " against ") : ""],
  ].filter(([, value]) => value);
  return [
    h("section", { class: "card" },
      h("div", { class: "row spread" }, h("h1", {}, found.name), stateOf(found)),
      share !== null && h("div", { class: "how-far big" },
        h("span", { class: "bar" }, h("i", { style: `width:${(100 * share).toFixed(1)}%` })), h("small", {}, percent(share, 0))),
      found.sentence && h("p", { class: "problem" }, found.sentence),
      h("dl", { class: "facts left" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      found.rows.length > 0 && h("div", { class: "row" },
        h("a", { class: "button small", href: `${path}/report`, target: "_blank", rel: "noopener" }, "The whole report"))),
    found.forfeits.length > 0 && h("section", { class: "card" }, h("h2", {}, "Forfeited"),
      h("dl", { class: "forfeits" }, found.forfeits.map((each) => [h("dt", {}, each.name), h("dd", {}, each.reason)]))),
    found.svg && h("section", { class: "card" }, h("h2", {}, "Standings"), h("figure", { class: "alone" }, svgPart(SMALL.matches ? found.svg_narrow : found.svg)),
      standings(found), h("p", { class: "dim" }, h("small", {}, found.explanation))),
    found.cross.length > 0 && h("section", { class: "card" }, h("h2", {}, "Crosstable"), crosstable(found)),
    !found.rows.length && !found.sentence && h("p", { class: "empty" }, "Nothing is finished yet."),
  ];
}

function words(deal) {
  return deal === "session" ? "Sessions" : "Deals";
}

function standings(found) {
  const ranked = found.rows.some((row) => row.rank);
  const headings = ["", ...(ranked ? ["rank"] : []), "agent", found.unit, "hands", "bankroll", "Elo"];
  const rows = found.rows.map((row) => [
    row.place, ...(ranked ? [row.rank] : []), row.name + (row.is_absent ? " *" : ""), rate(row.rate), chips(row.hands),
    row.bankroll === null ? "–" : signed(row.bankroll),
    row.elo[0] === null ? "–" : `${row.elo[0].toFixed(0)} (${row.elo.slice(1).map((end) => end === null ? "?" : end.toFixed(0)).join("–")})`,
  ]);
  const note = found.rows.some((row) => row.is_absent) && h("small", {}, "* not entered in the latest run; ranked by earlier results");
  return [table(headings, rows, ranked ? 3 : 2), note];
}

function rate({ mean, half_width }) {
  return mean === null ? "–" : half_width === null ? `${signed(mean, 1)} ± ∞` : interval(mean, half_width);
}

/** Who wins from whom. Signs say it; shades say how much, where the interval leaves no doubt. */
function crosstable(found) {
  const most = Math.max(1, ...found.cross.flat().filter(Boolean).map((each) => Math.abs(each.mean ?? 0)));
  const cell = (each) => {
    if (!each || each.mean === null) return h("td", { class: "number dim" }, each ? "–" : "");
    const isClear = each.half_width !== null && Math.abs(each.mean) > each.half_width;
    const strength = isClear ? Math.round(12 + 38 * Math.min(Math.abs(each.mean) / most, 1)) : 0;
    const shade = strength ? `background:color-mix(in srgb, var(--panel), var(--${each.mean > 0 ? "part-1" : "part-2"}) ${strength * 2}%)` : null;
    return h("td", { class: "number", style: shade }, h("b", {}, signed(each.mean)),
      h("br"), h("small", {}, each.half_width === null ? "± ∞" : `± ${each.half_width.toFixed(0)}`));
  };
  return [h("div", { class: "scroll" }, h("table", { class: "numbers cross" },
    h("thead", {}, h("tr", {}, h("th", {}, `${found.unit} of the row's agent`), found.names.map((name) => h("th", { scope: "col", class: "number" }, name)))),
    h("tbody", {}, found.cross.map((row, k) => h("tr", {}, h("th", { scope: "row" }, found.names[k]), row.map(cell)))))),
  h("p", {}, h("small", {}, `Blue wins, orange loses, where the ${percent(found.confidence, 0)} interval leaves no doubt.`))];
}


