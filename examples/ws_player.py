#!/usr/bin/env python3
"""A random player over the WebSocket, for any of the games, to the end of the match."""

import sys

from lusoria_http import Problem, Server
from lusoria_ws import Session
from table import MOVED_ON, Player, arguments, introduce, is_ours, owes_seed, say_result


def main():
    args = arguments(__doc__)
    player = Player(args)
    # A player without a token gets one over HTTP; everything else goes over the socket.
    token = Server(args.server).post("/guests", player.guest())["token"]
    session = Session(args.server, token)
    match = sit_down(session, player)
    # The snapshot has the position.
    session.watch(match, since=0, positions=False)
    snapshot = play_what_is_ours(session, player, match)
    while snapshot["state"] != "ended":
        event = session.next_event()
        # What a later snapshot has shown already needs no second look.
        if event["seq"] > snapshot["head"]:
            snapshot = play_what_is_ours(session, player, match)
    say_result(snapshot)
    session.drop()


def sit_down(session, player):
    args, seed = player.args, player.dice_seed
    if args.join:
        return session.ask("join", match=args.join, seed=seed, key=player.key)["match"]
    if args.invite:
        spend = {"code": args.invite, "seed": seed}
        return session.http("POST", "/invitations/spend", spend, player.key)["match"]
    created = session.http("POST", "/matches", player.new_match(), player.key)
    introduce(created)
    return created["match"]["id"]


def play_what_is_ours(session, player, match):
    """Does what the match waits for from us, until it waits for somebody else."""
    while True:
        snapshot = session.http("GET", f"/matches/{match}")
        try:
            if owes_seed(snapshot):
                session.ask("seed", match=match, seed=player.dice_seed)
            elif is_ours(snapshot):
                legal = f"/matches/{match}/legal"
                seq, steps = player.build_turn(lambda steps: session.http("POST", legal, {"steps": steps}))
                session.ask("turn", match=match, seq=seq, steps=steps)
            else:
                return snapshot
        except Problem as problem:
            if problem.code not in MOVED_ON | {"no_seed_to_reveal"}:
                raise


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as error:
        sys.exit(f"ws_player: {error}")
