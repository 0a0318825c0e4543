"""What the two example players share: sitting down, and choosing steps at random."""

import argparse
import hashlib
import random
import secrets
import uuid

from lusoria_http import server_url

# A turn that these answers refuse is no longer ours to play: look again.
MOVED_ON = {"already_answered", "match_over", "not_playing", "not_your_turn", "time_over", "wrong_seq"}


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL", type=server_url)
    parser.add_argument("--name", help="what to be called")
    parser.add_argument("--seed", type=int, help="play the same way each time")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--create", action="store_true", help="make a match (the default)")
    how.add_argument("--join", metavar="ID", help="join the open match with that id")
    how.add_argument("--invite", metavar="CODE", help="spend an invitation")
    made = parser.add_argument_group("the match to make")
    made.add_argument("--game", default="zeno", help="zeno, tavla, scripta, tabula or tablut")
    made.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    made.add_argument("--points", type=int, default=1, help="1 is a single game, more a series")
    made.add_argument("--by-invitation", action="store_true", help="nobody else sees or joins it")
    return parser.parse_args()


class Player:
    """A guest who plays at random, and brings their own seed for the dice."""

    def __init__(self, args):
        self.args = args
        self.random = random.Random(args.seed)
        # Nobody must be able to guess it before it is revealed.
        self.dice_seed = secrets.token_hex(16)
        self.key = str(uuid.uuid4())

    def guest(self):
        return {"name": self.args.name} if self.args.name else {}

    def new_match(self):
        values = {"true": True, "false": False}
        options = dict(option.split("=", 1) for option in self.args.option)
        return {
            "game": self.args.game,
            "options": {name: values.get(value, value) for name, value in options.items()},
            "points": self.args.points,
            "admission": "invitation" if self.args.by_invitation else "open",
            "seed_hash": hashlib.sha256(self.dice_seed.encode()).hexdigest(),
        }

    def build_turn(self, legal_after):
        """A whole turn, step by step; `legal_after(steps)` asks the server what may follow.
        Returns the number of the event that it answers, and the steps."""
        steps = []
        while True:
            legal = legal_after(steps)
            if legal["complete"]:
                return legal["seq"], steps
            steps.append(self.random.choice(legal["steps"]))


def is_ours(snapshot):
    to_play = snapshot.get("to_play")
    return to_play is not None and to_play["seat"] in snapshot["your_seats"]


def owes_seed(snapshot):
    """Seat 1 has committed to its seed and reveals it once seat 2 is taken."""
    return snapshot["state"] == "awaiting_seeds" and 1 in snapshot["your_seats"]


def introduce(created):
    """Says where others find the match, for people and for programs."""
    print("match", created["match"]["id"], flush=True)
    if "invitation" in created:
        print("invitation", created["invitation"]["code"], flush=True)


def say_result(snapshot):
    result, ours = snapshot["result"], snapshot["your_seats"]
    outcome = result["result"]
    if outcome == "won":
        outcome = "won" if result["winner_seat"] in ours else "lost"
    score = snapshot["score"]
    print(f"{outcome} {score['1']}:{score['2']} after {snapshot['turns']} turns", flush=True)
