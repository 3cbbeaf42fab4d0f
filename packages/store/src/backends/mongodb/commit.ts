import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import { newId } from '../../ids.ts';
import type { Database } from './database.ts';
import { prewrite, rollBack } from './granules/prewrite.ts';
import type { Turn } from './lease.ts';
import type { Draft } from './pending-writes.ts';
import type { Head, Op } from './shapes.ts';

/** So much of a journal fits into the head document; more goes into documents of its own. */
const INLINE_CHARACTERS = 1_000_000;
const PART_CHARACTERS = 4_000_000;

/**
 * Stores all that the draft has changed, or nothing. A replica set does so in a transaction. A single server has none:
 * there the head document takes in the unit's journal, which is the moment of the commit, and then it is carried out.
 * Whoever finds a journal that was not carried out to its end does it again, which does no harm.
 */
export async function commit(draft: Draft, turn: Turn, thenRelease: () => boolean): Promise<void> {
  await prewrite(draft, turn);
  for (const kapsule of draft.kapsules) await kapsule.save();
  const ops = draft.ops();
  if (ops.length === 0) return;
  const mark = turn.head.mark + 1;
  const stamp = newId();
  if (draft.database.isReplicaSet) {
    await inTransaction(draft.database, turn, ops, { mark, applied: mark, stamp, touching: [] });
    return;
  }
  const parts = await writeParts(draft.database, mark, ops);
  await turn.update({ mark, stamp, parts, journal: parts === 0 ? ops : null, touching: [] }, true);
  await holdingBackReads(draft.database, apply(draft.database, ops));
  await turn.update({ applied: mark, parts: 0, journal: null, ...(thenRelease() && { holder: null }) });
  if (turn.head.holder === null) turn.end();
  if (parts > 0) await draft.database.journal.deleteMany({ mark: { $lte: mark } });
}

/** What the holder before has left: a journal is carried out, what was never committed is taken back. */
export async function recover(database: Database, turn: Turn): Promise<void> {
  const { mark, applied, journal, touching } = turn.head;
  if (applied < mark) {
    const parts = await database.journal.find({ mark }).sort({ n: 1 }).toArray();
    await holdingBackReads(database, apply(database, journal ?? parts.flatMap(({ ops }) => ops)));
    await turn.update({ applied: mark, journal: null, parts: 0 });
    await database.journal.deleteMany({ mark: { $lte: mark } });
  }
  if (touching.length > 0) await takeBack(database, turn);
}

/** Undoes what was written ahead of a commit that won't come. */
export async function takeBack(database: Database, turn: Turn): Promise<void> {
  for (const k of turn.head.touching) await rollBack(database, turn, k);
  await turn.update({ touching: [] });
}

async function inTransaction(
  database: Database,
  turn: Turn,
  ops: Op[],
  change: Pick<Head, 'mark' | 'applied' | 'stamp' | 'touching'>,
): Promise<void> {
  turn.requireHeld();
  await turn.quietly(() =>
    database.inTransaction(async (session) => {
      await apply(database, ops, session);
      await turn.updateWithin(session, change);
    }),
  );
  Object.assign(turn.head, change);
}

async function writeParts(database: Database, mark: number, ops: Op[]): Promise<number> {
  const sizeOf = (op: Op) => JSON.stringify(op).length;
  if (ops.reduce((sum, op) => sum + sizeOf(op), 0) <= INLINE_CHARACTERS) return 0;
  // Of a try that never became a commit.
  await database.journal.deleteMany({ mark: { $gte: mark } });
  let n = 0;
  for (let rest = ops; rest.length > 0; n += 1) {
    let size = 0;
    const end = rest.findIndex((op, index) => (size += sizeOf(op)) > PART_CHARACTERS && index > 0);
    const part = end === -1 ? rest : rest.slice(0, end);
    await database.journal.insertOne({ _id: `${mark}/${n}`, mark, n, ops: part });
    rest = rest.slice(part.length);
  }
  return n;
}

async function holdingBackReads(database: Database, work: Promise<void>): Promise<void> {
  database.gate = work;
  await work;
  database.gate = undefined;
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
