#!/usr/bin/env python3
"""A bot: a guest that says that it is one, and plays whatever match waits for it, with an
engine of its own that looks one step ahead. It hears by one stream that a match wants it to
move, and polls nothing (docs/bots.md)."""

import argparse
import random
import sys
import uuid

import engine
from lusoria_http import Problem, Server
from table import MOVED_ON, introduce, is_ours

# How many next steps are looked at: each is a request.
STEPS_LOOKED_AT = 12


def main():
    args = arguments()
    server = Server(args.server)
    guest = {"bot": True, **({"name": args.name} if args.name else {})}
    server.token = server.post("/guests", guest)["token"]
    bot = Bot(server, args)
    bot.make_match()
    for notice in server.notices():
        # Others may come within this version of the API.
        if notice["notice"] in ("your_turn", "match_changed"):
            bot.attend(notice["match"]["id"])
        if bot.finished >= args.matches:
            return


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL")
    parser.add_argument("--name", help="what to be called")
    parser.add_argument("--game", default="tavla", help="zeno, tavla, scripta, tabula or tablut")
    parser.add_argument("--level", type=int, help="play against the computer; if left out, whoever comes")
    parser.add_argument("--matches", type=int, default=1, metavar="N", help="how many to play")
    parser.add_argument("--seed", type=int, help="choose the same way each time")
    return parser.parse_args()


class Bot:
    def __init__(self, server, args):
        self.server = server
        self.args = args
        self.random = random.Random(args.seed)
        self.finished = 0

    def make_match(self):
        wanted = {"game": self.args.game}
        if self.args.level is not None:
            wanted["opponent"] = {"computer": self.args.level}
        introduce(self.server.post("/matches", wanted, key=str(uuid.uuid4())))

    def attend(self, match):
        """Does what the match waits for from us, until it waits for somebody else."""
        path = f"/matches/{match}"
        while True:
            snapshot = self.server.get(path)
            try:
                if is_ours(snapshot):
                    self.play(path, snapshot)
                elif snapshot.get("draw_offered_by") not in (None, *snapshot["your_seats"]):
                    self.server.post(f"{path}/draw", {"action": "decline"}, key=str(uuid.uuid4()))
                elif snapshot["state"] == "ended" and "rematch" not in snapshot:
                    return self.go_on(path, snapshot)
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

    def go_on(self, path, snapshot):
        """Counts a match that has ended, and offers another one while there are more to play."""
        self.finished += 1
        result = snapshot["result"]
        outcome = result["result"]
        if outcome == "won":
            outcome = "won" if result["winner_seat"] in snapshot["your_seats"] else "lost"
        print(f"{outcome} after {snapshot['turns']} turns", flush=True)
        if self.finished < self.args.matches and result["result"] != "aborted":
            self.server.post(f"{path}/rematch", {"action": "offer"}, key=str(uuid.uuid4()))


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as error:
        sys.exit(f"bot: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
