import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEmbeddedStore } from '@kaptain/store';
import { newFolder, removeFolder } from '../kit/folders.ts';
import { timed } from '../kit/times.ts';
import type { BenchDatabase } from './database.ts';

const GRANULES = 'FROM granules g JOIN granule_counts c USING (kapsule) WHERE c.kapsuleId = ?';
/** The unary plus prevents SQLite from using the index of keys, which would let it stop early. */
const SCAN = `SELECT g.id ${GRANULES} AND instr(g.search, ?) > 0 ORDER BY +g.key LIMIT 100`;

/** Smaller kapsules have no index. */
const BEHIND = `
  SELECT count(*) AS behind FROM granule_counts c WHERE c.lastRow >= 5000 AND EXISTS (
    SELECT 1 FROM granule_unindexed u WHERE u.row BETWEEN c.kapsule << 32 AND ((c.kapsule + 1) << 32) - 1)`;

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

export async function embeddedDatabase(): Promise<BenchDatabase> {
  const folder = newFolder();
  const file = join(folder, 'kaptain.db');
  const reading = <T>(work: (database: DatabaseSync) => T): T => {
    using database = new DatabaseSync(file, { readOnly: true });
    return work(database);
  };
  return {
    kind: 'embedded',
    name: 'The embedded store',
    folder,
    env: {},
    pids: [],
    bare: {
      script: join(import.meta.dirname, 'bare-embedded.ts'),
      args: [file, join(folder, 'bare.db')],
      makesJson: false,
    },
    open: () => openEmbeddedStore({ file }),
    writeRows: (kapsuleId) => reading((database) => insertAll(database, join(folder, 'rows.db'), kapsuleId)),
    async scan(kapsuleId, q) {
      return reading((database) => {
        const began = performance.now();
        const rows = database.prepare(SCAN).all(kapsuleId, q).length;
        return { ms: performance.now() - began, rows };
      });
    },
    unindexed: async () => reading((database) => Number(database.prepare(BEHIND).get()?.['behind'])),
    vacuum: async () => undefined,
    [Symbol.asyncDispose]: async () => removeFolder(folder),
  };
}
