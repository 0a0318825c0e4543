INSERT INTO releases (migration, needs, release) VALUES (4, 1, '0.1.0');

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
