import { QueryClient } from '@tanstack/react-query';

/** Queries are not retried: a failure is shown at once, with a Retry button. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
  });
