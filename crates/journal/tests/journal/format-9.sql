CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE notes (
    turn INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id),
    listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
    ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
    text TEXT NOT NULL
) STRICT;
CREATE INDEX notes_by_state ON notes (listed, ended);
CREATE TABLE people (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    line TEXT NOT NULL
, seen_s INTEGER) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_time ON people (seen_s);
CREATE TABLE forgotten (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE catalogue (
    turn INTEGER NOT NULL,
    edition INTEGER NOT NULL
) STRICT;
INSERT INTO catalogue (turn, edition) VALUES (0, 0);
CREATE TABLE cards (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (table_id, number)
) STRICT;
CREATE TABLE shelved (
    shelf BLOB NOT NULL CHECK (length(shelf) = 32),
    label TEXT NOT NULL,
    card_id INTEGER NOT NULL REFERENCES cards (id),
    PRIMARY KEY (shelf, label, card_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE names (
    card_id INTEGER NOT NULL REFERENCES cards (id),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (card_id, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE recent (
    slot INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL,
    seq INTEGER NOT NULL CHECK (seq > 0),
    line TEXT NOT NULL
, checksum INTEGER) STRICT;
CREATE TABLE "lines" (
    place INTEGER PRIMARY KEY,
    line TEXT NOT NULL
, checksum INTEGER) STRICT;
CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE changed (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id),
    at_s INTEGER NOT NULL
) STRICT;
CREATE TABLE blocks (
    subject TEXT NOT NULL PRIMARY KEY,
    at_s INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at_s INTEGER NOT NULL,
    line TEXT NOT NULL
) STRICT;
CREATE TABLE bars (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    subject TEXT NOT NULL,
    until_s INTEGER NOT NULL,
    PRIMARY KEY (table_id, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE devices (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    person BLOB NOT NULL CHECK (length(person) = 32),
    at_s INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_person ON devices (person);
CREATE TABLE phrases (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    person BLOB NOT NULL UNIQUE CHECK (length(person) = 32)
) STRICT, WITHOUT ROWID;
CREATE TABLE invitations (
    recipient BLOB NOT NULL CHECK (length(recipient) = 32),
    sender BLOB NOT NULL CHECK (length(sender) = 32),
    at_s INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (recipient, sender)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_sender ON invitations (sender);
PRAGMA application_id = 0x556e7370;
PRAGMA user_version = 9;
INSERT INTO secrets (name, secret) VALUES ('deals', zeroblob(32));
INSERT INTO tables (id, key) VALUES (1, 'old-table');
INSERT INTO lines (place, line, checksum) VALUES (4294967297, 'first', 2142889811);
INSERT INTO recent (slot, table_id, seq, line, checksum) VALUES (0, 1, 2, 'second', -2139682844), (1, 1, 1, 'first', NULL);
INSERT INTO notes (turn, table_id, listed, ended, text) VALUES (1, 1, 1, 0, 'a note');
INSERT INTO people (hash, line) VALUES (zeroblob(32), 'somebody');
INSERT INTO changed (table_id, at_s) VALUES (1, 1700000000);
INSERT INTO blocks (subject, at_s) VALUES ('address 192.0.2.1', 1700000000);
INSERT INTO audit (at_s, line) VALUES (1700000000, 'did something');
INSERT INTO bars (table_id, subject, until_s) VALUES (1, 'address 192.0.2.1', 1700000600);
INSERT INTO devices (hash, person, at_s) VALUES (zeroblob(32), zeroblob(32), 1700000000);
INSERT INTO phrases (hash, person) VALUES (zeroblob(32), zeroblob(32));
INSERT INTO invitations (recipient, sender, at_s, line) VALUES (zeroblob(32), zeroblob(32), 1700000000, 'an invitation');
