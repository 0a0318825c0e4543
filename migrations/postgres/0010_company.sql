INSERT INTO releases (migration, needs, release) VALUES (10, 1, '0.1.0');

-- Ratings of players, for each game and pace ('live' or 'days'). `version` rises with every change, also of those that
-- are computed again; `number` counts the matches that changed it, those taken back too, `matches` without them.
-- `better_sides`: how often the player had the better side, less how often the worse one. There is no reference to
-- guests: a match may end while one of its players is being erased.
CREATE TABLE ratings (
    guest        uuid             NOT NULL,
    game         text             NOT NULL,
    pace         text             NOT NULL,
    version      bigint           NOT NULL,
    number       bigint           NOT NULL,
    matches      bigint           NOT NULL,
    points       double precision NOT NULL,
    deviation    double precision NOT NULL,
    volatility   double precision NOT NULL,
    ended_at     bigint           NOT NULL,
    better_sides bigint           NOT NULL,
    PRIMARY KEY (guest, game, pace)
);
CREATE INDEX ratings_board ON ratings (game, pace, points DESC) WHERE deviation <= 75 AND matches >= 20;
-- What a match changed, for each of its seats.
CREATE TABLE rating_changes (
    match             uuid             NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat              bigint           NOT NULL,
    guest             uuid             NOT NULL,
    opponent          uuid             NOT NULL,
    game              text             NOT NULL,
    pace              text             NOT NULL,
    number            bigint           NOT NULL,
    at                bigint           NOT NULL,
    constants         bigint           NOT NULL,
    points_before     double precision NOT NULL,
    deviation_before  double precision NOT NULL,
    volatility_before double precision NOT NULL,
    points            double precision NOT NULL,
    deviation         double precision NOT NULL,
    volatility        double precision NOT NULL,
    taken_back_at     bigint,
    PRIMARY KEY (match, seat)
);
CREATE UNIQUE INDEX rating_changes_chain ON rating_changes (guest, game, pace, number);
CREATE INDEX rating_changes_pair ON rating_changes (guest, opponent, game, pace, at);
CREATE INDEX rating_changes_key ON rating_changes (game, pace);
-- Games and paces of which a match was taken back, until their ratings are computed again.
CREATE TABLE ratings_stale (
    game text NOT NULL,
    pace text NOT NULL,
    PRIMARY KEY (game, pace)
);

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

-- What finished matches come to, for statistics of the games: `key` says what is counted (crates/statistics). A match
-- is counted in the transaction that sets `counted` to the present round, so it is counted once. Another round begins
-- when all is counted again, by other definitions or because an operator wants it.
CREATE TABLE game_counts (
    game  text   NOT NULL,
    key   text   NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (game, key)
);

CREATE TABLE game_counting (
    id          bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    round       bigint NOT NULL,
    definitions bigint NOT NULL
);
INSERT INTO game_counting (id, round, definitions) VALUES (1, 1, 0);

-- The round in which the match was counted; 0 before. Nodes of earlier releases do not know it.
ALTER TABLE matches ADD COLUMN counted bigint NOT NULL DEFAULT 0;
CREATE INDEX matches_counted ON matches (counted, id) WHERE state = 'finished';
