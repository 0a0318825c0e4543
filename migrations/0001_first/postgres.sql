-- What PostgreSQL alone has: the journal, whose every append is one statement, and words of SQLite.

-- Lists as one argument. Not strict, so that the planner can inline them.
CREATE FUNCTION json_each(rows text) RETURNS TABLE (value json) LANGUAGE sql IMMUTABLE
    AS 'SELECT json_array_elements(rows::json)';
CREATE FUNCTION unhex(id text) RETURNS uuid LANGUAGE sql IMMUTABLE AS 'SELECT id::uuid';
CREATE FUNCTION unhex(id json) RETURNS uuid LANGUAGE sql IMMUTABLE AS 'SELECT (id #>> ''{}'')::uuid';

-- What a turn changes (head, updated_at, card) is in no index and finds room on its page: then PostgreSQL leaves the
-- indexes alone. `edition` counts how often events were rewritten to remove a name, or writers whose commits were in
-- doubt were shut out. `counted` is the round of counting in which the match was counted, 0 before.
CREATE TABLE matches (
    id         uuid    NOT NULL PRIMARY KEY,
    game       text    NOT NULL,
    state      text    NOT NULL CHECK (state IN ('open', 'live', 'finished')),
    listed     boolean NOT NULL,
    seat1      uuid    NOT NULL,
    seat2      uuid,
    made_by    uuid,
    head       bigint  NOT NULL,
    edition    bigint  NOT NULL DEFAULT 0,
    updated_at bigint  NOT NULL,
    card       text    NOT NULL,
    counted    bigint  NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX matches_unfinished ON matches (id, state) WHERE state <> 'finished';

CREATE VIEW match_rows AS
SELECT id, game, state, listed, seat1, seat2, made_by, head, edition, updated_at, card, NULL::text AS standing FROM matches;

-- A row for each append: `events` is a JSON array of the events with the numbers `first` to `last`, which all happened
-- at one time. By `last`, because readers ask for what follows an event. Rows refer to `matches` without a constraint,
-- which would be checked at every turn.
CREATE TABLE journal (
    match  uuid   NOT NULL,
    first  bigint NOT NULL,
    last   bigint NOT NULL,
    at     bigint NOT NULL,
    events text   NOT NULL,
    PRIMARY KEY (match, last)
);

-- When a match must be looked at again. Every turn changes it and its index: so it is narrow.
CREATE TABLE deadlines (
    match uuid   NOT NULL PRIMARY KEY,
    at    bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX deadlines_at ON deadlines (at, match);
