-- Ids are lower-case UUIDs, hashes and secrets 64 lower-case hexadecimal digits,
-- times milliseconds since the Unix epoch, booleans 0 and 1.

CREATE TABLE matches (
    id         TEXT   NOT NULL PRIMARY KEY,
    head       BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deadline   BIGINT,
    game       TEXT   NOT NULL,
    state      TEXT   NOT NULL CHECK (state IN ('open', 'live', 'finished')),
    listed     BIGINT NOT NULL,
    seat1      TEXT   NOT NULL,
    seat2      TEXT,
    waits_for  TEXT,
    card       TEXT   NOT NULL
);

-- A turn changes none of the indexed columns but the deadline.
CREATE INDEX matches_deadline ON matches (deadline, id) WHERE deadline IS NOT NULL;
CREATE INDEX matches_listed ON matches (state, id) WHERE listed = 1;
CREATE INDEX matches_listed_game ON matches (state, game, id) WHERE listed = 1;
CREATE INDEX matches_seat1 ON matches (seat1, id);
CREATE INDEX matches_seat2 ON matches (seat2, id);
CREATE INDEX matches_seat1_unfinished ON matches (seat1, id, state) WHERE state <> 'finished';
CREATE INDEX matches_seat2_unfinished ON matches (seat2, id, state) WHERE state <> 'finished';

-- WITHOUT ROWID keeps the events of a match side by side, so that reading a match
-- reads few pages, and an insert goes into one tree instead of two.
CREATE TABLE events (
    match_id  TEXT   NOT NULL REFERENCES matches (id),
    seq       BIGINT NOT NULL,
    first_seq BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    body      TEXT   NOT NULL,
    PRIMARY KEY (match_id, seq)
) WITHOUT ROWID;

-- s[1024] of the dice. Nothing else may ever be selected together with it.
CREATE TABLE secrets (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id),
    secret   TEXT NOT NULL
);

CREATE TABLE invitations (
    match_id   TEXT   NOT NULL PRIMARY KEY REFERENCES matches (id),
    hash       TEXT   NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX invitations_expires_at ON invitations (expires_at);

CREATE TABLE guests (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    guest_id   TEXT   NOT NULL REFERENCES guests (id),
    created_at BIGINT NOT NULL
);
CREATE INDEX tokens_guest ON tokens (guest_id, created_at, hash);

CREATE TABLE device_codes (
    guest_id   TEXT   NOT NULL PRIMARY KEY REFERENCES guests (id),
    hash       TEXT   NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX device_codes_expires_at ON device_codes (expires_at);

CREATE TABLE used_keys (
    guest_id  TEXT   NOT NULL,
    key       TEXT   NOT NULL,
    digest    TEXT   NOT NULL,
    match_id  TEXT   NOT NULL REFERENCES matches (id),
    first_seq BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (guest_id, key)
);
CREATE INDEX used_keys_at ON used_keys (at);

-- When the server was last known to run: at most one row.
CREATE TABLE alive (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    at  BIGINT NOT NULL
);

CREATE TABLE outages (
    began_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    PRIMARY KEY (ended_at, began_at)
);
