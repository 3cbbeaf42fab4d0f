import { ApiError } from '@kaptain/contract/client';
import { LoginChallenge, session } from '@kaptain/contract/session';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { goToLogin, leaveLogin } from '../shared/location.ts';
import { signWithPasskey } from '../shared/passkeys.ts';
import { clearSession, readUser, storeSession } from '../shared/session-storage.ts';
import { storeSignIn, takeSignIn } from '../shared/sign-in-secret.ts';
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

export const enter = ({ accessToken, user }: LoginAnswer): void => {
  storeSession(accessToken, user);
  leaveLogin(user.userId);
};

export function useLogin() {
  return useMutation({
    mutationFn: (body: { username: string; password: string }) => calls.login({ body }),
    onSuccess: enter,
  });
}

/** The data for the second step of a login; undefined when the login failed for another reason. */
export const challengeOf = (error: unknown): LoginChallenge | undefined =>
  error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED'
    ? LoginChallenge.safeParse(error.details).data
    : undefined;

/** The second step: a code of the authenticator app, or a recovery code. */
export function useSecondFactorLogin() {
  return useMutation({
    mutationFn: (body: { challenge: string; code: string }) => calls.secondFactor({ body }),
    onSuccess: enter,
  });
}

/** The second step with a passkey, which the browser asks its user for. */
export function usePasskeyLogin() {
  return useMutation({
    mutationFn: async (challenge: string) => {
      const passkey = await signWithPasskey(await calls.startPasskey({ body: { challenge } }));
      return calls.secondFactor({ body: { challenge, passkey } });
    },
    onSuccess: enter,
  });
}

/** How people sign in; a service without the call knows only passwords. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['session', 'options'],
    queryFn: ({ signal }) => calls.options({}, { signal }).catch(() => null),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sends the browser to the provider; the secret of this sign-in stays in this tab. */
export function useStartProvider() {
  return useMutation({
    mutationFn: () => calls.startProvider({ body: { to: 'console' } }),
    onSuccess: ({ url, verifier }) => {
      storeSignIn(verifier);
      location.assign(url);
    },
  });
}

/** The browser is back from the provider: its code and the secret of this tab open the session. */
export function useFinishProvider() {
  return useMutation({
    mutationFn: (code: string) => calls.finishProvider({ body: { code, verifier: takeSignIn() } }),
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
  const isByProvider = readUser()?.isByProvider === true;
  const ending = isByProvider ? lastCalls.logoutProvider() : lastCalls.logout();
  goToLogin();
  clearSession();
  // The sign-in at the provider ends too, so that the next person at this computer is not signed in with it.
  ending.then((answer) => answer?.url && location.assign(answer.url)).catch(() => undefined);
}
