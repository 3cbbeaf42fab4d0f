/** An administrator may have made it already, for a user who may not. */
export const createSchema = (name: 'kaptain' | 'kapsule_data') => `
  DO $$ BEGIN IF to_regnamespace('${name}') IS NULL THEN CREATE SCHEMA ${name}; END IF; END $$;`;

/** The schema of granules. Once released it is never edited: a change is a new migration step. */
export const granuleTables = `
  ${createSchema('kapsule_data')}

  -- One row per kapsule: its short number, which is never given twice, its kept counters and its latest numbers.
  -- What was changed up to reloaded_through is reloaded: confirming a million rows writes this one number.
  -- A transaction that changes granules of a kapsule holds the lock on this row.
  CREATE TABLE kapsule_data.granule_counts (
    kapsule bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kapsule_id text COLLATE "C" NOT NULL UNIQUE,
    total bigint NOT NULL DEFAULT 0,
    reloaded bigint NOT NULL DEFAULT 0,
    deleted bigint NOT NULL DEFAULT 0,
    last_change bigint NOT NULL DEFAULT 0,
    reloaded_through bigint NOT NULL DEFAULT 0,
    last_at text COLLATE "C" NOT NULL DEFAULT ''
  ) WITH (fillfactor = 50);

  -- place is the kapsule's number, a colon and the key as an index can hold it; long_key the whole of one that is
  -- longer. One column of one index, so that no statistics can lead the planner past it.
  -- The order of changes is the order of updated_at without ties: one column pages, and marks how far a reader got.
  CREATE TABLE kapsule_data.granules (
    id text COLLATE "C" PRIMARY KEY,
    kapsule bigint NOT NULL,
    version bigint NOT NULL,
    change bigint NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    updated_at text COLLATE "C" NOT NULL,
    deleted_at text COLLATE "C",
    deleted_by text,
    place text COLLATE "C" NOT NULL,
    long_key text,
    "user" text COLLATE "C" NOT NULL,
    data text NOT NULL,
    search text COLLATE "C" NOT NULL
  );
  CREATE UNIQUE INDEX granules_place ON kapsule_data.granules (place);
  CREATE UNIQUE INDEX granules_change ON kapsule_data.granules (kapsule, change);
  CREATE INDEX granules_user ON kapsule_data.granules (kapsule, left("user", 300), id) WHERE deleted_at IS NULL;
  CREATE INDEX granules_created_at ON kapsule_data.granules (kapsule, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX granules_deleted ON kapsule_data.granules (kapsule, change) WHERE deleted_at IS NOT NULL;

  -- The earlier states of a granule; if it was deleted and came back, who did so.
  CREATE TABLE kapsule_data.granule_history (
    kapsule bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    updated_at text NOT NULL,
    deleted_at text,
    deleted_by text,
    restored_by text,
    "user" text NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (kapsule, id, version)
  );

  CREATE TABLE kapsule_data.granule_days (
    kapsule bigint, day text COLLATE "C", changes bigint NOT NULL, PRIMARY KEY (kapsule, day)
  );

  -- Numbers of kapsules that are gone, whose rows are still to be removed.
  CREATE TABLE kapsule_data.granule_purges (kapsule bigint PRIMARY KEY);
`;

/**
 * The order by user along an index alone: PostgreSQL does not know that left("user", 300) is in an index, but it knows a
 * column. Longer names have an index of their own.
 */
export const userIndexes = `
  DROP INDEX kapsule_data.granules_user;
  CREATE INDEX granules_user ON kapsule_data.granules (kapsule, "user", id)
    WHERE deleted_at IS NULL AND length("user") <= 300;
  CREATE INDEX granules_long_user ON kapsule_data.granules (kapsule, left("user", 300), id)
    WHERE deleted_at IS NULL AND length("user") > 300;
`;

/**
 * The search texts that have trigrams, and up to which change those of a kapsule are there. Apart from the granules: making
 * trigrams takes four times as long as storing a row, so it follows later (see search-indexing.ts).
 */
export const searchTexts = `
  DROP INDEX IF EXISTS kapsule_data.granules_search;
  CREATE TABLE kapsule_data.granule_search (
    id text COLLATE "C" PRIMARY KEY, kapsule bigint NOT NULL, search text COLLATE "C" NOT NULL
  );
  CREATE TABLE kapsule_data.granule_indexed (kapsule bigint PRIMARY KEY, through bigint NOT NULL);
`;

/**
 * The indexes of fields that pages filter or sort by, and up to which change each knows the granules (see field-indexing.ts).
 * rank 0 has a value (amount of numbers, words of texts), 1 a value of another type, 2 none. The removals are deleted
 * granules whose entries are still there, the drops are indexes that are gone.
 */
export const fieldIndexes = `
  CREATE TABLE kapsule_data.granule_field_indexes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kapsule bigint NOT NULL,
    field text COLLATE "C" NOT NULL,
    type text NOT NULL,
    through bigint NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    UNIQUE (kapsule, field, type)
  );
  CREATE TABLE kapsule_data.granule_fields (
    id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    rank smallint NOT NULL,
    amount double precision,
    words text COLLATE "C",
    PRIMARY KEY (id, number)
  );
  CREATE INDEX granule_fields_value ON kapsule_data.granule_fields (number, rank, amount, words, id);
  CREATE TABLE kapsule_data.granule_field_removals (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kapsule bigint NOT NULL, id text COLLATE "C" NOT NULL
  );
  CREATE INDEX granule_field_removals_kapsule ON kapsule_data.granule_field_removals (kapsule);
  CREATE TABLE kapsule_data.granule_field_drops (number bigint PRIMARY KEY);
`;

/**
 * The numbers of deletions in the order of changes, for readers that follow the changes. In a table of its own, because a new
 * column or index would lock the granules that earlier versions use meanwhile.
 */
export const deletions = `
  CREATE TABLE kapsule_data.granule_deletions (
    id text COLLATE "C" PRIMARY KEY, kapsule bigint NOT NULL, change bigint NOT NULL
  );
  CREATE INDEX granule_deletions_change ON kapsule_data.granule_deletions (kapsule, change);
`;
