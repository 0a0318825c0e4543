INSERT INTO releases (migration, needs, release) VALUES (12, 1, '0.1.0');

-- What finished matches come to, for statistics of the games: `key` says what is counted (crates/statistics). A match
-- is counted in the transaction that sets `counted` to the present round, so it is counted once. Another round begins
-- when all is counted again, by other definitions or because an operator wants it.
CREATE TABLE game_counts (
    game  text   NOT NULL,
    key   text   NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (game, key)
);

CREATE TABLE game_counting (
    id          bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    round       bigint NOT NULL,
    definitions bigint NOT NULL
);
INSERT INTO game_counting (id, round, definitions) VALUES (1, 1, 0);

-- The round in which the match was counted; 0 before. Nodes of earlier releases do not know it.
ALTER TABLE matches ADD COLUMN counted bigint NOT NULL DEFAULT 0;
CREATE INDEX matches_counted ON matches (counted, id) WHERE state = 'finished';
