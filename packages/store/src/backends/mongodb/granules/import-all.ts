import { setTimeout } from 'node:timers/promises';
import { NotFoundError, UnavailableError } from '../../../errors.ts';
import type { GranuleRows } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import type { Nouns } from '../../../store.ts';
import { inBatches } from '../../embedded/granules/bulk-upsert.ts';
import type { Database } from '../database.ts';
import type { Draft } from '../draft.ts';
import type { Turn } from '../lock.ts';
import type { Lease } from '../shapes.ts';
import { type Importing, publish, stageRows } from './import.ts';
import { Beats, sweepImport } from './leases.ts';

/** Changes of an import begin that far after the last visible one: no kapsule is saved that often meanwhile. */
const GAP = 2 ** 32;
const RENEW_MS = 2_000;
const WAIT_MS = 100;

export interface Parts {
  database: Database;
  /** A unit of its own; nobody else's write waits for its end. */
  alone: <T>(work: (draft: Draft, turn: Turn) => Promise<T>) => Promise<T>;
  /** The nouns as the unit sees them. */
  nounsOf: (draft: Draft) => Nouns;
}

/** Hides the rows batch by batch, then publishes them in one unit with the audit entry. */
export async function importAll(
  { database, alone, nounsOf }: Parts,
  kapsuleId: string,
  rows: GranuleRows,
  audit: (nouns: Nouns, stored: number) => Promise<void>,
): Promise<number> {
  const importing = await begin({ database, alone, nounsOf }, kapsuleId);
  const { k, name } = importing;
  // Rows may come slowly; until they have come, nobody else may take this import for a dead one.
  const renewal = setInterval(() => {
    database.imports.updateOne({ _id: k, name }, { $inc: { beat: 1 } }).catch(() => undefined);
  }, RENEW_MS);
  try {
    const stored = await inBatches(rows, (batch) =>
      alone(async (draft, turn) => {
        await requireLease(draft, importing);
        await stageRows(database, turn, importing, batch);
      }),
    );
    await alone(async (draft, turn) => {
      await requireLease(draft, importing);
      await publish(draft, turn, importing);
      await audit(nounsOf(draft), stored);
    });
    return stored;
  } catch (error) {
    await alone((_, turn) => sweepImport(database, turn, k, name)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** Waits while another import into the same kapsule runs, and sweeps away what a dead one has left. */
async function begin({ database, alone }: Parts, kapsuleId: string): Promise<Importing> {
  const beats = new Beats();
  for (;;) {
    const name = newId();
    const begun = await alone(async (draft, turn) => {
      const kapsule = await draft.kapsule(kapsuleId, true);
      const { k, lastChange } = kapsule.counter;
      const lease = await draft.document<Lease>('granule_imports', k);
      if (lease && !beats.isDead(lease)) return undefined;
      if (lease) await sweepImport(database, turn, k, lease.name);
      const own: Lease = { _id: k, name, beat: 0 };
      draft.put('granule_imports', own);
      return { kapsuleId, k, name, lastChange: lastChange + GAP, staged: 0 };
    });
    if (begun) return begun;
    await setTimeout(WAIT_MS);
  }
}

async function requireLease(draft: Draft, { kapsuleId, k, name }: Importing): Promise<void> {
  const lease = await draft.document<Lease>('granule_imports', k);
  if (lease?.name === name) return;
  if (!(await draft.database.counters.findOne({ k }))) throw new NotFoundError('kapsules', kapsuleId);
  throw new UnavailableError(
    'The import was given up, because its kapsule was deleted or the service stopped.',
  );
}
