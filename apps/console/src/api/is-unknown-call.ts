import { ApiError, UnexpectedAnswerError } from '@kaptain/contract/client';

/**
 * The service does not know this call: our extras are not part of what every service has to offer.
 * Some say so with a status, some answer any address with a web page.
 */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof ApiError ? [404, 405, 501].includes(error.status) : error instanceof UnexpectedAnswerError;
