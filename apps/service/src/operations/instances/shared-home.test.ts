import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realFiles } from '../../base/config/settings/durable-file.ts';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { openSettings } from '../../base/config/settings.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { named, next, nothing, ownDatabase, sharedDatabases } from '../../testing/shared-databases.ts';

const databases = sharedDatabases();
afterAll(() => databases[Symbol.dispose]());

describe('saves on two instances', () => {
  it('have one winner each time, and ten generations are kept', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    for (let round = 1; round <= 12; round += 1) {
      const before = await a.home.newest();
      expect(await b.home.newest()).toEqual(before);
      const saves = await Promise.all(
        [a, b].map(({ home }, index) => home.add(named(`${round} ${index}`), before, nothing)),
      );
      expect(saves.filter((saved) => saved?.generation === round)).toHaveLength(1);
      expect(saves.filter((saved) => saved === undefined)).toHaveLength(1);
    }
    expect(await store.settingsGenerations.all()).toHaveLength(10);
    await store.close();
  });

  it('leave the other one ten generations as well, the ones it needs, and no key that only others name', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    const save = async (given: object) => {
      await a.home.add(next(given), await a.home.newest(), nothing);
      await b.home.fetch();
    };
    const stored = a.certificates.keepServerFile('server_key.pem', testCertificate('server_key.pem'));
    const kept = a.certificates.keepServerFile('server.pem', testCertificate('server.pem'));
    await a.home.add({ ...next({}), files: { 'server.pem': kept } }, nothingSaved(), nothing);
    await b.home.fetch();
    b.generations.setMark(1, { status: 'applied', at: '', reason: null });
    const before = await a.home.newest();
    await a.home.add({ ...named('key'), files: { 'server_key.pem': stored } }, before, nothing);
    await b.home.fetch();
    const paths = [stored, kept].map((name) => join(b.folder, 'certificates', name));
    for (const path of paths) utimesSync(path, 0, 0);
    for (const file of await store.settingsFiles.all())
      await store.settingsFiles.patch(file.id, { at: '2000' });
    for (let count = 1; count <= 12; count += 1) await save({ settings: { userId: String(count) } });
    expect(b.generations.numbers()).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 1]);
    expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
    await store.close();
  });

  it('end the wait of uploads that they do not use, and leave one that came meanwhile', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    const upload = (at: typeof a, name: 'server.pem' | 'server_key.pem') =>
      at.home.addUpload(name, testCertificate(name), nothing);
    await upload(b, 'server.pem');
    await a.home.fetchUploads();
    await upload(b, 'server_key.pem');
    // Like a return to earlier settings: it names no file.
    await a.home.add(named('one'), nothingSaved(), nothing);
    a.certificates.settle();
    for (const { home } of [a, b]) await home.fetchUploads();
    const waiting = [a, b].map(({ certificates }) => certificates.next({}));
    const stored = expect.stringMatching(/server_key\.pem$/);
    expect(waiting).toEqual([{ 'server_key.pem': stored }, { 'server_key.pem': stored }]);
    await store.close();
  });

  it('change nothing for anyone when the disk is full, and keep the way to the database that a later save names', async () => {
    const store = await databases.open();
    let isFull = true;
    const writeSync = ((fd: number, bytes: Buffer, offset: number) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return realFiles.writeSync(fd, bytes, offset);
    }) as never;
    const a = databases.instance(store, { ...realFiles, writeSync });
    const moved = next({ db: ownDatabase });
    const add = () => a.home.add(moved, nothingSaved(), nothing);
    await expect(add()).rejects.toThrow('full');
    expect([await store.settingsGenerations.all(), a.users()]).toEqual([[], []]);
    isFull = false;
    expect((await add())?.generation).toBe(1);
    expect((await a.home.newest()).settings.db).toMatchObject({ KAPTAIN_DB_HOST: 'own' });
    await store.close();
  });

  it('can be read, but not saved, on an instance whose full disk takes no copy', async () => {
    const store = await databases.open();
    const writeSync = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    };
    const [a, b] = [databases.instance(store), databases.instance(store, { ...realFiles, writeSync })];
    const saved = await a.home.add(named('new'), nothingSaved(), nothing);
    await expect(b.home.fetch()).rejects.toThrow('full');
    const read = await b.home.newest();
    expect(read).toEqual(saved);
    await expect(b.home.add(named('more'), read, nothing)).rejects.toThrow('full');
    expect(await a.home.newest()).toEqual(saved);
    await store.close();
  });

  it('store nothing when the audit entry can not be written', async () => {
    const store = await databases.open();
    const a = databases.instance(store);
    const before = await a.home.newest();
    const fails = () => Promise.reject(new Error('no entry'));
    await expect(a.home.add(named('one'), before, fails)).rejects.toThrow('no entry');
    expect([await store.settingsGenerations.all(), a.users()]).toEqual([[], []]);
    await store.close();
  });
});

describe('settings with which an instance can not start', () => {
  it('are taken back for all before any instance was ready with them, and for itself alone afterwards', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    const first = await a.home.add(named('first'), nothingSaved(), nothing);
    await a.home.markApplied(1);
    await a.home.add(named('bad'), first ?? nothingSaved(), nothing);
    await b.home.fetch();
    expect(await b.home.reject({ generation: 2, reason: 'No HTTPS.' }, nothing)).toBe(true);
    await a.home.fetch();
    expect([(await a.home.newest()).generation, a.generations.mark(2)]).toMatchObject([
      1,
      { reason: 'No HTTPS.' },
    ]);

    const third = await a.home.add(named('third'), await a.home.newest(), nothing);
    expect(third?.generation).toBe(3);
    await a.home.markApplied(3);
    await b.home.fetch();
    expect(await b.home.reject({ generation: 3, reason: 'No folder.' }, nothing)).toBe(false);
    // Values without a restart act there too, and the next start tries again.
    expect(b.settings.whole().settings.userId).toBe('third');
    expect(b.generations.newest([3]).generation).toBe(1);
    expect((await a.home.newest()).generation).toBe(3);
    await store.close();
  });

  it('leave a start those with which it has run, below others that it never tried', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    const save = async (userId: string) => {
      await a.home.add(named(userId), await a.home.newest(), nothing);
      await b.home.fetch();
    };
    await save('good');
    b.generations.setMark(1, { status: 'applied', at: '', reason: null });
    await save('bad on b');
    await a.home.markApplied(2);
    await b.home.reject({ generation: 2, reason: 'No folder.' }, nothing);
    await save('as bad');
    await save('no better');
    const began = (...failed: number[]) =>
      openSettings({ dataDir: b.folder, failed: { generations: failed, hasRunBefore: false } }).began;
    expect([began(4).generation, began(4, 3).generation]).toEqual([3, 1]);
    await store.close();
  });
});
