import { ApiError } from '@kaptain/contract/client';
import { LoginChallenge, session } from '@kaptain/contract/session';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { goToLogin, leaveLogin } from '../shared/location.ts';
import { clearSession, storeSession } from '../shared/session-storage.ts';
import { service } from './service.ts';

const calls = service({ session }).session;
// `keepalive` sends the request even if the page is closed before the answer.
const lastCalls = service({ session }, (input, init) => fetch(input, { ...init, keepalive: true })).session;

const STATUS = ['session', 'status'];

/** Spec 4: an error while fetching the status counts as initialized. */
export function useAppStatus() {
  return useQuery({
    queryKey: STATUS,
    queryFn: async ({ signal }) => {
      const answer = await calls.status({}, { signal }).catch(() => undefined);
      return answer?.status ?? 'initialized';
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type LoginAnswer = Awaited<ReturnType<typeof calls.login>>;

const enter = ({ accessToken, user }: LoginAnswer): void => {
  storeSession(accessToken, user);
  leaveLogin(user.userId);
};

export function useLogin() {
  return useMutation({
    mutationFn: (body: { username: string; password: string }) => calls.login({ body }),
    onSuccess: enter,
  });
}

/** What the second step of a login needs; undefined when the login failed for another reason. */
export const challengeOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED'
    ? LoginChallenge.safeParse(error.details).data?.challenge
    : undefined;

/** The second step: a code of the authenticator app, or a recovery code. */
export function useSecondFactorLogin() {
  return useMutation({
    mutationFn: (body: { challenge: string; code: string }) => calls.secondFactor({ body }),
    onSuccess: enter,
  });
}

/** Spec 4: after an init, won or lost to another admin, the state is initialized; a failure leaves it. */
export function useInitAdmin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ password, setupToken }: { password: string; setupToken: string }) =>
      calls.init({ body: { username: 'admin', password, ...(setupToken && { setupToken }) } }),
    onSuccess: () => queries.setQueryData(STATUS, 'initialized'),
  });
}

/** Spec 2: Logout removes the token and goes to /login; telling the service is best effort. */
export function logOut(): void {
  lastCalls.logout().catch(() => undefined);
  goToLogin();
  clearSession();
}
