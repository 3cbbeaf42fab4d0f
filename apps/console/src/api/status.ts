import { status } from '@kaptain/contract/status';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ status }).status;
const AGAIN_MS = 30_000;

export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => calls.get({}, { signal }),
    refetchInterval: AGAIN_MS,
  });
}

/** Makes a backup on the service; its answer names the file to download. */
export function useMakeBackup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => calls.makeBackup(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['status'] }),
  });
}

/** Whether this service has the status call: an extra that other services may not have. */
export const isStatusServed = (signal: AbortSignal): Promise<boolean> =>
  calls.get({ query: { checks: 'none' } }, { signal }).then(
    () => true,
    (error: unknown) => !isUnknownCall(error),
  );
