import { z } from 'zod';
import { limits } from '../limits.ts';
import { isStorable, UNSTORABLE } from './text.ts';

const DEEPEST = 20;

/** Says whether every database can store this value and return it unchanged. */
function isStorableValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= DEEPEST) return false;
  if (Array.isArray(value)) return value.every((entry) => isStorableValue(entry, depth + 1));
  return Object.entries(value).every(
    ([name, entry]) =>
      name.length <= limits.nameCharacters && isStorable(name) && isStorableValue(entry, depth + 1),
  );
}

/** The values of a granule by field name: JSON of bounded depth. */
export const storableData = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'A granule needs an object of data.',
  )
  .refine((value) => isStorableValue(value, 0), UNSTORABLE)
  .meta({ type: 'object' });
