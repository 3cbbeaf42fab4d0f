import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { type PostgresPair, startPostgresPair } from '../../../../../tools/test-servers/postgres-pair.ts';
import { freePort } from '../../../../../tools/test-servers/server-process.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { UnavailableError } from '../../errors.ts';
import { aUser } from '../../testing/samples.ts';
import { openPostgresStore } from './lazy.ts';
import { query } from './testing/query.ts';

describe.runIf(isFullTest && hasPostgres())('a primary and its standby', () => {
  let pair: PostgresPair;
  beforeAll(async () => {
    pair = await startPostgresPair();
  });
  afterAll(() => pair?.stop());

  it('are named in one list: the store finds the one that accepts writes, also when another is down', async () => {
    const down = await freePort();
    const host = `127.0.0.1:${down},${pair.config.host}`;
    const store = await openPostgresStore({ ...pair.config, host });
    const { id } = await store.users.insert(aUser('ann'));
    await pair.failOver('SIGKILL');
    await expect.poll(() => store.users.get(id).catch(() => undefined)).toMatchObject({ username: 'ann' });
    await store.users.patch(id, { loginAttempts: 1 });
    await store.close();
    await pair.replaceStandby();
    const none = openPostgresStore({ ...pair.config, host: `127.0.0.1:${down}, 127.0.0.1:${down}` });
    await expect(none).rejects.toThrow(
      /^None of the PostgreSQL servers .* accepts writes now\. No server answers/,
    );
    await expect(openPostgresStore({ ...pair.config, host: 'db;x:y' })).rejects.toThrow('is not a host');
  });

  it('do not lose a change that was acknowledged: one whose wait for the standby was cancelled fails', async () => {
    const store = await openPostgresStore(pair.config);
    onTestFinished(() => store.close());
    const { id } = await store.users.insert(aUser('bob'));
    await pair.endStandby();
    const patched = store.users.patch(id, { loginAttempts: 1 }).catch((error: unknown) => error);
    const cancel = "SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    const cancelled = () => query(pair.primary, cancel);
    await expect.poll(cancelled).not.toEqual([]);
    const error = await patched;
    expect(error).toBeInstanceOf(UnavailableError);
    expect((error as Error).message).toContain('did not confirm the change in time');
  });
});
