import { setTimeout } from 'node:timers/promises';
import { NotFoundError, UnavailableError } from '../../../errors.ts';
import type { GranuleRows } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import type { Nouns } from '../../../store.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import type { Database } from '../database.ts';
import type { Lease } from '../lease.ts';
import type { PendingWrites } from '../pending-writes.ts';
import type { ImportLease } from '../shapes.ts';
import { IMPORT_RENEWAL_MS, IMPORT_WAIT_MS } from '../tuning.ts';
import { GAP, type Importing, publish, stageRows } from './import.ts';
import { ImportLeases, sweepImport } from './lease.ts';

interface Deps {
  database: Database;
  /** A unit that shares its commit with no other write. */
  alone: <T>(work: (pending: PendingWrites, lease: Lease) => Promise<T>) => Promise<T>;
  /** The nouns as the unit sees them. */
  nounsOf: (pending: PendingWrites) => Nouns;
}

/** Hides the rows batch by batch, then publishes them in one unit with the audit entry. */
export async function importAll(
  { database, alone, nounsOf }: Deps,
  kapsuleId: string,
  rows: GranuleRows,
  audit: (nouns: Nouns, stored: number) => Promise<void>,
): Promise<number> {
  const importing = await begin({ database, alone, nounsOf }, kapsuleId);
  const { k, name } = importing;
  // The renewal has a timer of its own, because the rows may arrive slowly.
  const renewal = setInterval(() => {
    database.imports.updateOne({ _id: k, name }, { $inc: { beat: 1 } }).catch(() => undefined);
  }, IMPORT_RENEWAL_MS);
  try {
    const stored = await inBatches(rows, (batch) =>
      alone(async (pending, lease) => {
        await requireLease(pending, importing);
        await stageRows(database, lease, importing, batch);
      }),
    );
    await alone(async (pending, lease) => {
      await requireLease(pending, importing);
      await publish(pending, lease, importing);
      await audit(nounsOf(pending), stored);
    });
    return stored;
  } catch (error) {
    await alone((_, lease) => sweepImport(database, lease, k, name)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Waits while another import into the same kapsule runs; removes the rows of one whose lease has expired. */
async function begin({ database, alone }: Deps, kapsuleId: string): Promise<Importing> {
  const leases = new ImportLeases();
  for (;;) {
    const name = newId();
    const begun = await alone(async (pending, lease) => {
      const kapsule = await pending.kapsule(kapsuleId, true);
      const { k, lastChange } = kapsule.counter;
      const other = await pending.document<ImportLease>('granule_imports', k);
      if (other && !leases.isExpired(other)) return undefined;
      if (other) await sweepImport(database, lease, k, other.name);
      const own: ImportLease = { _id: k, name, beat: 0 };
      pending.put('granule_imports', own);
      const base = lastChange + GAP;
      return { kapsuleId, k, name, base, lastChange: base, staged: 0 };
    });
    if (begun) return begun;
    await setTimeout(IMPORT_WAIT_MS);
  }
}

async function requireLease(pending: PendingWrites, { kapsuleId, k, name }: Importing): Promise<void> {
  const lease = await pending.document<ImportLease>('granule_imports', k);
  if (lease?.name === name) return;
  if (!(await pending.database.counters.findOne({ k }))) throw new NotFoundError('kapsules', kapsuleId);
  throw new UnavailableError(
    'The import was given up, because its kapsule was deleted or the service stopped.',
  );
}
