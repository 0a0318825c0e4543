INSERT INTO releases (migration, needs, release) VALUES (4, 1, '0.1.0');

-- What somebody would play, with anybody who would, too. `terms` are JSON. Those by days wait for two weeks, the
-- others for as long as who made them listens. An answered seek has its match. A release that does not know seeks
-- may delete the guest.
CREATE TABLE seeks (
    id         uuid   NOT NULL PRIMARY KEY,
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    terms      text   NOT NULL,
    pace       text   NOT NULL CHECK (pace IN ('live', 'days')),
    seed_hash  bytea,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    match      uuid
);
CREATE INDEX seeks_guest ON seeks (guest);
CREATE INDEX seeks_waiting ON seeks (created_at, id) WHERE match IS NULL;
CREATE INDEX seeks_expiry ON seeks (expires_at);

-- Whom somebody does not want to meet.
CREATE TABLE blocks (
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    blocked    uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    PRIMARY KEY (guest, blocked)
);
CREATE INDEX blocks_blocked ON blocks (blocked);

-- Who may open an account: one row, or none if everybody may. A release that does not know it lets everybody.
CREATE TABLE sign_ups (
    id     bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    policy text   NOT NULL CHECK (policy IN ('open', 'invite_only', 'closed'))
);

-- What opens an account where it takes a code. Each is spent once.
CREATE TABLE sign_up_codes (
    hash       bytea  NOT NULL PRIMARY KEY,
    expires_at bigint NOT NULL
);

-- Tokens that an account has made for programs. `scopes` are names with spaces between them; `used_at` is when it
-- was last used, to the hour.
CREATE TABLE api_tokens (
    hash       bytea  NOT NULL PRIMARY KEY,
    id         uuid   NOT NULL UNIQUE,
    guest      uuid   NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE,
    name       text   NOT NULL,
    scopes     text   NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    used_at    bigint
);
CREATE INDEX api_tokens_guest ON api_tokens (guest);
CREATE INDEX api_tokens_expires_at ON api_tokens (expires_at);

-- Head to head, and accounts by the beginning of their handles.
CREATE INDEX matches_pair ON matches (seat1, seat2, id) WHERE state <> 'open';
CREATE INDEX accounts_handle ON accounts (lower(handle) COLLATE "C");
