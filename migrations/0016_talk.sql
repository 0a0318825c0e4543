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
