INSERT INTO releases (migration, needs, release) VALUES (9, 1, '0.1.0');

-- What players have laid down to be played for them in matches by days. `turns` are JSON.
CREATE TABLE conditional_turns (
    match uuid NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    guest uuid NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    turns text NOT NULL,
    PRIMARY KEY (match, guest)
);
CREATE INDEX conditional_turns_guest ON conditional_turns (guest);
