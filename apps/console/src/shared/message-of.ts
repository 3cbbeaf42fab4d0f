import { ApiError } from '@kaptain/contract/client';

/** The message of a thrown value, for the user. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The session has ended, as the login page has told the user. */
export const isSessionEnd = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Why a form was not saved; undefined without a failure, and after the end of the session, which is none of the form. */
export const failureOf = (error: unknown): string | undefined =>
  error === null || error === undefined || isSessionEnd(error) ? undefined : messageOf(error);
