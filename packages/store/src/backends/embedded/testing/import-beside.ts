import type { GranuleRows } from '../../../granules.ts';
import type { Store } from '../../../store.ts';

/** Imports the rows into the kapsule 'k'; `meanwhile` begins when they are published, before the first step that replaces granules. */
export async function importBeside(
  store: Store,
  rows: GranuleRows,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const gate = Promise.withResolvers<void>();
  // Asked for while the unit is open, so that it runs next; not inside of it.
  const beside = gate.promise.then(meanwhile);
  await store.granules.importAll('k', rows, async () => gate.resolve());
  await beside;
}
