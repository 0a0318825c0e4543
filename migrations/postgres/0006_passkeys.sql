INSERT INTO releases (migration, needs, release) VALUES (6, 1, '0.1.0');

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
