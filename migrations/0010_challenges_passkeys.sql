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

-- Keys with which people sign in in place of a password. `credential` is the id that the authenticator gave it,
-- `cose_key` its public key, `counter` how many signatures it had made, or 0 if it does not count.
CREATE TABLE passkeys (
    id                 TEXT    NOT NULL PRIMARY KEY,
    guest_id           TEXT    NOT NULL REFERENCES accounts (guest_id),
    credential         BLOB    NOT NULL UNIQUE,
    cose_key           BLOB    NOT NULL,
    counter            BIGINT  NOT NULL,
    is_backup_eligible BOOLEAN NOT NULL,
    is_backed_up       BOOLEAN NOT NULL,
    name               TEXT    NOT NULL,
    created_at         BIGINT  NOT NULL,
    used_at            BIGINT
);
CREATE INDEX passkeys_guest ON passkeys (guest_id);

-- What authenticators are to sign, of a guest or of somebody who signs in. Each is spent once.
CREATE TABLE passkey_challenges (
    hash       TEXT   NOT NULL PRIMARY KEY,
    guest_id   TEXT,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_guest ON passkey_challenges (guest_id, expires_at);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- Sessions that begin with a passkey.
ALTER TABLE tokens ADD COLUMN signed_in_with TEXT
    CHECK (signed_in_with IN ('password', 'recovery_code', 'passkey'));
UPDATE tokens SET signed_in_with = signed_in_by;
ALTER TABLE tokens DROP COLUMN signed_in_by;
ALTER TABLE tokens RENAME COLUMN signed_in_with TO signed_in_by;
