import { ApiError } from '@kaptain/contract/client';
import { type RuledField, shownName } from '@kaptain/contract/field-rules';
import { ownValue } from '@kaptain/contract/own-value';
import { editedText } from './edit-values.ts';
import { dataOf } from './granule-data.ts';

type Data = Record<string, unknown>;

/** The stored granule, when it is another version than the user edits; without data it is deleted. */
export interface StoredInstead {
  version: number;
  data: Data | undefined;
}

const LONGEST_SHOWN = 200;

/** The stored version that a refused save names; undefined when it was refused for another reason. */
export function storedInstead(error: unknown): StoredInstead | undefined {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return undefined;
  const { conflicts } = dataOf({ data: error.details });
  const { storedVersion, storedData } = dataOf({ data: Array.isArray(conflicts) ? conflicts[0] : undefined });
  if (typeof storedVersion !== 'number') return undefined;
  return { version: storedVersion, data: storedData ? dataOf({ data: storedData }) : undefined };
}

/** The sentence after a refused save: which fields another user has changed since the dialog opened, and what a second Save stores. */
export function conflictAdvice(before: Data, stored: StoredInstead, fields: readonly RuledField[]): string {
  const { data } = stored;
  if (!data) return 'It is deleted now. Save again to store it anew, with what you have entered.';
  const theirs = fields
    .map((field) => ({
      field,
      text: editedText(field, ownValue(data, field.name)),
      was: editedText(field, ownValue(before, field.name)),
    }))
    .filter(({ text, was }) => text !== was)
    .map(
      ({ field, text }) =>
        `${shownName(field)}: ${text === '' ? 'no value' : `“${text.slice(0, LONGEST_SHOWN)}”`}`,
    );
  const now = theirs.length > 0 ? `Now it has ${theirs.join(', ')}. ` : '';
  return `${now}Save again to store the fields that you have changed; the others stay as they are now.`;
}
