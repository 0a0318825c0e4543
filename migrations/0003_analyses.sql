-- What the computer thinks of a match that is over, worked out once; `engine` says by what.
CREATE TABLE analyses (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id),
    engine   TEXT NOT NULL,
    body     TEXT NOT NULL
);
