import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { normalised } from '../../base/config/settings/normalised.ts';
import { openSettings } from '../../base/config/settings.ts';
import { kaptain } from '../../testing/run-command.ts';
import { startedHere } from '../../testing/service-on.ts';
import { startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

/** Settings that name PostgreSQL and HTTPS, of which neither can be used. */
const settings = {
  settings: { https: true },
  db: {
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: '127.0.0.1',
    KAPTAIN_DB_PORT: 1,
    KAPTAIN_DB_USER: 'u',
    KAPTAIN_DB_PASS: 'canary',
    KAPTAIN_DB_NAME: 'n',
  },
};

it('never starts on the embedded database over HTTP because settings fail: says what failed and what helps, and ends with 1', async () => {
  using folder = temporaryFolder();
  // An older embedded database exists and has an admin.
  const store = await openEmbeddedStore({ file: join(folder.path, 'kaptain.db') });
  await store.instance.insert({ singleton: 'instance', initializedAt: new Date().toISOString() });
  await store.close();
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify(settings));
  using started = startProcess({ KAPTAIN_DATA_DIR: folder.path });
  expect(await started.ended).toBe(1);
  const [failed, helps, ...more] = started.output().trimEnd().split('\n');
  expect(failed).toMatch(/^No server answers at the PostgreSQL server 127\.0\.0\.1:1;/);
  expect(helps).toMatch(
    /^These are the settings of generation 1, and there are no saved ones before them.*settings use/,
  );
  expect(more).toEqual([]);
  expect(openSettings({ dataDir: folder.path }).generations.mark(1)).toBeUndefined();

  const listed = await kaptain(folder.path, 'settings', 'list');
  expect([listed.code, listed.text.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(
        /^generation 1, saved .* by the host: PostgreSQL on 127\.0\.0\.1:1, HTTPS; never applied$/,
      ),
      'generation 0, the defaults: the embedded database, HTTP',
    ],
  ]);
  expect(listed.text).not.toContain('canary');
  for (const wrong of ['7', '-1', 'one', '1e0'])
    expect((await kaptain(folder.path, 'settings', 'use', wrong)).code).toBe(1);
  const used = await kaptain(folder.path, 'settings', 'use', '0');
  expect([used.code, used.text]).toEqual([
    0,
    expect.stringMatching(/^Generation 2 has the settings of generation 0: the embedded database, HTTP\./),
  ]);
  await using service = await startedHere(folder.path);
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  expect(openSettings({ dataDir: folder.path }).generations.mark(2)?.status).toBe('applied');
});

it('goes down past several settings that fail to those it has run with, and rejects each of them', async () => {
  using folder = temporaryFolder();
  const { generations } = openSettings({ dataDir: folder.path });
  const save = (https: boolean) =>
    generations.add({
      ...nothingSaved(),
      at: new Date().toISOString(),
      settings: normalised(SettingsUpdate.parse({ settings: { https } })),
    });
  save(false);
  generations.setMark(1, { status: 'applied', at: '', reason: null });
  // Without a certificate.
  save(true);
  save(true);
  using started = startProcess({ KAPTAIN_DATA_DIR: folder.path });
  await started.said(/is ready on/);
  expect([3, 2, 1].map((number) => generations.mark(number)?.status)).toEqual([
    'rejected',
    'rejected',
    'applied',
  ]);
  started.child.send('stop');
  expect(await started.ended).toBe(0);
});

it('says in the terminal what is not as it was told to be: a misspelt variable, other keys', async () => {
  using folder = temporaryFolder();
  const pepper = (character: string) => ({ KAPTAIN_PEPPER: character.repeat(32) });
  const at = { KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: '0' };
  const { start } = await import('../../start.ts');
  const cheap = { memoryKiB: 64, rounds: 1 };
  const first = await start({ ...at, ...pepper('a') }, undefined, cheap);
  expect(first.greeting).toMatch(/^Kaptain \S+ is ready on/);
  await fetch(`http://localhost:${first.port}/api/user/init`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'correct horse battery' }),
  });
  await first.stop();
  // The mark of the keys is written at a start that finds the first admin.
  await (await start({ ...at, ...pepper('a') }, undefined, cheap)).stop();
  const other = await start({ ...at, ...pepper('b'), KAPTAIN_PRT: '8000' }, undefined, cheap);
  const lines = other.greeting.split('\n');
  await other.stop();
  expect(lines).toEqual([
    expect.stringMatching(/^WARNING: .*KAPTAIN_PRT .*KAPTAIN_PORT\.$/),
    expect.stringMatching(/^WARNING: This database was used with another KAPTAIN_PEPPER/),
    expect.stringMatching(/^Kaptain \S+ is ready on/),
  ]);
});
