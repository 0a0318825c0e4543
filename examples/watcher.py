#!/usr/bin/env python3
"""Watches a match to its end and checks that it sees every event number once and in order.

Ends with exit code 1 if a number is missing, comes twice or comes too early."""

import argparse
import sys

from lusoria_http import Problem, Server, server_url
from lusoria_ws import Session


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", metavar="ID")
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL", type=server_url)
    parser.add_argument("--ndjson", action="store_true", help="follow by plain HTTP instead of the WebSocket")
    parser.add_argument("--quiet", action="store_true", help="print only the last line")
    args = parser.parse_args()

    seen = 0
    for event in events(args):
        if event["seq"] != seen + 1:
            sys.exit(f"watcher: event {event['seq']} came after event {seen}")
        seen = event["seq"]
        if not args.quiet:
            print(in_words(event), flush=True)
        if event["type"] == "match_ended":
            break

    # What a late reader gets must be the same journal.
    late = [event["seq"] for event in journal(Server(args.server), args.match)]
    if late[:seen] != list(range(1, seen + 1)):
        sys.exit(f"watcher: the journal does not hold 1 to {seen} in order")
    print(f"saw events 1 to {seen}, each once and in order", flush=True)


def events(args):
    """The events as they come, without positions: what is printed here is in them all the same."""
    if args.ndjson:
        yield from Server(args.server).follow(args.match, since=0, positions=False)
        return
    session = Session(args.server)
    session.watch(args.match, since=0, positions=False)
    while True:
        yield session.next_event()


def journal(server, match):
    """All events, page by page."""
    since = 0
    while True:
        page = server.get(f"/matches/{match}/events?since={since}")
        yield from page["events"]
        if not page["events"]:
            return
        since = page["events"][-1]["seq"]


def in_words(event):
    kind, seq = event["type"], event["seq"]
    match kind:
        case "thrown":
            return f"{seq:4} {event['side']} throws {'-'.join(map(str, event['dice']))}"
        case "turned":
            return f"{seq:4} {event['side']} plays {event['notation']}"
        case "game_ended":
            return f"{seq:4} game over: {event.get('winner_side', 'nobody')} wins ({event['reason']})"
        case _:
            return f"{seq:4} {kind.replace('_', ' ')}"


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as error:
        sys.exit(f"watcher: {error}")
