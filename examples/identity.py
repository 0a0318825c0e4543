"""Who a program plays as. With an account it plays by an API token, which may play and nothing else (api.md, "API
tokens"). A token comes from the environment or from a file that its owner alone may read, never from the command
line, and is never printed."""

import ipaddress
import json
import os
import stat
import urllib.parse

from lusoria_http import Problem


# The longest that a token may be good for.
TOKEN_DAYS = 366


class Refused(Exception):
    """The token or the password is not used."""


def sign_in(server, guest, file=None, opens_account=False, environment=os.environ, also=()):
    """Gives the server a token: LUSORIA_TOKEN, or the one in `file`, or an API token of the account LUSORIA_HANDLE,
    made with LUSORIA_PASSWORD; without all of these that of a new guest. The last two are kept in `file`. An API token
    has the scopes in `also` beside the one to play. With `opens_account` the new guest opens that account, with
    LUSORIA_SIGN_UP_CODE where that takes one; returns its recovery codes."""
    handle, password = environment.get("LUSORIA_HANDLE"), environment.get("LUSORIA_PASSWORD")
    if bool(handle) != bool(password):
        raise Refused("LUSORIA_HANDLE and LUSORIA_PASSWORD go together")
    if handle and not keeps_secrets(server.url):
        raise Refused(f"{server.url} does not use TLS: others on the way could read the password")
    if opens_account:
        if not handle:
            raise Refused("name the account to open by LUSORIA_HANDLE and LUSORIA_PASSWORD")
        if environment.get("LUSORIA_TOKEN") or (file and read(file, server.url)):
            raise Refused("a new account is for a new guest: there is a token already")
    for token in (environment.get("LUSORIA_TOKEN"), file and read(file, server.url)):
        if token:
            server.token = token
            try:
                return check_token(server.get("/token"), guest)
            except Problem as problem:
                # It was revoked or has expired. A password gives another one.
                if problem.status != 401 or not handle:
                    raise
                server.token = None
    if handle and not opens_account:
        told = server.post("/sign-in", {"handle": handle, "password": password, "device": "an example bot"})
        check_kind(told, guest)
    else:
        told = server.post("/guests", guest)
    server.token = told["token"]
    sign_up_code = environment.get("LUSORIA_SIGN_UP_CODE")
    codes = open_account(server, handle, password, sign_up_code) if opens_account else None
    if handle:
        take_api_token(server, guest, password, also)
    if file:
        keep(file, server.url, server.token)
    return codes


def open_account(server, handle, password, sign_up_code):
    """Opens an account for a new guest, and returns its recovery codes."""
    account = {"handle": handle, "password": password}
    if sign_up_code:
        account["sign_up_code"] = sign_up_code
    try:
        return server.post("/me/account", account)["recovery_codes"]
    except Problem as problem:
        # A new guest has one only if it was opened and the answer was lost.
        if problem.code != "has_account":
            raise
        return server.post("/me/account/recovery-codes", {"password": password})["recovery_codes"]


def take_api_token(server, guest, password, also):
    """Makes an API token that may only play, and ends the session that made it: the session may do everything."""
    wanted = {"name": "an example bot", "scopes": [scope(guest), *also]}
    wanted |= {"expires_in_days": TOKEN_DAYS, "password": password}
    made = server.post("/me/tokens", wanted)
    server.ask("DELETE", "/me/token")
    server.token = made["token"]


def scope(guest):
    """What a token needs to play, which bots and people do not have in common."""
    return "bot:play" if guest.get("bot") else "match:play"


def check_kind(you, guest):
    """People see who is a bot: one does not play as a person."""
    if guest.get("bot") and you.get("kind") != "bot":
        raise Refused(f"{you.get('name') or you['id']} is not a bot: a bot plays as a guest that was made as one")


def check_token(told, guest):
    """A mistake shows at the start, not in a match."""
    check_kind(told["you"], guest)
    if scope(guest) not in told.get("scopes", [scope(guest)]):
        raise Refused(f"the token may not play: it needs the scope {scope(guest)}")


def keeps_secrets(url):
    """Whether nobody on the way can read what is sent."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return True
    try:
        return ipaddress.ip_address(parts.hostname).is_loopback
    except ValueError:
        return False


def read(file, url):
    """The token for that server in a file that its owner alone may read; none if there is no file."""
    try:
        with open(file, encoding="utf-8") as kept:
            if os.name == "posix" and stat.S_IMODE(os.fstat(kept.fileno()).st_mode) & 0o077:
                raise Refused(f"others may read {file}, and with it play in your place: chmod 600 {file}")
            told = json.load(kept)
    except FileNotFoundError:
        return None
    except ValueError as why:
        raise Refused(f"{file} is not a file of this program: {why}") from None
    if told.get("server") != url:
        raise Refused(f"{file} has a token of another server: {told.get('server')}")
    return told["token"]


def keep(file, url, token):
    """Writes the whole file or nothing, readable by its owner alone."""
    draft = f"{file}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as kept:
            json.dump({"server": url, "token": token}, kept)
        os.replace(draft, file)
    except OSError:
        os.unlink(draft)
        raise
