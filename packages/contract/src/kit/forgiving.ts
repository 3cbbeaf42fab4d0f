import type { z } from 'zod';

/** Replaces a missing or null value of another service by this default. */
export const missingAs = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  schema.nullish().transform((given) => given ?? value);
