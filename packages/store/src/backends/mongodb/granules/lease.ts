import type { Database } from '../database.ts';
import type { Lease } from '../lease.ts';
import type { ImportLease } from '../shapes.ts';
import { IMPORT_EXPIRES_MS } from '../tuning.ts';

/** Watches the renewals of imports on this process's own clock, because clocks of two hosts differ. */
export class ImportLeases {
  readonly #seen = new Map<string, { beat: number; at: number }>();

  isExpired({ name, beat }: ImportLease): boolean {
    const now = performance.now();
    const seen = this.#seen.get(name);
    if (seen?.beat === beat) return now - seen.at > IMPORT_EXPIRES_MS;
    this.#seen.set(name, { beat, at: now });
    return false;
  }
}

/** Removes all that an import has hidden and staged, then its lease. */
export async function sweepImport(database: Database, lease: Lease, k: string, name: string): Promise<void> {
  if (!(await database.imports.findOne({ _id: k, name }))) return;
  const visible = (await database.counters.findOne({ k }))?.lastChange ?? 0;
  lease.requireHeld();
  await database.states.deleteMany({ k, import: name, from: { $gt: visible } });
  lease.requireHeld();
  await database.staged.deleteMany({ k });
  lease.requireHeld();
  await database.imports.deleteOne({ _id: k, name });
}
