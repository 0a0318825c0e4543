#!/usr/bin/env python3
"""Measures what docs/performance.md tells, with the binary that was built last.

    cargo build --release --package lusoria --package lusoria-lab
    python3 docs/performance/measure.py             # everything, about 30 minutes
    python3 docs/performance/measure.py aims idle   # some parts of it

Each part is written into docs/performance/results.json as soon as it is done.
plot.py draws it. Only the standard library is needed.
"""

import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = TARGET / "release" / "lusoria"
LAB = TARGET / "release" / "lusoria-lab"
# Databases lie beside the binary: a system's folder for temporary files may be memory.
FOLDER = TARGET / "performance"
RESULTS = HERE / "results.json"

# One address plays the part of thousands of people here.
ROOMY = [
    "--guest-requests-per-s", "1000000", "--guest-burst", "1000000",
    "--address-requests-per-s", "1000000", "--address-burst", "1000000",
    "--new-guests-per-hour", "1000000", "--unfinished-matches", "10000",
    "--connections", "60000", "--connections-per-address", "60000",
    "--sockets-per-address", "60000",
]  # fmt: skip


@contextmanager
def server():
    """A server with an empty database; yields its address and its process."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        command = [BINARY, "serve", *ROOMY, "--listen", "127.0.0.1:0", "--log", "error"]
        process = subprocess.Popen(
            [*command, "--database", f"{folder}/lusoria.db"], stdout=subprocess.PIPE, text=True
        )
        try:
            yield process.stdout.readline().split()[-1], process
        finally:
            process.terminate()
            process.wait()


def bench(*flags):
    """Loads a server of its own; the report of the load generator."""
    with server() as (url, process):
        command = [LAB, "bench", url, "--pid", process.pid, "--json", *flags]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
        if not done.stdout:
            sys.exit(f"no report: {' '.join(map(str, command))}")
        if done.returncode:
            print("NOT CLEAN:", end=" ")
        report = json.loads(done.stdout)
        print(" ".join(map(str, flags)), "->", brief(report), flush=True)
        return {"flags": " ".join(map(str, flags)), **report}


def brief(report):
    players, watchers = report["players"], report["watchers"]
    received = players["received"] or {}
    parts = [
        f"{players['turns_per_s']:.0f} turns/s",
        f"p99 {received.get('p99_us', 0) / 1000:.2f} ms",
        f"{watchers['deliveries_per_s']:.0f} deliveries/s",
        f"server {report['server']['cores']:.2f} cores",
        f"load {report['generator']['cores']:.2f} cores",
    ]
    if players["turns_unsent"]:
        parts.append(f"{players['turns_unsent']} due and not sent")
    if report.get("echo"):
        echo = report["echo"]
        parts.append(f"bare echo {echo['turns_per_s']:.0f}/s p99 {echo['received']['p99_us'] / 1000:.2f} ms")
    if report.get("idle"):
        parts.append(f"{report['idle']['memory_bytes_each']} bytes each")
    if players["turns_received"]:
        parts.append(f"{1000 * report['server']['cpu_s'] / players['turns_received']:.3f} ms of CPU a turn")
    if report.get("match_memory"):
        each = report["match_memory"]
        parts.append(f"a match {each['begun_bytes_each']} bytes at first, {each['played_bytes_each']} at the end")
    if report["errors"] or report["missing"] or report["repeated"] or report["changed"]:
        parts.append(f"ERRORS {report['errors']} missing {report['missing']}")
    return ", ".join(parts)


NOBODY = ["--watchers", 0]
CONNECT = ["--connect-rate", 1000]
# A series, so that no turn waits until its players have sat down to a new match.
SERIES = ["--points", 99]


def aims():
    """The aims of the design, each with the limit in the same run."""
    closed = ["--closed-loop", "--matches", 200, "--duration", 20, "--warm-up", 3]
    steady = ["--rate", 500, "--arrival", "poisson", "--matches", 100, "--duration", 20, "--warm-up", 3]
    crowd = ["--rate", 65, "--matches", 1, "--duration", 15, "--warm-up", 3]
    return {
        "closed_loop": bench(*closed, *NOBODY, *CONNECT, "--echo"),
        "steady": bench(*steady, *SERIES, *NOBODY, *CONNECT, "--echo"),
        "no_crowd": bench(*crowd, *SERIES, *NOBODY),
        "crowd": bench(*crowd, *SERIES, *CONNECT, "--watchers", 500, "--watch-one"),
        "crowd_fast": bench(
            "--closed-loop", "--matches", 1, "--duration", 10, "--warm-up", 3,
            *SERIES, *CONNECT, "--watchers", 500, "--watch-one",
        ),  # fmt: skip
        "crowd_beside": bench(*steady, *SERIES, *CONNECT, "--watchers", 500, "--watch-one"),
    }


def http():
    """Players over plain HTTP, and the same over sockets to compare with."""
    closed = ["--closed-loop", "--matches", 200, "--duration", 20, "--warm-up", 3]
    steady = ["--rate", 500, "--arrival", "poisson", "--matches", 100, "--duration", 20, "--warm-up", 3]
    return {
        over: {
            "closed_loop": bench("--over", over, *closed, *NOBODY, *CONNECT, "--echo"),
            "steady": bench("--over", over, *steady, *SERIES, *NOBODY, *CONNECT, "--echo"),
        }
        for over in ["http", "socket"]
    }


def now_and_then():
    """Many matches of which each makes a turn every ten seconds or so, over both."""
    # The server ends the task of a match after 30 s without a turn: before that it has more of them.
    common = ["--arrival", "poisson", "--duration", 60, "--warm-up", 40, *SERIES, *NOBODY, *CONNECT]
    return {
        over: [
            (count, bench("--over", over, "--matches", count, "--rate", count / 10, *common))
            for count in [100, 1000]
        ]
        for over in ["socket", "http"]
    }


def games():
    """Each game in a closed loop."""
    common = ["--closed-loop", "--matches", 100, "--duration", 8, "--warm-up", 2, *NOBODY, *CONNECT]
    return {game: bench("--game", game, *common) for game in ["zeno", "tavla", "scripta", "tabula", "tablut"]}


def matches():
    """The same 500 turns a second over more and more matches, and as many as there can be."""
    steady, closed = [], []
    for count in [1, 10, 100, 300, 1000, 3000]:
        common = ["--matches", count, "--duration", 10, "--warm-up", 2, *SERIES, *NOBODY, *CONNECT]
        # One match alone cannot have 500 turns a second: each waits for the commit before it.
        if count >= 10:
            steady.append((count, bench("--rate", 500, *common)))
        closed.append((count, bench("--closed-loop", *common)))
    return {"steady": steady, "closed": closed}


def watchers():
    """65 turns a second in one match, before more and more watchers."""
    common = ["--rate", 65, "--matches", 1, "--duration", 10, "--warm-up", 2, *SERIES, *CONNECT]
    counts = [0, 50, 100, 250, 500, 750, 1000]
    return [(count, bench(*common, "--watchers", count, "--watch-one")) for count in counts]


def idle():
    """Sockets on which nothing happens."""
    common = ["--rate", 10, "--matches", 2, "--duration", 3, *NOBODY, *CONNECT]
    addresses = "127.0.0.1,127.0.0.2"
    return [(count, bench("--idle", count, "--from", addresses, *common)) for count in [100, 1000, 3000, 10000]]


def store():
    """The journal alone and a bare insert of the same rows, by the benchmark `turns`."""
    return cargo_bench("lusoria-store", "turns", "200", "200")


def history():
    """Starting, lists and turns with stored matches, by the benchmark `history`."""
    lines = cargo_bench("lusoria", "history", "1000", "10000", "100000", "1000000")
    rows = [line.split() for line in lines if re.match(r"\s*(matches|\d)", line)]
    return [dict(zip(rows[0], map(float, row))) for row in rows[1:]]


def cargo_bench(package, name, *arguments):
    command = ["cargo", "bench", "--quiet", "--package", package, "--bench", name, "--", *arguments]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    print("\n".join(lines), flush=True)
    return lines


def sync_us():
    """How long a durable write of 4 KiB takes on that disk: the median, in microseconds."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    took = []
    with tempfile.TemporaryFile(dir=FOLDER) as file:
        for _ in range(300):
            os.write(file.fileno(), bytes(4096))
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - started)
    return round(1e6 * sorted(took)[len(took) // 2])


def file_system():
    """The kind of the file system that holds the databases."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    holding = [(point, kind) for point, kind in mounts if FOLDER.is_relative_to(point)]
    return max(holding, key=lambda mount: len(mount[0]))[1]


def machine():
    cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    version = subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    return {
        "cpu": cpu.group(1) if cpu else platform.processor(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "file_system": file_system(),
        "sync_us": sync_us(),
        "version": version,
        "day": time.strftime("%Y-%m-%d"),
    }


PARTS = {part.__name__: part for part in [aims, http, now_and_then, games, matches, watchers, idle, store, history]}


def main():
    chosen = sys.argv[1:] or list(PARTS)
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        sys.exit(f"there is no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if not (BINARY.exists() and LAB.exists()):
        sys.exit(f"{BINARY} is not there: cargo build --release --package lusoria --package lusoria-lab")
    if file_system() in ("tmpfs", "ramfs"):
        sys.exit(f"{FOLDER} is in memory, where a sync costs nothing: set CARGO_TARGET_DIR to a disk")
    # Every connection takes an open file, here and in the server, which inherits this.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results["machine"] = machine()
    for name in chosen:
        results[name] = PARTS[name]()
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
