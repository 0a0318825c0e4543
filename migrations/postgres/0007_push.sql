INSERT INTO releases (migration, needs, release) VALUES (7, 1, '0.1.0');

-- The key pair with which the servers sign for push services, as PKCS #8: one row, or none until it is first needed.
-- Nothing else may ever be selected together with it.
CREATE TABLE push_keys (
    id  integer NOT NULL PRIMARY KEY CHECK (id = 1),
    key bytea   NOT NULL
);

-- Where a guest is told of what waits for them, on one of their devices. It ends with the session or the API token that
-- made it, whichever release ends that. `endpoint` is a secret: who knows it can send there. `key` and `auth` are what
-- messages are encrypted with.
CREATE TABLE push_subscriptions (
    id         uuid   NOT NULL PRIMARY KEY,
    guest      uuid   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    session    uuid   REFERENCES tokens (id) ON DELETE CASCADE,
    api_token  uuid   REFERENCES api_tokens (id) ON DELETE CASCADE,
    endpoint   text   NOT NULL UNIQUE,
    key        bytea  NOT NULL,
    auth       bytea  NOT NULL,
    language   text,
    created_at bigint NOT NULL,
    CHECK ((session IS NULL) <> (api_token IS NULL))
);
CREATE INDEX push_subscriptions_guest ON push_subscriptions (guest, created_at);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session);
CREATE INDEX push_subscriptions_api_token ON push_subscriptions (api_token);
