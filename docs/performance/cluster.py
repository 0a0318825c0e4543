#!/usr/bin/env python3
"""Measures several nodes on PostgreSQL and NATS, with the binary that was built last.

    cargo build --release --package lusoria --package lusoria-lab
    python3 docs/performance/cluster.py             # everything, about 6 minutes
    python3 docs/performance/cluster.py beside flat # some parts of it

    beside   one node on SQLite and one on PostgreSQL: turns a second, latency, processor time
    flat     processor time a turn of 1 to 4 nodes at a fixed rate
    quota    turns a second of 1 to 4 nodes, each with a fifth of a core (Linux, cgroups, root)

Each part is written into docs/performance/cluster.json as soon as it is done. Needs PostgreSQL 15 and
nats-server. Only the standard library is needed.
"""

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from measure import BINARY, FOLDER, HERE, LAB, ROOMY, SERIES, machine

RESULTS = HERE / "cluster.json"
POSTGRES = Path(os.environ.get("POSTGRES_BIN", "/usr/lib/postgresql/15/bin"))
TICKS = os.sysconf("SC_CLK_TCK")
# A fixed rate that one node can serve beside PostgreSQL and the load on two cores.
RATE = 400
# What a node may have of a core under a quota, and matches that keep it busy.
QUOTA = 0.2


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_s(pid):
    """Processor time of a process and of its children that run, in seconds."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if stat.parent.name == str(pid) or fields[1] == str(pid):
            total += int(fields[11]) + int(fields[12])
    return total / TICKS


def until(ready, what):
    for _ in range(600):
        if ready():
            return
        time.sleep(0.05)
    sys.exit(f"{what} does not start")


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(command, **options):
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def postgres():
    """A server with an empty database each time; yields how to make one, and the process."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        user = {}
        if os.getuid() == 0:
            user = {"user": "postgres", "group": pwd.getpwnam("postgres").pw_gid}
            shutil.chown(folder, "postgres")
            os.chmod(folder, 0o755)
        data, port = f"{folder}/data", free_port()
        initdb = [POSTGRES / "initdb", "-D", data, "-U", "lusoria", "-A", "trust", "--no-sync"]
        subprocess.run([str(part) for part in initdb], check=True, stdout=subprocess.DEVNULL, cwd="/", **user)
        serve = [POSTGRES / "postgres", "-D", data, "-p", port, "-k", folder]
        serve += ["-c", "max_connections=200", "-c", "log_min_messages=fatal"]
        with running(serve, cwd="/", **user) as process:
            until(lambda: listens(port), "PostgreSQL")
            numbers = iter(range(1000))

            def database():
                name = f"lusoria{next(numbers)}"
                command = [POSTGRES / "createdb", "-h", "127.0.0.1", "-p", port, "-U", "lusoria", name]
                for _ in range(100):
                    if subprocess.run([str(part) for part in command], stderr=subprocess.DEVNULL).returncode == 0:
                        return f"postgres://lusoria@127.0.0.1:{port}/{name}?sslmode=disable"
                    time.sleep(0.1)
                sys.exit("no database can be made")

            yield database, process


@contextmanager
def node(database, *flags):
    command = [BINARY, "serve", *ROOMY, "--listen", "127.0.0.1:0", "--log", "error", "--database", database]
    with running([*command, *flags]) as process:
        yield process.stdout.readline().split()[-1], process


@contextmanager
def cluster(count):
    """So many nodes; yields where they listen, and every process by what it is."""
    with ExitStack() as stack:
        database, server = stack.enter_context(postgres())
        port = free_port()
        bus = stack.enter_context(running(["nats-server", "-a", "127.0.0.1", "-p", port], stderr=subprocess.DEVNULL))
        until(lambda: listens(port), "NATS")
        shared = database()
        flags = ["--nats", f"nats://127.0.0.1:{port}"]
        nodes = [stack.enter_context(node(shared, *flags, "--node", f"n{number}")) for number in range(count)]
        yield [url for url, _ in nodes], {"nodes": [process for _, process in nodes], "postgres": [server], "nats": [bus]}


