#!/usr/bin/env python3
"""Lets the levels play each other, and writes the tables of docs/strength.md.

    cargo build --release --package lusoria-lab
    python3 docs/strength/measure.py                     # everything that is not measured yet: hours
    python3 docs/strength/measure.py --game tavla        # one game
    python3 docs/strength/measure.py --table levels      # one table: levels, yardsticks, second, before, losses or chances
    python3 docs/strength/measure.py --row "5 against greedy"    # one row, as the tables call it
    python3 docs/strength/measure.py --again             # what is measured already, too
    python3 docs/strength/measure.py --only-write        # nothing; the tables alone

Each contest is written into docs/strength/results.json (whether chances come true in games with dice, by
docs/findings/measure.py, into docs/findings/results.json) as soon as it is done, under the command
that repeats it, with the day and the machine. It tells which edition of the judge the levels were
(its weights and its search); what another edition has shown is not measured. Only the standard
library is needed.

The table "before" needs the program whose highest level is played against, at target/before/lusoria: the
first one that speaks the arena's language itself, with the networks of 64 units, is that of the commit
7c7a7ce0 (git worktree add ../before 7c7a7ce0, then cargo build --release there).
"""

import argparse
import functools
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from measuring import BINARY, STUDIED, edition, measure, studied, study  # noqa: E402

RESULTS = HERE / "results.json"
# Games with dice that are played for docs/findings.md tell whether chances come true: they are not played here.
FINDINGS = HERE.parent / "findings" / "results.json"
PAGE = HERE.parent / "strength.md"
FROM, TO = "<!-- written by strength/measure.py -->\n", "<!-- to here -->"

GAMES = ["zeno", "tavla", "scripta", "tabula", "tablut"]
TABLES = {
    "levels": "Each level against the one below",
    "yardsticks": "The highest level against the yardsticks",
    "second": "What the full second adds",
    "before": "The highest level against the earlier version",
    "losses": "What a turn gives away",
    "chances": "Whether its chances come true",
}
# The earlier program. Where level 5 now searches more positions in a turn, it is given as many.
BEFORE = "cmd:target/before/lusoria engine 5"
MORE = {"tavla": " --nodes 24000", "scripta": " --nodes 24000", "tabula": " --nodes 18000"}
# How turns are rolled out, none in tablut: three dice can be played in so many ways that less must do.
ROLLOUTS = {
    "zeno": "--games 48 --rollouts 4 --rollout-turns 3 --rollout-games 36 --rollout-horizon 6",
    "tavla": "--games 40 --rollouts 10 --rollout-turns 4 --rollout-games 36 --rollout-horizon 12",
    "scripta": "--games 10 --rollouts 20 --rollout-turns 4 --rollout-games 36 --rollout-horizon 12",
    "tabula": "--games 16 --rollouts 4 --rollout-turns 3 --rollout-games 36 --rollout-horizon 6",
}
# The most that a turn may take on average where a share is aimed at.
TURN_MS_MAX = 20


def contests(game):
    """Of each table: the flags of its contests, and the least share of the decided games that is
    aimed at, if any."""
    many = 200 if game == "tablut" else 1000
    opponent = BEFORE + MORE.get(game, "")
    levels = [(f"--a {level} --b {level - 1} --games {many}", 0.6) for level in (2, 3, 4, 5)]
    fewer = 200 if game == "tablut" else 400
    yardsticks = [(f"--a 5 --b greedy --games {fewer}", 0.8), (f"--a 5 --b random --games {fewer}", 0.99)]
    second = [("--a 5 --b 5 --full-a --games 100", None)]
    before = [(f"--a 5 --b '{opponent}' --games {many}", 0.65 if game == "tablut" else 0.6)]
    losses = [(f"--a 5 --b '{opponent}' {ROLLOUTS[game]}", None)] if game in ROLLOUTS else []
    chances = [("--a 5 --b 5 --games 4000" if game == "tablut" else f"--findings --games {STUDIED[game]}", None)]
    return {
        "levels": levels,
        "yardsticks": yardsticks,
        "second": second,
        "before": before,
        "losses": losses,
        "chances": chances,
    }


def name(flags):
    """What the tables call a contest."""
    if "--findings" in flags:
        return "5 against 5"
    of = re.match(r"--a (\S+) --b ('[^']*'|\S+)( --games \d+)?( --full-a)?", flags)
    against = "the earlier 5" if BEFORE in of[2] else of[2]
    if "--rollouts" in flags:
        return f"{of[1]} and {against} by rollouts"
    return f"{of[1]}{', the full second,' if '--full-a' in flags else ''} against {against}"


def command(game, flags):
    return f"lusoria-lab arena {game} {flags} --seed 1"


def measured(results, game, flags):
    """What that contest has shown with the judge as it is now, if anything."""
    if "--findings" in flags:
        return studied(findings(), game, study(game, STUDIED[game]), edition(game))
    report = results["contests"].get(command(game, flags))
    return report if report and report.get("contest", report).get("edition") == edition(game) else None


@functools.cache
def findings():
    """What has been found out about the games, by command."""
    return json.loads(FINDINGS.read_text()) if FINDINGS.exists() else {}


def share(of):
    if of is None:
        return "none"
    text = f"{100 * of['share']:.1f} %"
    return text + (f" ({100 * of['low']:.1f} to {100 * of['high']:.1f})" if "low" in of else "")


def elo(of):
    def told(value, otherwise):
        return otherwise if value is None else f"{value:+.0f}"

    infinite = "+∞" if of["low"] is not None else "−∞"
    return f"{told(of['difference'], infinite)} ({told(of['low'], '−∞')} to {told(of['high'], '+∞')})"


