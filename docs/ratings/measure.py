#!/usr/bin/env python3
"""Lets the levels play each other, and writes the tables and plots of docs/ratings.md.

    cargo build --release --package lusoria-lab
    python3 docs/ratings/measure.py                  # every game that is not measured yet: a quarter of an hour
    python3 docs/ratings/measure.py --game tavla     # one game
    python3 docs/ratings/measure.py --again          # what is measured already, too
    python3 docs/ratings/measure.py --only-write     # nothing; the tables and plots alone

What a game has shown is written into docs/ratings/results.json as soon as it is done, under the command that
repeats it, with the day. It tells which edition of the judge the levels were; what another edition has shown is not
measured. Only the standard library is needed.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from measuring import edition, run  # noqa: E402

RESULTS = HERE / "results.json"
PAGE = HERE.parent / "ratings.md"
FROM, TO = "<!-- written by ratings/measure.py -->\n", "<!-- to here -->"

# Fewer of the games that take long.
GAMES = {"zeno": 200, "tavla": 200, "scripta": 100, "tabula": 100, "tablut": 40}

# Colours that stay apart for those who confuse some (Okabe and Ito), one a game.
COLOURS = {"zeno": "#0072b2", "tavla": "#d55e00", "scripta": "#009e73", "tabula": "#cc79a7", "tablut": "#7a6a00"}


def command(game):
    return f"lusoria-lab arena {game} --ratings --games {GAMES[game]} --seed 1"


def measured(results, game):
    """What the game has shown with the judge as it is now, if anything."""
    found = results.get(command(game))
    return found if found and found["edition"] == edition(game) else None


def told(of, form):
    """A number with its interval; what is infinite is null in JSON."""
    value, low, high = (
        "∞" if of[key] is None else format(of[key], form) for key in ("value", "low", "high")
    )
    return f"{value} ({low} to {high})"


def percent(of):
    return f"{100 * of['value']:.1f} % ({100 * of['low']:.1f} to {100 * of['high']:.1f})"


def table(head, rows):
    """Rows of cells; the heads of numbers end with a colon."""
    names = [name.rstrip(":") for name in head]
    rules = ["---:" if name.endswith(":") else "---" for name in head]
    lines = [names, rules, *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def advantages(found):
    rows = [
        [
            game,
            told(of["advantage"], "+.0f"),
            *(told(alike, "+.0f") for alike in of["advantage_alike"]),
        ]
        for game, of in found.items()
    ]
    return table(["game", "all games:", *(f"{n} against {n}:" for n in range(1, 6))], rows)


def players(found):
    rows = []
    for game, of in found.items():
        first, *rest = of["players"]
        rows.append([game, f"{first['points']:.0f}", *(told(one["better_by"], ".0f") for one in rest)])
    return table(["game", "points of level 1:", *(f"{n} above {n - 1} by:" for n in range(2, 6))], rows)


def slopes(found):
    lengths = [one["points"] for one in next(iter(found.values()))["slopes"]]
    rows = [[game, *(told(one["slope"], ".2f") for one in of["slopes"])] for game, of in found.items()]
    formula = ["by the formula", *(f"{one['of_one_point_games']:.2f}" for one in next(iter(found.values()))["slopes"])]
    return table(["game", *(f"to {length}:" for length in lengths)], [*rows, formula])


def level(name):
    """The number of "level 3"."""
    return int(name.removeprefix("level "))


def neighbours(of):
    """Of each level and the one above it."""
    return [one for one in of["known"] if level(one["better"]) == level(one["other"]) + 1]


def known(found):
    rows = [
        [game, f"{level(one['better'])} and {level(one['other'])}", percent(one["share"]), told(one["games"], ".0f"),
         told(one["games_of_pairs"], ".0f")]
        for game, of in found.items()
        for one in neighbours(of)
    ]
    return table(["game", "levels", "the better one scores:", "games:", "in pairs of the same dice:"], rows)


def held_out(found):
    rows = []
    for game, of in found.items():
        for name, what in (("advantage", "advantage, games"), ("slope", "slope, matches to 3")):
            one = of["held_out"][name]
            rows.append(
                [game, f"{what} ({one['results']})", f"{one['with']:.4f}", f"{one['without']:.4f}",
                 told(one["gain"], "+.4f")]
            )
    return table(["game", "what is left out", "with:", "without:", "smaller by:"], rows)


def side_takers(found):
    rows = [
        [game, told(of["side_taker"]["pairs"], "+.1f"), told(of["side_taker"]["singles"], "+.1f")]
        for game, of in found.items()
        if "side_taker" in of
    ]
    return rows and table(["game", "rated in pairs:", "rated in single games:"], rows)


def plot(name, title, width, height, parts):
    """A picture with a title that is read out, on a ground of its own: it is seen by day and by night."""
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="sans-serif" font-size="13" fill="#222">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height}" fill="#fffdf8"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
    (HERE / name).write_text(text)


def log_axis(left, right, top, bottom, low, high):
    """Lines of a logarithmic axis from left to right, and where a number is on it."""

    def at(value):
        return left + (right - left) * math.log(value / low) / math.log(high / low)

    ticks = [base * 10**power for power in range(6) for base in (1, 2, 5) if low <= base * 10**power <= high]
    lines = [
        f'<path d="M{at(tick):.1f} {top}V{bottom}" stroke="#ddd5c5"/>'
        f'<text x="{at(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:,}</text>'
        for tick in ticks
    ]
    return at, lines


def plot_known(found):
    """How many games until the better one of two neighbours is known: a bar from pairs to single games."""
    rows = [(game, one) for game, of in found.items() for one in neighbours(of)]
    left, right, top, each = 150, 720, 40, 22
    bottom = top + each * len(rows)
    counts = [one[key]["value"] for _, one in rows for key in ("games", "games_of_pairs")]
    counts = [count for count in counts if count]
    at, parts = log_axis(left, right, top, bottom, max(1, min(counts) / 1.6), max(counts) * 1.6)
    parts.append(f'<text x="{left}" y="24" font-weight="bold">Games until the better one is known</text>')
    for nth, (game, one) in enumerate(rows):
        y = top + each * nth + each / 2
        single, paired = one["games"]["value"], one["games_of_pairs"]["value"]
        parts.append(f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end">{game}, {level(one["better"])} and {level(one["other"])}</text>')
        if not single or not paired:
            continue
        colour = COLOURS[game]
        parts.append(f'<path d="M{at(paired):.1f} {y:.1f}H{at(single):.1f}" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<circle cx="{at(single):.1f}" cy="{y:.1f}" r="5.5" fill="{colour}"/>')
        parts.append(f'<circle cx="{at(paired):.1f}" cy="{y:.1f}" r="4.5" fill="#fffdf8" stroke="{colour}" stroke-width="2"/>')
    parts.append(f'<text x="{left}" y="{bottom + 40}">filled: dice of their own; hollow: pairs of the same dice</text>')
    plot("known.svg", "Games until the better of two neighbouring levels is known, by game", 760, bottom + 56, parts)


def plot_advantages(found):
    """What White is worth the better the players are."""
    left, right, top, bottom = 60, 600, 40, 320
    values = [alike[key] for of in found.values() for alike in of["advantage_alike"] for key in ("low", "high")]
    low, high = min(0, *values), max(0, *values)
    x = lambda level: left + (right - left) * (level - 1) / 4
    y = lambda value: bottom - (bottom - top) * (value - low) / (high - low)
    parts = [f'<text x="{left}" y="24" font-weight="bold">What White is worth, in rating points</text>']
    step = 100 if high - low > 350 else 50
    for value in range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step):
        parts.append(f'<path d="M{left} {y(value):.1f}H{right}" stroke="{"#999" if value == 0 else "#ddd5c5"}"/>')
        parts.append(f'<text x="{left - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:+d}</text>')
    for level in range(1, 6):
        parts.append(f'<text x="{x(level):.1f}" y="{bottom + 20}" text-anchor="middle">{level} against {level}</text>')
    for nth, (game, of) in enumerate(found.items()):
        colour = COLOURS[game]
        points = [(x(level) + 4 * (nth - 2), alike) for level, alike in enumerate(of["advantage_alike"], 1)]
        line = "L".join(f"{at:.1f} {y(alike['value']):.1f}" for at, alike in points)
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for at, alike in points:
            parts.append(f'<path d="M{at:.1f} {y(alike["low"]):.1f}V{y(alike["high"]):.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{at:.1f}" cy="{y(alike["value"]):.1f}" r="4" fill="{colour}"/>')
        parts.append(f'<circle cx="{right + 30}" cy="{top + 24 * nth}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{right + 42}" y="{top + 24 * nth + 4}">{game}</text>')
    plot("advantages.svg", "What White is worth in each game, the stronger the players", 720, bottom + 40, parts)


def write(results):
    found = {game: of for game in GAMES if (of := measured(results, game))}
    missing = [game for game in GAMES if game not in found]
    if not found:
        sys.exit("nothing is measured with the levels as they are: the page stays as it is")
    plot_known(found)
    plot_advantages(found)
    parts = [
        f"Measured from {min(of['day'] for of in found.values())} on.\n"
        + (f"Not measured with the levels as they are: {', '.join(missing)}.\n" if missing else ""),
        "### What a side is worth\n\n" + advantages(found)
        + "\n![What White is worth in each game, the stronger the players](ratings/advantages.svg)\n",
        "### How far the levels are apart\n\n" + players(found),
        "### How many games until the better one is known\n\n" + known(found)
        + "\n![Games until the better of two neighbouring levels is known](ratings/known.svg)\n",
        "### How much more a longer match shows\n\n" + slopes(found),
        "### Results that nothing was fitted to\n\n" + held_out(found),
        *(["### Whether it pays to take always the same side\n\n" + rows] if (rows := side_takers(found)) else []),
        "```sh\n" + "".join(command(game) + "\n" for game in found) + "```\n",
    ]
    text = PAGE.read_text()
    before, rest = text.split(FROM)
    _, after = rest.split(TO)
    PAGE.write_text(before + FROM + "\n" + "\n".join(parts) + "\n" + TO + after)


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--game", choices=GAMES)
    asked.add_argument("--again", action="store_true")
    asked.add_argument("--only-write", action="store_true")
    asked = asked.parse_args()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    games = [] if asked.only_write else [asked.game] if asked.game else list(GAMES)
    for game in games:
        if not asked.again and measured(results, game):
            continue
        print(command(game), flush=True)
        results[command(game)] = {"day": time.strftime("%Y-%m-%d"), **run(command(game))}
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    write(results)


if __name__ == "__main__":
    main()
