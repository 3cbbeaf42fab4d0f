import { ApiError, type ErrorCode, errorCodes as errorTable, type GranuleConflict } from '@kaptain/contract';
import { z } from 'zod';

/** The codes of failures: `error.code === errorCodes.TOO_MANY_REQUESTS`. */
export const errorCodes = Object.fromEntries(Object.keys(errorTable).map((code) => [code, code])) as {
  readonly [Code in ErrorCode]: Code;
};

/** The meaning of each code, as a sentence for people. */
export const errorMeanings = Object.fromEntries(
  Object.entries(errorTable).map(([code, [, meaning]]) => [code, meaning]),
) as { readonly [Code in ErrorCode]: string };

/** The `details` of a save that was refused because its granules have other versions than it named. */
export interface ConflictDetails {
  /** The first ones, as many as fit into one answer. */
  conflicts: readonly GranuleConflict[];
}

const data = z.record(z.string(), z.unknown());
const ConflictDetails = z.object({
  conflicts: z.array(
    z.object({
      key: z.string(),
      givenVersion: z.number(),
      givenData: data,
      storedVersion: z.number(),
      storedUser: z.string().nullable(),
      storedData: data.nullable(),
    }),
  ),
}) satisfies z.ZodType<ConflictDetails>;

/** The given and the stored values of each granule in conflict; empty for any other failure. */
export function conflictsOf(error: unknown): readonly GranuleConflict[] {
  if (!(error instanceof ApiError) || error.code !== errorCodes.CONFLICT) return [];
  const details = ConflictDetails.safeParse(error.details);
  return details.success ? details.data.conflicts : [];
}
