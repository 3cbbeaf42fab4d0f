import type { KnownValues, RuledField } from '@kaptain/contract/field-rules';
import { fieldTypes, isEmpty, textOf } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import type { KapsuleRecord } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { SCANNED_GRANULES } from '../tuning.ts';
import { peopleOf } from './people.ts';

export const hasPeople = ({ type }: Pick<RuledField, 'type'>): boolean =>
  fieldTypes[type].enteredAs === 'person';

/** The texts of a field in all lines of a stream of granules. */
async function textsIn(lines: AsyncIterable<Uint8Array>, field: string): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const slice = new TimeSlice();
  for await (const chunk of lines) {
    for (const line of new TextDecoder().decode(chunk).split('\n')) {
      if (line === '') continue;
      const value = ownValue((JSON.parse(line) as { data: Record<string, unknown> }).data, field);
      if (!isEmpty(value)) texts.add(textOf(value));
      await slice.pause();
    }
  }
  return texts;
}

/** Reads the values that fields may have by what other kapsules and the accounts hold. */
export function createKnownValues(databases: Databases) {
  const { store } = databases;
  const cache = new Map<string, { change: number; texts: ReadonlySet<string> }>();

  /** The texts of a field of another kapsule; none while there is no such kapsule. */
  async function textsOf({ kapsuleId, field }: { kapsuleId: string; field: string }) {
    const source = await store.kapsules.get(kapsuleId);
    if (!source) return new Set<string>();
    const granules = granulesOf(databases, source);
    const name = JSON.stringify([kapsuleId, field]);
    const change = await granules.watermark(kapsuleId);
    const before = cache.get(name);
    if (before?.change === change) return before.texts;
    const { total } = await granules.counts(kapsuleId);
    if (total > SCANNED_GRANULES)
      throw new AppError(
        'LIMIT_REACHED',
        `The choices of ${JSON.stringify(field)} come from ${total.toLocaleString('en-US')} records; at most ${SCANNED_GRANULES.toLocaleString('en-US')} can be choices.`,
      );
    const texts = await textsIn(granules.stream(kapsuleId, {}), field);
    cache.set(name, { change, texts });
    return texts;
  }

  return async (kapsule: KapsuleRecord, caller: Caller): Promise<KnownValues> => {
    const choices = new Map<string, ReadonlySet<string>>();
    for (const { name, choicesFrom } of kapsule.fields)
      if (choicesFrom) choices.set(name, await textsOf(choicesFrom));
    if (!kapsule.fields.some(hasPeople)) return { choices };
    const people = await peopleOf(store, kapsule, caller);
    return { choices, people: new Set(people.map(({ username }) => username)) };
  };
}

export type ReadKnownValues = ReturnType<typeof createKnownValues>;
