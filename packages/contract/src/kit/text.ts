import { z } from 'zod';

/** NUL and lone surrogates break databases in different ways; they are refused at the door, everywhere. */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

export const UNSTORABLE = 'The text contains characters that cannot be stored.';

/** Free text of bounded length. */
export const plainText = (max: number) =>
  z.string().max(max, `Please use at most ${max} characters.`).refine(isStorable, UNSTORABLE);

/** Text that must be there; `message` is what SPEC 5 shows when it isn't. */
export const requiredText = (message: string, max = 255) =>
  z
    .string({ error: message })
    .min(1, message)
    .max(max, `Please use at most ${max} characters.`)
    .refine(isStorable, UNSTORABLE);

/** Text that must be there and more than blanks. */
export const filledText = (message: string, max = 255) => requiredText(message, max).regex(/\S/, message);

/** An id in a path or body. Any short text passes: what does not exist is answered 404 by the handler. */
export const idText = z.string().min(1).max(200).refine(isStorable, UNSTORABLE);

/** ISO 8601 in UTC, on the wire and in the store. */
export const timestamp = z.string();

/** A boolean as a query string carries it. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
