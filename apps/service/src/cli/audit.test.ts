import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { run } from './run.ts';

async function verify(folder: string, env = {}): Promise<[code: number, text: string]> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const code = await run(['audit', 'verify'], {
    env: { KAPTAIN_DATA_DIR: folder, ...env },
    input: process.stdin,
    say,
    complain: say,
  });
  return [code, lines.join('\n')];
}

it('says that the trail is whole, and beside the running service which entry somebody changed or took away', async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  await admin.post('/api/group/create', { groupname: 'Sales', kapsules: [], users: [], authority: ['READ'] });
  await app.asUser('vera');
  await app.asNobody.post('/auth/login', { username: 'vera', password: 'a wrong one' });
  const whole = 'The audit trail is whole: its 5 entries are as they were written.';
  expect(await verify(app.folder)).toEqual([0, whole]);
  expect(await verify(app.folder, { KAPTAIN_PEPPER: 'another secret of the installation' })).toEqual([
    1,
    expect.stringContaining('sealed with another secret'),
  ]);

  // Straight in the database, past the service.
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
  await database.close();
});
