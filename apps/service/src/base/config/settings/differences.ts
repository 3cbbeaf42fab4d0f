import { isDeepStrictEqual } from 'node:util';
import { SECRET_MASK, type SettingDifference, secretPaths } from '@kaptain/contract';
import type { SavedState } from './generation-file.ts';
import { leaves } from './value-at.ts';

const secrets = new Set(secretPaths.map((path) => path.join('.')));

const valuesByField = ({ settings, files }: SavedState): Map<string, unknown> =>
  new Map([...leaves(settings), ...Object.entries(files)]);

/** The names of the fields and certificate files that differ, without values. */
export function changedFieldNames(before: SavedState, after: SavedState): string[] {
  const [old, now] = [valuesByField(before), valuesByField(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (field) => !isDeepStrictEqual(old.get(field), now.get(field)),
  );
}

function shown(field: string, value: unknown): string | null {
  if (value === undefined || value === '') return null;
  if (secrets.has(field)) return SECRET_MASK;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The differences as shown to the admin before a save. */
export function differences(before: SavedState, after: SavedState): SettingDifference[] {
  const [old, now] = [valuesByField(before), valuesByField(after)];
  return changedFieldNames(before, after)
    .map((field) => ({
      field,
      before: shown(field, old.get(field)),
      after: shown(field, now.get(field)),
    }))
    .filter((line) => line.before !== line.after || line.after === SECRET_MASK);
}
