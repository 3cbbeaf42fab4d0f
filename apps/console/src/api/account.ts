import { account } from '@kaptain/contract/account';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ account }).account;

const SESSIONS = ['account', 'sessions'];

export function useOwnSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => calls.sessions({}, { signal }),
  });
}

/** Whether this service has the account calls: an extra that other services may not have. */
export const isAccountServed = (signal: AbortSignal): Promise<boolean> =>
  calls.sessions({}, { signal }).then(
    () => true,
    (error: unknown) => !isUnknownCall(error),
  );

function useRefreshed() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: SESSIONS });
}

export function useChangePassword() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) => calls.changePassword({ body }),
    onSuccess: refresh,
  });
}

export function useEndSession() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (id: string) => calls.endSession({ params: { id } }),
    onSettled: refresh,
  });
}

export function useEndOtherSessions() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: () => calls.endOtherSessions(), onSettled: refresh });
}
