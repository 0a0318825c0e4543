-- Guests who leave: adopted, by a guest who gets their matches, or erased, without one. The row goes when nothing is left
-- to do. The guest themselves may be gone before.
CREATE TABLE departures (
    guest_id   TEXT   NOT NULL PRIMARY KEY,
    adopter_id TEXT,
    since      BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX departures_adopter ON departures (adopter_id) WHERE adopter_id IS NOT NULL;
