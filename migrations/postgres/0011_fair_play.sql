INSERT INTO releases (migration, needs, release) VALUES (11, 1, '0.1.0');

-- What the turns of a rated match lost, for each of its seats: how many there were with a choice, and how much all of
-- them gave away, in chances of winning. `points` is the player's rating before the match; `judge` says which search
-- looked at them: what another one finds cannot be compared.
CREATE TABLE turn_losses (
    match    uuid             NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     bigint           NOT NULL,
    guest    uuid             NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    game     text             NOT NULL,
    pace     text             NOT NULL,
    ended_at bigint           NOT NULL,
    points   double precision NOT NULL,
    turns    bigint           NOT NULL,
    lost     double precision NOT NULL,
    judge    text             NOT NULL,
    PRIMARY KEY (match, seat)
);
CREATE INDEX turn_losses_guest ON turn_losses (guest, game, pace, ended_at);
CREATE INDEX turn_losses_points ON turn_losses (game, pace, judge, points);
CREATE INDEX turn_losses_ended_at ON turn_losses (ended_at);

-- Who loses so little by their turns that a person should look at it. `matches`, `turns` and `lost` are those that
-- raised the flag, `expected` is what players of that rating lose in a turn.
CREATE TABLE engine_flags (
    id        uuid             NOT NULL PRIMARY KEY,
    guest     uuid             NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    game      text             NOT NULL,
    pace      text             NOT NULL,
    raised_at bigint           NOT NULL,
    points    double precision NOT NULL,
    matches   bigint           NOT NULL,
    turns     bigint           NOT NULL,
    lost      double precision NOT NULL,
    expected  double precision NOT NULL,
    closed_at bigint
);
CREATE UNIQUE INDEX engine_flags_open ON engine_flags (guest, game, pace) WHERE closed_at IS NULL;
CREATE INDEX engine_flags_guest ON engine_flags (guest, game, pace, raised_at);

CREATE INDEX rating_changes_at ON rating_changes (at) WHERE seat = 1;