def cost(of, most_ms):
    mean, p95 = of["time_us"]["mean"] / 1000, of["time_us"]["p95"] / 1000
    over = most_ms is not None and mean > most_ms
    return f"{mean:.1f}, {p95:.1f}" + (f", over {most_ms} ms" if over else "")


def score(of):
    return f"{of['wins']}–{of['draws']}–{of['losses']}"


HEAD = """\
| game | A against B | won–drawn–lost | as White | as Black | points | decided games won | Elo | turns a game | A: ms a turn, mean and p95 | B |
| --- | --- | --- | --- | --- | ---: | --- | --- | ---: | ---: | ---: |
"""


def row(game, flags, least, report):
    against = name(flags)
    if report is None:
        return f"| {game} | {against} | not measured |" + " |" * 8 + "\n"
    most_ms = None if least is None else TURN_MS_MAX
    decided = share(report["decided"])
    if least is not None and (report["decided"] or {"share": 0})["share"] < least:
        decided += f", not {100 * least:.0f} %"
    cells = [
        game,
        against,
        score(report["score"]),
        score(report["score_as_white"]),
        score(report["score_as_black"]),
        f"{report['points']['mean']:+.2f}",
        decided,
        elo(report["elo"]),
        f"{report['turns']['mean']:.0f}",
        cost(report["a"], most_ms),
        cost(report["b"], most_ms),
    ]
    return "| " + " | ".join(cells) + " |\n"


CHANCES_HEAD = """\
| game | expected | turns | on average | scored | more than expected |
| --- | --- | ---: | ---: | ---: | --- |
"""


def chances(game, report):
    """What was expected of equals, and what they scored: ten rows a game."""
    if report is None:
        return f"| {game} | not measured |" + " |" * 4 + "\n"
    text = ""
    for bucket in report.get("a", report)["calibration"]:
        part = f"{100 * bucket['from']:.0f} to {100 * bucket['to']:.0f} %"
        more = bucket["more"]
        text += (
            f"| {game} | {part} | {bucket['turns']} | {100 * bucket['expected']:.1f} % | {100 * bucket['scored']:.1f} % "
            f"| {100 * more['value']:+.1f} ({100 * more['low']:+.1f} to {100 * more['high']:+.1f}) |\n"
        )
    return text


LOSSES_HEAD = """\
| game | A and B | turns of each | best of the turns compared | A gives away in a turn | B |
| --- | --- | --- | --- | --- | --- |
"""


def losses(game, flags, report):
    """What both players give away in a turn with a choice, in percentage points of winning."""
    if report is None:
        return f"| {game} | {name(flags)} | not measured |" + " |" * 3 + "\n"
    a, b = report["a"], report["b"]

    def lost(of):
        value, low, high = (100 * of["lost"][part] for part in ("value", "low", "high"))
        return f"{value:.3f} ({low:.3f} to {high:.3f})"

    best = ", ".join(f"{100 * of['best'] / of['turns']:.0f} %" for of in (a, b))
    return f"| {game} | {name(flags)} | {a['turns']}, {b['turns']} | {best} | {lost(a)} | {lost(b)} |\n"


# What the tables are that are not of the common kind, by the name of the table: head and rows.
OTHERS = {
    "losses": (LOSSES_HEAD, losses),
    "chances": (CHANCES_HEAD, lambda game, _, report: chances(game, report)),
}


def circumstances(reports):
    """When and on what the reports were made, a sentence a machine."""
    days = {}
    for report in reports:
        on = report["machine"]
        machine = f"{on['version']}, {on['cores']} cores, {on['cpu']}"
        days.setdefault(machine, set()).add(report["day"])
    return "".join(
        f"Measured on {' and '.join(sorted(on))} with {machine}.\n" for machine, on in sorted(days.items())
    )


def tables(results):
    """The part of the page that is written by this program."""
    text, reports = "", []
    for table, title in TABLES.items():
        head, rows = OTHERS.get(table, (HEAD, None))
        text += f"\n## {title}\n\n{head}"
        lines = []
        for game in GAMES:
            for flags, least in contests(game)[table]:
                report = measured(results, game, flags)
                reports += [report] if report else []
                text += rows(game, flags, report) if rows else row(game, flags, least, report)
                lines.append(command(game, flags))
        text += "\n```sh\n" + "\n".join(lines) + "\n```\n"
    return "\n" + circumstances(reports) + text + "\n"


def write(results):
    before, rest = PAGE.read_text().split(FROM)
    after = rest.split(TO)[1]
    PAGE.write_text(before + FROM + tables(results) + TO + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--table", choices=TABLES, action="append")
    parser.add_argument("--row", action="append", help="as the tables call it, such as \"2 against 1\"")
    parser.add_argument("--again", action="store_true", help="what is measured already, too")
    parser.add_argument("--only-write", action="store_true", help="play nothing")
    args = parser.parse_args()
    if not BINARY.exists():
        sys.exit(f"{BINARY} is not there: cargo build --release --package lusoria-lab")
    asked = [
        (game, flags)
        for game in args.game or GAMES
        for table in args.table or TABLES
        for flags, _ in contests(game)[table]
        if (not args.row or name(flags) in args.row) and "--findings" not in flags
    ]
    if not asked and not args.only_write:
        sys.exit("there is no such row; whether chances come true in games with dice, docs/findings/measure.py measures")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"contests": {}}
    for game, flags in [] if args.only_write else asked:
        if args.again or not measured(results, game, flags):
            line = command(game, flags)
            results["contests"][line] = measure(line)
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
            write(results)
    write(results)


if __name__ == "__main__":
    main()
