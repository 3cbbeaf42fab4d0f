import type { z } from 'zod';

/** What another service leaves out, or sends as null, counts as this value. */
export const missingAs = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  schema.nullish().transform((given) => given ?? value);
