"""Any bot of pipes as a bot of the network: python3 remote.py ws://HOST:PORT/play TOKEN COMMAND...

Each match has a program of its own. If the connection is lost they end, and start over when it is back.
Needs: pip install websockets
"""

import asyncio
import sys
from asyncio.subprocess import PIPE

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


async def answer(number, bot, socket):
    """Send what the program of a match writes."""
    rest = b""
    while data := await bot.stdout.read(2**16):
        lines, _, rest = (rest + data).rpartition(b"\n")
        if lines:
            await socket.send(f"{number}\n{lines.decode()}")
    await socket.send(f'{number}\n{{"error": "the program has ended"}}')  # after `bye` nobody listens


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
                bots[number] = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
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


async def main(address, token, *command):
    """Connect, and again if the connection is lost, until the tournament is over."""
    async for socket in connect(address, additional_headers={"Authorization": f"Bearer {token}"}):
        try:
            return await play(socket, command)
        except ConnectionClosed as closed:
            print(f"{closed}; trying again", file=sys.stderr)


asyncio.run(main(*sys.argv[1:]))
