#!/usr/bin/env python3
"""A random player over plain HTTP, for any of the games, to the end of the match."""

import sys

from lusoria_http import Problem, Server
from table import MOVED_ON, Player, arguments, introduce, is_ours, owes_seed, say_result


def main():
    args = arguments(__doc__)
    player, server = Player(args), Server(args.server)
    server.token = server.post("/guests", player.guest())["token"]
    match = sit_down(server, player)
    snapshot = play_what_is_ours(server, player, match)
    # The snapshot has the position.
    for event in server.follow(match, since=snapshot["head"], positions=False):
        # What a later snapshot has shown already needs no second look.
        if event["seq"] > snapshot["head"]:
            snapshot = play_what_is_ours(server, player, match)
    say_result(server.get(f"/matches/{match}"))


def sit_down(server, player):
    args, seed = player.args, {"seed": player.dice_seed}
    if args.join:
        return server.post(f"/matches/{args.join}/join", seed, key=player.key)["match"]
    if args.invite:
        return server.post("/invitations/spend", {"code": args.invite, **seed}, key=player.key)["match"]
    created = server.post("/matches", player.new_match(), key=player.key)
    introduce(created)
    return created["match"]["id"]


def play_what_is_ours(server, player, match):
    """Does what the match waits for from us, until it waits for somebody else."""
    path = f"/matches/{match}"
    while True:
        snapshot = server.get(path)
        try:
            if owes_seed(snapshot):
                server.post(f"{path}/seed", {"seed": player.dice_seed})
            elif is_ours(snapshot):
                seq, steps = player.build_turn(lambda steps: server.post(f"{path}/legal", {"steps": steps}))
                server.post(f"{path}/turn", {"seq": seq, "steps": steps})
            else:
                return snapshot
        except Problem as problem:
            if problem.code not in MOVED_ON | {"no_seed_to_reveal"}:
                raise


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as error:
        sys.exit(f"http_player: {error}")
