-- A guest with an account can sign in anywhere. Handles that look alike have the same skeleton, so no two
-- accounts do. The password is an Argon2id hash in PHC format.
CREATE TABLE accounts (
    guest_id   TEXT   NOT NULL PRIMARY KEY REFERENCES guests (id),
    handle     TEXT   NOT NULL,
    skeleton   TEXT   NOT NULL UNIQUE,
    password   TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- Each is spent once.
CREATE TABLE recovery_codes (
    hash     TEXT NOT NULL PRIMARY KEY,
    guest_id TEXT NOT NULL REFERENCES accounts (guest_id)
);
CREATE INDEX recovery_codes_guest ON recovery_codes (guest_id);

-- How somebody signed in to begin a session, if they did; `origin` is 'device_code' then.
ALTER TABLE tokens ADD COLUMN signed_in_by TEXT CHECK (signed_in_by IN ('password', 'recovery_code'));
