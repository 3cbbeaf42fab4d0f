import { expect, it } from 'vitest';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import { grant } from '../../testing/kapsules.ts';
import { closeDuringSaves } from './testing/close-during-saves.ts';
import { closed, closedIn, lock, lockedPlace, rows } from './testing/locked-place.ts';

const shared = appOfFile();
const writers = isFullTest ? 100 : 20;

it('after the answer that closes a kapsule no save and no deletion lands', async () => {
  const { admin, path } = await lockedPlace(shared);
  const { atClosing, atEnd, stored, refusals } = await closeDuringSaves(admin, path, { writers });
  expect(stored).toBeGreaterThanOrEqual(writers);
  expect([...refusals]).toEqual(['closed']);
  expect(atEnd).toEqual(atClosing);
});

it('the same holds for a lock that closes rows to a group', async () => {
  const { app, kapsule, path } = await lockedPlace(shared, { owner: 'olga' });
  const olga = await app.asUser('olga');
  const group = await grant(app.store, 'olga', ['DELETE'], [kapsule]);
  const locks = [lock({ conditions: [{ on: 'group', groupIds: [group] }] })];
  const { atClosing, atEnd, refusals } = await closeDuringSaves(olga, path, { writers, locks });
  expect([...refusals]).toEqual(['closed']);
  expect(atEnd).toEqual(atClosing);
});

it('rows that close themselves are closed to the saves beside the one that does it', async () => {
  const { admin, put, save, stored } = await lockedPlace(shared);
  const once = lock({
    mayEnter: true,
    conditions: [{ on: 'field', field: 'Period', is: 'equals', value: 'done' }],
  });
  await put(admin, [once]);
  const answers = await Promise.all(
    Array.from({ length: writers }, (_, n) =>
      save(admin, { key: 'open', data: { Period: 'done', Amount: n } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(closedIn(answer)).toEqual(closed(['open', 'Amount']));
  expect((await stored('open'))?.version).toBe(2);
});

it('a person who comes into a group meets its locks with the next save', async () => {
  const { app, kapsule, admin, put, save } = await lockedPlace(shared);
  const vera = await app.asUser('vera');
  await grant(app.store, 'vera', ['WRITE'], [kapsule]);
  const group = await grant(app.store, 'somebody else', ['WRITE'], [kapsule]);
  await put(admin, [lock({ conditions: [{ on: 'group', groupIds: [group] }] })]);
  const change = (Amount: number) => save(vera, { key: 'open', data: { ...rows.open, Amount } });
  expect((await change(2)).status).toBe(200);
  const [user] = await app.store.users.findBy('nameKey', 'vera');
  await app.store.groups.patch(group, { userIds: [user?.id ?? ''] });
  expect(closedIn(await change(3))).toEqual(closed(['open', 'Amount']));
});
