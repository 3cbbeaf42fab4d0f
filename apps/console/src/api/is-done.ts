import { ApiError } from '@kaptain/contract/client';

/** For a call whose answer SPEC leaves open: it is done when it was not refused, whatever the answer looks like. */
export const isDone = (call: Promise<unknown>): Promise<void> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ApiError) throw error;
    },
  );
