import type { Lock } from '@kaptain/contract/locks';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { asExtension, asProven, PAGE } from '../../testing/extension.ts';
import { grant } from '../../testing/kapsules.ts';
import { closed, closedIn, lock, lockedPlace, rows } from './testing/locked-place.ts';

const shared = appOfFile({ settings: { corsAllowOrigins: [PAGE] } });

it('a lock with exceptions for chosen accounts and groups holds for a person on a sheet who has no account', async () => {
  const { app, admin, kapsule, id, path, put } = await lockedPlace(shared);
  const vera = await app.asUser('vera');
  const group = await grant(app.store, 'vera', ['WRITE'], [kapsule]);
  await admin.call('PUT', `${path}/writers`, { body: { writers: 'EVERYONE' } });
  const withAccount = await asExtension(app, vera, [id]);
  const without = await asProven(app, { directory: 'CORP', userId: 'vera' }, [id]);
  const from = { origin: PAGE };
  let amount = 1;
  const save = (caller: Caller) => {
    amount += 1;
    const granules = [{ key: 'open', data: { ...rows.open, Amount: amount } }];
    return caller.call('PUT', `${path}/granules`, { body: { granules }, headers: from });
  };
  const seenBy = async (caller: Caller) => (await caller.get(`${path}/fields`, from)).body['locks'];
  const expectOpenTo = async (conditions: Lock['conditions']) => {
    expect((await put(admin, [lock({ closes: 'unless', conditions })])).status).toBe(200);
    expect([await seenBy(withAccount), (await save(withAccount)).status]).toEqual([[], 200]);
    expect(await seenBy(without)).toEqual([{ name: 'October', closes: 'when', conditions: [] }]);
    expect(closedIn(await save(without))).toEqual(closed(['open', 'Amount']));
  };
  await expectOpenTo([{ on: 'person', usernames: ['vera'] }]);
  await expectOpenTo([{ on: 'group', groupIds: [group] }]);
});
