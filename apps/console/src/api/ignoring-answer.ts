import { ApiError } from '@kaptain/contract/client';

/** Awaits a call whose answer services shape differently: undefined for every other answer without an error status. */
export const answerIfKnown = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    return undefined;
  });

/** Awaits a call whose answer services shape differently: every answer without an error status counts as success. */
export const ignoringAnswer = (call: Promise<unknown>): Promise<void> =>
  answerIfKnown(call).then(() => undefined);
