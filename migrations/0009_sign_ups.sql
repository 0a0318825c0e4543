-- Who may open an account: one row, or none if everybody may.
CREATE TABLE sign_ups (
    id     BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    policy TEXT   NOT NULL CHECK (policy IN ('open', 'invite_only', 'closed'))
);

-- What opens an account where it takes a code. Each is spent once.
CREATE TABLE sign_up_codes (
    hash       TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sign_up_codes_expires_at ON sign_up_codes (expires_at);
