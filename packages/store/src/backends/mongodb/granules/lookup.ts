import { countThatFits } from '@kaptain/contract/granule-records';
import type { GranuleRecord } from '../../../granules.ts';
import type { Database } from '../database.ts';
import type { State } from '../shapes.ts';
import { statesVisibleAt, toRecord } from './records.ts';

const BYTES = { $add: ['$key', '$user', '$data'].map((field) => ({ $strLenBytes: field })) };

/** Measures the states first, because 1,000 keys may have more bytes than one answer may hold. */
export async function readLookup(
  database: Database,
  kapsuleId: string,
  keys: readonly string[],
): Promise<(GranuleRecord | null)[]> {
  const counter = await database.counters.findOne({ _id: kapsuleId });
  if (!counter) return keys.map(() => null);
  const visible = { ...statesVisibleAt(counter), dead: false };
  const sizes = new Map<string, number>();
  const measuring = database.states.aggregate<{ key: string; bytes: number }>([
    { $match: { ...visible, key: { $in: [...new Set(keys)] } } },
    { $project: { _id: 0, key: 1, bytes: BYTES } },
  ]);
  for await (const { key, bytes } of measuring) sizes.set(key, bytes);
  const answered = keys.slice(0, countThatFits(keys.map((key) => sizes.get(key))));
  const states = new Map<string, State>();
  const fitting = { ...visible, key: { $in: [...new Set(answered)] } };
  for await (const state of database.states.find(fitting, { projection: { search: 0 } }))
    states.set(state.key, state);
  return answered.map((key) => {
    const state = states.get(key);
    return state ? toRecord(state, counter) : null;
  });
}
