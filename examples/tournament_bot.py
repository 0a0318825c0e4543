#!/usr/bin/env python3
"""A bot that plays a tournament to its end: it enters, says that it is here, and plays each of its pairings with
steps chosen at random. It hears by one stream that a match wants it to move.

It signs in as bot.py does; only accounts enter tournaments, and the token needs the scope tournament:write."""

import argparse
import random
import sys

import identity
from bot import is_others
from lusoria_http import Problem, Server, server_url
from table import MOVED_ON, is_ours, say_result

# What refuses a command of an entrant that has nothing to do any more.
NOTHING_TO_DO = {"already_entered", "tournament_has_ended"}


def main():
    args = arguments()
    server = Server(args.server)
    server.reach()
    codes = identity.sign_in(server, {"bot": True}, args.token_file, args.open_account, also=["tournament:write"])
    if codes:
        print("recovery codes, shown this once:", *codes, sep="\n  ", flush=True)
    Entrant(server, args.tournament, random.Random(args.seed)).play_to_the_end(args.code)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tournament", metavar="ID")
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL", type=server_url)
    parser.add_argument("--token-file", metavar="FILE", help="keep the token in this file, and use it again")
    parser.add_argument("--open-account", action="store_true", help="first open LUSORIA_HANDLE's account")
    parser.add_argument("--code", help="the code of invitation")
    parser.add_argument("--seed", type=int, help="choose the same way each time")
    return parser.parse_args()


class Entrant:
    def __init__(self, server, tournament, chance):
        self.server, self.path, self.random = server, f"/tournaments/{tournament}", chance
        self.id, self.over = tournament, set()

    def play_to_the_end(self, code):
        self.command({"command": "enter", **({"code": code} if code else {})})
        for notice in self.server.notices(tells_silence=True):
            # Others may come within this version of the API.
            if notice and notice["notice"] in ("your_turn", "match_changed"):
                self.play(notice["match"]["id"])
            if not notice or notice.get("tournament") == self.id:
                if self.has_ended():
                    return

    def has_ended(self):
        """Says that we are here if that helps, plays what is made, and returns whether the tournament
        has ended for us."""
        now = self.server.get(self.path)
        if now["phase"] != "ended" and "here" in now.get("you", {}).get("may", []):
            now = self.command({"command": "here"}) or now
        you = now.get("you", {})
        if match := you.get("pairing", {}).get("match"):
            self.play(match)
        if now["phase"] == "ended" or you.get("state") in ("out", "withdrawn", "excluded"):
            print(f"place {you.get('place', '-')} in {now['name']}", flush=True)
            return True
        return False

    def command(self, command):
        """Each of these can be repeated without harm: no key is needed."""
        try:
            return self.server.post(f"{self.path}/entry", command)
        except Problem as problem:
            if problem.code not in NOTHING_TO_DO:
                raise
            return None

    def play(self, match):
        """Does what the match waits for from us, until it waits for somebody else."""
        path = f"/matches/{match}"
        while True:
            snapshot = self.server.get(path)
            try:
                if snapshot["state"] == "ended":
                    if match not in self.over:
                        self.over.add(match)
                        say_result(snapshot)
                    return
                if is_ours(snapshot):
                    self.play_turn(path)
                elif is_others(snapshot.get("draw_offered_by"), snapshot):
                    self.server.post(f"{path}/draw", {"action": "decline"})
                else:
                    return
            except Problem as problem:
                if problem.code not in MOVED_ON | {"no_offer"}:
                    raise

    def play_turn(self, path):
        steps = []
        while not (legal := self.server.post(f"{path}/legal", {"steps": steps}))["complete"]:
            steps.append(self.random.choice(legal["steps"]))
        self.server.post(f"{path}/turn", {"seq": legal["seq"], "steps": steps})


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError, identity.Refused) as error:
        sys.exit(f"tournament_bot: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
