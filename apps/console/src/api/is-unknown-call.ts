import { ApiError } from '@kaptain/contract/client';

/** The service does not know this call: our extras are not part of what every service has to offer. */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 501);
