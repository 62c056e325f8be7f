#!/usr/bin/env bash
# A heads-up bot for the ACPC's protocol, in bash: bot.sh GAME HOST PORT
# It calls with a pair or two high cards, and otherwise only where it is free. See docs/acpc.md.
stack=$(sed -n 's/^stack *= *\([0-9]*\).*/\1/p' "$1")
exec 3<>"/dev/tcp/$2/$3"
printf 'VERSION:2.0.0\r\n' >&3

while IFS= read -r line <&3; do
    line=${line%$'\r'}
    [[ $line == MATCHSTATE:* ]] || continue
    IFS=: read -r _ position _ betting cards <<<"$line"
    rounds=${betting//[^\/]/} # a slash for each round that is over
    actions=${betting##*/}    # of this round, without their amounts
    actions=${actions//[0-9]/}
    first=$((${#rounds} == 0)) # the big blind, position 0, is first after the flop
    over='f$|r'$stack'c'
    if [[ $betting =~ $over ]] || { ((${#rounds} == 3)) && [[ $actions =~ .c$ ]]; }; then continue; fi
    ((((first + ${#actions}) % 2) == position)) || continue

    hands=${cards%%/*}
    own=${hands%|*}
    ((position == 1)) && own=${hands#*|}
    move=c
    if [[ $actions == *r || (${#rounds} -eq 0 && -z $actions) ]]; then # there is something to call
        [[ ${own:0:1} == "${own:2:1}" || ${own:0:1}${own:2:1} == [TJQKA][TJQKA] ]] || move=f
    fi
    printf '%s:%s\r\n' "$line" "$move" >&3
done
