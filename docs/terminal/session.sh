#!/usr/bin/env bash
# Plays a game of tablut in two terminals against a server, and cuts the connection of one of them in
# the middle. Prints both screens at the end: the session in docs/terminal/README.md comes from it.
#
# Needs tmux and python3. LUSORIA names the program; otherwise the one that is built here.
set -euo pipefail
cd "$(dirname "$0")/../.."
lusoria=${LUSORIA:-$PWD/target/debug/lusoria}
folder=$(mktemp -d)
export XDG_CONFIG_HOME=$folder LC_ALL=C.UTF-8
tmux() { command tmux -L "lusoria-$$" -f /dev/null "$@"; }
lane=0
cleanup() {
  tmux kill-server 2>/dev/null || true
  kill "$server" 2>/dev/null || true
  [ "$lane" = 0 ] || kill "$lane" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanup EXIT

: >"$folder/server"
"$lusoria" --listen 127.0.0.1:0 --database "$folder/lusoria.db" --log error >"$folder/server" &
server=$!
until grep -q 'listens on' "$folder/server"; do sleep 0.1; done
at=$(sed -n 's/.*listens on http:\/\///p' "$folder/server")

# The connection of the first terminal: passes bytes on until it is killed.
cat >"$folder/lane.py" <<'PY'
import asyncio, sys

to, port = sys.argv[1].rsplit(":", 1), int(sys.argv[2])

async def carry(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()

async def accept(reader, writer):
    there_reader, there_writer = await asyncio.open_connection(*to)
    await asyncio.gather(carry(reader, there_writer), carry(there_reader, writer), return_exceptions=True)

async def main():
    lane = await asyncio.start_server(accept, "127.0.0.1", port)
    print(lane.sockets[0].getsockname()[1], flush=True)
    await lane.serve_forever()

asyncio.run(main())
PY
mend() {
  : >"$folder/lane"
  python3 "$folder/lane.py" "$at" "$1" >"$folder/lane" 2>/dev/null &
  lane=$!
  until [ -s "$folder/lane" ]; do sleep 0.1; done
}
mend 0
port=$(cat "$folder/lane")

# Waits until a pane shows a text that often.
sees() {
  for _ in $(seq 600); do
    [ "$(screen "$1" | grep -cF -- "$2")" -ge "${3:-1}" ] && return
    sleep 0.1
  done
  echo "pane $1 does not show \"$2\" ${3:-1} times:" >&2
  screen "$1" >&2
  exit 1
}
screen() { tmux capture-pane -p -J -S - -t "play.$1" | sed 's/[[:space:]]*$//'; }
types() { tmux send-keys -t "play.$1" "$2" Enter; }

tmux new-session -d -s play -x 164 -y 46 \
  "'$lusoria' play http://127.0.0.1:$port --as agathias --name Agathias --create tablut --side attackers --invite; sleep 60"
tmux set-option -g history-limit 5000
sees 0 'It waits for somebody'
link=$(screen 0 | sed -n 's/^Send this to your opponent: //p' | sed "s/127.0.0.1:$port/$at/")
tmux split-window -h -t play "'$lusoria' play '$link' --as zeno --name Zeno; sleep 60"

sees 0 'Your turn.'
types 0 'i6-i9'
sees 0 'plays i6-i9'
sees 1 'Your turn.'
types 1 'e3-e1'
sees 1 'No: e3-e1'
types 1 'd5-d8'
sees 0 'Your turn.' 2

# Cuts the connection of the first terminal, whose player goes on typing.
kill "$lane"
sees 0 '-- The connection is lost'
types 0 'i9-i6'
sees 0 'it will be played when the connection is back'
mend "$port"
sees 0 '-- The connection is back.'
sees 1 'Your turn.' 2
types 1 'e5-d5'
sees 0 'Your turn.' 3
types 0 'i6-i7'
sees 1 'Your turn.' 3
types 1 'd5-d3'
sees 0 'Your turn.' 4
types 0 'i7-i6'
sees 1 'Your turn.' 4
types 1 'd3-a3'
sees 0 'Checked: '
sees 1 'Checked: '
sees 1 'The match is over'
sees 0 'The match is over'
types 0 'quit'
types 1 'quit'

for pane in 0 1; do
  echo "=== terminal $((pane + 1)) ==="
  screen "$pane"
done
