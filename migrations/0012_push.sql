-- The key pair with which the server signs for push services, as PKCS #8: one row, or none until it is first needed.
-- Nothing else may ever be selected together with it.
CREATE TABLE push_keys (
    id  INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    key BLOB    NOT NULL
);

-- Where a guest is told of what waits for them, on one of their devices. It ends with the session or the API token that
-- made it. `endpoint` is a secret: who knows it can send there. `key` and `auth` are what messages are encrypted with.
CREATE TABLE push_subscriptions (
    id           TEXT   NOT NULL PRIMARY KEY,
    guest_id     TEXT   NOT NULL REFERENCES guests (id),
    session_id   TEXT   REFERENCES tokens (id) ON DELETE CASCADE,
    api_token_id TEXT   REFERENCES api_tokens (id) ON DELETE CASCADE,
    endpoint     TEXT   NOT NULL UNIQUE,
    key          BLOB   NOT NULL,
    auth         BLOB   NOT NULL,
    language     TEXT,
    created_at   BIGINT NOT NULL,
    CHECK ((session_id IS NULL) <> (api_token_id IS NULL))
);
CREATE INDEX push_subscriptions_guest ON push_subscriptions (guest_id, created_at);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);
CREATE INDEX push_subscriptions_api_token ON push_subscriptions (api_token_id);
