
CREATE INDEX accounts_handle ON accounts (lower(handle) COLLATE "C");
INSERT INTO cluster (id, history, era) VALUES (gen_random_uuid(), gen_random_uuid(), 0);

INSERT INTO guests (id, name, kind, created_at) VALUES
    ('00000000-0000-7000-8000-000000000001', 'Computer 1', 'computer', 0),
    ('00000000-0000-7000-8000-000000000002', 'Computer 2', 'computer', 0),
    ('00000000-0000-7000-8000-000000000003', 'Computer 3', 'computer', 0),
    ('00000000-0000-7000-8000-000000000004', 'Computer 4', 'computer', 0),
    ('00000000-0000-7000-8000-000000000005', 'Computer 5', 'computer', 0);
