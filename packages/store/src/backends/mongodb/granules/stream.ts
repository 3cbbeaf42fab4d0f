import { fieldsTest } from '@kaptain/contract/field-conditions';
import type { Filter } from 'mongodb';
import { UnavailableError } from '../../../errors.ts';
import type { GranuleStreamQuery } from '../../../granules.ts';
import { TimeSlice } from '../../../time-slice.ts';
import type { Database } from '../database.ts';
import { isCursorLost } from '../driver-errors.ts';
import type { Counter, State } from '../shapes.ts';
import { STREAM_BATCH_ROWS, STREAM_CHUNK_CHARACTERS } from '../tuning.ts';
import { deletedSince } from './deletions.ts';
import { isReloaded } from './records.ts';
import { select } from './selection.ts';

/** Data is JSON text already and stays untouched. */
function lineOf(state: State, counter: Counter): string {
  const { id, user, key, data, createdAt, updatedAt, version } = state;
  return (
    `{"_id":"${id}","user":${JSON.stringify(user)},"key":${JSON.stringify(key)},"data":${data},` +
    `"reloaded":${isReloaded(state, counter)},"createdAt":"${createdAt}","updatedAt":"${updatedAt}","version":${version}}\n`
  );
}

/** A deleted granule in a stream of changes. */
const deletionLine = ({ id, key, deletedAt }: State) =>
  `{"_id":"${id}","key":${JSON.stringify(key)},"deleted":true,"deletedAt":"${deletedAt}"}\n`;

export async function* streamLines(
  database: Database,
  kapsuleId: string,
  filter: GranuleStreamQuery,
): AsyncGenerator<Uint8Array> {
  const counter = await database.read(() => database.counters.findOne({ _id: kapsuleId }));
  if (!counter || (filter.deleted && filter.reloaded)) return;
  const living = statesOf(database, counter, filter);
  const states = filter.deletions ? inOrder(living, deletionsOf(database, counter, filter)) : living;
  let chunk = '';
  for await (const state of states) {
    chunk += filter.deletions && state.dead ? deletionLine(state) : lineOf(state, counter);
    if (chunk.length < STREAM_CHUNK_CHARACTERS) continue;
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
  { since = 0, ...wanted }: GranuleStreamQuery,
): AsyncGenerator<State> {
  const { filter } = select(counter, wanted);
  const isWanted = fieldsTest(wanted.where ?? []);
  const slice = new TimeSlice();
  for await (const state of statesAfter(database, since, 'change', (change) => ({
    $and: [filter, { change }],
  }))) {
    if (wanted.where && !isWanted(JSON.parse(state.data) as Record<string, unknown>)) await slice.pause();
    else yield state;
  }
}

const deletionsOf = (database: Database, counter: Counter, { since = 0 }: GranuleStreamQuery) =>
  statesAfter(database, since, 'from', ({ $gt }) => deletedSince(counter, $gt));

/** The states in the order of one of their numbers, after `since`. */
async function* statesAfter(
  database: Database,
  since: number,
  number: 'change' | 'from',
  filterOf: (span: { $gt: number }) => Filter<State>,
): AsyncGenerator<State> {
  for (let after = since; ; ) {
    const cursor = database.states
      .find(filterOf({ $gt: after }), { projection: { search: 0 } })
      .sort({ [number]: 1 })
      .batchSize(STREAM_BATCH_ROWS);
    try {
      for (;;) {
        // Asks the server, because all that it had sent before has been read.
        const first = await database.fetch(() => cursor.next());
        if (!first) return;
        for (const state of [first, ...cursor.readBufferedDocuments()]) {
          after = state[number];
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

/** Merges both in the order of the changes; a deletion is a change. */
async function* inOrder(
  living: AsyncGenerator<State>,
  deleted: AsyncGenerator<State>,
): AsyncGenerator<State> {
  try {
    let deletion = await deleted.next();
    for await (const state of living) {
      for (; !deletion.done && deletion.value.from < state.change; deletion = await deleted.next())
        yield deletion.value;
      yield state;
    }
    if (!deletion.done) yield deletion.value;
    yield* deleted;
  } finally {
    await deleted.return(undefined);
  }
}
