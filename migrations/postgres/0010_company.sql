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
