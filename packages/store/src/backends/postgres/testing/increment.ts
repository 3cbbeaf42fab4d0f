import type { Store } from '../../../store.ts';
import { anAuditEntry } from '../../../testing/samples.ts';

/** Counts in the user `counter`, with an audit entry each time, and in a granule. */
export async function increment(store: Store, count: number): Promise<void> {
  const [counter] = await store.users.findBy('nameKey', 'counter');
  for (let n = 0; n < count; n += 1) {
    await store.transaction(async (nouns) => {
      const user = await nouns.users.get(counter?.id ?? '');
      await nouns.users.patch(user?.id ?? '', { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
      await nouns.audit.insert(anAuditEntry('increment'));
    });
    await store.granules.upsert('kapsule', [{ key: 'shared', user: 'u', data: { pid: process.pid, n } }]);
  }
}
