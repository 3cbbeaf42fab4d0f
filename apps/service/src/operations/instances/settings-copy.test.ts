import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { realFiles } from '../../base/config/settings/durable-file.ts';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { openSettings } from '../../base/config/settings.ts';
import { unseal } from '../../base/secrets/sealing.ts';
import { testCertificate } from '../../testing/certificates.ts';
import {
  named,
  next,
  nothing,
  ownDatabase,
  sharedDatabases,
  sharedKey,
} from '../../testing/shared-databases.ts';
import { joinSettings } from './publish.ts';
import { settingsKeyOf } from './sealed-settings.ts';

const databases = sharedDatabases();
afterAll(() => databases[Symbol.dispose]());

describe('the first start on a shared database', () => {
  it('stores the settings of the data folder, and an empty folder takes them, with their certificates', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    const path = a.certificates.keepForPlatform(testCertificate('server.pem'));
    a.generations.add(named('one'));
    a.generations.setMark(1, { status: 'applied', at: '', reason: null });
    a.generations.add(next({ hosts: { JWT: { mode: 'JWT', hostname: 'h', keyFile: path } } }));
    expect(await a.start()).toBe(false);
    expect(await b.start()).toBe(true);
    expect(b.users()).toEqual(a.users());
    expect(b.certificates.readForPlatform(path)).toEqual(testCertificate('server.pem'));
    await store.close();
  });

  it('never replaces what the database has: other settings of the folder are kept aside, with the way to its database', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    a.generations.add(named('shared'));
    await a.start();
    for (const userId of ['own 1', 'own 2', 'own 3'])
      b.generations.add(next({ settings: { userId }, db: ownDatabase }));
    b.generations.setMark(3, { status: 'applied', at: '', reason: null });
    const { isChanged, replaced } = await joinSettings(store, b.deps);
    expect([isChanged, replaced]).toEqual([
      true,
      expect.stringMatching(
        /^The database has other settings: generation 1, .*\(generation 1, 2, 3\) are not used/,
      ),
    ]);
    const entries = await store.audit.recent({ where: { action: 'settings.rollBack' }, limit: 9 });
    expect(entries.map(({ target }) => target).toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      'settings:1',
      'settings:2',
      'settings:3',
    ]);
    expect(b.users()).toEqual(['shared']);
    expect(openSettings({ dataDir: b.folder }).whole().db).toMatchObject({ KAPTAIN_DB_HOST: 'own' });
    const [record] = await store.settingsGenerations.all();
    expect(JSON.stringify(record)).not.toContain('shared');
    await a.start();
    expect(a.users()).toEqual(['shared']);
    await store.close();
  });

  it('stores settings that the host’s admin has put after those of the database, unless another save came first', async () => {
    const store = await databases.open();
    const [a, b, c] = [databases.instance(store), databases.instance(store), databases.instance(store)];
    a.generations.add(named('one'));
    for (const each of [a, b, c]) await each.start();
    b.generations.add(named('by the host'));
    c.generations.add(named('too late'));
    await b.start();
    await c.start();
    await a.home.fetch();
    for (const each of [a, b, c]) expect(each.users()).toEqual(['by the host', 'one']);
    await store.close();
  });

  it('takes up the settings that a folder has saved elsewhere since it left, whatever their number', async () => {
    const store = await databases.open();
    const a = databases.instance(store);
    const before = await a.home.add(named('one'), nothingSaved(), nothing);
    await a.home.add(named('leave'), before ?? nothingSaved(), nothing);
    for (let count = 1; count <= 12; count += 1) {
      a.generations.add(named(`elsewhere ${count}`));
      a.generations.prune(0);
    }
    const { replaced } = await joinSettings(store, a.deps);
    expect([replaced, a.generations.newest().settings.settings.userId]).toEqual([undefined, 'elsewhere 12']);
    const b = databases.instance(store);
    await b.start();
    expect(b.generations.newest()).toMatchObject({
      generation: 14,
      settings: { settings: { userId: 'elsewhere 12' } },
    });
    await store.close();
  });

  it('never makes settings of a folder those of all, or changes its way to the database, when it dies meanwhile', async () => {
    let deaths = 0;
    for (let hasDied = true; hasDied; ) {
      const store = await databases.open();
      const a = databases.instance(store);
      await a.home.add(named('shared'), nothingSaved(), nothing);
      let left = Number.POSITIVE_INFINITY;
      const renameSync = ((from: string, to: string) => {
        if ((left -= 1) < 0) throw new Error('died');
        return realFiles.renameSync(from, to);
      }) as never;
      const b = databases.instance(store, { ...realFiles, renameSync });
      b.generations.add(named('own 1'));
      b.generations.add(next({ db: ownDatabase }));
      left = deaths;
      hasDied = await b.start().then(
        () => false,
        () => true,
      );
      left = Number.POSITIVE_INFINITY;
      expect(openSettings({ dataDir: b.folder }).whole().db).toMatchObject({ KAPTAIN_DB_HOST: 'own' });
      await b.start();
      await a.start();
      expect([a.users(), b.users()]).toEqual([['shared'], ['shared']]);
      await store.close();
      if (hasDied) deaths += 1;
    }
    expect(deaths).toBeGreaterThan(3);
  });

  it('with another key fails in a sentence, and leaves the database as it is', async () => {
    const store = await databases.open();
    const a = databases.instance(store);
    a.generations.add(named('one'));
    await a.start();
    const other = settingsKeyOf(() => Buffer.alloc(32, 2));
    const b = databases.instance(store);
    b.generations.add(named('other'));
    const joining = joinSettings(store, {
      generations: b.generations,
      certificates: b.certificates,
      running: 0,
      key: other,
    });
    await expect(joining).rejects.toThrow(/sealed with another KAPTAIN_PEPPER/);
    expect(await store.settingsGenerations.all()).toHaveLength(1);
    await store.close();
  });
});

