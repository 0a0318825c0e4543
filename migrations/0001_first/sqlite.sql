-- What SQLite alone has: a journal to which a turn adds one row, and whose finished matches are packed.

CREATE TABLE commits (
    one    bigint NOT NULL PRIMARY KEY CHECK (one = 1),
    number bigint NOT NULL
);
INSERT INTO commits (one, number) VALUES (1, 0);

-- A turn changes nothing here: its row of the journal says what lists show, until the match is packed. `packed` is the
-- number of the last event that is packed, `edition` counts how often events were rewritten to remove a name, `counted`
-- is the round of counting in which the match was counted, 0 before.
CREATE TABLE matches (
    number     integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    id         uuid    NOT NULL UNIQUE,
    game       text    NOT NULL,
    state      text    NOT NULL CHECK (state IN ('open', 'live', 'finished')),
    listed     boolean NOT NULL,
    seat1      uuid    NOT NULL,
    seat2      uuid,
    made_by    uuid,
    updated_at bigint  NOT NULL,
    packed     bigint  NOT NULL DEFAULT 0,
    edition    bigint  NOT NULL DEFAULT 0,
    counted    bigint  NOT NULL DEFAULT 0,
    card       blob    NOT NULL
);

-- A row for each append: `events` is a JSON array of the events with the numbers `first` to `last`, which all happened
-- at one time; `before` is the arrival of the append before it, `standing` what a turn changes of the card, `deadline`
-- when the match must be looked at again. The last row of a commit that consists of turns alone counts it.
CREATE TABLE journal (
    arrival  integer NOT NULL PRIMARY KEY,
    match    integer NOT NULL,
    before   integer,
    first    bigint  NOT NULL,
    last     bigint  NOT NULL,
    at       bigint  NOT NULL,
    events   text    NOT NULL,
    standing text,
    deadline bigint,
    counts   bigint
);
CREATE TABLE newest (
    match   integer NOT NULL PRIMARY KEY REFERENCES matches (number),
    arrival integer NOT NULL,
    last    bigint  NOT NULL
);
CREATE TABLE packed (
    arrival integer NOT NULL PRIMARY KEY,
    match   integer NOT NULL REFERENCES matches (number),
    body    blob    NOT NULL
);
CREATE INDEX packed_match ON packed (match);
CREATE TABLE settling (
    match integer NOT NULL PRIMARY KEY REFERENCES matches (number),
    at    bigint  NOT NULL
);
CREATE TABLE deadlines (
    match uuid   NOT NULL PRIMARY KEY,
    at    bigint NOT NULL
) WITHOUT ROWID;
CREATE INDEX deadlines_at ON deadlines (at, match);

-- So that the appends of a batch are one statement.
CREATE TRIGGER journal_appended AFTER INSERT ON journal BEGIN
    INSERT INTO newest (match, arrival, last) VALUES (NEW.match, NEW.arrival, NEW.last)
    ON CONFLICT (match) DO UPDATE SET arrival = excluded.arrival, last = excluded.last;
    INSERT INTO deadlines (match, at)
    SELECT id, NEW.deadline FROM matches WHERE number = NEW.match AND NEW.deadline IS NOT NULL
    ON CONFLICT (match) DO UPDATE SET at = excluded.at;
    DELETE FROM deadlines
    WHERE NEW.deadline IS NULL AND match = (SELECT id FROM matches WHERE number = NEW.match);
    UPDATE commits SET number = NEW.counts WHERE NEW.counts IS NOT NULL;
END;

CREATE VIEW match_rows AS
SELECT
    matches.number, matches.id, matches.game, matches.state, matches.listed,
    matches.seat1, matches.seat2, matches.made_by, matches.packed, matches.edition,
    COALESCE(newest.last, matches.packed) AS head,
    COALESCE(journal.at, matches.updated_at) AS updated_at,
    matches.card,
    journal.standing
FROM matches
LEFT JOIN newest ON newest.match = matches.number
LEFT JOIN journal ON journal.arrival = newest.arrival;
