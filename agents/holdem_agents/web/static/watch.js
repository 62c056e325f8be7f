// The page "watch".

import { fill, h } from "./dom.js";

/** Draw the page into `main`. parts: what follows its name in the address. */
export async function page(main, parts, api) {
  fill(main, h("div", { class: "card narrow" }, h("h1", {}, "Soon"), h("p", {}, "This page is being made.")));
}
