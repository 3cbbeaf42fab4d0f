import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testApp } from '../../testing/test-app.ts';
import { checkDatabase } from './check-database.ts';

const postgres = {
  KAPTAIN_DB: 'postgres',
  KAPTAIN_DB_HOST: '127.0.0.1',
  KAPTAIN_DB_PORT: '1',
  KAPTAIN_DB_USER: 'kaptain',
  KAPTAIN_DB_NAME: 'kaptain',
};

it('names a damaged document, which fails the calls that read it and no others', async () => {
  await using app = await testApp();
  const [admin, vera, bob] = [await app.asAdmin(), await app.asUser('Vera'), await app.asUser('Bob')];
  const [{ id } = { id: '' }] = await app.store.users.findBy('nameKey', 'vera');
  const sentence = `The document ${id} of users is damaged: role has no valid value`;
  await expect(app.store.users.patch(id, { role: 'KING' as 'USER' })).rejects.toThrow(sentence);
  for (const answer of [await admin.get('/api/user/list'), await vera.get('/api/kapsule')]) {
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL']);
    expect(answer.text).not.toMatch(/KING|role|damaged/);
  }
  expect((await bob.get('/api/kapsule')).status).toBe(200);
  expect(app.logLines.join('\n')).toContain(sentence);
  expect(await checkDatabase({ KAPTAIN_DATA_DIR: app.folder })).toEqual({
    isDone: false,
    message: expect.stringContaining(sentence),
  });
});

it('prints one sentence on whether the configured database can be used', async () => {
  using folder = temporaryFolder();
  const check = (env: NodeJS.ProcessEnv) => checkDatabase({ KAPTAIN_DATA_DIR: folder.path, ...env });
  expect(await check({})).toMatchObject({
    isDone: true,
    message: expect.stringMatching(/^There is no database in .* yet;/),
  });
  await (await openEmbeddedStore({ file: join(folder.path, 'kaptain.db') })).close();
  expect(await check({})).toMatchObject({
    isDone: true,
    message: expect.stringMatching(/^The embedded database .*kaptain\.db can be used\.$/),
  });
  expect(await check(postgres)).toEqual({
    isDone: false,
    message:
      'No server answers at the PostgreSQL server 127.0.0.1:1; start it, or correct its host and port.',
  });
  const refused: [NodeJS.ProcessEnv, string][] = [
    [
      { KAPTAIN_DB: 'mysql' },
      'KAPTAIN_DB must be one of postgres, mongodb, not "mysql"; without it the service uses its settings.',
    ],
    [{ ...postgres, KAPTAIN_DB_HOST: '' }, 'KAPTAIN_DB_HOST is missing: KAPTAIN_DB=postgres needs it.'],
    [{ ...postgres, KAPTAIN_DB_USER: ' ' }, 'KAPTAIN_DB_USER is missing: KAPTAIN_DB=postgres needs it.'],
    [
      { ...postgres, KAPTAIN_DB_PORT: 'x' },
      'KAPTAIN_DB_PORT must be a port number between 1 and 65535, not "x".',
    ],
    // A misspelt "yes" must not mean a connection without TLS.
    [{ ...postgres, KAPTAIN_DB_USESSL: 'enabled' }, 'KAPTAIN_DB_USESSL must be true or false.'],
  ];
  for (const [env, message] of refused) expect(await check(env)).toEqual({ isDone: false, message });
});
