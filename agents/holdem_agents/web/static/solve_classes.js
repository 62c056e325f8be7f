// What classes of hands do and are worth: made hands, and draws.

import { h } from "./dom.js";
import { table } from "./watched.js";
import { chips2, percent } from "./words.js";

/** Tables of made hands and of draws. classes: of a place; cells: those of the chart; heads, shown(mean): of the further
 * columns; keys: what of a hand is averaged. */
function tableOf(title, names, which, { hands, cells, heads, keys, shown }) {
  const groups = names.map(() => ({ weight: 0, of: {} }));
  for (const combo of Object.values(cells).flatMap((cell) => cell.combos)) {
    const group = groups[hands[combo.hand][which]];
    group.weight += combo.weight;
    for (const key of keys) add(group.of, key, combo[key], combo.weight);
  }
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  const rows = groups.flatMap(({ weight, of }, k) => weight ? [[names[k], percent(weight / total), ...shown(of)]] : []);
  return rows.length > 1 || which === 0 ? table([title, "Share", ...heads()], rows) : null;
}

/** Add a value, or one of each move, to a mean over the hands that have one. */
function add(means, key, value, weight) {
  if (value === null || value === undefined) return;
  const values = [value].flat();
  const mean = means[key] ??= { weight: 0, sums: values.map(() => 0) };
  mean.weight += weight;
  values.forEach((each, k) => { mean.sums[k] += weight * each; });
}

const meanOf = (mean) => mean?.sums.map((sum) => sum / mean.weight);

/** moves(): the heads of the moves' columns; null for the EV and the equity of each class. */
export function classTables({ made, draws, hands }, cells, moves) {
  const shares = { heads: moves, keys: ["shares"], shown: ({ shares: mean }) => meanOf(mean).map((each) => percent(each, 0)) };
  const worth = { heads: () => ["EV", "Equity"], keys: ["ev", "equity"], shown: ({ ev, equity }) => [ev ? chips2(meanOf(ev)[0]) : "–", equity ? percent(meanOf(equity)[0]) : "–"] };
  const what = { hands, cells, ...moves ? shares : worth };
  return h("div", { class: "classes" }, tableOf("Made hand", made, 0, what), tableOf("Draw", draws, 1, what));
}
