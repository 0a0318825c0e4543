-- A token is a session, one for each device: with an id that is no secret, how it came about,
-- what its device is called, and roughly when it was last used.
ALTER TABLE tokens RENAME TO tokens_before;

CREATE TABLE tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    guest_id   TEXT   NOT NULL REFERENCES guests (id),
    created_at BIGINT NOT NULL,
    id         TEXT   NOT NULL UNIQUE,
    origin     TEXT   NOT NULL CHECK (origin IN ('guest', 'device_code')),
    device     TEXT,
    seen_at    BIGINT NOT NULL
);

-- A guest's first token was made together with him. The ids are random UUIDs.
INSERT INTO tokens (hash, guest_id, created_at, id, origin, seen_at)
SELECT
    tokens_before.hash,
    tokens_before.guest_id,
    tokens_before.created_at,
    lower(
        hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-'
        || substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
    ),
    CASE WHEN tokens_before.created_at = guests.created_at THEN 'guest' ELSE 'device_code' END,
    tokens_before.created_at
FROM tokens_before JOIN guests ON guests.id = tokens_before.guest_id;

DROP TABLE tokens_before;
CREATE INDEX tokens_guest ON tokens (guest_id, created_at, hash);
