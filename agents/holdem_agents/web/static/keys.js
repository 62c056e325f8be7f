// Keys of the table, and the list of them.

import { h, isTyping } from "./dom.js";

const ALL = [
  ["F", "fold"], ["C", "check or call"], ["R, a number, Enter", "raise to that number"], ["1 – 6", "choose a size; R, then Enter, plays it"],
  ["Enter or space", "next hand"], ["S, M", "show or muck, where that is asked"], ["V", "the last hand"], ["H", "hints"], ["B", "chips or big blinds"], ["?", "these keys"],
];

/** Listen to keys. handlers(): the map of keys that work now. Returns a function that stops it. */
export function listen(handlers) {
  const heard = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event)) return;
    if (document.querySelector("dialog[open]")) return;
    const isPressed = ["Enter", " "].includes(event.key) && event.target.closest?.("button, a, summary, input");
    const handler = isPressed ? null : handlers()[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!handler) return;
    event.preventDefault();
    handler();
  };
  addEventListener("keydown", heard);
  return () => removeEventListener("keydown", heard);
}

/** Show the list of keys. */
export function showKeys() {
  const dialog = h("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() },
    h("div", { class: "row spread" }, h("h2", {}, "Keys"), h("button", { class: "quiet small", type: "button", onclick: () => dialog.close() }, "Close")),
    h("dl", { class: "keys" }, ALL.map(([key, what]) => [h("dt", {}, key.split(", ").flatMap((part, k) => [k ? " " : "", h("kbd", {}, part)])), h("dd", {}, what)])));
  document.body.append(dialog);
  dialog.showModal();
}
