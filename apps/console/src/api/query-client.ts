import { ApiError } from '@kaptain/contract/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { untilServiceAnswers } from './reachability.ts';

/** A call without an answer is followed by a probe, which finds out whether the service is away. */
const onError = (error: unknown) => {
  if (error instanceof ApiError && (error.status === 0 || error.status > 501)) void untilServiceAnswers();
};

/** Queries are not retried: a failure is shown at once, with a Retry button. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
  });
