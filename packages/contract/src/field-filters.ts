import { z } from 'zod';
import { plainText, requiredText } from './kit/text.ts';
import { limits } from './rules/limits.ts';

const field = requiredText('A condition needs a field.', limits.nameCharacters);
/** A number, a day or an ISO time: the type of the field decides. */
const bound = z.union([z.number(), z.iso.date(), z.iso.datetime()]).optional();

/** A condition on a field, as callers send it. */
export const FieldFilter = z.discriminatedUnion('is', [
  z.object({ field, is: z.literal('contains'), text: plainText(200).min(1) }),
  z.object({ field, is: z.literal('between'), from: bound, to: bound }),
  z.object({ field, is: z.literal('empty') }),
  z.object({ field, is: z.literal('filled') }),
]);
export type FieldFilter = z.infer<typeof FieldFilter>;

export const fieldFilters = z.array(FieldFilter).max(limits.conditionsPerFilter);

/** The conditions as one parameter of a query: JSON text. */
export const fieldFiltersText = z
  .string()
  .max(8000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'where is not JSON.' });
      return z.NEVER;
    }
  })
  .pipe(fieldFilters)
  .describe('A JSON array of conditions, e.g. [{"field":"Amount","is":"between","from":10}]');

/** A built-in column, or a field of the kapsule; a minus reverses the order. */
export const granuleSort = plainText(limits.nameCharacters + 10).regex(
  /^-?(key|user|reloaded|createdAt|updatedAt|field:.+)$/su,
);
