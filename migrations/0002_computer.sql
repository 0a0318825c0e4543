-- What a guest is: a person, somebody's bot, or the computer, which has no token.
ALTER TABLE guests ADD COLUMN kind TEXT NOT NULL DEFAULT 'person'
    CHECK (kind IN ('person', 'bot', 'computer'));

INSERT INTO guests (id, name, created_at, kind) VALUES
    ('00000000-0000-7000-8000-000000000001', 'Computer 1', 0, 'computer'),
    ('00000000-0000-7000-8000-000000000002', 'Computer 2', 0, 'computer'),
    ('00000000-0000-7000-8000-000000000003', 'Computer 3', 0, 'computer'),
    ('00000000-0000-7000-8000-000000000004', 'Computer 4', 0, 'computer'),
    ('00000000-0000-7000-8000-000000000005', 'Computer 5', 0, 'computer');

-- Who made a match and has the computer sit in his place; else who made it is in seat 1.
ALTER TABLE matches ADD COLUMN made_by TEXT;
CREATE INDEX matches_made_by_unfinished ON matches (made_by, state)
    WHERE made_by IS NOT NULL AND state <> 'finished';
