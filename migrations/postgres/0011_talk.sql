INSERT INTO releases (migration, needs, release) VALUES (11, 1, '0.1.0');

-- What was said in matches. It goes with who said it, and after 90 days. `phrase` is the name of one; `words` are
-- their own.
CREATE TABLE remarks (
    id      uuid   NOT NULL PRIMARY KEY,
    match   uuid   NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    room    text   NOT NULL CHECK (room IN ('players', 'watchers')),
    guest   uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    said_at bigint NOT NULL,
    phrase  text,
    words   text,
    CHECK ((phrase IS NULL) <> (words IS NULL))
);
CREATE INDEX remarks_match ON remarks (match, room, id);
CREATE INDEX remarks_guest ON remarks (guest, id);
CREATE INDEX remarks_guest_match ON remarks (guest, match);
CREATE INDEX remarks_said_at ON remarks (said_at);

-- How the holders of accounts talk; without a row, by phrases. In children's mode no text reaches them or comes from
-- them.
CREATE TABLE talk_settings (
    guest              uuid    NOT NULL PRIMARY KEY REFERENCES accounts (guest) ON DELETE CASCADE,
    takes_text         boolean NOT NULL,
    has_childrens_mode boolean NOT NULL
);

-- Whom somebody reported, in which match, and what for. `closed_at` is when the operator was done with it.
CREATE TABLE reports (
    id        uuid   NOT NULL PRIMARY KEY,
    match     uuid   NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    reporter  uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    reported  uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    reason    text   NOT NULL,
    words     text,
    made_at   bigint NOT NULL,
    closed_at bigint
);
CREATE UNIQUE INDEX reports_once ON reports (match, reporter, reported);
CREATE INDEX reports_reporter ON reports (reporter, made_at);
CREATE INDEX reports_reported ON reports (reported);
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_closed_at ON reports (closed_at) WHERE closed_at IS NOT NULL;

-- What the operator has imposed on somebody. `until` is empty if it is for good; `words` are told to them; `read_at` is
-- when they have read a warning.
CREATE TABLE sanctions (
    id         uuid   NOT NULL PRIMARY KEY,
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    kind       text   NOT NULL CHECK (kind IN ('warning', 'mute', 'ban')),
    imposed_at bigint NOT NULL,
    until      bigint,
    words      text,
    read_at    bigint
);
CREATE INDEX sanctions_guest ON sanctions (guest, id);
CREATE UNIQUE INDEX sanctions_mute ON sanctions (guest) WHERE kind = 'mute';
CREATE UNIQUE INDEX sanctions_ban ON sanctions (guest) WHERE kind = 'ban';

-- What the operator has done, in order of `id`. Rows are added and never changed; they name guests and matches that may be
-- gone by now.
CREATE TABLE moderation_log (
    id      uuid   NOT NULL PRIMARY KEY,
    done_at bigint NOT NULL,
    act     text   NOT NULL,
    guest   uuid,
    match   uuid,
    report  uuid,
    until   bigint,
    note    text
);
CREATE INDEX moderation_log_guest ON moderation_log (guest, id);

-- Who left which live match, and when.
CREATE TABLE leavings (
    match   uuid   NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    guest   uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    left_at bigint NOT NULL
);
CREATE INDEX leavings_guest ON leavings (guest, left_at);
CREATE INDEX leavings_left_at ON leavings (left_at);
