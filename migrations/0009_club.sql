-- What somebody would play, with anybody who would, too. `terms` are JSON. Those by days wait for two weeks, the
-- others for as long as who made them listens. An answered seek has its match.
CREATE TABLE seeks (
    id         TEXT   NOT NULL PRIMARY KEY,
    guest_id   TEXT   NOT NULL REFERENCES guests (id),
    terms      TEXT   NOT NULL,
    pace       TEXT   NOT NULL CHECK (pace IN ('live', 'days')),
    seed_hash  TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    match_id   TEXT
);
CREATE INDEX seeks_guest ON seeks (guest_id);
CREATE INDEX seeks_waiting ON seeks (created_at, id) WHERE match_id IS NULL;
CREATE INDEX seeks_expiry ON seeks (expires_at);

-- Whom somebody does not want to meet.
CREATE TABLE blocks (
    guest_id   TEXT   NOT NULL REFERENCES guests (id),
    blocked_id TEXT   NOT NULL REFERENCES guests (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (guest_id, blocked_id)
) WITHOUT ROWID;
CREATE INDEX blocks_blocked ON blocks (blocked_id);

-- Who may open an account: one row, or none if everybody may.
CREATE TABLE sign_ups (
    id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    policy TEXT    NOT NULL CHECK (policy IN ('open', 'invite_only', 'closed'))
);

-- What opens an account where it takes a code. Each is spent once.
CREATE TABLE sign_up_codes (
    hash       TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

-- Tokens that an account has made for programs. `scopes` are names with spaces between them; `used_at` is when it
-- was last used, to the hour.
CREATE TABLE api_tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    id         TEXT   NOT NULL UNIQUE,
    guest_id   TEXT   NOT NULL REFERENCES accounts (guest_id),
    name       TEXT   NOT NULL,
    scopes     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX api_tokens_guest ON api_tokens (guest_id);
CREATE INDEX api_tokens_expires_at ON api_tokens (expires_at);

-- Head to head, and accounts by the beginning of their handles.
CREATE INDEX matches_pair ON matches (seat1, seat2, id) WHERE state <> 'open';
CREATE INDEX accounts_handle ON accounts (lower(handle));
