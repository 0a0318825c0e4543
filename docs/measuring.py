"""What the measuring programs beside this file share: the program that is measured, and the machine."""

import functools
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = TARGET / "release" / "lusoria-lab"

# The highest level against itself, for docs/findings.md: how many games of each standard game. They also tell whether its
# chances come true (docs/strength.md).
STUDIED = {"zeno": 240, "tavla": 600, "scripta": 600, "tabula": 600, "tablut": 120}


def study(game, games, option=""):
    """The command that plays them."""
    return f"lusoria-lab arena {game}{f' -o {option}' if option else ''} --findings --games {games} --seed 1"


def studied(results, game, line, edition):
    """What a study has shown with the judge of that edition, if anything; of a game with dice, with what came of its
    chances, which older programs do not tell."""
    found = results.get(line)
    if not found or found["edition"] != edition:
        return None
    return found if game == "tablut" or "--findings" not in line or "calibration" in found else None


@functools.cache
def machine():
    found = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    version = subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, text=True, check=True)
    return {
        "cpu": found.group(1) if found else platform.processor(),
        "cores": os.cpu_count(),
        "version": version.stdout.strip(),
    }


def run(line):
    """What a command reports."""
    done = subprocess.run(
        [str(BINARY), *shlex.split(line)[1:], "--json"], stdout=subprocess.PIPE, text=True, check=False, cwd=ROOT
    )
    # A rollout ends with 1 if it is not sure which turn is the best.
    if done.returncode > line.startswith("lusoria-lab rollout "):
        sys.exit(f"it did not come to its end: exit code {done.returncode}")
    return json.loads(done.stdout)


def measure(line):
    """The same, with the day and the machine."""
    print(line, flush=True)
    return {"day": time.strftime("%Y-%m-%d"), "machine": machine(), **run(line)}


def options(line):
    """The options of the game in a command, as it names them, each after a space."""
    return "".join(re.findall(r" -o \S+", line))


@functools.cache
def edition(game, options=""):
    """The judge's, as it is now, of the game with these options: every report tells it."""
    return run(f"lusoria-lab arena {game}{options} --a random --b random --games 2 --seed 1")["contest"]["edition"]