describe('instances of two versions', () => {
  it('keep what the later one has saved: a save of the earlier one leaves fields that it does not know', async () => {
    const store = await databases.open();
    const [later, earlier] = [databases.instance(store), databases.instance(store)];
    const { settings, ...rest } = named('later');
    const extra = { settings: { ...settings.settings, later: true }, newBlock: { sealed: 'token' } };
    await later.home.add({ ...rest, settings: { ...settings, ...extra } }, nothingSaved(), nothing);
    const before = await earlier.home.newest();
    expect(before.settings).toEqual(settings);
    await earlier.home.add(named('earlier'), before, nothing);
    const record = (await store.settingsGenerations.all()).find(({ generation }) => generation === 2);
    const text = unseal(sharedKey(), 'settings:2', record?.sealed ?? '') ?? '';
    expect(JSON.parse(text)).toMatchObject({
      settings: { settings: { userId: 'earlier', later: true }, newBlock: { sealed: 'token' } },
    });
    await store.close();
  });

  it('agree after the upgrade of one that has kept less of a save, with its mark and its way to the database', async () => {
    const store = await databases.open();
    const [a, b] = [databases.instance(store), databases.instance(store)];
    const saved = named('whole');
    await a.home.add(saved, nothingSaved(), nothing);
    const less = next({ db: ownDatabase });
    b.generations.add({ ...less, at: saved.at });
    b.generations.setMark(1, { status: 'applied', at: '', reason: null });
    expect(await b.start()).toBe(true);
    expect([b.users(), b.generations.mark(1)?.status]).toEqual([['whole'], 'applied']);
    expect(b.generations.newest().settings.db).toMatchObject({ KAPTAIN_DB_HOST: 'own' });
    expect(readdirSync(join(b.folder, 'settings'))).toEqual(['000001.json', '000001.mark', 'shared']);
    expect(await b.start()).toBe(false);
    await store.close();
  });
});
