import { QueryClient } from '@tanstack/react-query';

/** A failure is shown at once, with a button to try again, instead of being retried unseen. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
  });
