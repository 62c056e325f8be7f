// What the pages of runs and of tournaments share: a view that is loaded again and again, states, bars, tables.

import { fill, h } from "./dom.js";
import { duration, percent } from "./words.js";

export const SMALL = matchMedia("(max-width: 700px)");
const SCROLL = { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }; // keys scroll what has the focus
const STATES = { running: ["●", "running"], finished: ["✓", "finished"], quiet: ["‖", "quiet"] };

export class View {
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

/** Redraw only if `data` has changed, and leave the focus and what is scrolled where they are. */
export function redraw(box, data, draw) {
  const now = JSON.stringify([SMALL.matches, data], (key, value) => key === "seconds_ago" || key === "seconds_left" ? about(value) : value);
  if (box.drawnOf === now) return;
  box.drawnOf = now;
  const at = box.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  const places = [...box.querySelectorAll(".scroll")].map((each) => [each.scrollLeft, each.scrollTop]);
  fill(box, draw());
  [...box.querySelectorAll(".scroll")].forEach((each, k) => places[k] && each.scrollTo(...places[k]));
  if (at) [...box.querySelectorAll("a, button, input, summary, [tabindex]")].find((each) => nameOf(each) === at)?.focus();
}

function nameOf(element) {
  return element.getAttribute("aria-label") ?? element.getAttribute("href") ?? element.className;
}

function about(seconds) {
  return seconds === null ? null : seconds < 90 ? "now" : duration(seconds);
}

export function stateOf(each) {
  const [sign, word] = STATES[each.state];
  return h("span", { class: `state ${each.state}`, title: each.state_in_words ?? "" },
    h("span", { "aria-hidden": "true" }, `${sign} `), word);
}

/** A bar, and the time that is left, or when something was written last. */
export function progressOf(each) {
  const share = each.progress;
  const left = each.seconds_left !== null ? `about ${duration(each.seconds_left)} left`
    : each.seconds_ago === null ? "" : each.state === "running" ? "" : `${duration(each.seconds_ago)} ago`;
  return h("span", { class: "how-far" },
    share === null ? h("span") : h("span", { class: "bar", role: "img", "aria-label": percent(share, 0) },
      h("i", { style: `width:${(100 * share).toFixed(1)}%` })),
    h("small", {}, [share === null ? "" : percent(share, 0), left].filter(Boolean).join(" · ")));
}

/** A table of words and numbers. words: how many columns in front are words, or of each column whether it is. */
export function table(headings, rows, words = 1) {
  const kind = (k) => ({ class: (Array.isArray(words) ? words[k] : k < words) ? null : "number" });
  return h("div", SCROLL, h("table", { class: "numbers" },
    h("thead", {}, h("tr", {}, headings.map((each, k) => h("th", { scope: "col", ...kind(k) }, each)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, k) => h("td", kind(k), cell)))))));
}

/** A table whose headings sort it. rows: of [what sorts, what is shown] pairs. sort: {column, isUp}, which a click changes
 * before onSort(). */
export function sortedTable(headings, rows, sort, onSort) {
  const turn = (column) => { Object.assign(sort, { column, isUp: column === sort.column && !sort.isUp }); onSort(); };
  const heads = headings.map((text, k) => h("button", { type: "button", class: "small quiet", "aria-label": `Sort by ${text}`, onclick: () => turn(k) },
    text, k === sort.column && h("span", { "aria-hidden": "true" }, sort.isUp ? "▴" : "▾")));
  const sorted = [...rows].sort((one, other) => (one[sort.column][0] - other[sort.column][0]) * (sort.isUp ? 1 : -1));
  const made = table(heads, sorted.map((row) => row.map(([, shown]) => shown)));
  made.querySelectorAll("th")[sort.column].setAttribute("aria-sort", sort.isUp ? "ascending" : "descending");
  return made;
}

/** An agent's name, and what people call it. titles: by name. shown: what stands for the name. */
export function titled(name, titles, shown = name) {
  return titles[name] ? [shown, h("small", { class: "title" }, titles[name])] : shown;
}

/** A model card. The server made it of Markdown in which HTML is text. */
export function cardBox(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  const box = h("div", { class: "model-card" }, [...parsed.childNodes].map((node) => document.importNode(node, true)));
  for (const each of box.querySelectorAll("table")) {
    each.className = "numbers";
    const scroll = h("div", SCROLL);
    each.replaceWith(scroll);
    scroll.append(each);
  }
  return box;
}
