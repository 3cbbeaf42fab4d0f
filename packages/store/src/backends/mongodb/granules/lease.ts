import type { Database } from '../database.ts';
import type { Turn } from '../lease.ts';
import type { Lease } from '../shapes.ts';

/** An import whose beat stood still for so long is dead. */
const DEAD_MS = 15_000;

/** Watches the beats of imports on this process's own clock. */
export class Beats {
  readonly #seen = new Map<string, { beat: number; at: number }>();

  isDead({ name, beat }: Lease): boolean {
    const now = performance.now();
    const seen = this.#seen.get(name);
    if (seen?.beat === beat) return now - seen.at > DEAD_MS;
    this.#seen.set(name, { beat, at: now });
    return false;
  }
}

/** Removes all that an import has hidden and staged, then its lease. */
export async function sweepImport(database: Database, turn: Turn, k: string, name: string): Promise<void> {
  if (!(await database.imports.findOne({ _id: k, name }))) return;
  const visible = (await database.counters.findOne({ k }))?.lastChange ?? 0;
  turn.requireHeld();
  await database.states.deleteMany({ k, import: name, from: { $gt: visible } });
  await database.staged.deleteMany({ k });
  turn.requireHeld();
  await database.imports.deleteOne({ _id: k, name });
}
