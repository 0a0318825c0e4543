#!/usr/bin/env python3
"""Draws results.json: `pip install matplotlib`, then `python3 docs/performance/plot.py`."""

import json
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update(
    {
        "font.family": "serif",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.alpha": 0.25,
        "lines.marker": "o",
        "lines.linewidth": 1.6,
        "svg.hashsalt": "lusoria",
        "figure.figsize": (9.0, 3.4),
    }
)
from matplotlib import pyplot  # noqa: E402

HERE = Path(__file__).resolve().parent
INK, CLAY, OLIVE = "#2b2622", "#a4472f", "#6b7a3a"


def save(figure, name):
    figure.tight_layout()
    figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})


def ms(latency, quantile):
    return latency[f"{quantile}_us"] / 1000 if latency else None


def draw_matches(matches):
    figure, (left, middle, right) = pyplot.subplots(1, 3)
    counts = [count for count, _ in matches["closed"]]
    left.plot(counts, [report["players"]["turns_per_s"] for _, report in matches["closed"]], color=CLAY)
    left.set(xscale="log", xlabel="matches", ylabel="turns a second", title="as many turns as there can be")
    left.set_ylim(bottom=0)
    steady = matches["steady"]
    counts = [count for count, _ in steady]
    for quantile, colour in (("p50", OLIVE), ("p99", CLAY), ("p999", INK)):
        label = quantile.replace("p999", "p99.9")
        middle.plot(counts, [ms(r["players"]["received"], quantile) for _, r in steady], color=colour, label=label)
    middle.set(xscale="log", xlabel="matches", ylabel="ms to the opponent", title="500 turns a second")
    middle.set_ylim(bottom=0)
    middle.legend(frameon=False)
    cost = [1e6 * r["server"]["cpu_s"] / r["measured_s"] / r["players"]["turns_per_s"] for _, r in steady]
    right.plot(counts, cost, color=CLAY)
    right.set(xscale="log", xlabel="matches", ylabel="µs of a core a turn", title="500 turns a second")
    right.set_ylim(bottom=0)
    save(figure, "matches")


def draw_watchers(watchers):
    figure, (left, right) = pyplot.subplots(1, 2)
    counts = [count for count, _ in watchers]
    for quantile, colour in (("p50", OLIVE), ("p99", CLAY)):
        left.plot(counts, [ms(r["players"]["received"], quantile) for _, r in watchers], color=colour,
                  label=f"opponent, {quantile}")  # fmt: skip
    watched = [(count, r) for count, r in watchers if count]
    left.plot([count for count, _ in watched],
              [ms(r["watchers"]["delivered_to_all"], "p99") for _, r in watched],
              color=INK, linestyle="--", label="last watcher, p99")  # fmt: skip
    left.set(xlabel="watchers of one match", ylabel="ms from sending", title="65 turns a second in one match")
    left.set_ylim(bottom=0)
    left.legend(frameon=False)
    right.plot(counts, [r["server"]["cores"] for _, r in watchers], color=CLAY, label="cores, server")
    right.plot(counts, [r["generator"]["cores"] for _, r in watchers], color=INK, linestyle="--", label="cores, load")
    right.set(xlabel="watchers of one match", ylabel="cores", title="and what it costs")
    right.set_ylim(bottom=0)
    right.legend(frameon=False)
    save(figure, "watchers")


def draw_history(history):
    figure, (left, middle, right) = pyplot.subplots(1, 3)
    counts = [row["matches"] for row in history]
    for axes, title, unit, lines in (
        (left, "starting", "ms", [("start_ms", "until it listens", CLAY)]),
        (middle, "a page of 100 matches", "µs", [("page_us", "first to last", CLAY), ("last_page_us", "the last ones", INK),
                                                ("own_page_us", "a player's own", OLIVE)]),  # fmt: skip
        (right, "a turn, durable", "µs", [("turn_us", "alone in its commit", CLAY)]),
    ):
        for field, label, colour in lines:
            axes.plot(counts, [row[field] for row in history], color=colour, label=label)
        axes.set(xscale="log", xlabel="stored matches", ylabel=unit, title=title)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
    save(figure, "history")


def draw_idle(idle):
    figure, axes = pyplot.subplots(figsize=(4.5, 3.4))
    memory = [report["server"]["memory"]["after_bytes"] / 2**20 for _, report in idle]
    axes.plot([count for count, _ in idle], memory, color=CLAY)
    axes.set(xlabel="idle watching sockets", ylabel="MiB of resident memory", title="sockets on which nothing happens")
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    save(figure, "idle")


def main():
    results = json.loads((HERE / "results.json").read_text())
    for name, draw in (
        ("matches", draw_matches),
        ("watchers", draw_watchers),
        ("history", draw_history),
        ("idle", draw_idle),
    ):
        if name in results:
            draw(results[name])


if __name__ == "__main__":
    main()
