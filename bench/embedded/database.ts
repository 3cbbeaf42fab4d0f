import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { openEmbeddedStore, type Store } from '@kaptain/store';
import { timed } from '../granules-store/watch.ts';
import type { BenchDatabase } from '../stores/database.ts';

/** A copy of the kapsules as rows. */
const AS_ROWS = `
  CREATE TABLE documents AS SELECT id, doc FROM store.kapsules;
  CREATE UNIQUE INDEX documents_id ON documents (id);
  CREATE TABLE kapsules AS SELECT id, doc ->> 'name' AS name, doc ->> 'database' AS database,
    doc ->> 'tableName' AS tableName, doc ->> 'table' AS "table", doc ->> 'keyField' AS keyField, doc ->> 'owner' AS owner,
    doc ->> 'createdAt' AS createdAt, doc ->> 'updatedAt' AS updatedAt FROM documents;
  CREATE UNIQUE INDEX kapsules_id ON kapsules (id);
  CREATE TABLE fields AS SELECT d.id AS kapsule, f.value ->> '_id' AS fieldId, f.value ->> 'name' AS fieldName,
    f.value ->> 'type' AS fieldType FROM documents d, json_each(d.doc, '$.fields') f;
  CREATE UNIQUE INDEX fields_id ON fields (kapsule, fieldId)`;

const GRANULES = 'FROM granules g JOIN granule_counts c USING (kapsule) WHERE c.kapsuleId = ?';
/** The unary plus prevents SQLite from using the index of keys, which would let it stop early. */
const SCAN = `SELECT g.id ${GRANULES} AND instr(g.search, ?) > 0 ORDER BY +g.key LIMIT 100`;

/** Waits until the store has indexed all rows, which it does while no write runs. */
export async function untilIdle(store: Store): Promise<void> {
  for (let mark = ''; mark !== (await store.changeMark()); await setTimeout(3_000))
    mark = await store.changeMark();
}

/** Inserts all rows in one transaction, into another file with the same table and indexes. */
function insertAll(from: DatabaseSync, target: string, kapsuleId: string): Promise<number> {
  rmSync(target, { force: true });
  const to = new DatabaseSync(target);
  const schema =
    "SELECT sql FROM sqlite_schema WHERE tbl_name = 'granules' AND type IN ('table', 'index') AND sql IS NOT NULL";
  for (const { sql } of from.prepare(schema).all() as { sql: string }[]) to.exec(sql);
  const rows = from.prepare(`SELECT g.* ${GRANULES}`).all(kapsuleId);
  const names = Object.keys(rows[0] ?? {});
  const insert = to.prepare(`INSERT INTO granules (${names.join()}) VALUES (${names.map(() => '?').join()})`);
  return timed(async () => {
    to.exec('PRAGMA journal_mode = WAL; BEGIN');
    for (const row of rows) insert.run(...Object.values(row));
    to.exec('COMMIT');
    to.close();
  });
}

export function embeddedDatabase(): BenchDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
  const file = join(folder, 'kaptain.db');
  const copy = join(folder, 'bench.db');
  const reading = <T>(work: (database: DatabaseSync) => T): T => {
    using database = new DatabaseSync(file, { readOnly: true });
    return work(database);
  };
  return {
    name: 'the embedded store',
    folder,
    env: {},
    open: () => openEmbeddedStore({ file }),
    bare: { script: join(import.meta.dirname, 'server.ts'), args: [copy], makesJson: false },
    async prepareBare() {
      using database = new DatabaseSync(copy);
      database.exec(`ATTACH '${file}' AS store; ${AS_ROWS}`);
    },
    writeRows: (kapsuleId) => reading((database) => insertAll(database, join(folder, 'rows.db'), kapsuleId)),
    async scan(kapsuleId, q) {
      return reading((database) => {
        const began = performance.now();
        const rows = database.prepare(SCAN).all(kapsuleId, q).length;
        return { ms: performance.now() - began, rows };
      });
    },
    settle: untilIdle,
    async stop() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
