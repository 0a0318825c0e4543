#!/usr/bin/env python3
"""Plays a tournament to its end: announces it, lets bots enter and play, each a process of its own, and starts it when
all have entered. Then computes its places from the exports."""

import argparse
import itertools
import secrets
import sys
import time

import identity
from lusoria_http import Problem, Server, server_url
from play_all import Crew, Failed
from standings import standings

HOUR_MS = 3_600_000
# How many rounds a tournament has, and how it is played. By correspondence all matches run at once.
FORMATS = {
    "swiss": ({"kind": "swiss"}, {"kind": "fischer", "base_ms": 300_000, "increment_ms": 5_000}),
    "round_robin": ({"kind": "round_robin"}, {"kind": "days", "days": 1}),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[0])
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL", type=server_url)
    parser.add_argument("--format", default="swiss", choices=FORMATS)
    parser.add_argument("--game", default="tavla", help="zeno, tavla, scripta, tabula or tablut")
    parser.add_argument("--entrants", type=int, default=4)
    parser.add_argument("--within", type=int, default=600, metavar="SECONDS")
    args = parser.parse_args()
    server, password, name = Server(args.server), secrets.token_hex(8), secrets.token_hex(4)

    def account(who):
        return {"LUSORIA_HANDLE": f"{who}_{name}", "LUSORIA_PASSWORD": password}

    identity.sign_in(server, {}, opens_account=True, environment=account("umpire"), also=["tournament:write"])
    path, crew = announce(server, args), Crew(args.server)
    try:
        for number in range(args.entrants):
            tournament = path.rsplit("/", 1)[1]
            crew.start("tournament_bot.py", tournament, "--seed", number, "--open-account", **account(f"bot{number}"))
        follow(server, path, args)
        for member in crew.members:
            member.finish(args.within)
    finally:
        crew.dismiss()
    check(server, path, args.format)


def announce(server, args):
    """The path of a new tournament that nobody needs to wait for."""
    (form, clock), begins_at = FORMATS[args.format], int(time.time() * 1000) + HOUR_MS // 12
    if form["kind"] == "round_robin":
        form = {**form, "ends_at": begins_at + HOUR_MS}
    wanted = {"name": "An example", "format": form, "game": args.game, "clock": clock, "begins_at": begins_at}
    made = server.post("/tournaments", {**wanted, "listed": False}, key=secrets.token_hex(16))
    print("tournament", made["id"], flush=True)
    return f"/tournaments/{made['id']}"


def follow(server, path, args):
    """Starts it when all have entered, and returns when it has ended."""
    entered, since, until = 0, 0, time.monotonic() + args.within
    for event in server.lines(lambda: f"{path}/events?since={since}", tells_silence=True):
        if time.monotonic() > until:
            raise Failed(f"the tournament has not ended within {args.within} s")
        if event is None:
            continue
        since = event["seq"]
        entered += event["type"] == "entered"
        if event["type"] == "entered" and entered == args.entrants:
            server.post(f"{path}/direction", {"command": "start"})
        if event["type"] == "ended":
            return


def check(server, path, form):
    """Compares the places that the server shows with those that follow from the exports."""
    pairings, entrants = server.get(f"{path}/pairings"), server.get(f"{path}/entrants")
    shown = server.get(f"{path}/standings")["standings"]
    played = sum("match" in pairing for pairing in pairings["pairings"])
    records = itertools.islice(server.lines(lambda: f"{path}/records"), played)
    rows = standings(form == "swiss", records, pairings, entrants)
    if sorted(rows) != sorted((row["place"], row["half_points"], row["entrant"]) for row in shown):
        raise Failed(f"the places do not follow from the exports: {rows}, {shown}")
    print(f"{len(rows)} entrants, {played} matches; the places follow from the exports", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Problem, Failed, OSError) as error:
        sys.exit(f"play_tournament: {error}")
