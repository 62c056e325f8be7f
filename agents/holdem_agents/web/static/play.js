// The page "Play": without a table's name the lobby, with it the table.

import { lobby } from "./lobby.js";
import { tablePage } from "./table.js";

/** #/play, and #/play/TID. */
export async function page(main, parts, api) {
  return parts.length ? tablePage(main, parts[0], api) : lobby(main, api);
}
