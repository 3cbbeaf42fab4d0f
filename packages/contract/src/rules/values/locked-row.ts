import { isEmpty, isThread } from '../../fields/index.ts';
import { ownValue } from '../../kit/own-value.ts';
import { sameValue } from '../../kit/same-value.ts';
import { closingLock, refusingLock, type SeenLock } from '../locks/index.ts';
import { type Refusal, type RuledField, shownName } from './field-rules.ts';

type Data = Readonly<Record<string, unknown>>;

interface LockedRow {
  refusals: Refusal[];
  /** The row is closed and stays as it is, also its author and the forms of its values. */
  isKept: boolean;
}

/** Why a value of a closed row may not be stored. */
export const closedRefusal = (
  field: Pick<RuledField, 'name' | 'label'>,
  lock: SeenLock,
  value?: unknown,
): Refusal => ({
  field: field.name,
  rule: 'closed',
  message: `${shownName(field)} is closed: ${lock.name}.`,
  ...(value !== undefined && { value }),
});

/** What the locks refuse of a row that is stored in place of `before`, which is null for a new one. Comments are no values of it. */
export function lockedRow(
  fields: readonly RuledField[],
  locks: readonly SeenLock[],
): (before: Data | null, after: Data) => LockedRow {
  const refusing = refusingLock(fields, locks);
  const closing = closingLock(fields, locks);
  const refusingWhole = refusingLock(
    fields,
    locks.filter((lock) => !lock.fields),
  );
  const named = new Map(fields.map((field) => [field.name, field]));
  const isValue = (name: string) => !isThread(named.get(name)?.type);
  const fieldOf = (name: string) => named.get(name) ?? { name };

  /** No value is the same as an empty one. */
  const isSame = (one: unknown, other: unknown) => sameValue(one, other) || (isEmpty(one) && isEmpty(other));

  return (before, after) => {
    const lockOf = refusing(before, after);
    const names = [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])].filter(isValue);
    const storedIn = (name: string) => ownValue(before ?? {}, name);
    const changed = names.filter((name) => !isSame(ownValue(after, name), storedIn(name)));
    const refusals = changed.flatMap((name) => {
      const lock = lockOf(name, isEmpty(storedIn(name)));
      return lock ? [closedRefusal(fieldOf(name), lock, ownValue(after, name))] : [];
    });
    // A new row without values is entered too.
    const [first] = fields;
    if (!before && changed.length === 0 && first) {
      const lock = refusingWhole(before, after)(first.name, true);
      if (lock) refusals.push(closedRefusal(first, lock));
    }
    return { refusals, isKept: before !== null && changed.length === 0 && closing(before) !== undefined };
  };
}
