"""Any bot of pipes as a bot of the network: HOLDEM_TOKEN=... python3 remote.py ws://HOST:PORT/play COMMAND...

The token is in HOLDEM_TOKEN or, with --token-file FILE before the address, in a file: others can read the list of
processes. Each match has a program of its own. If the connection is lost they end, and start over when it is back.
Needs: pip install websockets
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

KEPT = 1_000
"""Bytes of a program's errors that say why it has ended."""
SAYS_WHY = 0.3
"""Seconds in which errors come after the last answer."""
RETRY = 1.0
"""Seconds between two tries to connect."""


async def show(errors, kept):
    """Show what the program of a match writes to standard error, and keep its end."""
    while data := await errors.read(2**16):
        sys.stderr.buffer.write(data)
        sys.stderr.flush()
        kept[:] = (kept + data)[-KEPT:]


async def answer(number, bot, socket):
    """Send what the program of a match writes."""
    rest, kept = b"", bytearray()
    showing = asyncio.create_task(show(bot.stderr, kept))
    while data := await bot.stdout.read(2**16):
        lines, _, rest = (rest + data).rpartition(b"\n")
        if lines:
            await socket.send(f"{number}\n{lines.decode()}")
    error = "the program has ended"
    with suppress(TimeoutError):
        await asyncio.wait_for(showing, SAYS_WHY)
    if end := kept.decode(errors="replace").strip():
        error += f": {end}"
    await socket.send(f"{number}\n{json.dumps({'error': error})}")  # after `bye` nobody listens


def stop(bot):
    """End a program that still runs."""
    if bot.returncode is None:
        bot.kill()


async def end(bot):
    """The match is over: the program has five seconds to notice."""
    bot.stdin.close()
    try:
        await asyncio.wait_for(bot.wait(), 5)
    finally:
        stop(bot)


async def play(socket, command):
    """Start a program for each match, and give it its lines."""
    bots, tasks = {}, set()
    try:
        async for message in socket:
            number, _, lines = message.partition("\n")
            if number not in bots:
                try:
                    bots[number] = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
                except (FileNotFoundError, PermissionError) as error:
                    sys.exit(f"remote.py: {command[0]}: {error.strerror}")
                tasks.add(asyncio.create_task(answer(number, bots[number], socket)))
            bots[number].stdin.write(lines.encode())
            if '{"type":"bye"}' in lines:
                tasks = {task for task in tasks if not task.done()}
                tasks.add(asyncio.create_task(end(bots.pop(number))))
    finally:
        for bot in bots.values():
            stop(bot)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def without_token(words):
    """The words after --token-file FILE, and the token."""
    if words[:1] == ["--token-file"] and len(words) > 1:
        with open(words[1], encoding="utf-8") as file:
            return words[2:], file.read().strip()
    return words, os.environ.get("HOLDEM_TOKEN", "").strip()


async def main(address, token, *command):
    """Connect, and again if nobody is there yet or the connection is lost, until the tournament is over."""
    while True:
        try:
            async with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
                return await play(socket, command)
        except InvalidStatus as refused:
            if refused.response.status_code == 401:
                sys.exit("remote.py: this is no token of the tournament")
            why = (refused.response.body or b"").decode(errors="replace").strip() or refused
            print(f"{why}; trying again", file=sys.stderr)
        except (ConnectionClosed, OSError, TimeoutError) as lost:
            print(f"{lost}; trying again", file=sys.stderr)
        await asyncio.sleep(RETRY)


words, token = without_token(sys.argv[1:])
if len(words) < 2 or not token:
    sys.exit("usage: HOLDEM_TOKEN=... python3 remote.py [--token-file FILE] ws://HOST:PORT/play COMMAND...")
try:
    asyncio.run(main(words[0], token, *words[1:]))
except KeyboardInterrupt:
    sys.exit(130)
