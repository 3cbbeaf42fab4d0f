import type { KnownValues, RuledField } from '@kaptain/contract/field-rules';
import { fieldTypes } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import type { GranuleInput, KapsuleRecord } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { peopleNamed, peopleOf } from './people.ts';
import { sourceTexts } from './source-texts.ts';

export const hasPeople = ({ type }: Pick<RuledField, 'type'>): boolean =>
  fieldTypes[type].enteredAs === 'person';

type Rows = readonly Pick<GranuleInput, 'data'>[];

/** The texts that the rows have in fields for people. */
function namesIn(fields: readonly RuledField[], rows: Rows): ReadonlySet<string> {
  const people = fields.filter(hasPeople);
  const values = rows.flatMap(({ data }) => people.map(({ name }) => ownValue(data, name)));
  return new Set(values.filter((value) => typeof value === 'string'));
}

/** Reads the values that fields may have by what other kapsules and the accounts hold; with rows, only the accounts that these name. */
export function createKnownValues(databases: Databases) {
  const { store } = databases;
  const textsOf = sourceTexts(databases);
  return async (kapsule: KapsuleRecord, caller: Caller, rows?: Rows): Promise<KnownValues> => {
    const choices = new Map<string, ReadonlySet<string>>();
    for (const { name, type, choicesFrom } of kapsule.fields) {
      const isSeveral = fieldTypes[type].enteredAs === 'choices';
      if (choicesFrom) choices.set(name, await textsOf({ ...choicesFrom, isSeveral }));
    }
    if (!kapsule.fields.some(hasPeople)) return { choices };
    if (rows)
      return { choices, people: await peopleNamed(store, kapsule, caller, namesIn(kapsule.fields, rows)) };
    const people = await peopleOf(store, kapsule, caller);
    return { choices, people: new Set(people.map(({ username }) => username)) };
  };
}

export type ReadKnownValues = ReturnType<typeof createKnownValues>;
