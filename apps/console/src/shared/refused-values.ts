import { ApiError } from '@kaptain/contract/client';

/** Why the service has refused a value. */
interface RefusedValue {
  key: string;
  field: string;
  message: string;
}

const isRefused = (entry: unknown): entry is RefusedValue =>
  typeof entry === 'object' &&
  entry !== null &&
  'field' in entry &&
  typeof entry.field === 'string' &&
  'message' in entry &&
  typeof entry.message === 'string';

/** The first values for which the service has stored nothing; none when it failed for another reason. */
export function refusedValues(error: unknown): RefusedValue[] {
  if (!(error instanceof ApiError) || error.code !== 'VALUES_REFUSED') return [];
  const { details } = error;
  if (typeof details !== 'object' || details === null || !('refused' in details)) return [];
  return Array.isArray(details.refused) ? details.refused.filter(isRefused) : [];
}
