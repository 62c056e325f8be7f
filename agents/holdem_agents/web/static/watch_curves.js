// Curves of several runs: one colour a configuration, bands over its seeds, and the values under the pointer.

import { fill, h, say } from "./dom.js";
import { SMALL } from "./watched.js";

const NS = "http://www.w3.org/2000/svg";
const LEFT = 58, TOP = 10, FOOT = 34;
const DASHES = ["", "9 5", "2 5", "14 4 2 4"];

function s(tag, attrs, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A number with as many digits as its size needs. size: of a number beside it that it is to fit. */
function short(number, size = Math.abs(number)) {
  if (size >= 1e6) return `${(number / 1e6).toLocaleString("en-US", { maximumFractionDigits: 2 })}M`.replace("-", "−");
  return number.toLocaleString("en-US", { maximumFractionDigits: size >= 100 ? 0 : size >= 1 ? 2 : 4 }).replace("-", "−");
}

/** The figure of a chart of the server. */
export function curvesFigure(chart) {
  const width = SMALL.matches ? 360 : 640, height = 280, right = width - 12, foot = height - FOOT;
  const curves = chart.curves.map((curve, k) => ({ ...curve, colour: `var(--curve-${curve.colour})`, dash: DASHES[Math.floor(k / 6) % 4] }));
  const all = (keys) => curves.flatMap((curve) => keys.flatMap((key) => curve[key])).filter((each) => each !== null);
  const [x, y] = [scale(all(["at"]), LEFT, right, 0), scale(all(["values", "low", "high"]), foot, TOP, .05)];
  const cross = s("line", { y1: TOP, y2: foot, stroke: "var(--dim)", visibility: "hidden" });
  const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: "0", class: "curves",
    "aria-label": `${chart.title}. Left and right arrow read the values.` },
  ...axes(x, y, right, foot, chart.across), ...curves.map((curve) => band(curve, x, y)).filter(Boolean), ...curves.map((curve) => line(curve, x, y)), cross);
  const places = [...new Set(all(["at"]))].sort((a, b) => a - b);
  const where = h("p", { class: "dim" });
  const key = h("ul", { class: "curve-key" });
  const show = (at) => {
    const isHere = at !== null;
    cross.setAttribute("visibility", isHere ? "visible" : "hidden");
    if (isHere) { cross.setAttribute("x1", x.of(at)); cross.setAttribute("x2", x.of(at)); }
    fill(where, isHere ? `at ${short(at)} ${chart.across}` : "latest values");
    fill(key, curves.map((curve) => h("li", {}, swatch(curve), h("span", {}, curve.name, curve.runs > 1 && h("small", {}, ` · ${curve.runs} seeds`)),
      h("b", {}, valueText(curve, isHere ? nearest(curve, at) : lastOf(curve))))));
  };
  let step = null;
  const to = (place) => { step = Math.max(0, Math.min(place, places.length - 1)); show(places[step]); };
  drawing.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    const at = x.back((event.clientX - box.left) * width / box.width);
    to(places.reduce((best, each, k) => Math.abs(each - at) < Math.abs(places[best] - at) ? k : best, 0));
  });
  for (const end of ["pointerleave", "blur"]) drawing.addEventListener(end, () => { step = null; show(null); });
  drawing.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    to((step ?? (by < 0 ? places.length : -1)) + by);
    say(`${where.textContent}: ${key.innerText}`);
  });
  show(null);
  return [h("h3", {}, chart.title, chart.unit && h("small", {}, ` · ${chart.unit}`)), drawing, where, key];
}

function scale(values, from, to, margin) {
  let [low, high] = values.length ? [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))] : [0, 1];
  const room = high > low ? margin * (high - low) : Math.abs(low) / 10 || .5;
  [low, high] = [low - room, high + room];
  const step = [1, 2, 5, 10].map((each) => each * 10 ** Math.floor(Math.log10((high - low) / 5))).find((each) => (high - low) / each <= 6);
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  return { of: (value) => from + (to - from) * (value - low) / (high - low), back: (place) => low + (high - low) * (place - from) / (to - from), ticks };
}

function axes(x, y, right, foot, across) {
  const text = (attrs, words) => s("text", { fill: "var(--dim)", "font-size": 12, ...attrs }, words);
  return [
    ...y.ticks.flatMap((each) => [s("line", { x1: LEFT, x2: right, y1: y.of(each), y2: y.of(each), stroke: "var(--tick)", "stroke-width": each ? 1 : 2 }),
      text({ x: LEFT - 6, y: y.of(each) + 4, "text-anchor": "end" }, short(each))]),
    ...x.ticks.map((each) => text({ x: Math.min(x.of(each), right - 10), y: foot + 15, "text-anchor": "middle" }, short(each))),
    text({ x: (LEFT + right) / 2, y: foot + 30, "text-anchor": "middle" }, across)];
}

function band({ at, low, high, colour }, x, y) {
  const known = at.map((_, k) => k).filter((k) => k < low.length && low[k] !== null && high[k] !== null);
  if (!known.length) return null;
  const side = (values, order) => order.map((k) => `${x.of(at[k]).toFixed(1)},${y.of(values[k]).toFixed(1)}`);
  const points = [...side(high, known), ...side(low, known.toReversed())].join(" ");
  return s("polygon", { points, fill: colour, opacity: .17, ...(known.length === 1 ? { stroke: colour } : {}) });
}

function line({ at, values, colour, dash }, x, y) {
  const points = at.map((each, k) => values[k] === null ? null : `${x.of(each).toFixed(1)},${y.of(values[k]).toFixed(1)}`).filter(Boolean);
  return points.length === 1 ? s("circle", { cx: points[0].split(",")[0], cy: points[0].split(",")[1], r: 4, fill: colour })
    : s("polyline", { points: points.join(" "), fill: "none", stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dash });
}

function swatch({ colour, dash }) {
  return s("svg", { width: 26, height: 10, "aria-hidden": "true" }, s("line", { x1: 0, x2: 26, y1: 5, y2: 5, stroke: colour, "stroke-width": 3, "stroke-dasharray": dash }));
}

function lastOf(curve) {
  return curve.values.findLastIndex((each) => each !== null);
}

/** The place of the point that is next to `at`; −1 beyond a curve's ends. */
function nearest({ at, values }, place) {
  const known = at.map((_, k) => k).filter((k) => values[k] !== null);
  if (!known.length || place < at[known[0]] - 1e-9 || place > at[known.at(-1)] + 1e-9) return -1;
  return known.reduce((best, k) => Math.abs(at[k] - place) < Math.abs(at[best] - place) ? k : best);
}

function valueText({ values, low, high }, k) {
  if (k < 0) return "–";
  const half = k < low.length && low[k] !== null && high[k] !== null ? ` ± ${short((high[k] - low[k]) / 2, Math.abs(values[k]))}` : "";
  return short(values[k]) + half;
}