def load(urls, flags, processes):
    """Loads all nodes at once, each with matches of its own; all reports, and processor time by what it is."""
    at_first = {what: sum(cpu_s(process.pid) for process in all) for what, all in processes.items()}
    loads = [
        subprocess.Popen([str(part) for part in [LAB, "bench", url, "--json", *flags]], stdout=subprocess.PIPE, text=True)
        for url in urls
    ]
    reports = [json.loads(load.communicate()[0]) for load in loads]
    used = {what: sum(cpu_s(process.pid) for process in all) - at_first[what] for what, all in processes.items()}
    players = [report["players"] for report in reports]
    played = sum(part["turns_received"] for part in players)
    p99 = [part["received"]["p99_us"] / 1000 for part in players if part["received"]]
    p50 = [part["received"]["p50_us"] / 1000 for part in players if part["received"]]
    wrong = sum(report["missing"] + report["repeated"] + report["changed"] for report in reports)
    return {
        "turns_per_s": round(sum(part["turns_per_s"] for part in players)),
        "p50_ms": round(max(p50), 2),
        "p99_ms": round(max(p99), 2),
        # The warm-up is in the processor time and not in the turns: it is a fixed part of all.
        "cpu_us_a_turn": {what: round(1e6 * s / played, 1) for what, s in used.items()},
        "wrong": wrong,
    }


def show(name, result):
    print(name, json.dumps(result), flush=True)
    return result


def beside():
    """The same loads on SQLite and PostgreSQL, in turns."""
    loads = {
        "closed": [*SERIES, "--watchers", 0, "--closed-loop", "--matches", 100, "--warm-up", 0, "--duration", 8],
        "rate": [*SERIES, "--watchers", 0, "--matches", 100, "--rate", RATE, "--warm-up", 0, "--duration", 8],
    }
    results = []
    for name, flags in loads.items():
        for turn in range(2):
            with tempfile.TemporaryDirectory(dir=FOLDER) as folder, node(f"{folder}/lusoria.db") as (url, process):
                result = load([url], flags, {"nodes": [process]})
                results.append(show(f"{name} sqlite {turn}", {"load": name, "on": "sqlite", **result}))
            with cluster(1) as (urls, processes):
                result = load(urls, flags, processes)
                results.append(show(f"{name} postgres {turn}", {"load": name, "on": "postgres", **result}))
    return results


def flat():
    results = []
    for count in [1, 2, 3, 4]:
        flags = [*SERIES, "--watchers", 0, "--matches", 60 // count, "--rate", RATE / count, "--warm-up", 0, "--duration", 12]
        with cluster(count) as (urls, processes):
            results.append(show(f"{count} nodes", {"nodes": count, **load(urls, flags, processes)}))
    return results


def limit(processes):
    """Gives each process a fifth of a core."""
    root = Path("/sys/fs/cgroup/cpu")
    for process in processes:
        group = root / f"lusoria-{process.pid}"
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text("20000")
        (group / "cpu.cfs_quota_us").write_text(str(int(20000 * QUOTA)))
        (group / "cgroup.procs").write_text(str(process.pid))


def quota():
    results = []
    flags = [*SERIES, "--watchers", 0, "--closed-loop", "--matches", 20, "--warm-up", 1, "--duration", 8]
    for count in [1, 2, 3, 4]:
        with cluster(count) as (urls, processes):
            limit(processes["nodes"])
            results.append(show(f"{count} nodes", {"nodes": count, **load(urls, flags, processes)}))
    for group in Path("/sys/fs/cgroup/cpu").glob("lusoria-*"):
        group.rmdir()
    return results


PARTS = {"beside": beside, "flat": flat, "quota": quota}


def main():
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results["machine"] = machine()
    for part in sys.argv[1:] or PARTS:
        results[part] = PARTS[part]()
        RESULTS.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
