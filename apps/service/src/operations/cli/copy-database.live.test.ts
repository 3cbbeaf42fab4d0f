import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openEmbeddedStore, openPostgresStore } from '@kaptain/store';
import { expect, it, onTestFinished } from 'vitest';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { startService } from '../../testing/run-command.ts';
import { testApp } from '../../testing/test-app.ts';
import { run } from './run.ts';

async function kaptain(
  env: NodeJS.ProcessEnv,
  args: string[],
  typed = '',
): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  try {
    const code = await run(args, {
      env,
      input: Readable.from([Buffer.from(typed)]),
      say,
      complain: say,
      startService,
    });
    return { code, text: lines.join('\n') };
  } catch (error) {
    return { code: 1, text: (error as Error).message };
  }
}

it.runIf(hasPostgres())('turns an embedded trial into a production system, and back', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { host, port, user, password, database } = server.config;
  await using app = await testApp();
  await app.asUser('Vera');
  await app.store.instance.insert({ singleton: 'instance', initializedAt: new Date().toISOString() });
  const env = { KAPTAIN_DATA_DIR: app.folder };
  const to = `postgres://${user}@${host}:${port}/${database}`;
  const running = await kaptain(env, ['db', 'copy', '--to', to], password);
  expect(running).toEqual({ code: 1, text: 'The service is running; stop it first. Nothing was copied.' });
  const users = await app.store.users.all();
  await app.store.close();

  expect((await kaptain(env, ['db', 'copy', '--to', to], 'wrong')).code).toBe(1);
  for (const bad of ['mysql://x@y/z', 'postgres://u:secret@host/db', 'nonsense']) {
    const { code, text } = await kaptain(env, ['db', 'copy', `--to=${bad}`]);
    expect([code, text]).toEqual([1, expect.not.stringContaining('secret')]);
  }
  const servers = `127.0.0.1:1,${host}:${port}`;
  const list = `postgres://${user}@${servers}/${database}`;
  const copied = await kaptain(env, ['db', 'copy', '--to', list], `${password}\n`);
  expect(copied).toMatchObject({
    code: 0,
    text: expect.stringContaining(
      `are in postgres://${servers}/${database}, compared by counts and checksums`,
    ),
  });
  const store = await openPostgresStore(server.config);
  expect(await store.users.all()).toEqual(users);
  await store.close();

  const folder = mkdtempSync(join(tmpdir(), 'kaptain-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const onServer = {
    KAPTAIN_DATA_DIR: folder,
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: host,
    KAPTAIN_DB_PORT: String(port),
    KAPTAIN_DB_USER: user,
    KAPTAIN_DB_PASS: password,
    KAPTAIN_DB_NAME: database,
  };
  const withKeys = { ...onServer, KAPTAIN_DATA_DIR: app.folder };
  expect(await kaptain(withKeys, ['audit', 'verify'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('is whole'),
  });
  expect((await kaptain(onServer, ['backup', join(folder, 'x')])).text).toContain('use pg_dump');
  expect((await kaptain(onServer, ['db', 'copy', '--to=embedded'])).code).toBe(0);
  const back = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  expect(await back.users.all()).toEqual(users);
  await back.close();
});
