-- What the holders of accounts prefer, on every device where they sign in: a row a preference. Pages choose names and
-- values; the server does not know what they mean.
CREATE TABLE preferences (
    guest_id TEXT NOT NULL REFERENCES accounts (guest_id) ON DELETE CASCADE,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    PRIMARY KEY (guest_id, name)
) WITHOUT ROWID;
