INSERT INTO releases (migration, needs, release) VALUES (8, 1, '0.1.0');

-- What the holders of accounts prefer, on every device where they sign in: a row a preference. Pages choose names and
-- values; the server does not know what they mean.
CREATE TABLE preferences (
    guest uuid NOT NULL REFERENCES accounts (guest) ON DELETE CASCADE,
    name  text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (guest, name)
);
