import { z } from 'zod';

/** Refuses NUL and lone surrogates, which databases store differently or not at all. */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

export const UNSTORABLE = 'The text contains characters that cannot be stored.';

/** Free text of bounded length. */
export const plainText = (max: number) =>
  z.string().max(max, `Please use at most ${max} characters.`).refine(isStorable, UNSTORABLE);

/** Required text; `message` is shown when it is missing (SPEC 5). */
export const requiredText = (message: string, max = 255) =>
  z
    .string({ error: message })
    .min(1, message)
    .max(max, `Please use at most ${max} characters.`)
    .refine(isStorable, UNSTORABLE);

/** Required text with at least one character that is not white space. */
export const filledText = (message: string, max = 255) => requiredText(message, max).regex(/\S/, message);

/** An id in a path or body: any short text; the handler answers 404 when no object has it. */
export const idText = z.string().min(1).max(200).refine(isStorable, UNSTORABLE);

/** ISO 8601 in UTC, in the API and in the store. */
export const timestamp = z.string();

/** A boolean as a query string carries it. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
