-- Ids are UUIDs, hashes and secrets 32 bytes, times milliseconds since the Unix epoch. What is JSON is
-- kept as the text that was written, byte for byte.

-- What a turn changes (head, updated_at, card) is in no index and finds room on its page: then
-- PostgreSQL leaves the indexes alone. `edition` counts how often events were rewritten to remove a name,
-- or writers whose commits were in doubt were shut out.
CREATE TABLE matches (
    id         uuid    NOT NULL PRIMARY KEY,
    game       text    NOT NULL,
    state      text    NOT NULL CHECK (state IN ('open', 'live', 'finished')),
    listed     boolean NOT NULL,
    seat1      uuid    NOT NULL,
    seat2      uuid,
    made_by    uuid,
    head       bigint  NOT NULL,
    edition    bigint  NOT NULL DEFAULT 0,
    updated_at bigint  NOT NULL,
    card       text    NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX matches_listed ON matches (state, id) WHERE listed;
CREATE INDEX matches_listed_game ON matches (state, game, id) WHERE listed;
CREATE INDEX matches_seat1 ON matches (seat1, id);
CREATE INDEX matches_seat2 ON matches (seat2, id);
CREATE INDEX matches_made_by ON matches (made_by, id) WHERE made_by IS NOT NULL;
CREATE INDEX matches_seat1_unfinished ON matches (seat1, id, state) WHERE state <> 'finished';
CREATE INDEX matches_seat2_unfinished ON matches (seat2, id, state) WHERE state <> 'finished';
CREATE INDEX matches_made_by_unfinished ON matches (made_by, state)
    WHERE made_by IS NOT NULL AND state <> 'finished';
CREATE INDEX matches_unfinished ON matches (id, state) WHERE state <> 'finished';

-- A row for each append: `events` is a JSON array of the events with the numbers `first` to `last`, which
-- all happened at one time. By `last`, because readers ask for what follows an event. Rows refer to
-- `matches` without a constraint, which would be checked at every turn.
CREATE TABLE journal (
    match  uuid   NOT NULL,
    first  bigint NOT NULL,
    last   bigint NOT NULL,
    at     bigint NOT NULL,
    events text   NOT NULL,
    PRIMARY KEY (match, last)
);

-- When a match must be looked at again. Every turn changes it and its index: so it is narrow.
CREATE TABLE deadlines (
    match uuid   NOT NULL PRIMARY KEY,
    at    bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX deadlines_at ON deadlines (at, match);

-- s[1024] of the dice. Nothing else may ever be selected together with it. Without a secret it is an id
-- that no match may get any more: its creation was in doubt.
CREATE TABLE secrets (
    match  uuid NOT NULL PRIMARY KEY,
    secret bytea
);

CREATE TABLE invitations (
    match      uuid   NOT NULL PRIMARY KEY REFERENCES matches (id),
    hash       bytea  NOT NULL UNIQUE,
    expires_at bigint NOT NULL
);
CREATE INDEX invitations_expires_at ON invitations (expires_at);

CREATE TABLE used_keys (
    guest  uuid   NOT NULL,
    key    text   NOT NULL,
    digest bytea  NOT NULL,
    match  uuid   NOT NULL,
    first  bigint NOT NULL,
    at     bigint NOT NULL,
    PRIMARY KEY (guest, key)
);
CREATE INDEX used_keys_at ON used_keys (at);
CREATE INDEX used_keys_match ON used_keys (match);

-- What the computer thinks of a match that is over, worked out once; `engine` says by what.
CREATE TABLE analyses (
    match  uuid NOT NULL PRIMARY KEY REFERENCES matches (id),
    engine text NOT NULL,
    body   text NOT NULL
);

CREATE TABLE guests (
    id         uuid   NOT NULL PRIMARY KEY,
    name       text   NOT NULL,
    kind       text   NOT NULL CHECK (kind IN ('person', 'bot', 'computer')),
    created_at bigint NOT NULL,
    blocked_at bigint
);
CREATE INDEX guests_name ON guests (name);

INSERT INTO guests (id, name, kind, created_at) VALUES
    ('00000000-0000-7000-8000-000000000001', 'Computer 1', 'computer', 0),
    ('00000000-0000-7000-8000-000000000002', 'Computer 2', 'computer', 0),
    ('00000000-0000-7000-8000-000000000003', 'Computer 3', 'computer', 0),
    ('00000000-0000-7000-8000-000000000004', 'Computer 4', 'computer', 0),
    ('00000000-0000-7000-8000-000000000005', 'Computer 5', 'computer', 0);

-- A token is a session. Its id is no secret.
CREATE TABLE tokens (
    hash       bytea  NOT NULL PRIMARY KEY,
    id         uuid   NOT NULL UNIQUE,
    guest      uuid   NOT NULL REFERENCES guests (id),
    created_at bigint NOT NULL,
    origin     text   NOT NULL CHECK (origin IN ('guest', 'device_code')),
    device     text,
    seen_at    bigint NOT NULL
);
CREATE INDEX tokens_guest ON tokens (guest, created_at, hash);

CREATE TABLE device_codes (
    guest      uuid   NOT NULL PRIMARY KEY REFERENCES guests (id),
    hash       bytea  NOT NULL UNIQUE,
    expires_at bigint NOT NULL
);
CREATE INDEX device_codes_expires_at ON device_codes (expires_at);

-- What the nodes on this database are called together, which history the journals tell, and the era. Each
-- append locks it against a change.
CREATE TABLE cluster (
    one     boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    id      uuid    NOT NULL,
    history uuid    NOT NULL,
    era     bigint  NOT NULL
);
INSERT INTO cluster (id, history, era) VALUES (gen_random_uuid(), gen_random_uuid(), 0);

-- When any node was last noted: changed every second, and by one at a time.
CREATE TABLE pulse (
    one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    at  bigint
);
INSERT INTO pulse (at) VALUES (NULL);

-- The nodes that have joined and not left; which of them run, `seen_at` tells.
CREATE TABLE nodes (
    id      uuid   NOT NULL PRIMARY KEY,
    name    text   NOT NULL UNIQUE,
    release text   NOT NULL,
    since   bigint NOT NULL,
    seen_at bigint NOT NULL
) WITH (fillfactor = 50);

-- Which node does what event `seq` of a match asks of the server.
CREATE TABLE leases (
    match uuid   NOT NULL PRIMARY KEY,
    seq   bigint NOT NULL,
    node  uuid   NOT NULL,
    until bigint NOT NULL
);

CREATE TABLE outages (
    began_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    PRIMARY KEY (ended_at, began_at)
);
