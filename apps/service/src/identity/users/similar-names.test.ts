import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { accountLike } from './similar-names.ts';

const shared = appOfFile();

it('a name is compared with those of very many accounts with turns for others', async () => {
  const { users } = shared.app.store;
  await shared.app.asUser('ann');
  const [ann] = await users.findBy('nameKey', 'ann');
  if (!ann) throw new Error('There is no account.');
  const many = Array.from({ length: 30_000 }, (_, n) => ({
    ...ann,
    id: `user ${n}`,
    username: `user ${n}`,
    qlikId: `CORP\\user ${n}`,
  }));
  // Read before, so that only the comparison is measured.
  const read: typeof users = Object.assign(Object.create(users), { all: async () => many });
  let turns = 0;
  const compared = accountLike({ users: read }, ['corp\\USER 29999']);
  const done = compared.then(() => true);
  while (!(await Promise.race([done, setImmediate(false)]))) turns += 1;
  expect((await compared)?.id).toBe('user 29999');
  expect(turns).toBeGreaterThan(3);
});
