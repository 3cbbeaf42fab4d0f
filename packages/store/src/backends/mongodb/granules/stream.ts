import { fieldsTest } from '@kaptain/contract/field-conditions';
import { UnavailableError } from '../../../errors.ts';
import type { GranuleFilter } from '../../../granules.ts';
import type { Database } from '../database.ts';
import { isCursorLost } from '../driver-errors.ts';
import type { Counter, State } from '../shapes.ts';
import { isReloaded } from './records.ts';
import { select } from './selection.ts';
import { TimeSlice } from './time-slice.ts';

const CHUNK_CHARACTERS = 128 * 1024;
const BATCH = 1_000;

/** Data is JSON text already and stays untouched. */
function lineOf(state: State, counter: Counter): string {
  const { id, user, key, data, createdAt, updatedAt, version } = state;
  return (
    `{"_id":"${id}","user":${JSON.stringify(user)},"key":${JSON.stringify(key)},"data":${data},` +
    `"reloaded":${isReloaded(state, counter)},"createdAt":"${createdAt}","updatedAt":"${updatedAt}","version":${version}}\n`
  );
}

export async function* streamLines(
  database: Database,
  kapsuleId: string,
  filter: GranuleFilter & { since?: number },
): AsyncGenerator<Uint8Array> {
  const counter = await database.read(() => database.counters.findOne({ _id: kapsuleId }));
  if (!counter || (filter.deleted && filter.reloaded)) return;
  let chunk = '';
  for await (const state of statesOf(database, counter, filter)) {
    chunk += lineOf(state, counter);
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  // Its granules may have gone while they were read.
  if (!(await database.read(() => database.counters.findOne({ k: counter.k })))) {
    throw new UnavailableError('The kapsule was deleted while it was read.');
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

/** In order of change, as they were at the last change of these counters. */
async function* statesOf(
  database: Database,
  counter: Counter,
  { since = 0, ...wanted }: GranuleFilter & { since?: number },
): AsyncGenerator<State> {
  const { filter } = select(counter, wanted);
  const isWanted = fieldsTest(wanted.where ?? []);
  const slice = new TimeSlice();
  for (let after = since; ; ) {
    const cursor = database.states
      .find({ $and: [filter, { change: { $gt: after } }] }, { projection: { search: 0 } })
      .sort({ change: 1 })
      .batchSize(BATCH);
    try {
      for (;;) {
        // Asks the server, because all that it had sent before has been read.
        const first = await database.fetch(() => cursor.next());
        if (!first) return;
        for (const state of [first, ...cursor.readBufferedDocuments()]) {
          after = state.change;
          if (wanted.where && !isWanted(JSON.parse(state.data) as Record<string, unknown>)) {
            await slice.pause();
            continue;
          }
          yield state;
        }
      }
    } catch (error) {
      // A slow consumer: the server has forgotten where we were, but we have not.
      if (!isCursorLost(error)) throw error;
    } finally {
      await cursor.close().catch(() => undefined);
    }
  }
}
