-- What the turns of a rated match lost, for each of its seats: how many there were with a choice, and how much all of
-- them gave away, in chances of winning. `points` is the player's rating before the match; `judge` says which search
-- looked at them: what another one finds cannot be compared.
CREATE TABLE turn_losses (
    match    INTEGER NOT NULL REFERENCES matches (number) ON DELETE CASCADE,
    seat     INTEGER NOT NULL,
    guest_id TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    game     TEXT    NOT NULL,
    pace     TEXT    NOT NULL,
    ended_at INTEGER NOT NULL,
    points   REAL    NOT NULL,
    turns    INTEGER NOT NULL,
    lost     REAL    NOT NULL,
    judge    TEXT    NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX turn_losses_guest ON turn_losses (guest_id, game, pace, ended_at);
CREATE INDEX turn_losses_points ON turn_losses (game, pace, judge, points);
CREATE INDEX turn_losses_ended_at ON turn_losses (ended_at);

-- Who loses so little by their turns that a person should look at it. `matches`, `turns` and `lost` are those that
-- raised the flag, `expected` is what players of that rating lose in a turn.
CREATE TABLE engine_flags (
    id        BLOB    NOT NULL PRIMARY KEY,
    guest_id  TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    game      TEXT    NOT NULL,
    pace      TEXT    NOT NULL,
    raised_at INTEGER NOT NULL,
    points    REAL    NOT NULL,
    matches   INTEGER NOT NULL,
    turns     INTEGER NOT NULL,
    lost      REAL    NOT NULL,
    expected  REAL    NOT NULL,
    closed_at INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX engine_flags_open ON engine_flags (guest_id, game, pace) WHERE closed_at IS NULL;
CREATE INDEX engine_flags_guest ON engine_flags (guest_id, game, pace, raised_at);

CREATE INDEX rating_changes_at ON rating_changes (at) WHERE seat = 1;
