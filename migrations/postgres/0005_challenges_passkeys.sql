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

-- Keys with which people sign in in place of a password. `credential` is the id that the authenticator gave it,
-- `cose_key` its public key, `counter` how many signatures it had made, or 0 if it does not count. A release that
-- does not know passkeys may delete the account.
CREATE TABLE passkeys (
    id                 uuid    NOT NULL PRIMARY KEY,
    guest              uuid    NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE,
    credential         bytea   NOT NULL UNIQUE,
    cose_key           bytea   NOT NULL,
    counter            bigint  NOT NULL,
    is_backup_eligible boolean NOT NULL,
    is_backed_up       boolean NOT NULL,
    name               text    NOT NULL,
    created_at         bigint  NOT NULL,
    used_at            bigint
);
CREATE INDEX passkeys_guest ON passkeys (guest);

-- What authenticators are to sign, of a guest or of somebody who signs in. Each is spent once.
CREATE TABLE passkey_challenges (
    hash       bytea  NOT NULL PRIMARY KEY,
    guest      uuid,
    expires_at bigint NOT NULL
);
CREATE INDEX passkey_challenges_guest ON passkey_challenges (guest, expires_at);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- Sessions that begin with a passkey.
ALTER TABLE tokens DROP CONSTRAINT tokens_signed_in_by_check;
ALTER TABLE tokens ADD CONSTRAINT tokens_signed_in_by_check
    CHECK (signed_in_by IN ('password', 'recovery_code', 'passkey'));
