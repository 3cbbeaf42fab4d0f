import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedTransfer } from '../backends/embedded/transfer.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import type { GranuleBatches, Transfer } from '../transfer.ts';
import { compare } from '../transfer-compare.ts';
import { copyStore } from '../transfer-copy.ts';
import { A_MOMENT, aGroup, aKapsule, anAuditEntry, aSession, aUser, someGranules } from './samples.ts';

/** An empty database of a backend. */
interface TransferDatabase {
  open(): Promise<Transfer>;
  discard(): Promise<void>;
}

const everything = { sort: 'key', descending: false, offset: 0, limit: 5_000 } as const;

/** A little of all that can be stored. */
async function fill(store: Store): Promise<{ kapsule: string; empty: string }> {
  const [kapsule, empty] = [newId(), newId()];
  await store.instance.insert({ singleton: 'instance', initializedAt: A_MOMENT });
  const ann = await store.users.insert(aUser('Ådmin ß', { username: 'a\0\uD800"' }));
  await store.users.insert(aUser('bob'));
  await store.users.patch(ann.id, { role: 'ADMIN' });
  await store.groups.insert(aGroup('g', { userIds: [ann.id], kapsuleIds: [kapsule] }));
  await store.kapsules.insert({ ...aKapsule('k', ann.id), id: kapsule });
  await store.sessions.insert(aSession('hash', ann.id));
  await store.transaction(async ({ audit }) => {
    for (let n = 0; n < 520; n += 1) await audit.insert(anAuditEntry(`a${n % 3}`, { after: { n } }));
  });
  const { granules } = store;
  await granules.bulkUpsert(kapsule, someGranules(1_200));
  await granules.upsert(kapsule, [
    { key: 'k'.repeat(700), user: 'u', data: { text: 'a\0\uD800"' }, createdAt: '2020-01-01T00:00:00.000Z' },
  ]);
  await granules.markReloaded(kapsule, await granules.watermark(kapsule));
  await granules.upsert(kapsule, [{ key: 'key-1', user: 'Ann', data: { n: 'second' } }]);
  const { rows } = await granules.page(kapsule, { ...everything, limit: 6 });
  const ids = rows.map(({ id }) => id);
  await granules.removeMany(ids, 'Cid');
  await granules.restoreMany(ids.slice(0, 3), 'Dan');
  await granules.removeMany(ids.slice(0, 1), 'Eve');
  await granules.importAll(kapsule, someGranules(20, 'imported'), async () => undefined);
  await granules.upsert(empty, [{ key: 'x', user: 'u', data: {} }]);
  const last = await granules.page(empty, everything);
  await granules.removeMany(
    last.rows.map(({ id }) => id),
    'Bob',
  );
  return { kapsule, empty };
}

/** Gives the batches up in the middle, as a lost connection would. */
async function* interrupted(batches: GranuleBatches): GranuleBatches {
  let given = 0;
  for await (const batch of batches) {
    if (given > 0) throw new RangeError('interrupted');
    given += 1;
    yield batch;
  }
}

export function transferContract(backend: string, newDatabase: () => Promise<TransferDatabase>): void {
  describe(`moving everything to ${backend}`, () => {
    let folder: string;
    let source: Transfer;
    let database: TransferDatabase;
    let target: Transfer;
    const embedded = (name: string) => openEmbeddedTransfer({ file: join(folder, name) });
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaptain-transfer-'));
      source = await embedded('source.db');
      database = await newDatabase();
      target = await database.open();
    });
    afterEach(async () => {
      await Promise.all([source.close(), target.close()]);
      await database.discard();
      await rm(folder, { recursive: true });
    });

    it('goes on after an interruption, also when the source has changed since, and loses nothing: ids, versions, history, deleted ones, counters, days, watermarks', async () => {
      const { kapsule, empty } = await fill(source.store);
      const failing: Transfer = { ...source, granules: (id) => interrupted(source.granules(id)) };
      await expect(copyStore(failing, target)).rejects.toThrow('interrupted');
      expect(await target.store.instance.all()).toEqual([]);
      const [bob] = await source.store.users.findBy('nameKey', 'bob');
      const [admin] = await source.store.users.findBy('role', 'ADMIN');
      await source.store.users.remove(bob?.id ?? '');
      await source.store.users.patch(admin?.id ?? '', { nameKey: 'bob' });
      await source.store.granules.upsert(kapsule, [{ key: 'key-9', user: 'u', data: { late: true } }]);
      const report = await copyStore(source, target);
      expect(report).toEqual({ documents: 524, kapsules: 2, granules: 1_222 });
      expect(await compare(source, target, [])).toMatchObject({ differences: [] });
      const [here, there] = [source.store.granules, target.store.granules];
      for (const id of [kapsule, empty]) {
        for (const deleted of [false, true]) {
          expect(await there.page(id, { ...everything, deleted })).toEqual(
            await here.page(id, { ...everything, deleted }),
          );
        }
        expect(await there.changesPerDay(id, 9)).toEqual(await here.changesPerDay(id, 9));
        expect(await there.watermark(id)).toBe(await here.watermark(id));
      }
      const { rows } = await here.page(kapsule, { ...everything, q: 'key-1', limit: 20 });
      const { rows: deleted } = await here.page(kapsule, { ...everything, deleted: true });
      for (const { id } of [...rows, ...deleted])
        expect(await there.history(id)).toEqual(await here.history(id));
      const [ann] = await target.store.users.findBy('role', 'ADMIN');
      expect(ann).toEqual((await source.store.users.findBy('role', 'ADMIN'))[0]);
      expect(await target.store.sessionWithUser('hash')).toMatchObject({ user: ann });

      await expect(copyStore(source, target)).resolves.toMatchObject({ kapsules: 2 });
      const back = await embedded('back.db');
      await copyStore(target, back);
      expect(await compare(source, back, [])).toMatchObject({ differences: [] });
      await back.close();
      // It is a working store, not only a copy.
      await there.upsert(kapsule, [{ key: 'key-1', user: 'Zoe', data: { n: 'after' } }]);
      expect((await there.counts(kapsule)).total).toBe((await here.counts(kapsule)).total);
      expect((await there.page(kapsule, { ...everything, q: 'zoe' })).total).toBe(1);
    });

    it('touches no target that is in use or belongs to others, and no source is nothing to copy', async () => {
      await expect(copyStore(source, target)).rejects.toThrow('nothing to copy');
      await target.store.users.insert(aUser('somebody else'));
      await source.store.instance.insert({ singleton: 'instance', initializedAt: A_MOMENT });
      await source.store.users.insert(aUser('ann'));
      await expect(copyStore(source, target)).rejects.toThrow('belongs to another installation');
      const [other] = await target.store.users.all();
      await target.store.users.remove(other?.id ?? '');
      await copyStore(source, target);
      await target.store.users.insert(aUser('new one'));
      await expect(copyStore(source, target)).rejects.toThrow(
        'has been used since it was copied: users differ',
      );
      expect(await target.store.users.all()).toHaveLength(2);
    });
  });
}
