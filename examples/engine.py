#!/usr/bin/env python3
"""An engine for the arena (docs/bots.md, "Engines for the arena"). It knows no rules: it
values the positions to which the legal turns lead, and plays the best.

    lusoria-lab arena tabula --a 'cmd:python3 examples/engine.py' --b greedy --games 100
"""

import argparse
import json
import random
import sys

SIZE = 9


class Engine:
    def __init__(self, args):
        self.lucky = args.random
        self.chance = random.Random(0)
        self.game = None

    def answer(self, message):
        """What is answered to a message; None if nothing is."""
        match message:
            case {"hello": hello}:
                self.game = hello["game"]
                return {"ready": True}
            case {"start": start}:
                # The same game is played the same way again.
                self.chance.seed(start["seed"])
            case {"turn": turn}:
                return {"steps": self.choose(turn)["steps"]}
        # `end`, and whatever a later version tells.
        return None

    def choose(self, turn):
        legal = turn["legal"]
        if self.lucky:
            return self.chance.choice(legal)
        value = tablut if self.game == "tablut" else tables
        values = [value(after["position"], turn["side"]) for after in legal]
        best = max(values)
        return self.chance.choice([after for after, value in zip(legal, values) if value == best])


def tables(position, side):
    """Dice games: pieces off count most, then pieces that wait or are pinned, the opponent's
    against one's own, then blots, which can be hit or pinned."""
    other = "black" if side == "white" else "white"
    own, enemy = position[side], position[other]
    blots = sum(1 for count in own["points"].values() if count == 1)
    return 40 * own["off"] + 2 * behind(enemy) - 2 * behind(own) - blots


def behind(pieces):
    """What has not begun its way, must begin it again, or cannot go on."""
    middle = sum(count for cell, count in pieces["points"].items() if cell.startswith("m"))
    hit = middle + pieces.get("bar", 0)
    return pieces.get("supply", 0) + 3 * hit + 2 * len(pieces.get("pinned", []))


def tablut(position, side):
    """Men against men, and lines from the king to the edge with nothing in between."""
    board = squares(position["board"])
    men = sum(1 for piece in board.values() if piece == "T")
    enemies = sum(1 for piece in board.values() if piece == "t")
    king = next((square for square, piece in board.items() if piece == "K"), None)
    if king is None:
        value = -1000
    elif 0 in king or SIZE - 1 in king:
        value = 1000
    else:
        value = 2 * men - enemies + 10 * exits(board, king)
    return value if side == "defenders" else -value


def squares(board):
    """Column and rank of every piece."""
    found = {}
    for rank, row in enumerate(board.split("/")):
        column = 0
        for letter in row:
            if letter.isdigit():
                column += int(letter)
            else:
                found[column, rank] = letter
                column += 1
    return found


def exits(board, king):
    column, rank = king
    lines = [
        [(column, to) for to in range(rank)],
        [(column, to) for to in range(rank + 1, SIZE)],
        [(to, rank) for to in range(column)],
        [(to, rank) for to in range(column + 1, SIZE)],
    ]
    return sum(1 for line in lines if not any(square in board for square in line))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--random", action="store_true", help="play any legal turn")
    engine = Engine(parser.parse_args())
    for line in sys.stdin:
        answer = engine.answer(json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
