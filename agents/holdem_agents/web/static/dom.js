// Making and changing elements. Text is never read as HTML; only drawings of our server are parsed.

/** An element. attrs: attributes, `on…` listeners, and properties such as `value`; children: nodes, texts, lists. */
export function h(tag, attrs = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) set(element, name, value);
  element.append(...shown(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (["value", "checked", "disabled", "hidden", "selected", "open"].includes(name)) element[name] = value;
  else element.setAttribute(name, value === true ? "" : value);
}

function shown(children) {
  return children.flat(9).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Put these children in the place of all that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...shown(children));
  return element;
}

/** A drawing of the server as a node. Raises if it is not SVG. */
export function svgPart(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.nodeName !== "svg") throw new Error("The server sent an invalid drawing.");
  return document.importNode(root, true);
}

/** Say something to people who listen to the page. */
export function say(text) {
  document.getElementById("says").textContent = text;
}

/** Show a message for some seconds. kind: "note" or "wrong". */
export function toast(text, kind = "note") {
  const box = h("div", { class: `toast ${kind}` }, text);
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), 6000);
}

/** Show a message with a button until it is withdrawn. Returns the function that withdraws it. */
export function offer(text, label, onclick) {
  const box = h("div", { class: "toast wrong" }, text, h("button", { class: "small", type: "button", onclick }, label));
  document.getElementById("toasts").append(box);
  return () => box.remove();
}

/** Put a place of a page into the address, unless another page is shown. isMove: Back returns to the place before. */
export function setAddress(address, isMove = false) {
  if (!location.hash.startsWith(/^#\/\w+/.exec(address)[0]) || location.hash === address) return;
  history[isMove ? "pushState" : "replaceState"](null, "", address);
}

/** A key that is typed into a field belongs to the field. */
export function isTyping(event) {
  const at = event.target;
  const isText = at instanceof HTMLInputElement && !["range", "checkbox", "radio", "button"].includes(at.type);
  return isText || at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement;
}

/** One of several choices, side by side. options: [value, label] pairs. */
export function segmented(label, options, value, onChange) {
  const name = `choice-${Math.random().toString(36).slice(2)}`;
  const parts = options.map(([each, text]) =>
    h("label", {}, h("input", { type: "radio", name, value: each, checked: each === value,
      onchange: () => onChange(each) }), h("span", {}, text)));
  return h("fieldset", { class: "segmented" }, h("legend", { class: "unseen" }, label), parts);
}

/** The options of a select, under headings. groups: [heading, [[value, text], …]] pairs. */
export function grouped(groups, chosen) {
  return groups.filter(([, options]) => options.length).map(([label, options]) => h("optgroup", { label },
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
}

/** Games for `grouped`: by their families. */
export function families(games) {
  return [...new Set(games.map((each) => each.family))].map((family) =>
    [family, games.filter((each) => each.family === family).map((each) => [each.id, each.title])]);
}

/** A labelled field of a form. note: what there is to say below it. */
export function field(label, control, note = null) {
  return h("label", { class: "field" }, h("span", { class: "label" }, label), control, note && h("small", {}, note));
}
