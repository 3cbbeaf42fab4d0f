import { ApiError, UnexpectedAnswerError } from '@kaptain/contract/client';

/**
 * Whether the service does not have this call: other services need not offer our extras.
 * Some answer with a status, some answer any address with a web page.
 */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof ApiError ? [404, 405, 501].includes(error.status) : error instanceof UnexpectedAnswerError;
