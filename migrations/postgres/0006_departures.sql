INSERT INTO releases (migration, needs, release) VALUES (6, 1, '0.1.0');

-- Guests who leave: adopted, by a guest who gets their matches, or erased, without one. The row goes when nothing is left
-- to do. The guest themselves may be gone before. A release that does not know it leaves that to the others.
CREATE TABLE departures (
    guest   uuid   NOT NULL PRIMARY KEY,
    adopter uuid,
    since   bigint NOT NULL
);
CREATE INDEX departures_adopter ON departures (adopter) WHERE adopter IS NOT NULL;
