import type { Database } from '../database.ts';
import type { Lease } from '../lease.ts';
import type { PendingWrites } from '../pending-writes.ts';
import { FOR_EVER } from '../shapes.ts';
import { PREWRITE_BATCH_ROWS } from '../tuning.ts';
import { currentOf, type PendingKapsule } from './pending-kapsule.ts';

/**
 * Writes the granules of a unit ahead of its commit: new states begin, and old ones end, with changes that no reader
 * looks at before the counters of their kapsule say so. The head notes first which kapsules have such states.
 */
export async function prewrite(pending: PendingWrites, lease: Lease): Promise<void> {
  const changed = pending.kapsules.filter(({ fresh, ended }) => fresh.size > 0 || ended.size > 0);
  if (changed.length === 0) return;
  const names = new Set([...lease.head.touching, ...changed.map(({ counter }) => counter.k)]);
  if (names.size > lease.head.touching.length) await lease.update({ touching: [...names] });
  const writing = changed.map((kapsule) => prewriteKapsule(pending.database, lease, kapsule));
  // All of them end before a failure is reported: what was written is taken back then.
  const failed = (await Promise.allSettled(writing)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

async function prewriteKapsule(database: Database, lease: Lease, kapsule: PendingKapsule): Promise<void> {
  await handBack(database, lease, kapsule);
  await end(database, lease, kapsule);
  for (const states of chunksOf([...kapsule.fresh])) {
    lease.requireHeld();
    await database.states.insertMany(states, { ordered: true });
  }
  kapsule.forgetWritten();
}

/** Undoes writes that no reader has seen: removes new states, reopens ended ones. */
export async function rollBack(database: Database, lease: Lease, k: string): Promise<void> {
  const counter = await database.counters.findOne({ k });
  const visible = counter?.lastChange ?? 0;
  lease.requireHeld();
  await database.states.deleteMany({ k, from: { $gt: visible }, import: { $exists: false } });
  const ended = database.states.find({ k, to: { $gt: visible, $lt: FOR_EVER } }, { projection: { key: 1 } });
  for (const states of chunksOf(await ended.toArray())) {
    lease.requireHeld();
    await database.states.bulkWrite(
      states.map(({ _id, key }) => ({
        updateOne: { filter: { _id }, update: { $set: { to: FOR_EVER, current: currentOf(k, key) } } },
      })),
    );
  }
}

/** An import's hidden row makes room; the import will replace what is written here when it is published. */
async function handBack(
  database: Database,
  lease: Lease,
  { displaced, counter }: PendingKapsule,
): Promise<void> {
  const rows = [...displaced];
  if (rows.length === 0) return;
  lease.requireHeld();
  await database.staged.bulkWrite(
    rows.map(({ key, user, data, createdAt, from }) => ({
      replaceOne: {
        filter: { _id: currentOf(counter.k, key) },
        replacement: { k: counter.k, n: from, row: [key, user, data, createdAt, null] },
        upsert: true,
      },
    })),
  );
  // Once the import is published, its rows are no longer hidden.
  lease.requireHeld();
  await database.states.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
}

async function end(database: Database, lease: Lease, { ended }: PendingKapsule): Promise<void> {
  for (const some of chunksOf([...ended])) {
    lease.requireHeld();
    await database.states.bulkWrite(
      some.map(([_id, to]) => ({
        updateOne: { filter: { _id }, update: { $set: { to }, $unset: { current: '' as const } } },
      })),
    );
  }
}

function* chunksOf<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += PREWRITE_BATCH_ROWS)
    yield all.slice(from, from + PREWRITE_BATCH_ROWS);
}
