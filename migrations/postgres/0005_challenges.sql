INSERT INTO releases (migration, needs, release) VALUES (5, 1, '0.1.0');

-- What somebody would play with somebody. `id` becomes the id of the match. `terms` are JSON. Those by days wait for two
-- weeks, the others for as long as who made them listens. Those that have ended are kept for an hour.
CREATE TABLE challenges (
    id         uuid   NOT NULL PRIMARY KEY,
    challenger uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    challenged uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    terms      text   NOT NULL,
    pace       text   NOT NULL CHECK (pace IN ('live', 'days')),
    seed_hash  bytea,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    state      text   NOT NULL CHECK (state IN ('waiting', 'accepted', 'declined', 'withdrawn')),
    reason     text
);
CREATE INDEX challenges_challenger ON challenges (challenger);
CREATE INDEX challenges_challenged ON challenges (challenged);
CREATE INDEX challenges_expiry ON challenges (expires_at);

-- Which challenges somebody takes; all, without a row. `games` are names with spaces between them; all, if empty.
CREATE TABLE challenge_settings (
    guest uuid NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
    taken text NOT NULL CHECK (taken IN ('everyone', 'followed', 'nobody')),
    games text NOT NULL
);

-- Whom somebody follows.
CREATE TABLE follows (
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    followed   uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    PRIMARY KEY (guest, followed)
);
CREATE INDEX follows_followed ON follows (followed);
