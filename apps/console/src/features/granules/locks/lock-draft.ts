import type { RuledField } from '@kaptain/contract/field-rules';
import type { Lock } from '@kaptain/contract/locks';
import { type ConditionDraft, conditionDraft, readCondition } from './condition-draft.ts';

/** A lock while it is edited. */
export interface LockDraft {
  name: string;
  reach: 'row' | 'fields';
  fields: string[];
  closes: Lock['closes'];
  conditions: ConditionDraft[];
  mayEnter: boolean;
  openers: Lock['openers'];
}

export const newLock: LockDraft = {
  name: '',
  reach: 'row',
  fields: [],
  closes: 'when',
  conditions: [],
  mayEnter: false,
  openers: 'DELETE',
};

export const draftOf = (lock: Lock, fields: readonly RuledField[]): LockDraft => ({
  name: lock.name,
  reach: lock.fields ? 'fields' : 'row',
  fields: lock.fields ?? [],
  closes: lock.closes,
  conditions: lock.conditions.map((condition) => conditionDraft(condition, fields)),
  mayEnter: lock.mayEnter === true,
  openers: lock.openers,
});

/** The lock of a draft whose conditions can all be read. */
export function lockOf(draft: LockDraft, fields: readonly RuledField[]): Lock {
  const { name, reach, closes, conditions, mayEnter, openers } = draft;
  return {
    name: name.trim(),
    ...(reach === 'fields' && { fields: draft.fields }),
    closes,
    conditions: conditions.flatMap((one) => {
      const read = readCondition(one, fields);
      return 'condition' in read ? [read.condition] : [];
    }),
    ...(mayEnter && { mayEnter }),
    openers,
  };
}

/** The lock that closes a kapsule as a whole. */
export function wholeLock(locks: readonly Lock[], openers: Lock['openers']): Lock {
  const isTaken = (name: string) => locks.some((lock) => lock.name.toLowerCase() === name.toLowerCase());
  let name = 'Closed';
  for (let number = 2; isTaken(name); number += 1) name = `Closed ${number}`;
  return { name, closes: 'when', conditions: [], openers };
}

/** Whether it closes all rows to all people at all times. */
export const isWhole = ({ fields, closes, conditions, mayEnter }: Lock): boolean =>
  !fields && closes === 'when' && conditions.length === 0 && !mayEnter;
