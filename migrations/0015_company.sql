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
