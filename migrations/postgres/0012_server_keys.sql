INSERT INTO releases (migration, needs, release) VALUES (12, 12, '0.1.0');

-- The keys that the servers have made for themselves, each for one purpose. Nothing else may ever be selected together
-- with them.
CREATE TABLE server_keys (
    purpose text  NOT NULL PRIMARY KEY,
    key     bytea NOT NULL
);
INSERT INTO server_keys (purpose, key) SELECT 'push', key FROM push_keys;
DROP TABLE push_keys;

-- Challenges for passkeys that were answered rightly, until they expire: none counts twice. The others are stored
-- nowhere: each says itself when it expires, and that a server made it.
DROP TABLE passkey_challenges;
CREATE TABLE spent_challenges (
    hash       bytea  NOT NULL PRIMARY KEY,
    expires_at bigint NOT NULL
);
CREATE INDEX spent_challenges_expiry ON spent_challenges (expires_at);
