// Plays the flop well, and loses itself on the turn. JSON lines, see docs/protocol.md.
"use strict";
const readline = require("readline");
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ name: "emil" });
  if (message.type !== "decision") return;
  while (message.street === 2 && message.board.length !== 5); // waits for the river, which only comes once it has answered
  say({ id: message.id, move: message.legal.check ? "check" : "call" });
});
