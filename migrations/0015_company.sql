-- Ratings of players, for each game and pace ('live' or 'days'). `version` rises with every change, also of those that
-- are computed again; `number` counts the matches that changed it, those taken back too, `matches` without them.
-- `better_sides`: how often the player had the better side, less how often the worse one. There is no reference to
-- guests: a match may end while one of its players is being erased.
CREATE TABLE ratings (
    guest_id     TEXT    NOT NULL,
    game         TEXT    NOT NULL,
    pace         TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    matches      INTEGER NOT NULL,
    points       REAL    NOT NULL,
    deviation    REAL    NOT NULL,
    volatility   REAL    NOT NULL,
    ended_at     BIGINT  NOT NULL,
    better_sides INTEGER NOT NULL,
    PRIMARY KEY (guest_id, game, pace)
) WITHOUT ROWID;
CREATE INDEX ratings_board ON ratings (game, pace, points DESC) WHERE deviation <= 75 AND matches >= 20;
-- What a match changed, for each of its seats.
CREATE TABLE rating_changes (
    match             INTEGER NOT NULL REFERENCES matches (number) ON DELETE CASCADE,
    seat              INTEGER NOT NULL,
    guest_id          TEXT    NOT NULL,
    opponent_id       TEXT    NOT NULL,
    game              TEXT    NOT NULL,
    pace              TEXT    NOT NULL,
    number            INTEGER NOT NULL,
    at                BIGINT  NOT NULL,
    constants         INTEGER NOT NULL,
    points_before     REAL    NOT NULL,
    deviation_before  REAL    NOT NULL,
    volatility_before REAL    NOT NULL,
    points            REAL    NOT NULL,
    deviation         REAL    NOT NULL,
    volatility        REAL    NOT NULL,
    taken_back_at     BIGINT,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE UNIQUE INDEX rating_changes_chain ON rating_changes (guest_id, game, pace, number);
CREATE INDEX rating_changes_pair ON rating_changes (guest_id, opponent_id, game, pace, at);
CREATE INDEX rating_changes_key ON rating_changes (game, pace);
-- Games and paces of which a match was taken back, until their ratings are computed again.
CREATE TABLE ratings_stale (
    game TEXT NOT NULL,
    pace TEXT NOT NULL,
    PRIMARY KEY (game, pace)
) WITHOUT ROWID;

-- What was said in matches. It goes with who said it, and after 90 days. `phrase` is the name of one; `words` are
-- their own.
CREATE TABLE remarks (
    id       BLOB    NOT NULL PRIMARY KEY,
    match    INTEGER NOT NULL REFERENCES matches (number) ON DELETE CASCADE,
    room     TEXT    NOT NULL CHECK (room IN ('players', 'watchers')),
    guest_id TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    said_at  INTEGER NOT NULL,
    phrase   TEXT,
    words    TEXT,
    CHECK ((phrase IS NULL) <> (words IS NULL))
) WITHOUT ROWID;
CREATE INDEX remarks_match ON remarks (match, room, id);
CREATE INDEX remarks_guest ON remarks (guest_id, id);
CREATE INDEX remarks_guest_match ON remarks (guest_id, match);
CREATE INDEX remarks_said_at ON remarks (said_at);

-- How the holders of accounts talk; without a row, by phrases. In children's mode no text reaches them or comes from
-- them.
CREATE TABLE talk_settings (
    guest_id           TEXT    NOT NULL PRIMARY KEY REFERENCES accounts (guest_id) ON DELETE CASCADE,
    takes_text         INTEGER NOT NULL,
    has_childrens_mode INTEGER NOT NULL
) WITHOUT ROWID;

-- Whom somebody reported, in which match, and what for. `closed_at` is when the operator was done with it.
CREATE TABLE reports (
    id          BLOB    NOT NULL PRIMARY KEY,
    match       INTEGER NOT NULL REFERENCES matches (number) ON DELETE CASCADE,
    reporter_id TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    reported_id TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    reason      TEXT    NOT NULL,
    words       TEXT,
    made_at     INTEGER NOT NULL,
    closed_at   INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX reports_once ON reports (match, reporter_id, reported_id);
CREATE INDEX reports_reporter ON reports (reporter_id, made_at);
CREATE INDEX reports_reported ON reports (reported_id);
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_closed_at ON reports (closed_at) WHERE closed_at IS NOT NULL;

-- What the operator has imposed on somebody. `until` is empty if it is for good; `words` are told to them; `read_at` is
-- when they have read a warning.
CREATE TABLE sanctions (
    id         BLOB    NOT NULL PRIMARY KEY,
    guest_id   TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    kind       TEXT    NOT NULL CHECK (kind IN ('warning', 'mute', 'ban')),
    imposed_at INTEGER NOT NULL,
    until      INTEGER,
    words      TEXT,
    read_at    INTEGER
) WITHOUT ROWID;
CREATE INDEX sanctions_guest ON sanctions (guest_id, id);
CREATE UNIQUE INDEX sanctions_mute ON sanctions (guest_id) WHERE kind = 'mute';
CREATE UNIQUE INDEX sanctions_ban ON sanctions (guest_id) WHERE kind = 'ban';

-- What the operator has done, in order of `id`. Rows are added and never changed; they name guests and matches that may be
-- gone by now.
CREATE TABLE moderation_log (
    id       BLOB    NOT NULL PRIMARY KEY,
    done_at  INTEGER NOT NULL,
    act      TEXT    NOT NULL,
    guest_id TEXT,
    match_id TEXT,
    report   TEXT,
    until    INTEGER,
    note     TEXT
) WITHOUT ROWID;
CREATE INDEX moderation_log_guest ON moderation_log (guest_id, id);

-- Who left which live match, and when.
CREATE TABLE leavings (
    match    INTEGER NOT NULL PRIMARY KEY REFERENCES matches (number) ON DELETE CASCADE,
    guest_id TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    left_at  INTEGER NOT NULL
);
CREATE INDEX leavings_guest ON leavings (guest_id, left_at);
CREATE INDEX leavings_left_at ON leavings (left_at);

-- What finished matches come to, for statistics of the games: `key` says what is counted (crates/statistics). A match
-- is counted in the transaction that sets `counted` to the present round, so it is counted once. Another round begins
-- when all is counted again, by other definitions or because an operator wants it.
CREATE TABLE game_counts (
    game  TEXT    NOT NULL,
    key   TEXT    NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (game, key)
) WITHOUT ROWID;

CREATE TABLE game_counting (
    id          INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    round       INTEGER NOT NULL,
    definitions INTEGER NOT NULL
);
INSERT INTO game_counting (id, round, definitions) VALUES (1, 1, 0);

-- The round in which the match was counted; 0 before.
ALTER TABLE matches ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX matches_counted ON matches (counted, number) WHERE state = 'finished';
