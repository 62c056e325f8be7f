// The form of a spot: board, ranges, chips, bet sizes; how large the spot is; and the address that brings it back.

import { field, fill, h, toast } from "./dom.js";
import { Locks } from "./solve_locks.js";
import { RANKS, RangeBox } from "./solve_grid.js";
import { count } from "./words.js";

const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
const STREETS = ["flop", "turn", "river"];
const IN_POSITION = STREETS.map((street) => `ip_${street}`); // the fields of sizes in position, where they are others
const NUMBERS = ["pot", "stack", "accuracy", "rake", "cap"];
const MOST_CARDS = 5;
const PAUSE = 350; // milliseconds after a change, before the spot is measured
const SLOW = 1500; // milliseconds after which the page says why it waits
const FIRST = {
  board: "Ks7h2d3c9s", ip: "22+, A2s+, K8s+, Q9s+, J9s+, T9s, ATo+, KTo+, QJo", oop: "22-JJ, A2s-AQs, KTs+, QTs+, JTs, T9s, 98s, AJo, KQo",
  pot: "100", stack: "300", flop: "50% | a", turn: "75% | a", river: "50%, 100%, a | 100%, a", accuracy: "0.5", rake: "0", cap: "",
};

export class SpotForm {
  /** onSolve(spot): the reader wants it solved. onChange(): something was changed, or `query` is new. */
  constructor(api, onSolve, onChange) {
    Object.assign(this, { api, onChange, query: null, turn: 0, isBusy: false, isGood: false });
    this.board = h("input", { type: "text", name: "board", maxlength: 40, autocomplete: "off", spellcheck: "false", oninput: () => this.changed() });
    this.boxes = { oop: new RangeBox("Range out of position", api, () => this.changed()), ip: new RangeBox("Range in position", api, () => this.changed()) };
    this.fields = Object.fromEntries([...NUMBERS, ...STREETS, ...IN_POSITION].map((name) => [name, this.input(name)]));
    this.size = h("p", { class: "size dim", role: "status" }, "How large is it? …");
    this.locks = new Locks(() => this.changed());
    this.button = h("button", { class: "main", type: "submit", disabled: true }, "Solve");
    this.element = h("form", { class: "spot", onsubmit: (event) => { event.preventDefault(); if (!this.button.disabled) onSolve(this.spot); } },
      h("div", { class: "spot-left" }, this.firstPart(), this.cardsPart(), this.numbersPart()), Object.values(this.boxes).map((box) => box.element),
      this.locks.element,
      h("div", { class: "row spread spot-end" }, this.size, this.button));
  }

  input(name) {
    const isNumber = NUMBERS.includes(name);
    return h("input", { name, type: isNumber ? "number" : "text", min: isNumber ? 0 : null, step: ["accuracy", "rake"].includes(name) ? "any" : 0.1, maxlength: 200,
      autocomplete: "off", spellcheck: "false", inputmode: isNumber ? "decimal" : null, oninput: () => this.changed() });
  }

  cardsPart() {
    this.buttons = Object.entries(SUITS).flatMap(([suit, [sign, name]]) => RANKS.split("").map((rank) =>
      h("button", { type: "button", class: `card-in-text suit-${suit}`, "data-card": rank + suit, "aria-label": `${rank} of ${name}`,
        onclick: () => this.turnCard(rank + suit) }, rank, h("i", { "aria-hidden": "true" }, sign))));
    return h("div", {}, field("Board", this.board), h("div", { class: "deck", role: "group", "aria-label": "Cards of the board" }, this.buttons));
  }

  /** Ranges by position, asked for when the reader opens the list. */
  firstPart() {
    const select = h("select", { name: "first", onchange: () => this.beginWith(select) }, h("option", { value: "" }, "by position …"));
    const load = async () => {
      if (this.first) return;
      this.first = [];
      try {
        this.first = (await this.api.get("/api/solve/first")).spots;
        select.append(...this.first.map(({ title }, k) => h("option", { value: k }, title)));
      } catch (error) {
        toast(error.message, "wrong");
      }
    };
    for (const name of ["focus", "pointerdown"]) select.addEventListener(name, load);
    return field("Ranges to begin with", select, "Six-max, with the hands with which the trained agent plays so.");
  }

