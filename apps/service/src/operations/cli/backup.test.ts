import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { kaptain } from '../../testing/run-command.ts';
import { testApp } from '../../testing/test-app.ts';

it('backs up a running service to one file, and restores all of it into a stopped one', async () => {
  const app = await testApp();
  const { folder } = app;
  await app.asUser('Vera');
  for (const [path, text] of [
    ['certificates/1.pem', 'one'],
    ['keys/other.key', 'secret'],
    ['kaptain.json', '{}'],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const file = join(folder, 'nightly.backup');
  const made = await kaptain(folder, 'backup', file);
  expect([made.code, made.text]).toEqual([0, expect.stringContaining(`${file} holds the database`)]);
  const isForOthers = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  expect(isForOthers).toBe(false);
  const [entry] = await app.store.audit.recent({ where: { action: 'backup.create' }, limit: 1 });
  expect(entry).toMatchObject({
    actor: 'host',
    after: { file: 'nightly.backup', bytes: statSync(file).size },
  });

  expect(await kaptain(folder, 'backup', file)).toMatchObject({
    code: 1,
    text: expect.stringContaining('exists already'),
  });
  const running = await kaptain(folder, 'restore', file);
  expect(running).toEqual({ code: 1, text: 'The service is running; stop it first. Nothing was changed.' });

  await app.asUser('Later');
  writeFileSync(join(folder, 'certificates/1.pem'), 'changed');
  writeFileSync(join(folder, 'certificates/2.pem'), 'two');
  await app.store.close();
  const restored = await kaptain(folder, 'restore', file);
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('What was there before is in') });
  expect(readFileSync(join(folder, 'certificates/1.pem'), 'utf8')).toBe('one');
  expect(readFileSync(join(folder, 'keys/other.key'), 'utf8')).toBe('secret');
  expect(existsSync(join(folder, 'certificates/2.pem'))).toBe(false);
  expect(await kaptain(folder, 'audit', 'verify')).toMatchObject({
    code: 0,
    text: expect.stringContaining('is whole'),
  });
  const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  const names = (await store.users.all()).map(({ username }) => username);
  expect([names.includes('Vera'), names.includes('Later')]).toEqual([true, false]);
  expect(await store.sessions.all()).toEqual([]);
  expect(await store.audit.findBy('action', 'backup.restore')).toHaveLength(1);
  await store.close();

  const [aside = ''] = globSync(join(folder, 'replaced-*'));
  expect(readFileSync(join(aside, 'certificates/2.pem'), 'utf8')).toBe('two');
  const replaced = await openEmbeddedStore({ file: join(aside, 'kaptain.db') });
  expect(await replaced.users.findBy('nameKey', 'later')).toHaveLength(1);
  await replaced.close();
  rmSync(aside, { recursive: true });
  await app[Symbol.asyncDispose]();
});

it('restores a backup over a damaged database, and refuses a file that is no backup', async () => {
  await using app = await testApp();
  await app.asUser('Vera');
  const file = join(app.folder, 'nightly.backup');
  await kaptain(app.folder, 'backup', file);
  const other = join(app.folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'kaptain.db'), `SQLite format 3\0${'damaged'.repeat(2_000)}`);
  expect(await kaptain(other, 'restore', join(app.folder, 'kaptain.db'))).toMatchObject({
    code: 1,
    text: expect.stringContaining('is no backup'),
  });
  // The sentence is about the backup, not about the database of the service.
  const cut = join(app.folder, 'cut.backup');
  writeFileSync(cut, readFileSync(file).subarray(0, 9_000));
  const text = join(app.folder, 'passwd');
  writeFileSync(text, 'root:x:0:0:root:/root:/bin/bash\n'.repeat(300));
  for (const [wrong, sentence] of [
    [
      cut,
      `${cut} is damaged: it is not what was written when the backup was made. Nothing was changed; use another backup.`,
    ],
    [text, `The file ${text} is no backup of the service. Nothing was changed; choose the file of a backup.`],
  ] as const)
    expect(await kaptain(other, 'restore', wrong)).toEqual({ code: 1, text: sentence });
  expect((await kaptain(other, 'restore', join(app.folder, 'nothing'))).code).toBe(1);
  // Settings that can't be read do not stop the restore that would repair them.
  mkdirSync(join(other, 'settings'));
  writeFileSync(join(other, 'settings', '000001.json'), 'damaged');
  expect((await kaptain(other, 'db', 'check')).text).toContain("can't be read");
  expect((await kaptain(other, 'restore', file)).code).toBe(0);
  const store = await openEmbeddedStore({ file: join(other, 'kaptain.db') });
  expect(await store.users.findBy('nameKey', 'vera')).toHaveLength(1);
  await store.close();
});
