import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import type { Fields } from '../../nouns/noun.ts';
import { releasedContract } from '../../testing/released.contract.ts';
import { anAuditEntry, aUser } from '../../testing/samples.ts';
import { upgradeContract } from '../../testing/upgrade.contract.ts';
import { checkTrail } from '../../trail/check-trail.ts';
import { sealPending, withMacs } from '../../trail/seal-trail.ts';
import { Seals } from '../../trail/seals.ts';
import type { Connection } from './connection.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';
import { steps } from './upgrades/migrations.ts';
import { upgradeFile } from './upgrades/upgrade-file.ts';

const alter = (file: string, ...statements: string[]) => {
  const database = new DatabaseSync(file);
  for (const sql of statements) database.exec(sql);
  database.close();
};

const EARLIER = [
  "DELETE FROM users_index WHERE field = 'role'",
  "DELETE FROM declared_indexes WHERE noun = 'users' AND field = 'role'",
  "INSERT INTO declared_indexes (noun, field, kind) VALUES ('users', 'qlikId', 'index')",
  "DELETE FROM in_force WHERE subject IN ('groups', 'apiKeys')",
];

const NEWER = {
  additions: 'PRAGMA user_version = 999',
  form: "INSERT OR REPLACE INTO in_force (subject, version) VALUES ('users', 999)",
  tables: "DELETE FROM in_force; INSERT INTO in_force (subject, version) VALUES ('tables', 999)",
};

releasedContract('embedded', async (dump) => {
  const file = temporaryFile();
  writeFileSync(file, dump);
  return () => openEmbeddedStore({ file });
});

upgradeContract('the embedded store', async () => {
  const file = temporaryFile();
  return {
    open: () => openEmbeddedStore({ file }),
    makeEarlier: async () => alter(file, ...EARLIER),
    makeNewer: async (by) => alter(file, NEWER[by]),
    async useAsOtherVersion() {
      const other = new DatabaseSync(file);
      other.exec('PRAGMA journal_mode = WAL; SELECT count(*) FROM users');
      return async () => other.close();
    },
    async qlikIdEntries() {
      const database = new DatabaseSync(file);
      const rows = database.prepare("SELECT value FROM users_index WHERE field = 'qlikId'").all();
      database.close();
      return rows.map(({ value }) => String(value));
    },
    async stored(noun) {
      const database = new DatabaseSync(file);
      const rows = database.prepare(`SELECT doc FROM "${noun}" ORDER BY id`).all();
      database.close();
      return rows.map(({ doc }) => JSON.parse(String(doc)) as Fields);
    },
    discard: async () => undefined,
  };
});

it('asks for a backup before a change that earlier versions can not work with, and only then', async () => {
  const file = temporaryFile();
  let backups = 0;
  const beforeUpgrade = () => {
    backups += 1;
    return () => void (backups -= 1);
  };
  for (let starts = 0; starts < 2; starts += 1)
    await (await openEmbeddedStore({ file, beforeUpgrade })).close();
  expect(backups).toBe(0);
  alter(file, ...EARLIER);
  const failing = () => {
    throw new UnavailableError('The disk is full.');
  };
  await expect(openEmbeddedStore({ file, beforeUpgrade: failing })).rejects.toThrow('The disk is full.');
  // A value that two documents have makes the new index fail.
  alter(file, "DELETE FROM declared_indexes WHERE noun = 'users' AND field = 'nameKey'");
  alter(file, ...['a', 'b'].map((id) => `INSERT INTO users VALUES ('${id}', '{"nameKey":"same"}')`));
  await expect(openEmbeddedStore({ file, beforeUpgrade })).rejects.toThrow(/UNIQUE/);
  expect(backups).toBe(0);
  alter(file, 'DELETE FROM users');
  const before = new DatabaseSync(file, { readOnly: true });
  expect(before.prepare("SELECT 1 FROM declared_indexes WHERE field = 'qlikId'").all()).toHaveLength(1);
  before.close();
  await (await openEmbeddedStore({ file, beforeUpgrade })).close();
  expect(backups).toBe(1);
});

it('does a step in code whole and alone, and earlier versions refuse the result', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  await store.users.insert(aUser('ann'));
  const work = (connection: Connection) =>
    void connection.run("UPDATE users SET doc = json_set(doc, '$.qlikId', 'rewritten')");
  const beforeUpgrade = () => () => undefined;
  const upgrade = () => upgradeFile(file, beforeUpgrade, [...steps, { work }]);
  expect(upgrade).toThrow('Another version of the service uses the same database, and this version must');
  expect(await store.users.all()).toMatchObject([{ qlikId: '' }]);
  await store.close();
  upgrade();
  const database = new DatabaseSync(file);
  expect(database.prepare("SELECT doc ->> '$.qlikId' AS value FROM users").all()).toEqual([
    { value: 'rewritten' },
  ]);
  database.close();
  await expect(openEmbeddedStore({ file })).rejects.toThrow('was written by a newer version');
});

const secret = () => Buffer.alloc(32, 7);

it('opens a file of a version that had fewer nouns, and seals the trail in it', async () => {
  const file = temporaryFile();
  await (await openEmbeddedStore({ file })).close();
  const database = new DatabaseSync(file);
  for (const noun of ['toSeal', 'seals'])
    for (const table of [noun, `${noun}_unique`, `${noun}_index`]) database.exec(`DROP TABLE "${table}"`);
  database.close();
  const store = await openEmbeddedStore({ file });
  await withMacs(store, new Seals(secret)).audit.insert(anAuditEntry('later'));
  await sealPending(store, secret);
  expect(await checkTrail(store, secret)).toEqual({ sealed: 1, waiting: 0, unsealed: 0, faults: [] });
  await store.close();
});
