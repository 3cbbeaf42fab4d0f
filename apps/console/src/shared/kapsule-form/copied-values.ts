import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import { firstFree } from './first-free.ts';
import { isInSource, type KapsuleValues, valuesOf } from './kapsule-values.ts';

/** The longest name of a table that every database takes; its letters may have four bytes. */
const TABLE_BYTES = 63;

function startOf(text: string, isShort: (start: string) => boolean): string {
  const signs = Array.from(text);
  while (!isShort(signs.join(''))) signs.pop();
  return signs.join('');
}

const copyName = (name: string) => (count: number) => {
  const end = count === 1 ? ' (copy)' : ` (copy ${count})`;
  return (
    startOf(
      name.replace(/ \(copy(?: \d+)?\)$/, ''),
      (one) => one.length + end.length <= limits.nameCharacters,
    ) + end
  );
};

const copyTable = (table: string) => (count: number) => {
  const end = count === 1 ? '_copy' : `_copy${count}`;
  const size = (start: string) => new TextEncoder().encode(start).length + end.length;
  return startOf(table.replace(/_copy\d*$/, ''), (one) => size(one) <= TABLE_BYTES) + end;
};

/** The form of a new kapsule with the structure of this one: another name, and a table of its own, because it has none of its rows. */
export function copiedValues(kapsule: Kapsule, known: readonly Kapsule[]): KapsuleValues {
  const values = valuesOf(kapsule);
  const tables = known.filter(({ database }) => database === kapsule.database);
  return {
    ...values,
    name: firstFree(copyName(values.name), [values.name, ...known.map(({ name }) => name)]),
    tableName: isInSource(values.database)
      ? firstFree(copyTable(values.tableName), [
          values.tableName,
          ...tables.map(({ tableName }) => tableName),
        ])
      : '',
  };
}
