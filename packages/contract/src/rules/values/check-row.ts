import { isEmpty, isThread } from '../../fields/index.ts';
import { ownValue } from '../../kit/own-value.ts';
import { sameValue } from '../../kit/same-value.ts';
import type { SeenLock } from '../locks/index.ts';
import { fitsDependentChoices, type KnownValues, noChoice, valueCheck } from './check-value.ts';
import { type Refusal, type RuledField, type RuleName, shownName } from './field-rules.ts';
import { lockedRow } from './locked-row.ts';

type Data = Readonly<Record<string, unknown>>;

interface CheckedRow {
  /** In the form in which it is stored. */
  data: Record<string, unknown>;
  refusals: Refusal[];
  /** A closed row that stays as it is keeps its author. */
  keepsAuthor?: true;
}

export interface RowCheck {
  /** Whether a row can only be checked beside the one that is stored. */
  readonly needsStored: boolean;
  /**
   * Checks what is to be stored in place of `stored`, which is null for a new record and undefined while it is not known. A value that
   * stays as it is stored is never refused: a rule may be newer than the value. A record with comments alone is checked as a new one. What
   * locks close is refused only beside the stored row.
   */
  readonly check: (data: Data, stored?: Data | null) => CheckedRow;
}

export function rowCheck(
  fields: readonly RuledField[],
  known: KnownValues = {},
  locks: readonly SeenLock[] = [],
): RowCheck {
  const lockedBeside = lockedRow(fields, locks);
  const ruled = fields
    .filter(({ type }) => !isThread(type))
    .map((field) => ({ field, check: valueCheck(field, known) }));
  const names = new Set(fields.map(({ name }) => name));
  const threads = new Set(fields.filter(({ type }) => isThread(type)).map(({ name }) => name));
  const withDefault = ruled.filter(({ field }) => field.default !== undefined);

  /** A record that was made by a comment alone: its other values are still to come. */
  const hasCommentsOnly = (data: Data): boolean =>
    Object.keys(data).some((name) => threads.has(name)) &&
    Object.entries(data).every(([name, value]) => threads.has(name) || isEmpty(value));

  const started = (data: Data, stored: Data | null | undefined): Map<string, unknown> => {
    const values = new Map(Object.entries(data));
    if (stored === null)
      for (const { field } of withDefault) if (!values.has(field.name)) values.set(field.name, field.default);
    return values;
  };

  return {
    needsStored:
      locks.length > 0 || ruled.some(({ field }) => field.default !== undefined || field.writeOnce),
    check(given, beside) {
      const stored = beside && hasCommentsOnly(beside) ? null : beside;
      const values = started(given, stored);
      const refusals: Refusal[] = [];
      const storedIn = (name: string): unknown => ownValue(stored ?? {}, name);
      const isKept = (name: string) => Boolean(stored) && sameValue(values.get(name), storedIn(name));

      function problemOf({ field, check }: (typeof ruled)[number]) {
        const value = values.get(field.name);
        const problem = (rule: RuleName, text: string) => ({ rule, message: `${shownName(field)} ${text}` });
        if (field.writeOnce && !isEmpty(storedIn(field.name)) && !isKept(field.name))
          return problem('writeOnce', 'can’t be changed any more!');
        if (isEmpty(value) && field.required) return problem('required', 'is required!');
        if (value === undefined) return undefined;
        const checked = check(value);
        if ('rule' in checked) return checked;
        // A closed value keeps also the form that it has had.
        if (locks.length === 0 || !isKept(field.name)) values.set(field.name, checked.value);
        return isEmpty(checked.value) || fitsDependentChoices(field, checked.value, values)
          ? undefined
          : problem(...noChoice);
      }

      // No value is the same as null, but a name that is not stored is new.
      const isThere = (name: string) => isKept(name) && Object.hasOwn(stored ?? {}, name);
      for (const name of values.keys())
        if (!names.has(name) && !isThere(name))
          refusals.push({
            field: name,
            rule: 'unknown',
            message: `There is no field ${JSON.stringify(name)}.`,
          });
      for (const one of ruled) {
        const { name, choicesBy } = one.field;
        const value = values.get(name);
        const problem = problemOf(one);
        if (problem && !(isKept(name) && (!choicesBy || isKept(choicesBy.field))))
          refusals.push({ field: name, rule: problem.rule, message: problem.message, value });
      }
      const data = Object.fromEntries(values);
      if (locks.length === 0 || stored === undefined) return { data, refusals };
      const locked = lockedBeside(stored, data);
      const closed = new Set(locked.refusals.map(({ field }) => field));
      return {
        ...(locked.isKept ? { data: { ...stored }, keepsAuthor: true } : { data }),
        refusals: [...locked.refusals, ...refusals.filter(({ field }) => !closed.has(field))],
      };
    },
  };
}
