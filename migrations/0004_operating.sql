-- Which history the journals tell: another one once a backup has been put in their place.
CREATE TABLE history (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    id  TEXT   NOT NULL
);

-- Since when whoever runs the server lets a guest do nothing any more.
ALTER TABLE guests ADD COLUMN blocked_at BIGINT;
-- To find a guest by what he is called.
CREATE INDEX guests_name ON guests (name);
-- Everything that somebody made and has the computer play in his place.
CREATE INDEX matches_made_by ON matches (made_by, id) WHERE made_by IS NOT NULL;
