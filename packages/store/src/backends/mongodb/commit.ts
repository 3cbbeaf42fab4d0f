import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import { newId } from '../../ids.ts';
import type { Database } from './database.ts';
import { prewrite, rollBack } from './granules/prewrite.ts';
import type { Lease } from './lease.ts';
import type { PendingWrites } from './pending-writes.ts';
import type { Head, Op } from './shapes.ts';
import { INLINE_JOURNAL_CHARACTERS, JOURNAL_PART_CHARACTERS } from './tuning.ts';

/**
 * Stores all pending writes, or none. A replica set does so in a transaction. A single server has none: there writing the
 * unit's journal into the head document is the commit, and then the journal is applied. An instance that finds a journal
 * which was not applied completely applies it again; applying twice has the same result.
 */
export async function commit(
  pending: PendingWrites,
  lease: Lease,
  thenRelease: () => boolean,
): Promise<void> {
  await prewrite(pending, lease);
  await Promise.all(pending.kapsules.map((kapsule) => kapsule.save()));
  const ops = pending.ops();
  if (ops.length === 0) return;
  const mark = lease.head.mark + 1;
  const stamp = newId();
  if (pending.database.isReplicaSet) {
    await inTransaction(pending.database, lease, ops, { mark, applied: mark, stamp, touching: [] });
    return;
  }
  const parts = await writeParts(pending.database, lease, mark, ops);
  await lease.update({ mark, stamp, parts, journal: parts === 0 ? ops : null, touching: [] }, true);
  await applyJournal(pending.database, lease, ops);
  await lease.update({ applied: mark, parts: 0, journal: null, ...(thenRelease() && { holder: null }) });
  if (lease.head.holder === null) lease.end();
  if (parts > 0) await pending.database.journal.deleteMany({ mark: { $lte: mark } });
}

/** Finishes what the previous holder left: applies its journal, removes what it wrote before a commit that never came. */
export async function recover(database: Database, lease: Lease): Promise<void> {
  const { mark, applied, journal, touching } = lease.head;
  if (applied < mark) {
    const parts = await database.journal.find({ mark }).sort({ n: 1 }).toArray();
    await applyJournal(database, lease, journal ?? parts.flatMap(({ ops }) => ops));
    await lease.update({ applied: mark, journal: null, parts: 0 });
    await database.journal.deleteMany({ mark: { $lte: mark } });
    database.readBarrier.open();
  }
  if (touching.length > 0) await takeBack(database, lease);
}

/** Removes what was written before a commit that will not come. */
export async function takeBack(database: Database, lease: Lease): Promise<void> {
  for (const k of lease.head.touching) await rollBack(database, lease, k);
  await lease.update({ touching: [] });
}

async function inTransaction(
  database: Database,
  lease: Lease,
  ops: Op[],
  change: Pick<Head, 'mark' | 'applied' | 'stamp' | 'touching'>,
): Promise<void> {
  lease.requireHeld();
  await lease.withoutRenewal(() =>
    database.inTransaction(lease.session, async () => {
      await apply(database, ops, lease.session);
      await lease.updateInTransaction(change);
    }),
  );
  Object.assign(lease.head, change);
}

async function writeParts(database: Database, lease: Lease, mark: number, ops: Op[]): Promise<number> {
  const sizeOf = (op: Op) => JSON.stringify(op).length;
  if (ops.reduce((sum, op) => sum + sizeOf(op), 0) <= INLINE_JOURNAL_CHARACTERS) return 0;
  // Parts of an attempt that was never committed. The next holder of the lease writes parts with the same mark.
  lease.requireHeld();
  await database.journal.deleteMany({ mark: { $gte: mark } });
  let n = 0;
  for (let rest = ops; rest.length > 0; n += 1) {
    let size = 0;
    const end = rest.findIndex((op, index) => (size += sizeOf(op)) > JOURNAL_PART_CHARACTERS && index > 0);
    const part = end === -1 ? rest : rest.slice(0, end);
    lease.requireHeld();
    await database.journal.insertOne({ _id: `${mark}/${n}`, mark, n, ops: part });
    rest = rest.slice(part.length);
  }
  return n;
}

/** Holds reads back meanwhile, and after a failure until `recover` has applied it. */
async function applyJournal(database: Database, lease: Lease, ops: Op[]): Promise<void> {
  database.readBarrier.close();
  // After a suspension of this process the next holder has applied the journal, and has written later documents.
  lease.requireHeld();
  await apply(database, ops);
  database.readBarrier.open();
}

async function apply(database: Database, ops: Op[], session?: ClientSession): Promise<void> {
  const options = { ordered: true, ...(session && { session }) };
  const work = [...Map.groupBy(ops, (op) => op.in)].map(
    ([collection, list]) =>
      () =>
        database.any(collection).bulkWrite(writesOf(list), options),
  );
  // A session does one thing at a time.
  if (session) for (const write of work) await write();
  else await Promise.all(work.map((write) => write()));
}

/** Unique values are given up before others take them. */
function writesOf(ops: Op[]): AnyBulkWriteOperation<Document & { _id: string }>[] {
  const removed = ops.filter(({ doc }) => doc === null);
  const yielding = ops.filter((op) => op.yields && op.doc !== null);
  const stored = ops.filter(({ doc }) => doc !== null);
  return [
    ...removed.map(({ id }) => ({ deleteOne: { filter: { _id: id } } })),
    ...yielding.map(({ id }) => ({ updateOne: { filter: { _id: id }, update: { $set: { u: {} } } } })),
    ...stored.map(({ id, doc }) => ({
      replaceOne: { filter: { _id: id }, replacement: doc as Document, upsert: true },
    })),
  ];
}
