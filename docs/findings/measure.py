#!/usr/bin/env python3
"""Lets the highest level play itself, rolls out first turns and the emperor's throw, and writes the tables, plots and
CSV files of docs/findings.md.

    cargo build --release --package lusoria-lab
    python3 docs/findings/measure.py                       # everything that is not measured yet: forty minutes
    python3 docs/findings/measure.py --game tavla          # one game
    python3 docs/findings/measure.py --table first-turns   # one kind of measurement: games, first-turns, emperor
    python3 docs/findings/measure.py --row "zeno, shift=die"    # one row, as --list names it
    python3 docs/findings/measure.py --again               # what is measured already, too
    python3 docs/findings/measure.py --only-write          # nothing; the tables, plots and files alone
    python3 docs/findings/measure.py --list                # names the rows and their commands

What a command has shown is written into docs/findings/results.json as soon as it is done, under the command that
repeats it, with the day and the machine. It tells which edition of the judge played (its weights and its search); what
another edition has shown is not measured. Only the standard library is needed.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import reader
import tables

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from measuring import BINARY, STUDIED, edition, measure, options, studied, study  # noqa: E402

RESULTS = HERE / "results.json"
STRENGTH = HERE.parent / "strength" / "results.json"
PAGE = HERE.parent / "findings.md"
PART = re.compile(r"(<!-- written by findings/measure.py: (\S+) -->\n).*?(<!-- to here -->)", re.DOTALL)

GAMES = ["zeno", "tavla", "scripta", "tabula", "tablut"]
TABLES = ["games", "first-turns", "emperor"]

# Each game and each of its options, with how many games: fewer where they take long, and of options that change little.
STUDIES = [
    ("zeno", "", STUDIED["zeno"]),
    ("zeno", "shift=die", 60),
    ("tavla", "", STUDIED["tavla"]),
    ("tavla", "mother=double_loss", 80),
    ("scripta", "", STUDIED["scripta"]),
    ("scripta", "row_a_gate=false", 30),
    ("tabula", "", STUDIED["tabula"]),
    ("tablut", "", STUDIED["tablut"]),
    ("tablut", "throne=closed", 120),
]

# How the first turns are rolled out: games are broken off where the computer's judgement of them is good. In scripta
# that is when the pieces have entered: of the opening it was told to be less sure (docs/training.md, "How sure openings are").
FIRST_TURNS = {
    "zeno": "--turns 1 --games 36 --horizon 8",
    "tavla": "--turns 3 --games 360 --horizon 12",
    "scripta": "--turns 3 --games 360 --horizon 64",
    "tabula": "--turns 2 --games 36 --horizon 6",
}

# The position of AP IX.482 (rules/zeno.md, "The throw of Zeno").
EMPEROR = json.dumps(
    {
        "white": {"points": {"6": 7, "9": 1, "10": 2, "19": 2, "20": 2, "23": 1}, "exposed": True},
        "black": {
            "points": {"8": 2, "11": 2, "12": 2, "13": 1, "14": 2, "15": 2, "18": 2, "21": 2},
            "exposed": True,
        },
        "to_move": "white",
    }
)
EMPERORS_THROW = "6-5-2"


def rows():
    """Every measurement: its name, the kind of measurement, the game and the command."""
    for game, option, games in STUDIES:
        yield tables.named(game, option), "games", game, study(game, games, option)
    for game, flags in FIRST_TURNS.items():
        yield f"{game}, first turns", "first-turns", game, f"lusoria-lab rollout {game} start {flags} --seed 1"
    every = f"lusoria-lab rollout zeno '{EMPEROR}' --turns 2 --games 36 --horizon 8 --seed 1"
    yield "zeno, the emperor's throws", "emperor", "zeno", every
    turn = f"lusoria-lab rollout zeno '{EMPEROR}' {EMPERORS_THROW} --games 360 --seed 1"
    yield "zeno, the emperor's turn", "emperor", "zeno", turn


def measured(results, game, line):
    """What that command has shown with the judge as it is now, if anything."""
    return studied(results, game, line, edition(game, options(line)))


def above_level_4():
    """By how much more than a half level 5 scores against level 4, in each game in which that is measured of the judge
    as it is now (docs/strength.md)."""
    contests = json.loads(STRENGTH.read_text())["contests"] if STRENGTH.exists() else {}
    against = {
        game: report
        for line, report in contests.items()
        for game in GAMES
        if line.startswith(f"lusoria-lab arena {game} --a 5 --b 4 ")
    }
    known = {game: of for game, of in against.items() if of["contest"].get("edition") == edition(game)}
    return {game: of["share"]["share"] - 0.5 for game, of in known.items()}


def circumstances(reports):
    """When and on what the reports were made, a sentence a machine."""
    days = {}
    for report in reports:
        on = report["machine"]
        days.setdefault(f"{on['version']}, {on['cores']} cores, {on['cpu']}", set()).add(report["day"])
    return "".join(
        f"Measured on {' and '.join(sorted(on))} with {machine}.\n" for machine, on in sorted(days.items())
    )


def write(results):
    """The tables, plots and files, from what is measured."""
    of = {name: (line, measured(results, game, line)) for name, _, game, line in rows()}
    reports = [report for _, report in of.values() if report]
    missing = [name for name, (_, report) in of.items() if not report]
    told = of, above_level_4(), EMPERORS_THROW
    page = tables.Page(*told)
    parts = {
        "circumstances": circumstances(reports)
        + (f"Not measured with the judge as it is now: {'; '.join(missing)}.\n" if missing else ""),
        **page.parts(),
    }
    for name, text in page.files().items():
        (HERE / name).write_text(text)
    reader.write(HERE, *told)

    def written(found):
        return f"{found[1]}\n{parts[found[2]]}\n{found[3]}"

    PAGE.write_text(PART.sub(written, PAGE.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--table", choices=TABLES, action="append")
    parser.add_argument("--row", action="append", help='as --list names it, such as "tablut, throne=closed"')
    parser.add_argument("--again", action="store_true", help="what is measured already, too")
    parser.add_argument("--only-write", action="store_true", help="play nothing")
    parser.add_argument("--list", action="store_true", help="name the rows and their commands, and do nothing")
    args = parser.parse_args()
    asked = [
        (name, game, line)
        for name, table, game, line in rows()
        if game in (args.game or GAMES) and table in (args.table or TABLES) and (not args.row or name in args.row)
    ]
    if not asked:
        sys.exit("there is no such row")
    if args.list:
        for name, _, line in asked:
            print(f"{name}\n    {line}")
        return
    if not BINARY.exists():
        sys.exit(f"{BINARY} is not there: cargo build --release --package lusoria-lab")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for _, game, line in [] if args.only_write else asked:
        if args.again or not measured(results, game, line):
            results[line] = measure(line)
            RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            write(results)
    write(results)


if __name__ == "__main__":
    main()
