import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiskFullError, UnavailableError } from '../../errors.ts';
import { PackedRows } from '../../packed-rows.ts';
import { packed } from '../../testing/packed.ts';
import { aUser, someGranules } from '../../testing/samples.ts';
import { Connection } from './connection.ts';
import { openEmbeddedStore } from './open.ts';
import { logPages } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';
import { Thread } from './thread.ts';

describe('the writer', () => {
  it('rolls back a unit that does not end, and serves the next one', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile(), unitLimitMs: 100 });
    const stuck = store.transaction(async (nouns) => {
      await nouns.users.insert(aUser('stuck'));
      await new Promise(() => undefined);
    });
    const next = store.users.insert(aUser('next'));
    await expect(stuck).rejects.toThrow('took longer than 0.1 s');
    await expect(next).resolves.toMatchObject({ username: 'next' });
    expect(await store.users.all()).toHaveLength(1);
    await store.close();
  });

  it('refuses at once to write past a unit from inside it, instead of waiting for itself', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const unit = store.transaction(() => store.users.insert(aUser('past')));
    await expect(unit).rejects.toThrow('only the nouns handed to it may write');
    await expect(store.users.insert(aUser('after'))).resolves.toBeDefined();
    await store.close();
  });

  it('tells waiting calls when its thread dies, loses the open unit alone, and comes back', async () => {
    const started = once(process, 'worker') as Promise<[Worker]>;
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const [worker] = await started;
    await store.users.insert(aUser('acknowledged'));
    const unit = store.transaction(async (nouns) => {
      await nouns.users.insert(aUser('open'));
      await worker.terminate();
      await nouns.users.insert(aUser('into nothing'));
    });
    await expect(unit).rejects.toThrow(UnavailableError);
    await store.users.insert(aUser('later'));
    expect((await store.users.all()).map((user) => user.username)).toEqual(['acknowledged', 'later']);
    await store.close();
  });

  it('tells a call that is under way when its thread dies', async () => {
    const started = once(process, 'worker') as Promise<[Worker]>;
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const [worker] = await started;
    async function* rows() {
      yield* someGranules(6_000);
      void worker.terminate();
      // The thread dies some time after that.
      for (let n = 0; ; n += 1) yield* someGranules(1_000, `late ${n}`);
    }
    const bulk = store.granules.bulkUpsert('k', rows());
    await expect(bulk).rejects.toThrow(UnavailableError);
    await store.close();
  });

  it('lets imports into a kapsule go on after one whose end could not be noted', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const send = Reflect.get(Thread.prototype, 'send') as (
      this: Thread<unknown>,
      ...given: Parameters<Thread<unknown>['send']>
    ) => Promise<unknown>;
    let refused = 0;
    const sent = vi.spyOn(Thread.prototype, 'send').mockImplementation(function (
      this: Thread<unknown>,
      command,
      more,
    ) {
      if ((command as { method?: string }).method !== 'dropImport' || refused > 0)
        return send.call(this, command, more);
      refused += 1;
      return Promise.reject(new DiskFullError('The disk is full.'));
    });
    onTestFinished(() => sent.mockRestore());
    async function* broken() {
      yield* someGranules(10);
      throw new Error('The file ends too early.');
    }
    const first = store.granules.importAll('k', broken(), async () => undefined);
    await expect(first).rejects.toThrow('The file ends too early.');
    expect(refused).toBe(1);
    expect(await store.granules.importAll('k', someGranules(20), async () => undefined)).toBe(20);
    expect(await store.granules.counts('k')).toMatchObject({ total: 20 });
    await store.close();
  });

  it('begins the write-ahead log anew during an import', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    let [before, now] = [0, 0];
    async function* batches() {
      // After some batches of rows the log grows slowly, so that the checkpoint may take its time.
      for (let n = 0; now >= before && now < 12_000; n += 1) {
        const rows = someGranules(n < 15 ? 1_000 : 1, `batch ${n}`);
        for await (const batch of packed(rows).batches) yield batch;
        [before, now] = [now, logPages(file)];
      }
    }
    await store.granules.importAll('k', new PackedRows(batches()), async () => undefined);
    await store.close();
    expect(now).toBeLessThan(before);
  });
});

describe('a full disk', () => {
  it('is reported as such, changes nothing, and reading goes on', () => {
    const connection = new Connection(temporaryFile(), { readOnly: false, busyMs: 0 });
    connection.exec('CREATE TABLE notes (text TEXT); PRAGMA max_page_count = 20');
    connection.run('INSERT INTO notes VALUES (?)', 'kept');
    const fill = () =>
      connection.atomically(() => {
        for (;;) connection.run('INSERT INTO notes VALUES (?)', 'x'.repeat(4_000));
      });
    expect(fill).toThrow(DiskFullError);
    expect(connection.inTransaction).toBe(false);
    expect(connection.all('SELECT text FROM notes')).toEqual([{ text: 'kept' }]);
    connection.close();
  });
});
