// The page "solve": a spot for both ranges is solved by the server, and the solution is walked.
// #/solve?board=…&oop=…&ip=…&pot=…&stack=… fills the form, and #/solve?from=COLLECTION/HAND/STREET with the spot of a
// hand that was played. &at=check,bet 50 is a place in the solution.

import { fill, h, say, setAddress } from "./dom.js";
import { SpotForm } from "./solve_form.js";
import { Look } from "./solve_look.js";
import { chips, duration } from "./words.js";

const OFTEN = 500; // milliseconds between two looks at a solve
const RUNNING = ["solving", "stopping", "loading"];

/** Draw the page into `main`. */
export async function page(main, parts, api) {
  const view = new SolvePage(main, api);
  await view.begin();
  return Object.assign(() => view.end(), { follow: () => view.follow() });
}

class SolvePage {
  constructor(main, api) {
    Object.assign(this, { api, number: 0 });
    this.form = new SpotForm(api, (spot) => this.solve(spot), () => this.compare());
    this.look = new Look(api, this.form.locks, () => this.solveAgain(), (isMove) => this.write(isMove));
    this.progress = h("p", { class: "progress", role: "status" });
    this.stop = h("button", { type: "button", onclick: () => this.ask("/api/solve/stop") }, "Stop and keep it");
    this.running = h("div", { class: "card row spread", hidden: true }, this.progress, this.stop);
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.source = h("p", { class: "dim", hidden: true });
    this.spot = h("details", { class: "card spot-card", open: true }, h("summary", {}, h("h2", {}, "The spot")), this.source, this.form.element);
    this.other = h("p", { class: "problem result-of", role: "status", hidden: true });
    this.result = h("div", { hidden: true }, this.other, this.look.element);
    fill(main, h("div", { class: "row spread head" }, h("h1", {}, "Solve"), this.opener()), this.spot, this.problem, this.running, this.result);
  }

  /** A button that opens a saved solution. */
  opener() {
    const input = h("input", { type: "file", hidden: true, accept: ".solution", "aria-label": "A saved solution", onchange: () => this.open(input) });
    return h("span", {}, h("button", { type: "button", onclick: () => input.click() }, "Open a solution …"), input);
  }

  async open(input) {
    const [file] = input.files;
    input.value = "";
    this.look.rest();
    if (!file) return;
    this.isOpening = true;
    this.running.hidden = false;
    this.stop.disabled = true;
    this.progress.textContent = "The solution is read …";
    await this.heard(() => this.api.send("/api/solve/open", file), true);
    this.isOpening = false;
  }

  async begin() {
    const [query, path] = place();
    this.look.path = path;
    const state = await this.api.get("/api/solve");
    if (query.has("from")) await this.fillFromHand(query.get("from"));
    else if ([...query].length || !state.number) await this.form.fillFrom(query);
    await this.show(state, ![...query].length);
  }

  /** Fill the form with the spot of a hand; with the first spot where that cannot be. */
  async fillFromHand(place) {
    const [id, number, street] = place.split("/").map(encodeURIComponent);
    try {
      const spot = await this.api.get(`/api/replay/${id}/${number}/spot?street=${street}`);
      this.form.fillWithHand(spot);
      fill(this.source, spot.note).hidden = false;
    } catch (error) {
      await this.form.fillFrom([]);
      this.wrong(error.message);
    }
  }

  /** Back and forward between the places of a solution. */
  follow() {
    const [query, path] = place();
    if (String(query) !== String(this.form.query) || !this.number) return false;
    this.look.go(path, false);
    return true;
  }

  /** Put the form and the place in the solution into the address. */
  write(isMove) {
    const [query] = place();
    const at = this.look.path.map(encodeURIComponent).join(",");
    if (!this.ended) setAddress(`#/solve?${this.form.query ?? query}${at && `&at=${at}`}`, isMove);
  }

