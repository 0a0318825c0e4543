"""Lusoria over its WebSocket: a small client of RFC 6455, and a session on it that
survives broken lines. Standard library only."""

import base64
import collections
import hashlib
import json
import os
import socket
import ssl
import struct
import time
import urllib.parse

from lusoria_http import PASSING, Backoff, Problem

PATH = "/api/v1/socket"
ACCEPT_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

# The longest message that is accepted from a server.
MESSAGE_BYTES_MAX = 4 * 1024 * 1024

# How long the server may be silent before a ping asks whether it is there, and how
# long the answer may take.
SILENCE_MAX_S = 30


class Closed(ConnectionError):
    """The other end has closed the socket, with this code."""

    def __init__(self, code, reason=""):
        self.code = code
        super().__init__(f"closed with {code} {reason}".rstrip())


class Silence(Exception):
    """Nothing arrived in time; the socket is as it was."""


def encode(opcode, payload, mask):
    """A whole message as one frame, masked as every client's must be (5.2, 5.3)."""
    length = len(payload)
    if length < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
    elif length < 1 << 16:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
    return head + mask + masked(payload, mask)


def masked(payload, mask):
    repeated = mask * (len(payload) // 4 + 1)
    return bytes(byte ^ key for byte, key in zip(payload, repeated))


def decode(buffer):
    """The first frame of the buffer as (final, opcode, payload, bytes used); None if it
    has not arrived whole."""
    if len(buffer) < 2:
        return None
    final, opcode, short = buffer[0] & 0x80, buffer[0] & 0x0F, buffer[1] & 0x7F
    if buffer[0] & 0x70 or buffer[1] & 0x80:
        raise Closed(1002, "a frame that no server may send")
    head = {126: 4, 127: 10}.get(short, 2)
    if len(buffer) < head:
        return None
    length = {2: short, 4: int.from_bytes(buffer[2:4]), 10: int.from_bytes(buffer[2:10])}[head]
    if length > MESSAGE_BYTES_MAX:
        raise Closed(1009, "too long a frame")
    if len(buffer) < head + length:
        return None
    return bool(final), opcode, bytes(buffer[head : head + length]), head + length


class Socket:
    """A WebSocket: text in, text out."""

    def __init__(self, url, timeout_s=10):
        parts = urllib.parse.urlsplit(url)
        secure = parts.scheme in ("https", "wss")
        port = parts.port or (443 if secure else 80)
        self.stream = socket.create_connection((parts.hostname, port), timeout=timeout_s)
        try:
            self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if secure:
                context = ssl.create_default_context()
                self.stream = context.wrap_socket(self.stream, server_hostname=parts.hostname)
            self.buffer = bytearray()
            self.fragments = None
            self.shake_hands(parts.netloc)
        except BaseException:
            self.stream.close()
            raise

    def shake_hands(self, host):
        key = base64.b64encode(os.urandom(16))
        self.stream.sendall(
            b"GET " + PATH.encode() + b" HTTP/1.1\r\nHost: " + host.encode() + b"\r\n"
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: " + key + b"\r\n\r\n"
        )
        while b"\r\n\r\n" not in self.buffer:
            if len(self.buffer) > 64 * 1024:
                raise ConnectionError("no end to the answer's head")
            self.read_more()
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        self.buffer = bytearray(rest)
        status_line, *lines = head.decode("latin-1").split("\r\n")
        status = int(status_line.split(" ")[1])
        if status != 101:
            raise Problem(status, {"title": "the server does not open a WebSocket"})
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        expected = base64.b64encode(hashlib.sha1(key + ACCEPT_SUFFIX).digest()).decode()
        if headers.get("sec-websocket-accept") != expected:
            raise ConnectionError("the answer is not to our request")

    def read_more(self):
        chunk = self.stream.recv(64 * 1024)
        if not chunk:
            raise Closed(1006, "the line broke")
        self.buffer += chunk

    def send(self, text):
        self.send_frame(TEXT, text.encode())

    def send_frame(self, opcode, payload):
        self.stream.settimeout(SILENCE_MAX_S)
        self.stream.sendall(encode(opcode, payload, os.urandom(4)))

    def receive(self, timeout_s):
        """The next message; pings are answered on the way. Raises Silence if there is none."""
        deadline = time.monotonic() + timeout_s
        while True:
            frame = decode(self.buffer)
            if frame is None:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Silence
                self.stream.settimeout(left)
                try:
                    self.read_more()
                except TimeoutError:
                    raise Silence from None
                continue
            final, opcode, payload, used = frame
            del self.buffer[:used]
            message = self.take(final, opcode, payload)
            if message is not None:
                return message

    def take(self, final, opcode, payload):
        """What a frame means: the message that it completes, or None."""
        if opcode == PING:
            self.send_frame(PONG, payload)
        elif opcode == CLOSE:
            code = int.from_bytes(payload[:2]) if len(payload) >= 2 else 1005
            self.send_frame(CLOSE, payload[:2])
            raise Closed(code, payload[2:].decode(errors="replace"))
        elif opcode in (TEXT, CONTINUATION):
            self.fragments = payload if opcode == TEXT else (self.fragments or b"") + payload
            if len(self.fragments) > MESSAGE_BYTES_MAX:
                raise Closed(1009, "too long a message")
            if final:
                whole, self.fragments = self.fragments, None
                return whole.decode()
        return None

    def close(self):
        try:
            self.send_frame(CLOSE, struct.pack("!H", 1000))
        except OSError:
            pass
        self.stream.close()


class Session:
    """A guest's dealings with the server: requests with answers, and the events of one match.

    A line that breaks is replaced; the request under way is sent again, the match is
    watched from the last event that was seen."""

    def __init__(self, url, token=None):
        self.url = url
        self.token = token
        self.socket = None
        self.next_id = 1
        self.match = None
        self.since = 0
        self.positions = True
        self.events = collections.deque()
        self.backoff = Backoff()

    def ask(self, op, **fields):
        """Sends a request until it is answered, and returns the answer. May reach the
        server twice: give `key` with what has no number of its own."""
        while True:
            try:
                self.connect()
                answer = self.exchange(op, fields)
                self.backoff.succeeded()
                return answer
            except Problem as problem:
                if problem.status not in PASSING:
                    raise
                self.backoff.wait(problem, float(problem.body.get("retry_after_s", 0)))
            except (OSError, Silence) as broken:
                self.drop()
                self.backoff.wait(ConnectionError(str(broken)))

    def http(self, method, path, body=None, key=None):
        """Asks for what HTTP has, below /api/v1, over the socket: the answer is the same."""
        return self.ask("http", method=method, path="/api/v1" + path, body=body, key=key)

    def watch(self, match, since, positions=True):
        """From now on `next_event` gives the events of the match after `since`. Without `positions`
        a turn has its steps, but not the position after it."""
        self.match, self.since, self.positions = match, since, positions
        self.events.clear()
        # A session without a line watches as soon as it has one.
        if self.socket is not None:
            self.drop()

    def next_event(self):
        """The next event of the watched match, in order, without gaps, however often the line breaks."""
        while not self.events:
            try:
                self.connect()
                self.read()
                self.backoff.succeeded()
            except Problem as problem:
                if problem.status not in PASSING:
                    raise
                self.drop()
                self.backoff.wait(problem, float(problem.body.get("retry_after_s", 0)))
            except (OSError, Silence) as broken:
                self.drop()
                self.backoff.wait(ConnectionError(str(broken)))
        return self.events.popleft()

    def connect(self):
        if self.socket is not None:
            return
        self.socket = Socket(self.url)
        self.exchange("hello", {"token": self.token} if self.token else {})
        if self.match is not None:
            fields = {"match": self.match, "since": self.since}
            self.exchange("watch", fields if self.positions else {**fields, "positions": False})

    def drop(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def exchange(self, op, fields):
        request_id, self.next_id = self.next_id, self.next_id + 1
        self.socket.send(json.dumps({"id": request_id, "op": op, **fields}))
        while True:
            message = self.read()
            if message.get("re") != request_id:
                continue
            if "error" in message:
                raise Problem(message["error"].get("status", 500), message["error"])
            return message.get("ok")

    def read(self):
        """The next message; an event is also put aside for `next_event`."""
        try:
            text = self.socket.receive(SILENCE_MAX_S)
        except Silence:
            self.socket.send_frame(PING, b"")
            text = self.socket.receive(SILENCE_MAX_S)
        message = json.loads(text)
        if "seq" in message and message.get("match") == self.match:
            self.since = message["seq"]
            self.events.append(message)
        return message
