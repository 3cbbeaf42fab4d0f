import { copyFileSync, existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { anAuditEntry, aUser, someGranules } from '../../testing/samples.ts';
import { isInUse, makeDatabaseOf, readBackup, writeBackup } from './backup.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const at = '2026-03-01T08:30:00.000Z';

it('is one moment of a database in use: everything acknowledged before, and no unit in halves', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  const { id } = await store.users.insert(aUser('counter'));
  const state = { acknowledged: 0, isDone: false };
  const writing = (async () => {
    while (!state.isDone) {
      await store.transaction(async (unit) => {
        const user = await unit.users.get(id);
        await unit.users.patch(id, { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
        await unit.granules.upsert('k', [...someGranules(5, `${state.acknowledged}`)]);
        await unit.audit.insert(anAuditEntry('increment'));
      });
      state.acknowledged += 1;
    }
  })();
  for (let round = 1; round <= 3; round += 1) {
    while (state.acknowledged < round * 20) await setImmediate();
    const before = state.acknowledged;
    const backup = `${file}.backup-${round}`;
    const files = [{ path: 'keys/a.key', content: Buffer.from([0, 1, 255]) }];
    expect(writeBackup(file, backup, { at, files })).toBe(statSync(backup).size);
    expect(readBackup(backup)).toEqual({
      at,
      files: [{ path: 'keys/a.key', content: new Uint8Array([0, 1, 255]) }],
      isChecked: true,
    });
    makeDatabaseOf(backup);
    const copy = await openEmbeddedStore({ file: backup });
    const entries = await copy.audit.findBy('action', 'increment');
    expect(entries.length).toBeGreaterThanOrEqual(before);
    expect((await copy.users.get(id))?.loginAttempts).toBe(entries.length);
    expect((await copy.granules.counts('k')).total).toBe(entries.length * 5);
    await copy.close();
  }
  state.isDone = true;
  await writing;
  await store.close();
});

it('knows whether another process has the database open', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  await store.users.insert(aUser('ann'));
  expect(isInUse(file)).toBe(true);
  await store.close();
  expect(isInUse(file)).toBe(false);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

it('is never taken for one when it is another file or damaged, and replaces none', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  await store.granules.bulkUpsert('k', someGranules(500));
  const backup = `${file}.backup`;
  writeBackup(file, backup, { at, files: [] });
  expect(() => readBackup(file)).toThrow(`${file} is no backup`);
  await store.close();
  const cut = `${file}.cut`;
  copyFileSync(backup, cut);
  truncateSync(cut, statSync(cut).size - 8_192);
  writeFileSync(`${file}.text`, 'x'.repeat(5_000));
  for (const bad of [cut, `${file}.text`]) expect(() => readBackup(bad)).toThrow(UnavailableError);
  expect(() => writeBackup(`${file}.text`, `${file}.other`, { at, files: [] })).toThrow(UnavailableError);
  expect([existsSync(`${file}.other`), existsSync(`${file}.other.${process.pid}.part`)]).toEqual([
    false,
    false,
  ]);
});
