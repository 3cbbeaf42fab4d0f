import { DatabaseSync } from 'node:sqlite';
import { saveServer } from './save-server.ts';

/** A bare handler on SQLite, without login: `sqlite-server.ts <file>`. Every commit is on disk before its answer. */
const database = new DatabaseSync(process.argv[2] ?? '');
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE granules (kapsule TEXT, key TEXT, user TEXT, data TEXT, version INTEGER, updatedAt TEXT, PRIMARY KEY (kapsule, key));
  CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT, actor TEXT, action TEXT, target TEXT, after TEXT)`);
const upsert = database.prepare(`
  INSERT INTO granules VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE
  SET user = excluded.user, data = excluded.data, version = version + 1, updatedAt = excluded.updatedAt RETURNING version`);
const note = database.prepare('INSERT INTO audit (at, actor, action, target, after) VALUES (?, ?, ?, ?, ?)');

await saveServer(async ({ kapsule, key, data, at }) => {
  database.exec('BEGIN IMMEDIATE');
  const { version } = upsert.get(kapsule, key, 'admin', data, at) as { version: number };
  note.run(at, 'admin', 'granule.upsert', kapsule, JSON.stringify({ keys: [key] }));
  database.exec('COMMIT');
  return version;
});
