#!/usr/bin/env python3
"""Computes the dice of a match once more (lusoria-dice-v1) and compares.

The record names the commitment `s[0]`; compare it yourself with the one that you saw
before the first throw. Standard library only."""

import argparse
import hashlib
import hmac
import json
import sys

from lusoria_http import Problem, Server


def stream(secret, label, match, game, seeds, i):
    """The bytes from which a throw, or the lot, is made."""
    block = 0
    while True:
        text = f"{label}|{match}|{game}|{seeds[0]}|{seeds[1]}|{i}|{block}"
        yield from hmac.digest(secret, text.encode(), "sha256")
        block += 1


def throw(secret, match, game, seeds, i, count):
    """Throw number `i` of a game, the dice in the order drawn."""
    bytes_of_throw = stream(secret, "lusoria-dice-v1", match, game, seeds, i)
    even = (byte for byte in bytes_of_throw if byte < 252)
    return [next(even) % 6 + 1 for _ in range(count)]


def lot(secret, match, game, seeds):
    """The seat that takes White (tablut: the king)."""
    return 1 if next(stream(secret, "lusoria-lot-v1", match, game, seeds, 0)) % 2 == 0 else 2


def commitment(secret, game):
    """`s[0]`, from the secret of a game."""
    for _ in range(game):
        secret = hashlib.sha256(secret).digest()
    return secret.hex()


def faults(record):
    """What does not fit in a record, and how many throws were compared."""
    match, dice = record["match"], record["dice"]
    seeds = [dice["seeds"].get(seat, {}).get("seed") for seat in ("1", "2")]
    found, compared, game = [], 0, 0
    for event in record["events"]:
        if event["type"] == "game_started":
            game = event["game_number"]
        secret = dice["secrets"].get(str(game))
        if secret is None:
            continue
        secret = bytes.fromhex(secret)
        if event["type"] == "game_ended" and commitment(secret, game) != dice["commitment"]:
            found.append(f"the secret of game {game} does not lead to the commitment")
        if event["type"] == "game_started" and game == 1 and record["side"] == "lot":
            if event["sides"][str(lot(secret, match, game, seeds))] not in ("white", "defenders"):
                found.append("the lot fell otherwise")
        if event["type"] in ("thrown", "opening_thrown"):
            shown = event.get("dice") or [event["white"], event["black"]]
            compared += 1
            if throw(secret, match, game, seeds, event["throw"], len(shown)) != shown:
                found.append(f"event {event['seq']}: throw {event['throw']} of game {game} is not {shown}")
    return found, compared


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", metavar="ID|FILE", help="a match, or the file of its record")
    parser.add_argument("--server", metavar="URL", help="where the match is; without it, read a file")
    args = parser.parse_args()
    if args.server:
        record = Server(args.server).get(f"/matches/{args.record}/record")
    else:
        with open(args.record, encoding="utf-8") as file:
            record = json.load(file)
    found, compared = faults(record)
    for fault in found:
        print(fault)
    print(f"{compared} throws compared, {len(found)} faults")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as error:
        sys.exit(f"check_dice: {error}")
