import { ApiError } from '@kaptain/contract/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { untilServiceAnswers } from './reachability.ts';

/** A call without an answer is followed by a probe, which finds out whether the service is away. */
const onError = (error: unknown) => {
  if (error instanceof ApiError && (error.status === 0 || error.status > 501)) void untilServiceAnswers();
};

/**
 * A page that the login hides reads nothing: without its answers it would begin anew, and lose what was entered. Large answers, such as
 * pages of granules, have a shorter time of their own.
 */
const KEPT_MS = 24 * 3_600_000;

/**
 * Queries are not retried: a failure is shown at once, with a Retry button. Also while the browser is offline: by default calls would
 * wait for the network without a word, and a dialog that waits for its answer could not be closed.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { networkMode: 'always', retry: false, staleTime: 10_000, gcTime: KEPT_MS },
      mutations: { networkMode: 'always', retry: false },
    },
  });
