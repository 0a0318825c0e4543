-- What finished matches come to, for statistics of the games: `key` says what is counted (crates/statistics). A match
-- is counted in the transaction that sets `counted` to the present round, so it is counted once. Another round begins
-- when all is counted again, by other definitions or because an operator wants it.
CREATE TABLE game_counts (
    game  TEXT    NOT NULL,
    key   TEXT    NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (game, key)
) WITHOUT ROWID;

CREATE TABLE game_counting (
    id          INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    round       INTEGER NOT NULL,
    definitions INTEGER NOT NULL
);
INSERT INTO game_counting (id, round, definitions) VALUES (1, 1, 0);

-- The round in which the match was counted; 0 before.
ALTER TABLE matches ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX matches_counted ON matches (counted, number) WHERE state = 'finished';
