-- Which migrations were applied, by which release, and the oldest one that a program must know to use the
-- database after it: a program that knows fewer is refused. Each migration from here on adds its row.
CREATE TABLE releases (
    migration bigint NOT NULL PRIMARY KEY,
    needs     bigint NOT NULL,
    release   text   NOT NULL
);
INSERT INTO releases (migration, needs, release) VALUES (1, 1, '0.1.0'), (2, 1, '0.1.0');

-- The last migration that the node's program knows, and whether messages reach it from the others: NULL if
-- it has no NATS.
ALTER TABLE nodes ADD COLUMN migration bigint NOT NULL DEFAULT 1, ADD COLUMN bus boolean;

-- The files of the page of the releases that ran lately, so that every node has those of its neighbours. All
-- of a page have one hash.
CREATE TABLE pages (
    hash    text        NOT NULL PRIMARY KEY,
    used_at timestamptz NOT NULL
);
CREATE TABLE page_files (
    page    text  NOT NULL REFERENCES pages (hash) ON DELETE CASCADE,
    name    text  NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (page, name)
);
