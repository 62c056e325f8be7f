// One hand, step by step: the table, what happened, equities, and what agents would have done.

import { cards } from "./cards.js";
import { fill, h, say, svgPart, toast } from "./dom.js";
import { adviceBars, adviserSelect } from "./hints.js";
import { listen } from "./keys.js";
import { signedMoney } from "./replay_list.js";
import { solveLink } from "./solve_link.js";
import { percent, tone } from "./words.js";

const PACES = { slow: 2200, normal: 1200, fast: 500 };
const NARROW = matchMedia("(max-width: 720px)");

/** Show a hand. number: its place in the collection; step: where to begin. */
export async function handPage(main, id, number, step, api) {
  const hand = new Hand(id, number, api);
  fill(main, h("p", { class: "empty", role: "status" }, "The hand is played again …"));
  await hand.load(Number(step) || 0);
  fill(main, hand.element);
  hand.mark();
  const deaf = listen(() => hand.keys());
  const again = () => hand.load(hand.step);
  NARROW.addEventListener("change", again);
  return () => {
    deaf();
    NARROW.removeEventListener("change", again);
    hand.pause();
  };
}

class Hand {
  constructor(id, number, api) {
    Object.assign(this, { id, number, api, step: 0, folded: false, timer: null, advisers: {}, advice: new Map(), turn: 0 });
    this.path = `/api/replay/${encodeURIComponent(id)}/${encodeURIComponent(number)}`;
    this.pace = localStorage.getItem("holdem-replay-pace") ?? "normal";
    this.felt = h("div", { class: "felt" });
    this.caption = h("p", { class: "caption" });
    this.equities = h("section", { class: "card", "aria-label": "Equities" });
    this.asked = h("section", { class: "card", "aria-label": "What agents would do" });
    this.steps = h("ol", { class: "decisions steps" });
    this.slider = h("input", { type: "range", min: 0, "aria-label": "Step of the hand", oninput: () => this.go(Number(this.slider.value)) });
    this.playButton = h("button", { class: "main play-button", type: "button", onclick: () => this.toggle() });
    this.streets = h("div", { class: "row streets", role: "group", "aria-label": "Jump to a street" });
    this.solve = h("div", { class: "row" });
    this.element = h("div", { class: "play replay" });
  }

  async load(step) {
    const query = `layout=${NARROW.matches ? "narrow" : "wide"}&folded=${Number(this.folded)}`;
    const mine = ++this.turn;
    const [found, site] = await Promise.all([this.api.get(`${this.path}?${query}`), this.site ?? this.api.get("/api/site")]);
    if (mine !== this.turn) return;
    Object.assign(this, { found, site });
    this.advice.clear();
    this.chooseByName();
    this.draw();
    this.go(step);
  }

  /** Players who are called like agents of this server are asked at once. */
  chooseByName() {
    this.found.seats.forEach((seat, place) => {
      const known = this.site.agents.find((agent) => (agent.name === seat.name || agent.id === seat.name) && agent.gives_probabilities !== false && !this.found.cannot.includes(agent.id));
      if (known && !(place in this.advisers)) this.advisers[place] = known.id;
    });
  }

  // Going through the steps

  get last() {
    return this.found.steps.length - 1;
  }

  go(step) {
    this.step = Math.max(0, Math.min(step, this.last));
    const shown = this.found.steps[this.step];
    history.replaceState(null, "", `#/replay/${encodeURIComponent(this.id)}/${this.number}/${this.step}`);
    fill(this.felt, svgPart(shown.svg));
    fill(this.caption, shown.label || " ");
    this.slider.value = this.step;
    this.mark();
    this.drawEquities(shown);
    this.drawAdvice();
    if (!this.timer) say(shown.label);
    if (this.timer && this.step === this.last) this.pause();
  }

  /** Show where we are: in the list of steps, and among the streets. */
  mark() {
    for (const button of this.steps.querySelectorAll("button")) {
      const isHere = Number(button.value) === this.step;
      if (isHere) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      if (isHere) this.steps.scrollTop = button.offsetTop - this.steps.clientHeight / 2;
    }
    const street = this.found.marks.findLast((mark) => mark.step <= this.step);
    fill(this.solve, street.solve && solveLink(this.id, this.number, street.solve));
    for (const button of this.streets.children) button.setAttribute("aria-pressed", String(Number(button.value) === street.step));
  }

  play() {
    if (this.step === this.last) this.go(0);
    this.timer = setInterval(() => this.go(this.step + 1), PACES[this.pace]);
    this.drawPlay();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.drawPlay();
  }

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  by(steps) {
    if (this.timer) this.pause();
    this.go(this.step + steps);
  }

