import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { newId } from '../../ids.ts';
import type { Saving } from '../../saving.ts';
import { anAuditEntry } from '../../testing/samples.ts';
import { Connection } from './connection.ts';
import { DirectSaves } from './direct-saves.ts';
import { TooMuchStoredError, upsertRows } from './granules/upsert.ts';
import { openEmbeddedStore } from './open.ts';
import type { SaveRequest } from './save.ts';
import { logPages } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const saving = (key: string, rows = 1): Saving => ({
  kapsuleId: 'kapsule',
  rows: Array.from({ length: rows }, (_, n) => ({ key: `${key} ${n}`, user: 'ann', data: { comment: key } })),
  dependsOn: [],
  entry: anAuditEntry('granule.upsert', { target: key }),
});

const request = (key: string, data = '{}'): SaveRequest => ({
  kapsuleId: 'kapsule',
  rows: [[key, 'ann', data, null, null]],
  dependsOn: [],
  entry: { ...anAuditEntry('granule.upsert'), id: newId(), version: 1 },
  toSeal: undefined,
});

/** A table of keys, of which `bad` is refused, `large` replaces too much, and `slow` takes 10 ms. */
function direct(): { saves: DirectSaves; connection: Connection; keys: () => string[] } {
  const connection = new Connection(temporaryFile(), { readOnly: false, busyMs: 60_000 });
  connection.exec('CREATE TABLE keys (key TEXT)');
  const saves = new DirectSaves(connection, ({ rows }) =>
    rows.map(([key]) => {
      connection.run('INSERT INTO keys VALUES (?)', key);
      if (key === 'bad') throw new Error('refused');
      if (key === 'large') throw new TooMuchStoredError();
      if (key === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      return { id: newId(), key, version: 1 };
    }),
  );
  const keys = () => connection.all<{ key: string }>('SELECT key FROM keys').map(({ key }) => key);
  return { saves, connection, keys };
}

describe('saves on the event loop', () => {
  it('stores a group, and leaves one with a refused save to the writer', () => {
    const { saves, connection, keys } = direct();
    expect(saves.run([request('a'), request('bad'), request('b')])).toBeUndefined();
    expect(keys()).toEqual([]);
    expect(saves.run([request('bad')])).toEqual([{ error: new Error('refused') }]);
    expect(saves.run([request('a'), request('b')])).toMatchObject([
      { stored: [{ key: 'a' }] },
      { stored: [{}] },
    ]);
    expect(keys()).toEqual(['a', 'b']);
    expect(connection.inTransaction).toBe(false);
    connection.close();
  });

  it('leaves many rows and long ones to the writer', () => {
    const { saves, connection, keys } = direct();
    expect(saves.run(Array.from({ length: 33 }, () => request('a')))).toBeUndefined();
    expect(saves.run([request('a', 'x'.repeat(40_000))])).toBeUndefined();
    expect(saves.run([request('large')])).toBeUndefined();
    expect(keys()).toEqual([]);
    connection.close();
  });

  it('leaves the file to another process that holds it, without waiting', () => {
    const { saves, connection } = direct();
    const other = new DatabaseSync(connection.file);
    other.exec('BEGIN IMMEDIATE');
    // Waiting would take a minute, longer than a test may.
    expect(saves.run([request('a')])).toBeUndefined();
    other.exec('COMMIT');
    other.close();
    expect(saves.run([request('a')])).toHaveLength(1);
    connection.close();
  });

  it('uses the writer while commits are slow', () => {
    const { saves, connection, keys } = direct();
    for (let n = 0; n < 10; n += 1) {
      saves.run([request('slow')]);
      // A fast refusal says nothing about the disk.
      for (let refused = 0; refused < 5; refused += 1) saves.run([request('bad')]);
    }
    expect(keys().length).toBeLessThan(10);
    connection.close();
  });

  it('knows how much it would replace', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const data = { comment: 'x'.repeat(2000) };
    await store.granules.upsert('kapsule', [
      { key: 'large', user: 'ann', data },
      { key: 'deleted', user: 'ann', data },
    ]);
    const [deleted] = await store.granules.lookup('kapsule', ['deleted']);
    await store.granules.removeMany([deleted?.id ?? ''], 'ann');
    await store.close();
    const connection = new Connection(file, { readOnly: false, busyMs: 0 });
    const over = (key: string, most: number) =>
      connection.atomically(() => upsertRows(connection, 'kapsule', [[key, 'ann', '{}', null, null]], most));
    for (const key of ['large', 'deleted']) {
      expect(() => over(key, 1000)).toThrow(TooMuchStoredError);
      expect(over(key, 3000)).toHaveLength(1);
    }
    expect(over('new', 0)).toHaveLength(1);
    connection.close();
  });
});

describe('a store with saves on the event loop', () => {
  it('waits for another process without blocking the event loop', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    await store.save(saving('first'));
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const second = store.save(saving('second'));
    // Timers run while the save waits; a blocked event loop would end the wait with a failure instead.
    await new Promise((resolve) => setTimeout(resolve, 20));
    other.exec('COMMIT');
    other.close();
    expect((await second).granules).toMatchObject([{ version: 1 }]);
    await store.close();
  });

  it('changes its mark with every save, and keeps order with units and large saves', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const marks = new Set([await store.changeMark()]);
    for (let n = 0; n < 5; n += 1) {
      await store.save(saving(`small ${n}`));
      marks.add(await store.changeMark());
    }
    expect(marks.size).toBe(6);
    const versions = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        if (n % 4 === 1) return store.granules.upsert('kapsule', [{ key: 'same 0', user: 'u', data: { n } }]);
        const [row] = saving('same').rows;
        const given = { ...saving('same', n % 4 === 2 ? 50 : 1) };
        const rows = given.rows.map((it, index) => (index === 0 && row ? { ...row, data: { n } } : it));
        return (await store.save({ ...given, rows })).granules;
      }),
    );
    const seen = versions.map(([first]) => first?.version ?? 0).toSorted((a, b) => a - b);
    expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    await store.close();
  });

  it('begins the write-ahead log anew while saves go on', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    // A slow disk, and a checkpoint that comes late, leave saves to the writer's thread, which makes its own after 8,000 pages.
    let [before, now] = [0, 0];
    for (let n = 0; now >= before && now < 100_000; n += 1) {
      await store.save(saving(`save ${n}`));
      if (n % 20 === 0) [before, now] = [now, logPages(file)];
    }
    await store.close();
    expect(now).toBeLessThan(before);
  });
});