  beginWith({ value }) {
    if (value === "") return;
    const { cells, pot, stack } = this.first[value];
    Object.assign(this.fields.pot, { value: pot });
    Object.assign(this.fields.stack, { value: stack });
    this.boxes.ip.set(cells[0]);
    this.boxes.oop.set(cells[1]);
  }

  numbersPart() {
    const { pot, stack, accuracy, rake, cap } = this.fields;
    this.own = h("input", { type: "checkbox", name: "own", onchange: () => this.turnOwn() });
    this.streets = STREETS.map((name, k) => h("div", {}, field("", this.fields[name]), field(`Bet sizes in position, ${name}`, this.fields[IN_POSITION[k]])));
    return h("div", { class: "numbers-part" }, h("div", { class: "three" }, field("Pot", pot), field("Stack, each", stack), field("Accuracy, %", accuracy), field("Rake, %", rake), field("Rake, at most", cap)),
      this.streets, h("small", {}, "In % of the pot, 2.5x, or a for all-in; behind | those of the next raise."),
      h("label", { class: "tick" }, this.own, "Other bet sizes in position"));
  }

  /** Sizes in position begin as those out of position. */
  turnOwn() {
    STREETS.forEach((name, k) => { this.fields[IN_POSITION[k]].value = this.fields[name].value; });
    this.changed();
  }

  get cards() { return cardsIn(this.board.value); }

  turnCard(card) {
    const { cards } = this;
    if (cards.length >= MOST_CARDS && !cards.includes(card)) return toast("A board has five cards at most: click one of them to take it back.");
    this.board.value = (cards.includes(card) ? cards.filter((each) => each !== card) : [...cards, card]).join("");
    return this.changed();
  }

  get spot() {
    const number = (name) => this.fields[name].value === "" ? null : Number(this.fields[name].value);
    const first = Math.max(0, this.cards.length - 3);
    const sizes = [STREETS, ...this.own.checked ? [IN_POSITION] : []].flatMap((names) => names.slice(first));
    return {
      board: this.board.value.trim(), ranges: [this.boxes.ip.text, this.boxes.oop.text], pot: number("pot"), stack: number("stack"), accuracy: number("accuracy"),
      rake: number("rake") ?? 0, cap: number("cap"),
      locked: this.locks.given,
      sizes: Object.fromEntries(sizes.map((name) => [name, this.fields[name].value.trim() || "none"])),
    };
  }

  /** The spot of an address, and the first one for what it leaves out. */
  async fillFrom(query) {
    const given = { ...FIRST, ...Object.fromEntries([...query].filter(([name]) => name in FIRST || IN_POSITION.includes(name))) };
    this.board.value = given.board;
    for (const name of NUMBERS) this.fields[name].value = given[name];
    this.fillSizes(given);
    await Promise.all(Object.entries(this.boxes).map(([name, box]) => box.read(given[name])));
  }

  fillSizes(sizes) {
    this.own.checked = IN_POSITION.some((name) => name in sizes);
    STREETS.forEach((name, k) => {
      this.fields[name].value = sizes[name] ?? FIRST[name];
      this.fields[IN_POSITION[k]].value = sizes[IN_POSITION[k]] ?? this.fields[name].value;
    });
  }

  /** The spot of a solution. */
  fillWith(solution) {
    if (solution.spot) return this.fillFrom(Object.entries({ ...solution.spot, ...solution.spot.sizes, ip: solution.spot.ranges[0], oop: solution.spot.ranges[1] }));
    this.board.value = solution.board;
    for (const name of ["pot", "stack"]) this.fields[name].value = solution[name] ?? "";
    this.fillSizes(solution.sizes);
    this.fields.accuracy.value ||= FIRST.accuracy;
    this.fields.rake.value = solution.rake ?? FIRST.rake;
    this.fields.cap.value = solution.cap ?? FIRST.cap;
    this.boxes.ip.set(solution.cells[0]);
    this.boxes.oop.set(solution.cells[1]);
    return null;
  }

