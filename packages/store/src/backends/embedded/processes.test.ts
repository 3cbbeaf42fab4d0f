import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { isFullTest, sized } from '../../../../../tools/test-size.ts';
import { aUser } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { startChild } from './testing/start-child.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const EACH = sized(300, 60);

describe('the embedded store and other processes', () => {
  it('loses nothing when two processes and this one write the same document, and lets them end after close', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const { id } = await store.users.insert(aUser('counter'));
    let opened = 0;
    const countOpened = (line: string) => void (opened += Number(line === 'open'));
    const others = [
      startChild([file, 'increment', String(EACH)], countOpened),
      startChild([file, 'increment', String(EACH)], countOpened),
    ];
    await expect.poll(() => opened).toBe(2);
    for (let n = 0; n < EACH; n += 1) {
      await store.transaction(async (nouns) => {
        const user = await nouns.users.get(id);
        await nouns.users.patch(id, { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
      });
    }
    expect((await Promise.all(others)).map(({ code, errors }) => ({ code, errors }))).toEqual([
      { code: 0, errors: '' },
      { code: 0, errors: '' },
    ]);
    expect((await store.users.get(id))?.loginAttempts).toBe(3 * EACH);
    expect(await store.audit.findBy('target', id)).toHaveLength(2 * EACH);
    await store.close();
  });

  it('waits for a unit of another process, and reads meanwhile', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const insert = store.users.insert(aUser('patient'));
    for (let reads = 0; reads < 10; reads += 1) expect(await store.users.all()).toEqual([]);
    other.exec('COMMIT');
    await expect(insert).resolves.toMatchObject({ username: 'patient' });
    other.close();
    await store.close();
  });

  it.runIf(isFullTest)('is created once when four processes open the same new file', async () => {
    const file = temporaryFile();
    const ended = await Promise.all(Array.from({ length: 4 }, () => startChild([file, 'open-and-close'])));
    expect(ended).toEqual(Array.from({ length: 4 }, () => ({ lines: ['open'], errors: '', code: 0 })));
  });

  it('lets a process end that forgot to close it, and sees by its change mark what that one has written', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    await store.users.insert(aUser('here'));
    const mark = await store.changeMark();
    expect(await store.changeMark()).toBe(mark);
    expect(await startChild([file, 'forget-to-close'])).toMatchObject({ code: 0, errors: '' });
    expect(await store.changeMark()).not.toBe(mark);
    expect(await store.users.findBy('nameKey', 'forgotten')).toHaveLength(1);
    await store.close();
  });
});
