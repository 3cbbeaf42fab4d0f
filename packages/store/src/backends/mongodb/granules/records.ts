import { PageRoom } from '../../../errors.ts';
import type { GranuleRecord, GranuleState } from '../../../granules.ts';
import type { Database } from '../database.ts';
import { type Counter, FOR_EVER, type State } from '../shapes.ts';
import { isHidden } from './pending-kapsule.ts';

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;

export const isReloaded = ({ dead, change }: State, { reloadedThrough }: Counter) =>
  !dead && change <= reloadedThrough;

/** The states that a reader with these counters sees. */
export const statesVisibleAt = ({ k, lastChange }: Counter) => ({
  k,
  from: { $lte: lastChange },
  to: { $gt: lastChange },
});

export function toRecord(state: State, counter: Counter): GranuleRecord {
  const { id, key, user, data, createdAt, updatedAt, version, deletedAt, deletedBy } = state;
  return {
    id,
    kapsuleId: counter._id,
    key,
    user,
    data: parsed(data),
    reloaded: isReloaded(state, counter),
    createdAt,
    updatedAt,
    version,
    deletedAt,
    deletedBy,
  };
}

export async function readRecord(database: Database, id: string): Promise<GranuleRecord | undefined> {
  const counter = await counterOf(database, id);
  const state = counter && (await database.states.findOne({ id, ...statesVisibleAt(counter) }));
  return state ? toRecord(state, counter) : undefined;
}

export async function readKapsulesOf(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const query = { id: { $in: [...ids] }, current: { $exists: true } };
  const states = await database.states.find(query).project<State>({ search: 0, data: 0 }).toArray();
  const counters = await database.counters
    .find({ k: { $in: [...new Set(states.map(({ k }) => k))] } })
    .toArray();
  const byName = new Map(counters.map((counter) => [counter.k, counter]));
  const keys = states.flatMap((state): [string, string][] => {
    const counter = byName.get(state.k);
    return counter && !isHidden(state, counter) ? [[state.id, counter._id]] : [];
  });
  return new Map(keys);
}

export async function readHistory(
  database: Database,
  id: string,
  before = FOR_EVER,
): Promise<GranuleState[]> {
  const counter = await counterOf(database, id);
  if (!counter) return [];
  // With the version itself: its first state knows who restored the one before.
  const query = { id, from: { $lte: counter.lastChange }, version: { $lte: before } };
  const states: GranuleState[] = [];
  const room = new PageRoom();
  let later: State | undefined;
  for await (const state of database.states.find(query, { projection: { search: 0 } }).sort({ from: -1 })) {
    const { version, user, data, updatedAt, deletedAt, deletedBy } = state;
    // A deletion is a state of the same version: only the last state of each version is listed.
    if (version === later?.version) continue;
    const restoredBy = later?.restoredBy ?? null;
    later = state;
    if (version >= before) continue;
    if (!room.takes(Buffer.byteLength(user) + Buffer.byteLength(data))) break;
    states.push({ version, user, data: parsed(data), updatedAt, deletedAt, deletedBy, restoredBy });
  }
  return states;
}

/** The counters of the kapsule that this granule is in. */
async function counterOf(database: Database, id: string): Promise<Counter | undefined> {
  const state = await database.states.findOne({ id }, { projection: { k: 1 } });
  return (state && (await database.counters.findOne({ k: state.k }))) ?? undefined;
}