  /** The spot of a hand that was played, with the sizes that were made on its first street. */
  fillWithHand({ street, made, ...spot }) {
    return this.fillWith({ ...spot, sizes: { ...FIRST, [street]: withSizes(FIRST[street], made) } });
  }

  /** A button that leaves out the bet sizes with which a spot is too large. */
  leaveOut({ sizes, words }) {
    const less = () => {
      for (const [street, text] of Object.entries(sizes)) this.fields[street].value = text;
      this.changed();
    };
    return h("button", { type: "button", class: "small leave-out", onclick: less }, `Leave out ${words}`);
  }

  /** Whether the form's spot is the one that a solution was found for. */
  isOf({ spot, ...solution }) {
    const facts = (each) => JSON.stringify([cardsIn(each.board).sort(), each.pot, each.stack, ...spot ? [each.ranges, each.sizes, each.rake, each.cap] : []]);
    return facts(spot ?? solution) === facts(this.spot);
  }

  /** A solve is running, or none is any more. */
  busy(isBusy) {
    this.isBusy = isBusy;
    this.button.disabled = isBusy || !this.isGood;
  }

  changed() {
    const { cards } = this;
    for (const button of this.buttons) {
      const isChosen = cards.includes(button.dataset.card);
      button.setAttribute("aria-pressed", String(isChosen));
    }
    this.button.textContent = this.locks.isEmpty ? "Solve" : "Solve again";
    this.streets.forEach((each, k) => {
      each.hidden = k < cards.length - 3;
      each.firstChild.querySelector(".label").textContent = `Bet sizes${this.own.checked ? " out of position" : ""}, ${STREETS[k]}`;
      each.lastChild.hidden = !this.own.checked;
    });
    this.onChange();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.measure(), PAUSE);
  }

  /** Ask how large the spot is, and put it into the address. */
  async measure() {
    const turn = ++this.turn;
    const { spot } = this;
    const slow = setTimeout(() => fill(this.size, "How large is it? … The first time, code is compiled, which takes up to a minute."), SLOW);
    try {
      const { nodes, boards, mib, bits } = await this.api.post("/api/solve/size", spot);
      if (turn !== this.turn || this.ended) return;
      this.isGood = true;
      const onBoards = boards.map((each) => each.toLocaleString("en-US")).join(" + ");
      fill(this.size, h("b", {}, `${mib < 1 ? "less than 1" : Math.ceil(mib).toLocaleString("en-US")} MiB`),
        ` in ${bits} bits: ${count(nodes, "node")} on ${onBoards} ${boards.at(-1) > 1 ? "boards" : "board"}`);
    } catch (error) {
      if (turn !== this.turn || this.ended) return;
      this.isGood = false;
      fill(this.size, h("span", { class: "problem" }, error.message), error.body?.less && this.leaveOut(error.body.less));
    } finally { clearTimeout(slow); }
    this.busy(this.isBusy);
    const { board, pot, stack, accuracy, rake, cap } = spot;
    const sizes = Object.fromEntries(Object.entries(spot.sizes).filter(([, text]) => text));
    const inputs = { board, oop: spot.ranges[1], ip: spot.ranges[0], pot: pot ?? "", stack: stack ?? "", accuracy: accuracy ?? "", rake, cap: cap ?? "", ...sizes };
    this.query = new URLSearchParams(inputs);
    this.onChange();
  }
}

/** The cards that a text names. */
function cardsIn(text) {
  return [...new Set((text.replaceAll("10", "T").match(/[2-9tjqka][cdhs]/gi) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase()))];
}

/** Sizes as text, and those that were made among them: one for the first, the second, … wager. */
function withSizes(text, made) {
  const menus = text.split("|").map((menu) => menu.split(",").map((size) => size.trim()));
  const large = (size) => size === "a" ? Infinity : Number.parseFloat(size);
  made.forEach((size, k) => {
    menus[k] ??= [...menus[k - 1]];
    menus[k] = [...new Set([...menus[k], size])].sort((one, other) => large(one) - large(other));
  });
  return menus.map((menu) => menu.join(", ")).join(" | ");
}
