// Numbers in words: one home for how amounts, rates and shares are written.

const MINUS = "−";
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });

/** Chips with separators, and a decimal where there is one: 12,345, 6.5. */
export function chips(amount) {
  return (Math.round(10 * amount) / 10 + 0).toLocaleString("en-US").replace("-", MINUS);
}

/** Chips with one decimal: 12.5. */
export function chips2(amount) {
  return (Math.round(10 * amount) / 10 + 0).toFixed(1).replace("-", MINUS);
}

/** A number with its sign: +12, −3, 0. digits: how many decimals. */
export function signed(number, digits = 0) {
  const text = Math.abs(number).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (!/[1-9]/.test(text)) return text;
  return (number < 0 ? MINUS : "+") + text;
}

/** The class of a result: "plus", "minus" or none; the sign says the same. */
export function tone(number) {
  return number > 0 ? "plus" : number < 0 ? "minus" : "";
}

/** Chips in big blinds, with a decimal where it is needed: 12.5 bb. */
export function bb(amount, unit) {
  return `${(amount / unit).toLocaleString("en-US", { maximumFractionDigits: 1 }).replace("-", MINUS)} bb`;
}

/** An amount as the reader wants it. mode: "chips" or "bb". */
export function amount(number, unit, mode) {
  return mode === "bb" ? bb(number, unit) : chips(number);
}

/** A share of 1: 37.5%. */
export function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}%`;
}

/** A value and half the width of its interval: +12 ± 5; without a width, the value alone. */
export function interval(value, half, digits = 1) {
  if (half === null || half === undefined) return signed(value, digits);
  return `${signed(value, digits)} ± ${Math.abs(half).toFixed(digits)}`;
}

/** A place among others: 1st, 2nd, 3rd, 4th. */
export function ordinal(number) {
  const ending = { one: "st", two: "nd", few: "rd", other: "th" }[ORDINALS.select(number)];
  return `${number}${ending}`;
}

/** A word and how many: 1 hand, 3 hands. */
export function count(number, word) {
  return `${chips(number)} ${word}${number === 1 ? "" : "s"}`;
}

/** What an agent is called: its title, and its name if they differ. */
export function called(agent) {
  return agent.title && agent.title !== agent.name ? `${agent.title} · ${agent.name}` : agent.name;
}

/** Seconds as people say them: 12 s, 3 min, 2 h 5 min. */
export function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
