import { expect, it, vi } from 'vitest';
import {
  type Backend,
  releasedData,
  releasedVersions,
  trailSecret,
} from '../../../../tools/released-data/released.ts';
import type { Store } from '../store.ts';
import { checkTrail } from '../trail/check-trail.ts';
import { type Content, contentOf, documentsOf } from './content.ts';
import { linesOf } from './lines.ts';
import { aUser } from './samples.ts';

/** Readers that follow the changes learn of the deletions of a release, once these are numbered. */
async function expectDeletionsTold(store: Store, { kapsules }: Content): Promise<void> {
  const told: string[] = [];
  const deleted: string[] = [];
  for (const [id, content] of Object.entries(kapsules)) {
    deleted.push(...(content.deleted as { id: string; key: string }[]).map((row) => `${row.id} ${row.key}`));
    const lines = await linesOf(store.granules.stream(id, { since: 0, deletions: true }));
    const rows = lines.map((line) => JSON.parse(line) as { _id: string; key: string; deleted?: true });
    told.push(...rows.filter((row) => row.deleted).map((row) => `${row._id} ${row.key}`));
  }
  expect(deleted.length).toBeGreaterThan(0);
  expect(told.toSorted()).toEqual(deleted.toSorted());
}

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
      expect(store.pendingChanges()).toEqual([]);
      const now = await contentOf(store);
      expect(documentsOf(now)).toMatchObject(documentsOf(content));
      expect(now.kapsules).toMatchObject(content.kapsules);
      await vi.waitFor(() => expectDeletionsTold(store, content), { timeout: 10_000 });
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
