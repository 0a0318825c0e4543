-- The keys that the server has made for itself, each for one purpose. Nothing else may ever be selected together with
-- them.
CREATE TABLE server_keys (
    purpose TEXT NOT NULL PRIMARY KEY,
    key     BLOB NOT NULL
) WITHOUT ROWID;
INSERT INTO server_keys (purpose, key) SELECT 'push', key FROM push_keys;
DROP TABLE push_keys;

-- Challenges for passkeys that were answered rightly, until they expire: none counts twice. The others are stored
-- nowhere: each says itself when it expires, and that the server made it.
DROP TABLE passkey_challenges;
CREATE TABLE spent_challenges (
    hash       TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX spent_challenges_expiry ON spent_challenges (expires_at);
