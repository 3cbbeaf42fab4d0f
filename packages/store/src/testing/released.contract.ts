import { expect, it } from 'vitest';
import {
  type Backend,
  releasedData,
  releasedVersions,
  trailSecret,
} from '../../../../tools/released-data/released.ts';
import type { Store } from '../store.ts';
import { checkTrail } from '../trail/check-trail.ts';
import { contentOf, documentsOf } from './content.ts';
import { aUser } from './samples.ts';

/** Opens the data of every released version; `restore` brings a dump back into a database of its own. */
export function releasedContract(
  backend: Backend,
  restore: (dump: Buffer) => Promise<() => Promise<Store>>,
): void {
  it.each(releasedVersions)(
    `opens the data of version %s on ${backend} with all that is in it`,
    async (version) => {
      const { dump, content } = releasedData(version, backend);
      const open = await restore(dump);
      const store = await open();
      expect(store.heldBack()).toEqual([]);
      const now = await contentOf(store);
      expect(documentsOf(now)).toMatchObject(documentsOf(content));
      expect(now.kapsules).toMatchObject(content.kapsules);
      const [first] = documentsOf(content)['users'] as { nameKey: string; role: 'ADMIN'; id: string }[];
      expect(await store.users.findBy('nameKey', first?.nameKey ?? '')).toMatchObject([{ id: first?.id }]);
      expect(await checkTrail(store, trailSecret)).toMatchObject({ faults: [], unsealed: 0 });
      // It is written on too.
      const bob = await store.users.insert(aUser('bob', { role: 'ADMIN' }));
      expect((await store.users.findBy('role', 'ADMIN')).map(({ id }) => id)).toContain(bob.id);
      const [kapsuleId = ''] = Object.keys(content.kapsules);
      await store.granules.upsert(kapsuleId, [{ key: 'key-5', user: 'u', data: { later: true } }]);
      expect(
        (
          await store.granules.page(kapsuleId, {
            sort: 'key',
            descending: false,
            offset: 0,
            limit: 1,
            q: 'key-5',
          })
        ).rows,
      ).toHaveLength(1);
      await store.close();
    },
  );
}
