-- What players have laid down to be played for them in matches by days. `turns` are JSON.
CREATE TABLE conditional_turns (
    match    INTEGER NOT NULL REFERENCES matches (number) ON DELETE CASCADE,
    guest_id TEXT    NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    turns    TEXT    NOT NULL,
    PRIMARY KEY (match, guest_id)
) WITHOUT ROWID;
CREATE INDEX conditional_turns_guest ON conditional_turns (guest_id);
