-- The row of `cluster` has random ids, which SQLite cannot make: the server adds it.

CREATE INDEX accounts_handle ON accounts (lower(handle));

INSERT INTO guests (id, name, kind, created_at) VALUES
    (x'00000000000070008000000000000001', 'Computer 1', 'computer', 0),
    (x'00000000000070008000000000000002', 'Computer 2', 'computer', 0),
    (x'00000000000070008000000000000003', 'Computer 3', 'computer', 0),
    (x'00000000000070008000000000000004', 'Computer 4', 'computer', 0),
    (x'00000000000070008000000000000005', 'Computer 5', 'computer', 0);
