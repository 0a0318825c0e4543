INSERT INTO releases (migration, needs, release) VALUES (4, 1, '0.1.0');

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
CREATE INDEX sign_up_codes_expires_at ON sign_up_codes (expires_at);
