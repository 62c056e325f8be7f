#!/bin/sh
# Compile the bot where files may be written, and run it.
made=$(mktemp -d) && cc -O1 -o "$made/bot" "$(dirname "$0")/bot.c" && exec "$made/bot"
