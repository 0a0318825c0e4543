-- The journal in order of arrival, and finished matches packed. Matches have numbers: small
-- integers, by which all other tables name them. Ids of matches and of their players are the 16
-- bytes of the UUID, secrets 32 bytes.
--
-- This runs on new databases alone. An older one is copied into a new file (sqlite/rebuild.rs).

DROP TABLE used_keys;
DROP TABLE invitations;
DROP TABLE secrets;
DROP TABLE analyses;
DROP TABLE events;
DROP TABLE matches;

-- What lists show is `card`, and for each match in which turns were played since it was written the
-- `standing` of its last row in `journal`. `updated_at` is as old as `card`. Events up to number
-- `packed` are in `packed`, those after it in `journal`. `rewritten` counts how often events were
-- replaced to remove a name.
CREATE TABLE matches (
    number     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id         BLOB    NOT NULL UNIQUE,
    game       TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('open', 'live', 'finished')),
    listed     INTEGER NOT NULL,
    seat1      BLOB    NOT NULL,
    seat2      BLOB,
    made_by    BLOB,
    updated_at INTEGER NOT NULL,
    packed     INTEGER NOT NULL DEFAULT 0,
    rewritten  INTEGER NOT NULL DEFAULT 0,
    card       BLOB    NOT NULL
);
CREATE INDEX matches_listed ON matches (state, id) WHERE listed = 1;
CREATE INDEX matches_listed_game ON matches (state, game, id) WHERE listed = 1;
CREATE INDEX matches_seat1 ON matches (seat1, id);
CREATE INDEX matches_seat2 ON matches (seat2, id);
CREATE INDEX matches_made_by ON matches (made_by, id) WHERE made_by IS NOT NULL;
CREATE INDEX matches_seat1_unfinished ON matches (seat1, id, state) WHERE state <> 'finished';
CREATE INDEX matches_seat2_unfinished ON matches (seat2, id, state) WHERE state <> 'finished';
CREATE INDEX matches_made_by_unfinished ON matches (made_by, state)
    WHERE made_by IS NOT NULL AND state <> 'finished';

-- A row for each append, in the order in which they came: `events` is a JSON array of the events
-- with the numbers `first` to `last`, which all happened at one time. A turn adds a row at the end
-- and changes no row of `matches`. `before` is the append of the match before it, none if that is
-- packed: with an index instead each turn of a hundred matches would touch a page of its own. For the
-- same reason `match` refers to `matches` without a constraint.
CREATE TABLE journal (
    arrival  INTEGER NOT NULL PRIMARY KEY,
    match    INTEGER NOT NULL,
    before   INTEGER,
    first    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    events   TEXT    NOT NULL,
    standing TEXT
);

-- The last append of each match that has any in `journal`, and the number of its last event.
CREATE TABLE newest (
    match   INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number),
    arrival INTEGER NOT NULL,
    last    INTEGER NOT NULL
);

-- The compressed events of finished matches (sqlite/packing.rs), in parts that fill pages well.
CREATE TABLE packed (
    arrival INTEGER NOT NULL PRIMARY KEY,
    match   INTEGER NOT NULL REFERENCES matches (number),
    body    BLOB    NOT NULL
);
CREATE INDEX packed_match ON packed (match);

-- Finished matches whose last events are not packed yet, and when the last of them happened.
CREATE TABLE settling (
    match INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number),
    at    INTEGER NOT NULL
);

-- When a match must be looked at again.
CREATE TABLE deadlines (
    match INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number),
    at    INTEGER NOT NULL
);
CREATE INDEX deadlines_at ON deadlines (at);

-- Each match as it stands now.
CREATE VIEW match_rows AS
SELECT
    matches.number, matches.id, matches.game, matches.state, matches.listed,
    matches.seat1, matches.seat2, matches.made_by, matches.packed, matches.rewritten,
    COALESCE(newest.last, matches.packed) AS head,
    COALESCE(journal.at, matches.updated_at) AS updated_at,
    matches.card,
    journal.standing
FROM matches
LEFT JOIN newest ON newest.match = matches.number
LEFT JOIN journal ON journal.arrival = newest.arrival;

-- s[1024] of the dice. Nothing else may ever be selected together with it.
CREATE TABLE secrets (
    match  INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number),
    secret BLOB    NOT NULL
);

CREATE TABLE invitations (
    match      INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number),
    hash       TEXT    NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
);
CREATE INDEX invitations_expires_at ON invitations (expires_at);

CREATE TABLE used_keys (
    guest_id  TEXT    NOT NULL,
    key       TEXT    NOT NULL,
    digest    TEXT    NOT NULL,
    match     INTEGER NOT NULL REFERENCES matches (number),
    first_seq INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (guest_id, key)
);
CREATE INDEX used_keys_at ON used_keys (at);
CREATE INDEX used_keys_match ON used_keys (match);

-- What the computer thinks of a match that is over, worked out once; `engine` says by what.
CREATE TABLE analyses (
    match  INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number),
    engine TEXT    NOT NULL,
    body   TEXT    NOT NULL
);
