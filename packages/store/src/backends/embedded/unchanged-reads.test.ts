import { expect, it } from 'vitest';
import { StaleVersionError } from '../../errors.ts';
import { anAuditEntry, aSession, aUser } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

it('what was read is read again after a change by this process or another one', async () => {
  const file = temporaryFile();
  const [store, other] = [await openEmbeddedStore({ file }), await openEmbeddedStore({ file })];
  const user = await store.users.insert(aUser('vera'));
  await store.sessions.insert(aSession('hash', user.id));
  const look = async () => [
    (await store.sessionWithUser('hash'))?.user.qlikId,
    (await store.users.get(user.id))?.qlikId,
  ];
  const save = (version: number) =>
    store.save({
      kapsuleId: 'k',
      rows: [{ key: 'a', user: 'vera', data: { version } }],
      dependsOn: [{ noun: 'users', id: user.id, version }],
      entry: anAuditEntry('granule.upsert'),
    });
  let version = user.version;
  for (const [by, qlikId] of [
    [store, 'one'],
    [other, 'two'],
    [store, 'three'],
  ] as const) {
    await look();
    await save(version);
    await by.users.patch(user.id, { qlikId });
    expect(await look()).toEqual([qlikId, qlikId]);
    await expect(save(version)).rejects.toBeInstanceOf(StaleVersionError);
    version += 1;
    await save(version);
  }
  await other.users.remove(user.id);
  expect(await look()).toEqual([undefined, undefined]);
  await expect(save(version)).rejects.toBeInstanceOf(StaleVersionError);
  await Promise.all([store.close(), other.close()]);
});
