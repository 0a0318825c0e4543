#!/usr/bin/env python3
"""A bot: a guest that says that it is one, and plays whatever match waits for it, with an
engine of its own that looks one step ahead. It hears by one stream that a match wants it to
move, and polls nothing (docs/bots.md).

It plays by LUSORIA_TOKEN, or the token in --token-file, or makes itself an API token of the account
LUSORIA_HANDLE with LUSORIA_PASSWORD; without any of these it is a new guest each time."""

import argparse
import random
import sys
import uuid

import engine
import identity
from lusoria_http import Problem, Server, server_url
from table import MOVED_ON, introduce, is_ours, say_result

# How many next steps are looked at: each is a request.
STEPS_LOOKED_AT = 12


def main():
    args = arguments()
    server = Server(args.server)
    server.reach()
    guest = {"bot": True, **({"name": args.name} if args.name else {})}
    codes = identity.sign_in(server, guest, args.token_file, args.open_account)
    if codes:
        print("recovery codes, shown this once:", *codes, sep="\n  ", flush=True)
    bot = Bot(server, args)
    bot.make_match()
    for notice in server.notices():
        if notice is None:
            bot.look_again()
        # Others may come within this version of the API.
        elif notice["notice"] in ("your_turn", "match_changed"):
            bot.attend(notice["match"]["id"])
        if bot.has_played_all():
            return


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL", type=server_url)
    parser.add_argument("--token-file", metavar="FILE", help="keep the token in this file, and use it again")
    parser.add_argument("--open-account", action="store_true", help="first open LUSORIA_HANDLE's account")
    parser.add_argument("--name", help="what to be called")
    parser.add_argument("--game", default="tavla", help="zeno, tavla, scripta, tabula or tablut")
    parser.add_argument("--level", type=int, help="play against the computer; if left out, an open match")
    parser.add_argument("--matches", type=int, default=1, metavar="N", help="how many to play")
    parser.add_argument("--seed", type=int, help="choose the same way each time")
    return parser.parse_args()


class Bot:
    def __init__(self, server, args):
        self.server = server
        self.args = args
        self.random = random.Random(args.seed)
        # Matches that we have or had, those that are over, those of them after which another has been offered, and those
        # after which nobody plays on.
        self.ours, self.over, self.offered, self.left = set(), set(), set(), set()

    def has_played_all(self):
        return len(self.over) >= self.args.matches

    def make_match(self):
        wanted = {"game": self.args.game}
        if self.args.level is not None:
            wanted["opponent"] = {"computer": self.args.level}
        created = self.server.post("/matches", wanted, key=str(uuid.uuid4()))
        self.ours.add(created["match"]["id"])
        introduce(created)

    def look_again(self):
        """Attends to whatever has happened in our matches while nobody told us."""
        looked_at = set()
        while not self.has_played_all() and (others := self.ours - self.left - looked_at):
            match = min(others)
            looked_at.add(match)
            self.attend(match)

    def attend(self, match):
        """Does what the match waits for from us, until it waits for somebody else."""
        self.ours.add(match)
        path = f"/matches/{match}"
        while True:
            snapshot = self.server.get(path)
            try:
                if snapshot["state"] == "ended":
                    return self.go_on(match, snapshot)
                if is_ours(snapshot):
                    self.play(path, snapshot)
                elif is_others(snapshot.get("draw_offered_by"), snapshot):
                    self.answer(f"{path}/draw", "decline")
                else:
                    return None
            except Problem as problem:
                # What was asked for is over by now: look again.
                if problem.code not in MOVED_ON | {"no_offer", "rematch_offered", "rematch_made"}:
                    raise

    def play(self, path, snapshot):
        seats, sides = snapshot["your_seats"], snapshot["sides"]
        side = sides[str(seats[0])]
        steps = []
        while True:
            legal = self.server.post(f"{path}/legal", {"steps": steps})
            if legal["complete"]:
                break
            steps = legal.get("forced") and [*steps, *legal["forced"]] or self.best(path, steps, legal, side)
        # The same turn again gets the same answer again: no key is needed.
        self.server.post(f"{path}/turn", {"seq": legal["seq"], "steps": steps})

    def best(self, path, steps, legal, side):
        """The steps so far with the one that leads to the best position."""
        looked_at = legal["steps"]
        if len(looked_at) > STEPS_LOOKED_AT:
            looked_at = self.random.sample(looked_at, STEPS_LOOKED_AT)
        value = engine.tablut if self.args.game == "tablut" else engine.tables

        def worth(step):
            after = self.server.post(f"{path}/legal", {"steps": [*steps, step]})
            return value(after["position"], side), self.random.random()

        return [*steps, looked_at[0] if len(looked_at) == 1 else max(looked_at, key=worth)]

    def go_on(self, match, snapshot):
        """Counts a match that has ended, and plays another while there are more to play: with
        the same player if they want to, otherwise with the next."""
        if match not in self.over:
            self.over.add(match)
            say_result(snapshot)
        if self.has_played_all() or match in self.left:
            return
        rematch = snapshot.get("rematch", {})
        if "next" in rematch:
            self.ours.add(rematch["next"])
            self.left.add(match)
        elif is_others(rematch.get("offered_by"), snapshot):
            self.answer(f"/matches/{match}/rematch", "accept")
        elif snapshot["result"]["result"] == "aborted" or (match in self.offered and not rematch):
            # It was broken off, which has no rematch, or they have declined.
            self.make_match()
            self.left.add(match)
        elif not rematch:
            self.offered.add(match)
            self.answer(f"/matches/{match}/rematch", "offer")

    def answer(self, path, action):
        self.server.post(path, {"action": action}, key=str(uuid.uuid4()))


def is_others(offered_by, snapshot):
    """Whether an offer stands that is not ours."""
    return offered_by not in (None, *snapshot["your_seats"])


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError, identity.Refused) as error:
        sys.exit(f"bot: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
