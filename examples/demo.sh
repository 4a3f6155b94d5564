#!/bin/sh
# The main job on a real conversation: import it, let it be indexed, ask five questions.
# Uses MEM_HOME; run twice it brings nothing twice and takes seconds.
set -e
here=$(dirname "$0")

if [ -t 1 ] && [ -z "$NO_COLOR" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
say() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }

say "mem init --me Alex"
mem init --me Alex
say "mem import examples/demo-chat.txt"
mem import "$here/demo-chat.txt"
say "mem tidy"
mem tidy

ask() {
    say "mem ask \"$1\""
    mem ask "$1" -k 3 || test $? -eq 1
}
ask "What time does the train to Penzance leave?"
ask "Why did they drop Postgres for Larder?"
ask "What is the address of Kenji now?"
ask "麺処ひばりの定休日は何曜日ですか？"
ask "On which date did Priya adopt her cat?"
printf '\nThe memory is in %s. Ask it more: MEM_HOME=%s .venv/bin/mem ask "..."\n' "$MEM_HOME" "$MEM_HOME"
