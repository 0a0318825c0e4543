-- What somebody would play with somebody. `id` becomes the id of the match. `terms` are JSON. Those by days wait for two
-- weeks, the others for as long as who made them listens. Those that have ended are kept for an hour.
CREATE TABLE challenges (
    id            TEXT   NOT NULL PRIMARY KEY,
    challenger_id TEXT   NOT NULL REFERENCES guests (id),
    challenged_id TEXT   NOT NULL REFERENCES guests (id),
    terms         TEXT   NOT NULL,
    pace          TEXT   NOT NULL CHECK (pace IN ('live', 'days')),
    seed_hash     TEXT,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('waiting', 'accepted', 'declined', 'withdrawn')),
    reason        TEXT
);
CREATE INDEX challenges_challenger ON challenges (challenger_id);
CREATE INDEX challenges_challenged ON challenges (challenged_id);
CREATE INDEX challenges_expiry ON challenges (expires_at);

-- Which challenges somebody takes; all, without a row. `games` are names with spaces between them; all, if empty.
CREATE TABLE challenge_settings (
    guest_id TEXT NOT NULL PRIMARY KEY REFERENCES guests (id),
    taken    TEXT NOT NULL CHECK (taken IN ('everyone', 'followed', 'nobody')),
    games    TEXT NOT NULL
) WITHOUT ROWID;

-- Whom somebody follows.
CREATE TABLE follows (
    guest_id    TEXT   NOT NULL REFERENCES guests (id),
    followed_id TEXT   NOT NULL REFERENCES guests (id),
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (guest_id, followed_id)
) WITHOUT ROWID;
CREATE INDEX follows_followed ON follows (followed_id);