  jump(street) {
    const mark = this.found.marks[street];
    if (mark) this.by(mark.step - this.step);
  }

  other(number) {
    if (number) location.hash = `#/replay/${encodeURIComponent(this.id)}/${number}/0`;
  }

  keys() {
    const { previous, next } = this.found;
    return {
      ArrowLeft: () => this.by(-1), ArrowRight: () => this.by(1), Home: () => this.by(-this.step), End: () => this.by(this.last),
      " ": () => this.toggle(), 1: () => this.jump(0), 2: () => this.jump(1), 3: () => this.jump(2), 4: () => this.jump(3),
      p: () => this.other(previous), n: () => this.other(next),
    };
  }

  // Drawing

  draw() {
    const { found } = this;
    document.title = `Hand ${found.hand} · ${found.title} · holdem`;
    this.slider.max = this.last;
    fill(this.streets, found.marks.map((mark, place) => h("button", { class: "small", type: "button", value: mark.step,
      onclick: () => this.jump(place) }, mark.street, h("kbd", { "aria-hidden": "true" }, place + 1))));
    fill(this.steps, this.stepList());
    this.drawPlay();
    fill(this.element,
      h("div", { class: "stage" }, this.head(), this.felt, this.caption, this.transport()),
      h("div", { class: "beside" }, this.equities, this.asked,
        h("section", { class: "card" }, h("h2", {}, "What happened"), this.steps), this.holdings(), this.saving()));
  }

  head() {
    const { found } = this;
    const turn = (number, text, label) => h("button", { class: "small", type: "button", disabled: !number, "aria-label": label, title: label,
      onclick: () => this.other(number) }, text);
    return h("div", { class: "row tools" },
      h("a", { class: "button small quiet", href: `#/replay/${encodeURIComponent(this.id)}`, title: "All hands of this collection" }, "‹ Hands"),
      h("h1", {}, `Hand ${found.hand} `, h("small", { class: "dim" }, found.game)),
      turn(found.previous, "‹", "Previous hand (P)"), turn(found.next, "›", "Next hand (N)"));
  }

