import { DatabaseSync } from 'node:sqlite';
import { serveBare } from './bare.ts';

/** A typical hand-written service on SQLite: `bare-embedded.ts <file of the store> <its own file>`. Every commit is on disk before its answer. */
const [store = '', file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
// A copy of the kapsules as rows.
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  ATTACH '${store}' AS store;
  CREATE TABLE documents AS SELECT id, doc FROM store.kapsules;
  CREATE UNIQUE INDEX documents_id ON documents (id);
  CREATE TABLE kapsules AS SELECT id, doc ->> 'name' AS name, doc ->> 'database' AS database,
    doc ->> 'tableName' AS tableName, doc ->> 'table' AS "table", doc ->> 'keyField' AS keyField, doc ->> 'owner' AS owner,
    doc ->> 'createdAt' AS createdAt, doc ->> 'updatedAt' AS updatedAt FROM documents;
  CREATE UNIQUE INDEX kapsules_id ON kapsules (id);
  CREATE TABLE fields AS SELECT d.id AS kapsule, f.value ->> '_id' AS fieldId, f.value ->> 'name' AS fieldName,
    f.value ->> 'type' AS fieldType FROM documents d, json_each(d.doc, '$.fields') f;
  CREATE UNIQUE INDEX fields_id ON fields (kapsule, fieldId);
  DETACH store;
  CREATE TABLE granules (kapsule TEXT, key TEXT, user TEXT, data TEXT, version INTEGER, updatedAt TEXT, PRIMARY KEY (kapsule, key));
  CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT, actor TEXT, action TEXT, target TEXT, after TEXT)`);
const all = database.prepare(
  'SELECT k.*, f.fieldId, f.fieldName, f.fieldType FROM kapsules k JOIN fields f ON f.kapsule = k.id ORDER BY k.id, f.fieldId',
);
const one = database.prepare('SELECT doc FROM documents WHERE id = ?');
const upsert = database.prepare(`
  INSERT INTO granules VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE
  SET user = excluded.user, data = excluded.data, version = version + 1, updatedAt = excluded.updatedAt RETURNING version`);
const log = database.prepare('INSERT INTO audit (at, actor, action, target, after) VALUES (?, ?, ?, ?, ?)');

type Row = Record<string, string>;

await serveBare({
  rows() {
    const kapsules = new Map<string, { fields: unknown[] }>();
    for (const row of all.all() as Row[]) {
      const { id = '', fieldId: _id, fieldName: name, fieldType: type, ...rest } = row;
      const kapsule = kapsules.get(id) ?? { _id: id, ...rest, authority: ['READ'], fields: [] as unknown[] };
      kapsules.set(id, kapsule);
      kapsule.fields.push({ _id, name, type });
    }
    return [...kapsules.values()];
  },
  one: (id) => (one.get(id) as Row | undefined)?.['doc'],
  async save({ kapsule, key, data, at }) {
    database.exec('BEGIN IMMEDIATE');
    const { version } = upsert.get(kapsule, key, 'admin', data, at) as { version: number };
    log.run(at, 'admin', 'granule.upsert', kapsule, JSON.stringify({ keys: [key] }));
    database.exec('COMMIT');
    return version;
  },
});
