"""Lusoria over plain HTTP: requests that are repeated until they are answered,
and event streams that can be taken up again. Standard library only."""

import argparse
import http.client
import json
import sys
import time
import urllib.parse

API = "/api/v1"

# How long to go on when the server cannot be reached or asks for patience, in seconds.
PATIENCE_S = 120

# A stream is silent for at most 15 seconds; after this long the line is dead.
SILENCE_MAX_S = 45

# Worth trying again: too fast, broken, restarting, behind a proxy that cannot reach it.
PASSING = {408, 429, 500, 502, 503, 504}


def server_url(text):
    """The address of a server, for a command line."""
    try:
        parts = urllib.parse.urlsplit(text)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return text
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text} is no address: that is like http://127.0.0.1:8080")


class Problem(Exception):
    """An answer that says no: `code` is for programs, the text for people."""

    def __init__(self, status, body):
        self.status = status
        self.body = body
        self.code = body.get("code", "unknown")
        super().__init__(f"{status} {self.code}: {body.get('detail', body.get('title', ''))}")


class Backoff:
    """Waits a little longer each time, and gives up after PATIENCE_S without success. Says once
    that it waits, if that takes more than a moment."""

    def __init__(self):
        self.succeeded()

    def succeeded(self):
        self.pause_s = 0.05
        self.give_up_at = None
        self.waits = 0

    def wait(self, why, at_least_s=0.0):
        now = time.monotonic()
        self.give_up_at = self.give_up_at or now + PATIENCE_S
        if now > self.give_up_at:
            raise why
        self.waits += 1
        if self.waits == 3:
            print(f"waiting for the server: {why}", file=sys.stderr, flush=True)
        time.sleep(max(self.pause_s, at_least_s))
        self.pause_s = min(self.pause_s * 2, 5.0)


class Server:
    """One server, seen by one guest. Not to be shared between threads."""

    def __init__(self, url, token=None):
        self.url = url.rstrip("/")
        self.token = token
        self.connection = None

    def connect(self, timeout_s):
        parts = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.netloc, timeout=timeout_s)

    def reach(self):
        """Connects once: nobody waits for a server whose address is wrong."""
        try:
            self.connection = self.connect(timeout_s=30)
            self.connection.connect()
        except OSError as error:
            self.connection = None
            raise ConnectionError(f"cannot reach {self.url}: {error}") from error

    def headers(self, accept, key=None):
        headers = {"Accept": accept}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        return headers

    def ask(self, method, path, body=None, key=None):
        """Sends a request until it is answered, and returns the answer.

        A request may reach the server twice: the line can break after it has arrived.
        Turns say which event they answer, other commands carry a key, so that the second
        one gets the first one's answer and nothing happens twice."""
        backoff = Backoff()
        while True:
            try:
                return self.ask_once(method, path, body, key)
            except Problem as problem:
                if problem.status not in PASSING:
                    raise
                backoff.wait(problem, float(problem.body.get("retry_after_s", 0)))
            except (OSError, http.client.HTTPException) as broken:
                self.connection = None
                backoff.wait(broken)

    def ask_once(self, method, path, body, key):
        headers = self.headers("application/json", key)
        data = None
        if body is not None:
            data = json.dumps(body)
            headers["Content-Type"] = "application/json"
        if self.connection is None:
            self.connection = self.connect(timeout_s=30)
        self.connection.request(method, API + path, body=data, headers=headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 400:
            raise Problem(response.status, as_object(text))
        return json.loads(text) if text else None

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body, key=None):
        return self.ask("POST", path, body, key)

    def follow(self, match, since, positions=True):
        """Every event of a match after number `since`, up to the end of the match. Without
        `positions` a turn has its steps, but not the position after it.

        If the line breaks, it goes on where it was: nothing comes twice, nothing is lost."""

        def path():
            return f"/matches/{match}/events?since={since}" + ("" if positions else "&positions=false")

        for event in self.lines(path):
            since = event["seq"]
            yield event
            if event["type"] == "match_ended":
                return

    def notices(self, tells_silence=False):
        """What waits for us, and whenever something comes to wait or to change, for ever.

        If the line breaks, whatever waits then is told again, but not what has ended: whenever a
        stream begins, None comes first, to look again at the matches that we had. With `tells_silence` it
        also comes whenever 15 seconds have passed without a notice."""
        return self.lines(lambda: "/me/events", tells_beginnings=True, tells_silence=tells_silence)

    def lines(self, path, tells_beginnings=False, tells_silence=False):
        """The lines of a stream, and of another one whenever it breaks."""
        backoff = Backoff()
        while True:
            connection = self.connect(timeout_s=SILENCE_MAX_S)
            try:
                connection.request("GET", API + path(), headers=self.headers("application/x-ndjson"))
                response = connection.getresponse()
                if response.status >= 400:
                    raise Problem(response.status, as_object(response.read()))
                if tells_beginnings:
                    yield None
                while line := response.readline():
                    backoff.succeeded()
                    if tells_silence and not line.strip():
                        yield None
                    if not line.strip() or not line.endswith(b"\n"):
                        continue  # an empty line keeps the line alive; half a line comes again
                    yield json.loads(line)
                backoff.wait(ConnectionError("the stream ended"))
            except Problem as problem:
                if problem.status not in PASSING:
                    raise
                backoff.wait(problem, float(problem.body.get("retry_after_s", 0)))
            except (OSError, http.client.HTTPException) as broken:
                backoff.wait(broken)
            finally:
                connection.close()


def as_object(text):
    """The body of an error; a proxy's page counts as an error without a code."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
