"""The tables of `mem.db`. A new version of them means a rebuild from the log, never a migration.

`entries.state` is 0 while an entry is visible, 1 while its run is taken back
and 2 while it is forgotten (`projection/visibility.py`); what is purged has no
row. `embedded` is 1 while its vector is in the index; `mark` is the row's own
hash, checked when the row is read. `forgettings` holds what each run decided
about entries, `purged` the ids and marks of what is gone, `remains` those of
them of which a line that still holds words was seen: a purge that has to be
finished; `silent` the entries of which no memory is made any more, for one
that rested on them was purged. `applied.tail` is the end of the last line
applied, so that a file that was cut back and grew again is noticed.
`memories` holds what is folded from the changes of each memory, `cites` which
entries a memory rests on, visible or not, `memory_keys` where a memory is
looked for that says the same or the opposite (`projection/memories.py`). What
the changes say of events is in `event_claims`, whether it stands or not;
`event_links` has the claims that do, by entry; `events` and `event_entries`
are what they come to (`projection/events.py`); `seen_ms` puts an event without
a time where its entries were taken in. No `seq` is used twice (see
`lexical.insert`). A record kind or an op that is new needs a new VERSION too:
earlier readers skipped it.
"""

from __future__ import annotations

VERSION = 12

PRAGMAS = """
PRAGMA journal_mode = TRUNCATE;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA cache_spill = OFF;
"""

SCHEMA = f"""
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    run TEXT NOT NULL,
    session TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    imported_at INTEGER NOT NULL,
    speaker TEXT,
    role TEXT NOT NULL,
    trust TEXT NOT NULL,
    said_ms INTEGER,
    precision TEXT,
    offset INTEGER,
    floating INTEGER NOT NULL,
    scope TEXT NOT NULL,
    source TEXT NOT NULL,
    origin TEXT,
    title TEXT,
    status TEXT,
    pin INTEGER NOT NULL,
    mark BLOB NOT NULL,
    blob TEXT,
    state INTEGER NOT NULL,
    embedded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX entries_key ON entries (key);
CREATE INDEX entries_place ON entries (session, ordinal);
CREATE INDEX entries_said ON entries (said_ms) WHERE state = 0;
CREATE INDEX entries_speaker ON entries (speaker) WHERE state = 0;
CREATE INDEX entries_pending ON entries (seq) WHERE state = 0 AND embedded = 0;
CREATE VIRTUAL TABLE words USING fts5 (stems, tokenize = "porter unicode61 remove_diacritics 2");
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
CREATE TABLE vectors (seq INTEGER PRIMARY KEY, sample INTEGER NOT NULL, half BLOB NOT NULL);
CREATE INDEX vectors_sample ON vectors (sample);
CREATE TABLE times (
    seq INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    grain TEXT NOT NULL,
    approximate INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
);
CREATE INDEX times_seq ON times (seq);
CREATE INDEX times_start ON times (start_ms);
CREATE TABLE changes (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    op TEXT NOT NULL,
    run TEXT NOT NULL,
    author TEXT NOT NULL,
    reason TEXT NOT NULL,
    target TEXT,
    body TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE event_claims (
    event TEXT NOT NULL,
    change TEXT NOT NULL,
    run TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (event, change)
) WITHOUT ROWID;
CREATE INDEX event_claims_run ON event_claims (run);
CREATE TABLE event_links (
    entry TEXT NOT NULL,
    event TEXT NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (entry, event)
) WITHOUT ROWID;
CREATE INDEX event_links_event ON event_links (event);
CREATE TABLE event_entries (seq INTEGER PRIMARY KEY, event TEXT NOT NULL);
CREATE INDEX event_entries_event ON event_entries (event);
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    title TEXT,
    facts TEXT NOT NULL,
    topic TEXT NOT NULL,
    edition TEXT NOT NULL,
    scope TEXT NOT NULL,
    first_ms INTEGER,
    last_ms INTEGER,
    size INTEGER NOT NULL,
    stale INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    mark BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX events_seen ON events (scope, seen_ms);
CREATE INDEX events_stale ON events (id) WHERE stale = 1;
CREATE INDEX events_topic ON events (topic);
CREATE INDEX changes_target ON changes (target);
CREATE INDEX changes_run ON changes (run);
CREATE INDEX changes_leaning ON changes (
    coalesce(json_extract(body, '$.after.by'), json_extract(body, '$.after.with'), json_extract(body, '$.after.into'))
) WHERE op IN ('retire', 'conflict', 'merge');
CREATE TABLE memories (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    run TEXT NOT NULL,
    author TEXT NOT NULL,
    scope TEXT NOT NULL,
    trust TEXT NOT NULL,
    statement TEXT NOT NULL,
    quotes TEXT NOT NULL,
    standing TEXT NOT NULL,
    reason TEXT NOT NULL,
    pin INTEGER NOT NULL,
    said_ms INTEGER,
    since_ms INTEGER,
    until_ms INTEGER,
    recorded_ms INTEGER NOT NULL,
    expired_ms INTEGER,
    replaced_by TEXT,
    against TEXT NOT NULL,
    subject TEXT NOT NULL,
    relation TEXT NOT NULL,
    cls TEXT NOT NULL,
    kind TEXT NOT NULL,
    mark BLOB NOT NULL
);
CREATE INDEX memories_about ON memories (subject, relation);
CREATE INDEX memories_replaced ON memories (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE TABLE cites (entry TEXT NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (entry, memory)) WITHOUT ROWID;
CREATE TABLE memory_keys (key INTEGER NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (key, memory)) WITHOUT ROWID;
CREATE INDEX memory_keys_of ON memory_keys (memory);
CREATE VIRTUAL TABLE memory_words USING fts5 (stems, tokenize = "porter unicode61 remove_diacritics 2");
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);
CREATE TABLE undone (run TEXT PRIMARY KEY, by_run TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE forgettings (
    entry TEXT NOT NULL,
    run TEXT NOT NULL,
    forgets INTEGER NOT NULL,
    PRIMARY KEY (entry, run)
) WITHOUT ROWID;
CREATE INDEX forgettings_run ON forgettings (run);
CREATE TABLE purged (id TEXT PRIMARY KEY, key TEXT, words TEXT) WITHOUT ROWID;
CREATE INDEX purged_key ON purged (key) WHERE key IS NOT NULL;
CREATE INDEX purged_words ON purged (words) WHERE words IS NOT NULL;
CREATE TABLE remains (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE silent (entry TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    scope TEXT,
    abstained INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    cited TEXT NOT NULL,
    terminal TEXT
) WITHOUT ROWID;
CREATE TABLE applied (
    file TEXT PRIMARY KEY,
    offset INTEGER NOT NULL,
    bad INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    tail BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES ('digest', '{"0" * 32}'), ('visible', 0);
PRAGMA user_version = {VERSION};
"""
