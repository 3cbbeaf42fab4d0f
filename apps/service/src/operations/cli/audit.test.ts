import { join } from 'node:path';
import { type AuditRecord, type NewDocument, openEmbeddedStore, sealPending } from '@kaptain/store';
import { expect, it } from 'vitest';
import { trailSecret } from '../../base/database/open-store.ts';
import { startService } from '../../testing/run-command.ts';
import { testApp } from '../../testing/test-app.ts';
import { checkTwice } from './audit.ts';
import { run } from './run.ts';

const unsealed: NewDocument<AuditRecord> = {
  at: new Date().toISOString(),
  actorId: null,
  actor: 'nobody',
  ip: '',
  action: 'user.delete',
  target: null,
  targetName: null,
  result: 'ok',
  requestId: '',
  before: null,
  after: null,
};

async function verify(folder: string, env = {}): Promise<[code: number, text: string]> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const code = await run(['audit', 'verify'], {
    env: { KAPTAIN_DATA_DIR: folder, ...env },
    input: process.stdin,
    say,
    complain: say,
    startService,
  });
  return [code, lines.join('\n')];
}

it('says that the trail is complete, or, while the service runs, which entry was changed or removed', async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  await admin.post('/api/group/create', { groupname: 'Sales', kapsules: [], users: [], authority: ['READ'] });
  await app.asUser('vera');
  await app.asNobody.post('/auth/login', { username: 'vera', password: 'a wrong one' });
  const secret = trailSecret({ dataDir: app.folder, pepper: undefined });
  const whole = 'The audit trail is whole: its 5 entries are as they were written.';
  expect((await verify(app.folder))[1]).toMatch(whole);
  await sealPending(app.store, secret);
  expect(await verify(app.folder)).toEqual([0, whole]);
  expect(await verify(app.folder, { KAPTAIN_PEPPER: 'another secret of the installation' })).toEqual([
    1,
    expect.stringContaining('sealed with another secret'),
  ]);

  // Directly in the database, past the service.
  const database = await openEmbeddedStore({ file: join(app.folder, 'kaptain.db') });
  const entries = await database.audit.all();
  const [, , created, , refused] = entries;
  await database.audit.patch(created?.id ?? '', { actor: 'somebody else' });
  expect(await verify(app.folder)).toEqual([
    1,
    `The audit trail is not whole: entry 3 (${created?.id}: group.create by somebody else, ${created?.at}) was changed.`,
  ]);
  await database.audit.remove(refused?.id ?? '');
  expect((await verify(app.folder))[1]).toMatch(/was changed, and 1 more are not right\.$/);
  await database.audit.remove(created?.id ?? '');
  expect((await verify(app.folder))[1]).toMatch(/: entry 3 is missing, and 1 more are not right\.$/);
  await database.audit.insert(unsealed);
  expect((await verify(app.folder))[1]).toMatch(
    /more are not right; 1 entries are not sealed, so nothing can be said of them\.$/,
  );
  await database.close();
});

it('tells of an entry that is not sealed yet whether it was changed or taken away', async () => {
  await using app = await testApp();
  const database = await openEmbeddedStore({ file: join(app.folder, 'kaptain.db') });
  // Under a secret that the service does not have, so that it does not seal them.
  const foreign = { mac: 'forged', key: 'another' };
  const { id } = await database.audit.insert(unsealed);
  await database.toSeal.insert({ id, ...foreign });
  expect((await verify(app.folder))[1]).toContain(
    `entry that is not sealed yet (${id}: user.delete by nobody, ${unsealed.at}) was changed`,
  );
  await database.audit.remove(id);
  expect((await verify(app.folder))[1]).toContain(`entry ${id} that is not sealed yet is missing`);
  await database.close();
});

it('reports entries without a seal', async () => {
  await using app = await testApp();
  const database = await openEmbeddedStore({ file: join(app.folder, 'kaptain.db') });
  for (let n = 0; n < 2; n += 1) await database.audit.insert(unsealed);
  expect(await verify(app.folder)).toEqual([
    1,
    'The audit trail is not whole: 2 entries are not sealed, so nothing can be said of them.',
  ]);
  await database.close();
});

it('reports only faults that a second check confirms, because the end record may be visible before its entry', async () => {
  await using app = await testApp();
  await app.asAdmin();
  const { store, folder } = app;
  const secret = trailSecret({ dataDir: folder, pepper: undefined });
  const database = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  await sealPending(store, secret);
  const newest = (await store.audit.all()).at(-1);
  if (!newest) throw new Error('There is no entry.');
  await database.audit.remove(newest.id);
  const nothing = async () => undefined;
  expect((await checkTwice(store, secret, nothing)).faults).toMatchObject([{ kind: 'missing' }]);
  const arrives = () => database.audit.insert(newest);
  expect((await checkTwice(store, secret, arrives)).faults).toEqual([]);
  await database.close();
});