  /** Say so if the solution is not the form's. */
  compare() {
    if (this.form.query) this.write(false);
    const { solution } = this.look;
    if (!solution) return;
    const { board, pot, stack } = solution;
    this.other.hidden = this.form.isOf(solution);
    fill(this.other, `This is the solution of another spot: ${board}, pot ${chips(pot)}${stack === null ? "" : `, stacks ${chips(stack)}`}. `,
      h("button", { type: "button", class: "small", onclick: () => this.form.fillWith(solution) }, "Show its spot"));
  }

  end() {
    this.ended = this.form.ended = true;
    clearTimeout(this.form.waiting);
    this.look.rest();
    clearTimeout(this.timer);
  }

  /** Solve with the locks of the walk; where the form says that it cannot be, show that. */
  solveAgain() {
    if (!this.form.button.disabled) return this.form.element.requestSubmit();
    this.spot.open = true;
    return this.form.size.scrollIntoView({ block: "center" });
  }

  async solve(spot) {
    this.form.busy(true);
    await this.heard(() => this.api.post("/api/solve", spot));
  }

  async ask(path) {
    this.stop.disabled = true;
    await this.heard(() => this.api.post(path));
  }

  /** Do something whose answer is how far the server is. fills: whether the form then shows the solution's spot. */
  async heard(asks, fills = false) {
    clearTimeout(this.timer);
    this.problem.hidden = true;
    try {
      await this.show(await asks(), fills);
    } catch (error) {
      if (this.ended) return;
      this.wrong(error.message);
      if (error.status !== 0) await this.show(await this.api.get("/api/solve").catch(() => ({ phase: "empty", number: this.number })), fills);
      else this.timer = setTimeout(() => this.refresh(), 4 * OFTEN);
    }
  }

  refresh() { return this.heard(() => this.api.get("/api/solve")); }

  async show(state, fills) {
    if (this.ended) return;
    const isRunning = RUNNING.includes(state.phase);
    this.form.busy(isRunning);
    const isNew = isRunning && this.running.hidden;
    this.running.hidden = !isRunning;
    if (isNew) this.running.scrollIntoView({ block: "nearest" });
    this.stop.disabled = state.phase !== "solving";
    if (isRunning) {
      this.progress.textContent = words(state);
      this.timer = setTimeout(() => this.refresh(), OFTEN);
    } else if (state.phase === "failed") this.wrong(state.sentence);
    if (state.number && state.number !== this.number) await this.take(state.number, fills);
  }

  /** Show a new solution. */
  async take(number, fills) {
    const solution = await this.api.get("/api/solve/solution");
    if (this.ended) return;
    if (fills) await this.form.fillWith(solution);
    if (fills || (!this.number && this.form.isOf(solution))) this.form.locks.set(solution.locks);
    this.number = number;
    this.spot.open = !this.form.isOf(solution);
    this.result.hidden = false;
    if (this.isOpening) this.look.path = [];
    await this.look.begin(solution, number);
    this.compare();
    say("The solution is there.");
  }

  wrong(sentence) {
    this.problem.hidden = false;
    fill(this.problem, sentence);
  }
}

/** What the address says: the form's inputs, and the moves and cards in the solution. */
function place() {
  const query = new URLSearchParams(location.hash.split("?").slice(1).join("?"));
  const path = (query.get("at") ?? "").split(",").filter(Boolean);
  query.delete("at");
  return [query, path];
}

/** How far a solve is. */
function words({ phase, iterations, percent, seconds, seconds_left: rest, accuracy }) {
  if (phase === "loading") return "The solution is read …";
  const now = phase === "stopping" ? "Stopping …" : iterations ? "Solving …" : "Starting … The first time, code is compiled, which takes up to a minute.";
  if (!iterations) return `${now} ${duration(seconds)}`;
  const left = percent === null ? "exploitability not known yet" : `exploitability ${percent.toFixed(2)}% of the pot (goal: ${accuracy}%)`;
  return `${now} ${chips(iterations)} iterations, ${left}, ${duration(seconds)}${rest === null ? "" : `, about ${duration(rest)} left`}`;
}
