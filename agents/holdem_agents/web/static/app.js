// The frame: which page is shown, the bar above it, light and dark.
// A page is a module with `page(main, parts, api)`. It may return a function that is called when the reader leaves, with
// `follow(parts)` if it can go to another of its addresses itself: true if it does.

import { api } from "./api.js";
import { fill, h } from "./dom.js";

const PAGES = { play: "Play", replay: "Replay", watch: "Watch", charts: "Charts", solve: "Solve" };
const THEMES = { auto: ["◐", "as this device"], light: ["☀", "light"], dark: ["☾", "dark"] };

let leave = null;
let shown = null;
let turn = 0;

/** Show the page that the address names: #/play/TID is page "play" with parts ["TID"]. */
async function show() {
  const [name, ...parts] = location.hash.replace(/^#\/?/, "").replace(/\?.*/s, "").split("/").map(decodeURIComponent).filter(Boolean);
  const page = name in PAGES ? name : "play";
  if (page === shown && leave?.follow?.(parts)) return;
  const mine = ++turn;
  leave?.();
  leave = null;
  shown = page;
  const main = h("main", { id: "main", tabindex: "-1", class: `page-${page}` });
  document.getElementById("main").replaceWith(main);
  document.title = `${PAGES[page]} · holdem`;
  mark(page);
  try {
    const left = await (await import(`./${page}.js`)).page(main, parts, api);
    if (mine === turn) leave = left ?? null;
    else left?.();
  } catch (error) {
    if (mine === turn) fill(main, h("div", { class: "card narrow" }, h("h1", {}, "This page cannot be shown"),
      h("p", { class: "problem" }, error.message), h("button", { class: "main", onclick: show }, "Try again")));
    if (!("status" in error)) console.error(error);
  }
}

function mark(page) {
  fill(document.querySelector("header nav"), Object.entries(PAGES).map(([name, title]) =>
    h("a", { href: `#/${name}`, "aria-current": name === page ? "page" : null }, title)));
}

function showTheme(chosen) {
  const [sign, words] = THEMES[chosen];
  const button = document.getElementById("theme");
  document.documentElement.dataset.theme = chosen;
  fill(button, h("span", { "aria-hidden": "true" }, sign));
  button.title = `Colours: ${words}. Click to change.`;
  button.setAttribute("aria-label", button.title);
}

function switchTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
  localStorage.setItem("holdem-theme", next);
  showTheme(next);
}

document.getElementById("theme").addEventListener("click", switchTheme);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
addEventListener("hashchange", show);
showTheme(document.documentElement.dataset.theme in THEMES ? document.documentElement.dataset.theme : "auto");
show();
