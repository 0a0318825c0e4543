-- The number of the last commit that a client may have been told of. A file beside the database
-- has it too: at a start the two are compared.
CREATE TABLE commits (
    one    BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    number BIGINT NOT NULL
);

INSERT INTO commits (one, number) VALUES (1, 0);
