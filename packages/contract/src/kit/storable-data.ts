import { z } from 'zod';
import { limits } from '../rules/limits.ts';
import { isStorable, UNSTORABLE } from './text.ts';

const DEEPEST = 20;

function problemOfName(name: string): string | undefined {
  if (name.length > limits.nameCharacters)
    return `A name in the data has at most ${limits.nameCharacters} characters.`;
  return isStorable(name) ? undefined : UNSTORABLE;
}

/** Why not every database can store this value and return it unchanged; undefined when all can. */
function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : UNSTORABLE;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A number is too large.';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= DEEPEST) return `The data has at most ${DEEPEST} levels.`;
  for (const [name, entry] of Object.entries(value)) {
    const problem = problemOfName(name) ?? problemOf(entry, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** How many names the objects in a value have together; counting ends soon after `most`. */
function namesIn(value: unknown, most: number, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  if (count > most) return count;
  for (const entry of Object.values(value)) {
    count += namesIn(entry, most - count, depth + 1);
    if (count > most) break;
  }
  return count;
}

/** The values of a granule by field name: JSON of bounded depth. */
export const storableData = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'A granule needs an object of data.',
  )
  .superRefine((value, context) => {
    // Counted first: the check of each name costs more.
    if (namesIn(value, limits.membersPerGranule) > limits.membersPerGranule)
      return context.addIssue({
        code: 'too_big',
        origin: 'object',
        maximum: limits.membersPerGranule,
        message: `A granule has at most ${limits.membersPerGranule} named values.`,
      });
    const message = problemOf(value, 0);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({ type: 'object' });
