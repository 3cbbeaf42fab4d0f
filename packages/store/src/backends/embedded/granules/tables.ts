/** The schema of granules. Once released it is never edited: a change is a new migration step. */
export const granuleTables = `
  -- Drafts of these tables, from before the first release.
  DROP TABLE IF EXISTS granule_counts;
  DROP TABLE IF EXISTS granules;
  DROP TABLE IF EXISTS granules_deleted;
  DROP TABLE IF EXISTS granule_history;

  -- One row per kapsule: its short number, which is never given twice, its kept counters and its latest numbers.
  -- What was changed up to reloadedThrough is reloaded: confirming a million rows writes this one number.
  CREATE TABLE granule_counts (
    kapsule INTEGER PRIMARY KEY AUTOINCREMENT,
    kapsuleId TEXT NOT NULL UNIQUE,
    total INTEGER NOT NULL DEFAULT 0,
    reloaded INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    lastRow INTEGER NOT NULL DEFAULT 0,
    lastChange INTEGER NOT NULL DEFAULT 0,
    reloadedThrough INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- A row's number begins with its kapsule's, so the rows of a kapsule lie together here and in the search index.
  -- Short columns first, so that filters and sorting never read the long ones behind them.
  -- The order of changes is the order of updatedAt without ties: one column pages, and marks how far a reader got.
  -- Rows with a change after their kapsule's lastChange belong to an import that is not published yet.
  CREATE TABLE granules (
    row INTEGER PRIMARY KEY,
    kapsule INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    change INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    key TEXT NOT NULL,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    search TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX granules_key ON granules (kapsule, key);
  CREATE UNIQUE INDEX granules_change ON granules (kapsule, change);
  -- These two cost 3 and up to 7 of a row's 25 µs when it is inserted; without them a sorted page of a million takes 0.3 s.
  CREATE INDEX granules_user ON granules (kapsule, user);
  CREATE INDEX granules_createdAt ON granules (kapsule, createdAt);

  -- Deleted granules wait here for their return: a table of living ones alone pages and counts on its indexes.
  CREATE TABLE granules_deleted (
    row INTEGER PRIMARY KEY,
    kapsule INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    change INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    deletedAt TEXT NOT NULL,
    deletedBy TEXT NOT NULL,
    key TEXT NOT NULL,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    search TEXT NOT NULL,
    UNIQUE (kapsule, key),
    UNIQUE (kapsule, change)
  ) STRICT;

  -- The earlier states of a granule; if it was deleted and came back, who did so.
  CREATE TABLE granule_history (
    row INTEGER NOT NULL,
    version INTEGER NOT NULL,
    updatedAt TEXT NOT NULL,
    deletedAt TEXT,
    deletedBy TEXT,
    restoredBy TEXT,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (row, version)
  ) STRICT;

  -- What is searched: the trigrams of the folded text. Candidates are compared with the text itself, so trigrams need
  -- no positions, and an entry that is out of date costs a look but never a wrong answer. Therefore an edit only adds
  -- to the index: deleting from it made single steps take 14 s (docs/decisions/005-search.md).
  CREATE VIRTUAL TABLE granule_search USING fts5 (
    text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
  );
  -- Rows whose present text the index does not know yet: a search looks at them one by one.
  CREATE TABLE granule_unindexed (row INTEGER PRIMARY KEY) STRICT;

  CREATE TABLE granule_days (
    kapsule INTEGER, day TEXT, changes INTEGER NOT NULL, PRIMARY KEY (kapsule, day)
  ) STRICT, WITHOUT ROWID;

  -- At most one import per kapsule: who runs it, how many rows it has hidden in granules, the last of their numbers.
  -- Without a name it has failed, and its rows are being removed.
  CREATE TABLE granule_imports (
    kapsule INTEGER PRIMARY KEY,
    name TEXT,
    pid INTEGER NOT NULL,
    renewedAt INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    lastChange INTEGER NOT NULL
  ) STRICT;
  -- Rows of an import whose keys exist already: they replace them when it is published.
  CREATE TABLE granule_staged (
    staged INTEGER PRIMARY KEY,
    kapsule INTEGER NOT NULL,
    key TEXT NOT NULL,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    createdAt TEXT,
    version INTEGER,
    UNIQUE (kapsule, key)
  ) STRICT;

  -- Numbers of kapsules that are gone, whose rows are still to be removed.
  CREATE TABLE granule_purges (kapsule INTEGER PRIMARY KEY) STRICT;
`;

/**
 * For replacing many granules with one statement: the row and the new folded text of each; without a row it is not
 * known whether the granule exists.
 */
export const stagedRows = `
  ALTER TABLE granule_staged ADD COLUMN row INTEGER;
  ALTER TABLE granule_staged ADD COLUMN search TEXT;
`;

/** Each kapsule has its own search index, because a shared one made each search read the rows of all kapsules. */
export const searchTables = `
  DROP TABLE granule_search;
  INSERT INTO granule_unindexed (row) SELECT row FROM granules WHERE true ON CONFLICT DO NOTHING;
  -- The kapsules that have one.
  CREATE TABLE granule_indexes (kapsule INTEGER PRIMARY KEY) STRICT;
`;

/** The indexes of fields that pages filter or sort by; each has a table of its own, which is dropped at once. */
export const fieldIndexes = `
  CREATE TABLE granule_field_indexes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kapsule INTEGER NOT NULL,
    field TEXT NOT NULL,
    type TEXT NOT NULL,
    through INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    usedAt INTEGER NOT NULL,
    UNIQUE (kapsule, field, type)
  ) STRICT;
`;

/**
 * For imports that replace many granules in steps. On the kapsule: the staged row up to which a published import has replaced them.
 * On the import: its staged rows and bytes at most, whether rows name versions, whether one names another version than is stored, and
 * the last change before it.
 */
export const replacingInSteps = `
  ALTER TABLE granule_counts ADD COLUMN replacedThrough INTEGER;
  ALTER TABLE granule_imports ADD COLUMN staged INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE granule_imports ADD COLUMN stagedBytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE granule_imports ADD COLUMN namesVersions INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE granule_imports ADD COLUMN namesOthers INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE granule_imports ADD COLUMN begunAfter INTEGER NOT NULL DEFAULT 0;
  -- In the order of their numbers, without reading what imports into other kapsules have staged.
  CREATE INDEX granule_staged_kapsule ON granule_staged (kapsule);
`;

/** The version that an import names for a row that it hides: 0 or none. It means nothing once the row is visible. */
export const versionsOfHiddenRows = 'ALTER TABLE granules ADD COLUMN expectedVersion INTEGER;';

/**
 * The number of a granule's deletion in the order of changes, for readers that follow the changes. Earlier versions leave it
 * empty: the second index finds the deletions that have no number yet.
 */
export const numberedDeletions = `
  ALTER TABLE granules_deleted ADD COLUMN deletion INTEGER;
  CREATE INDEX granules_deletion ON granules_deleted (kapsule, deletion) WHERE deletion IS NOT NULL;
  CREATE INDEX granules_unnumbered ON granules_deleted (kapsule) WHERE deletion IS NULL;
`;
