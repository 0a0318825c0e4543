-- Tokens that an account has made for programs. `scopes` are names with spaces between them; `used_at` is when it
-- was last used, to the hour.
CREATE TABLE api_tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    id         TEXT   NOT NULL UNIQUE,
    guest_id   TEXT   NOT NULL REFERENCES accounts (guest_id),
    name       TEXT   NOT NULL,
    scopes     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX api_tokens_guest ON api_tokens (guest_id);
CREATE INDEX api_tokens_expires_at ON api_tokens (expires_at);
