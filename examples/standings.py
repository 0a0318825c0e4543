#!/usr/bin/env python3
"""Computes the places of a Swiss or a round robin afresh (docs/tournaments.md, "Places") from files of what everybody
can fetch: GET /tournaments/ID/records, /pairings and /entrants.

    python3 examples/standings.py swiss records.ndjson pairings.json entrants.json"""

import json
import sys
from pathlib import Path

# Of the two ends of a match, by the seat that won it.
HALF_POINTS = {1: (2, 0), 2: (0, 2), None: (1, 1)}


def standings(is_swiss, records, pairings, entrants):
    """Rows of place, half points and entrant, the first place first."""
    results = {record["match"]: HALF_POINTS[record["result"].get("winner_seat")] for record in records}
    states = {e["entrant"]: e["state"] for e in entrants["entrants"]}
    left = {one for one, state in states.items() if state in ("withdrawn", "excluded")}
    # The rounds of each entrant: points, opponent, and whether they met.
    rounds = {e["entrant"]: [] for e in entrants["entrants"]}
    for p in (p for p in pairings["pairings"] if "half_points" in p):
        met, ends = not p.get("forfeit"), (p["first"]["entrant"], p["second"]["entrant"])
        points = results[p["match"]] if met and not p.get("by_hand") else p["half_points"]
        for one, other, got in zip(ends, reversed(ends), points):
            rounds[one].append((got, other, met))
    for bye in pairings["byes"] if is_swiss else []:
        rounds[bye["entrant"]].append((bye["half_points"], None, False))
    rounds = {one: played for one, played in rounds.items() if played or one not in left}
    # Those who left a round robin before they had played half of it did not take part.
    half = 0 if is_swiss else (len(rounds) - 1) / 2
    out = {one for one in left & rounds.keys() if sum(met for _, _, met in rounds[one]) < half}
    rounds = {one: [r for r in played if r[1] not in out] for one, played in rounds.items()}
    score = {one: sum(r[0] for r in played) for one, played in rounds.items()}
    # Excluded entrants come after all others.
    shown = {one: (states[one] != "excluded", 0 if one in out else score[one]) for one in rounds}

    def key(one):
        level = [other for other in rounds if shown[other] == shown[one]]
        encounters = {a: {r[1]: r[0] for r in rounds[a] if r[2]} for a in level}
        all_met = all(b in encounters[a] for a in level for b in level if a != b)
        direct = sum(encounters[one].get(other, 0) for other in level) if all_met else 0
        # A round without play counts as one against somebody with one's own score (FIDE C.07, 16.4).
        against = [score[other] if met else score[one] for _, other, met in rounds[one]]
        buchholz = sum(against) - min(against, default=0)
        sonneborn_berger = sum(r[0] * other for r, other in zip(rounds[one], against))
        wins = sum(r[0] == 2 for r in rounds[one])
        stays, points = shown[one]
        return stays, one not in out, points, direct, buchholz, sonneborn_berger, wins

    keys = {one: key(one) for one in rounds}
    return [
        (1 + sum(other > keys[one] for other in keys.values()), shown[one][1], one)
        for one in sorted(rounds, key=lambda one: keys[one], reverse=True)
    ]


def main():
    kind, *files = sys.argv[1:]
    records, pairings, entrants = (Path(file).read_text("utf-8") for file in files)
    pairings, entrants = json.loads(pairings), json.loads(entrants)
    names = {e["entrant"]: e["player"]["name"] for e in entrants["entrants"]}
    for place, points, one in standings(kind == "swiss", map(json.loads, records.splitlines()), pairings, entrants):
        print(f"{place}\t{points / 2:g}\t{names[one]}")


if __name__ == "__main__":
    main()
