// Any bot of pipes as a bot of the network: HOLDEM_TOKEN=... node remote.js ws://HOST:PORT/play COMMAND...
// The token may also be in a file: --token-file FILE before the address. Each match has a program of its own. If the connection is lost they end, and start over when it is back.
// Node 22 or newer; Node 20 needs `node --experimental-websocket`.
"use strict";
const { spawn } = require("child_process");

const given = process.argv.slice(2);
const [, file] = given[0] === "--token-file" ? given.splice(0, 2) : [];
const [address, program, ...words] = given;
const token = (file ? require("fs").readFileSync(file, "utf8") : process.env.HOLDEM_TOKEN || "").trim();
const RETRY = 1000; // milliseconds
const TIMEOUT = 5000; // milliseconds in which a server must answer
const KEPT = 1000; // characters
const SAYS_WHY = 300; // milliseconds in which errors come after the last answer
const OVER = 1000; // how a connection is closed when the tournament is over

/** A program for a match, whose lines go to the socket. */
function started(number, socket) {
  const bot = spawn(program, words, { stdio: "pipe" });
  const send = (lines) => socket.readyState === WebSocket.OPEN && socket.send(`${number}\n${lines}`);
  let rest = "";
  bot.stdin.on("error", () => {}); // it has ended, which its output says
  bot.stdout.setEncoding("utf8").on("data", (data) => {
    const end = (rest + data).lastIndexOf("\n") + 1;
    const lines = (rest + data).slice(0, end);
    rest = (rest + data).slice(end);
    if (lines) send(lines);
  });
  let said = ""; // the end of its errors, which says why it has ended
  bot.stderr.setEncoding("utf8").on("data", (data) => {
    process.stderr.write(data);
    said = (said + data).slice(-KEPT);
  });
  const tell = () => send(JSON.stringify({ error: `the program has ended: ${said.trim()}` })); // after `bye` nobody listens
  bot.stdout.on("end", () => setTimeout(tell, SAYS_WHY));
  bot.on("error", ({ message }) => stop(`remote.js: ${message}`, 2)); // there is no such program
  return bot;
}

/** The match is over: the program has five seconds to notice. */
function ending(bot) {
  bot.stdin.end();
  const last = setTimeout(() => bot.kill("SIGKILL"), 5000);
  bot.on("exit", () => clearTimeout(last));
}

/** Connect, and again if the connection is lost, until the tournament is over. */
function play() {
  const bots = new Map();
  const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
  socket.addEventListener("message", ({ data }) => {
    const end = data.indexOf("\n");
    const [number, lines] = [data.slice(0, end), data.slice(end + 1)];
    if (!bots.has(number)) bots.set(number, started(number, socket));
    bots.get(number).stdin.write(lines);
    if (lines.includes('{"type":"bye"}')) {
      ending(bots.get(number));
      bots.delete(number);
    }
  });
  let isOver = false;
  const over = async (why) => { // Node fires "error" alone if nobody is there, or if the token is refused
    if (isOver) return;
    isOver = true;
    clearTimeout(late);
    for (const bot of bots.values()) bot.kill("SIGKILL");
    if (await isRefused()) stop("remote.js: this is no token of the tournament", 1);
    console.error(`${why}; trying again`);
    setTimeout(play, RETRY);
  };
  const late = setTimeout(() => {
    over("the server does not answer");
    socket.close();
  }, TIMEOUT);
  socket.addEventListener("open", () => clearTimeout(late));
  socket.addEventListener("error", () => over("nobody is there"));
  socket.addEventListener("close", ({ code, reason }) => {
    if (code === OVER) return (isOver = true);
    over(`closed: ${code} ${reason}`);
  });
}

/** Whether the server refuses the token: what Node says of a WebSocket does not tell. */
async function isRefused() {
  try {
    const at = address.replace(/^ws/, "http").replace(/\/play$/, "/token");
    const signal = AbortSignal.timeout(TIMEOUT);
    return (await fetch(at, { signal, headers: { Authorization: `Bearer ${token}` } })).status === 401;
  } catch {
    return false;
  }
}

function stop(why, status) {
  console.error(why);
  process.exit(status);
}

if (!program || !token) stop("usage: HOLDEM_TOKEN=... node remote.js [--token-file FILE] ws://HOST:PORT/play COMMAND...", 2);
if (typeof WebSocket === "undefined") stop("remote.js needs Node 22, or Node 20 with --experimental-websocket", 2);
play();
