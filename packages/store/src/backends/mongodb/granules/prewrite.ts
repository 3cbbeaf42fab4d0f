import type { Database } from '../database.ts';
import type { Turn } from '../lease.ts';
import type { Draft } from '../pending-writes.ts';
import { FOR_EVER } from '../shapes.ts';
import { currentOf, type KapsuleDraft } from './pending-kapsule.ts';

const ROWS = 1_000;

/**
 * Writes the granules of a unit ahead of its commit: new states begin, and old ones end, with changes that no reader
 * looks at before the counters of their kapsule say so. The head notes first which kapsules have such states.
 */
export async function prewrite(draft: Draft, turn: Turn): Promise<void> {
  const changed = draft.kapsules.filter(({ fresh, ended }) => fresh.size > 0 || ended.size > 0);
  if (changed.length === 0) return;
  const names = new Set([...turn.head.touching, ...changed.map(({ counter }) => counter.k)]);
  if (names.size > turn.head.touching.length) await turn.update({ touching: [...names] });
  for (const kapsule of changed) {
    await handBack(draft.database, turn, kapsule);
    await end(draft.database, turn, kapsule);
    for (const states of chunksOf([...kapsule.fresh])) {
      turn.requireHeld();
      await draft.database.states.insertMany(states, { ordered: true });
    }
    kapsule.forgetWritten();
  }
}

/** Nobody has seen any of it: new states go, ended ones go on. */
export async function rollBack(database: Database, turn: Turn, k: string): Promise<void> {
  const counter = await database.counters.findOne({ k });
  const visible = counter?.lastChange ?? 0;
  turn.requireHeld();
  await database.states.deleteMany({ k, from: { $gt: visible }, import: { $exists: false } });
  const ended = database.states.find({ k, to: { $gt: visible, $lt: FOR_EVER } }, { projection: { key: 1 } });
  for (const states of chunksOf(await ended.toArray())) {
    turn.requireHeld();
    await database.states.bulkWrite(
      states.map(({ _id, key }) => ({
        updateOne: { filter: { _id }, update: { $set: { to: FOR_EVER, current: currentOf(k, key) } } },
      })),
    );
  }
}

/** An import's hidden row makes room; the import will replace what is written here when it is published. */
async function handBack(database: Database, turn: Turn, { displaced, counter }: KapsuleDraft): Promise<void> {
  const rows = [...displaced];
  if (rows.length === 0) return;
  turn.requireHeld();
  await database.staged.bulkWrite(
    rows.map(({ key, user, data, createdAt, from }) => ({
      replaceOne: {
        filter: { _id: currentOf(counter.k, key) },
        replacement: { k: counter.k, n: from, row: [key, user, data, createdAt, null] },
        upsert: true,
      },
    })),
  );
  await database.states.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
}

async function end(database: Database, turn: Turn, { ended }: KapsuleDraft): Promise<void> {
  for (const some of chunksOf([...ended])) {
    turn.requireHeld();
    await database.states.bulkWrite(
      some.map(([_id, to]) => ({
        updateOne: { filter: { _id }, update: { $set: { to }, $unset: { current: '' as const } } },
      })),
    );
  }
}

function* chunksOf<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += ROWS) yield all.slice(from, from + ROWS);
}