  transport() {
    const button = (text, label, act) => h("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
    const pace = h("select", { class: "pace", "aria-label": "Pace", onchange: (event) => this.choosePace(event.target.value) },
      Object.keys(PACES).map((each) => h("option", { value: each, selected: each === this.pace }, each)));
    return h("div", { class: "transport" }, this.slider,
      h("div", { class: "row" }, button("|◀", "To the beginning (Home)", () => this.by(-this.step)), button("◀", "Back (left arrow)", () => this.by(-1)),
        this.playButton, button("▶", "On (right arrow)", () => this.by(1)), button("▶|", "To the end (End)", () => this.by(this.last)), pace),
      h("div", { class: "row streets-row" }, this.streets, this.solve));
  }

  choosePace(pace) {
    this.pace = pace;
    localStorage.setItem("holdem-replay-pace", pace);
    if (this.timer) {
      this.pause();
      this.play();
    }
  }

  drawPlay() {
    fill(this.playButton, this.timer ? "Pause" : "Play", h("kbd", { "aria-hidden": "true" }, "space"));
  }

  stepList() {
    let street = null;
    return this.found.steps.flatMap((each, place) => {
      const heading = each.street === street ? null : h("li", { class: "street" }, h("b", {}, each.street), cards(each.board));
      street = each.street;
      if (each.kind === "board") return [heading && this.entry(heading, place)];
      return [heading, h("li", {}, h("button", { class: "quiet entry", type: "button", value: place, onclick: () => this.by(place - this.step) }, each.label))];
    });
  }

  /** A street's heading, which is a step itself. */
  entry(heading, place) {
    const button = h("button", { class: "quiet entry", type: "button", value: place, onclick: () => this.by(place - this.step) }, ...heading.childNodes);
    return h("li", { class: "street" }, button);
  }

  drawEquities(shown) {
    const seats = this.found.seats;
    const title = h("h2", {}, "Equity now");
    if (!shown.equity) {
      fill(this.equities, title, h("p", { class: "dim" }, "Not all hands that are still in are known, or this game's are not counted."));
      return;
    }
    const bars = seats.map((seat, place) => {
      const share = shown.equity[place];
      return !this.isLive(place) ? null : [h("span", { class: "who" }, seat.name, seat.cards ? cards(seat.cards) : null),
        h("span", { class: "bar" }, h("i", { style: `width:${percent(share)}` })), h("span", { class: "number" }, percent(share))];
    });
    fill(this.equities, title, h("div", { class: "shares" }, bars));
  }

  /** Whether a seat was dealt in and has not folded by now. */
  isLive(seat) {
    return this.found.seats[seat].position !== "" && !this.found.steps.slice(0, this.step + 1).some((step) => step.mover === seat && step.folds);
  }

  // Agents

  drawAdvice() {
    const { found, site } = this;
    const next = found.steps[this.step + 1];
    const seat = next?.kind === "move" ? next.mover : null;
    const everybody = adviserSelect(site.agents, found.cannot, this.advisers.all ?? "", (agent) => this.choose("all", agent), "An agent for every seat");
    const each = found.seats.map((player, place) => h("label", { class: "field" }, h("span", { class: "label" }, player.name),
      adviserSelect(site.agents, found.cannot, this.advisers[place] ?? "", (agent) => this.choose(place, agent), `An agent for ${player.name}`)));
    fill(this.asked, h("h2", {}, "What would an agent do?"), this.decision(seat, next),
      h("label", { class: "field ask" }, h("span", { class: "label" }, "Ask for every seat"), everybody),
      h("details", { open: this.isOpen, ontoggle: (event) => { this.isOpen = event.target.open; } },
        h("summary", {}, "Ask for each seat"), each));
  }

  decision(seat, next) {
    if (seat === null) return h("p", { class: "dim" }, "Nobody is to act here.");
    const player = this.found.seats[seat].name;
    const agent = this.advisers[seat] || this.advisers.all;
    const done = h("p", {}, h("b", {}, player), " is to act. What was done: ", h("b", {}, next.label.replace(`${player} `, "")));
    if (!agent) return [done];
    const known = this.advice.get(`${seat}:${agent}`);
    if (!known) this.ask(seat, agent);
    const name = this.site.agents.find((each) => each.id === agent)?.name ?? agent;
    if (!known || known.waits) return [done, h("p", { class: "dim" }, `${name} is asked …`)];
    if (known.problem) return [done, h("p", { class: "problem" }, known.problem)];
    return [done, h("p", { class: "dim" }, `${name} would, with these probabilities:`), adviceBars(known.steps[this.step + 1] ?? [])];
  }

  async ask(seat, agent) {
    const key = `${seat}:${agent}`;
    this.advice.set(key, { waits: true });
    const query = `seat=${seat}&agent=${encodeURIComponent(agent)}&folded=${Number(this.folded)}`;
    try {
      this.advice.set(key, await this.api.get(`${this.path}/advice?${query}`));
    } catch (error) {
      this.advice.set(key, { problem: error.message });
    }
    this.drawAdvice();
  }

  choose(seat, agent) {
    this.advisers[seat] = agent;
    this.drawAdvice();
  }

  // The hand as a whole

  holdings() {
    const rows = this.found.seats.map((seat) => h("tr", {}, h("td", {}, seat.name, " ", h("small", {}, seat.position)),
      h("td", {}, seat.cards ? cards(seat.cards) : h("span", { class: "dim" }, "not known")),
      h("td", { class: `number ${tone(seat.result ?? 0)}` }, seat.result === null ? "–" : signedMoney(seat.result, this.found.sign))));
    const folded = this.found.kind === "play" ? h("label", { class: "tick" }, h("input", { type: "checkbox", checked: this.folded,
      onchange: (event) => { this.folded = event.target.checked; this.load(this.step); } }), "Show folded cards") : null;
    return h("section", { class: "card" }, h("h2", {}, "Hands and results"),
      h("table", { class: "numbers" }, h("tbody", {}, rows)), folded);
  }

  saving() {
    const button = (text, ending) => h("button", { type: "button", class: "small", onclick: () => this.save(ending) }, text);
    return h("section", { class: "card" }, h("h2", {}, "Keep it"),
      h("div", { class: "row" }, button("PHH", "phh"), button("PNG of this step", "png"), button("GIF", "gif"),
        h("button", { type: "button", class: "small", onclick: () => this.copyLink() }, "Copy the link")));
  }

  async save(ending) {
    const theme = isDark() ? "dark" : "light";
    try {
      const answer = await fetch(`${this.path}.${ending}?step=${this.step}&theme=${theme}&folded=${Number(this.folded)}`);
      if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error ?? "The server cannot make this file.");
      const name = answer.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1] ?? `hand.${ending}`;
      const address = URL.createObjectURL(await answer.blob());
      h("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      toast(error.message, "wrong");
    }
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast("The link to this position is copied.");
    } catch {
      toast("This browser does not copy; take the address of the page.", "wrong");
    }
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}
