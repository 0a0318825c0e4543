INSERT INTO releases (migration, needs, release) VALUES (3, 1, '0.1.0');

-- A guest with an account can sign in anywhere. Handles that look alike have the same skeleton, so no two
-- accounts do. The password is an Argon2id hash in PHC format. A release that does not know accounts may
-- delete the guest.
CREATE TABLE accounts (
    guest      uuid   NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
    handle     text   NOT NULL,
    skeleton   text   NOT NULL UNIQUE,
    password   text   NOT NULL,
    created_at bigint NOT NULL
);

-- Each is spent once.
CREATE TABLE recovery_codes (
    hash  bytea NOT NULL PRIMARY KEY,
    guest uuid  NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_guest ON recovery_codes (guest);

-- How somebody signed in to begin a session, if they did; `origin` is 'device_code' then, which releases of
-- before know.
ALTER TABLE tokens ADD COLUMN signed_in_by text CHECK (signed_in_by IN ('password', 'recovery_code'));
