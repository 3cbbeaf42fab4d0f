import { z } from 'zod';
import { json, nothing, route } from '../kit/route.ts';
import { idText, isStorable, plainText, requiredText, UNSTORABLE } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { messages } from '../rules/messages.ts';
import { Role, Success } from '../vocabulary.ts';
import { PasskeyProof, PasskeyRequest } from './passkeys.ts';

const fitsHash = (password: string): boolean =>
  new TextEncoder().encode(password).length <= limits.passwordMaxBytes;

/** A password at login: any that could have been set. */
export const GivenPassword = z
  .string({ error: messages.passwordRequired })
  .min(1, messages.passwordRequired)
  .refine(fitsHash, `Please use at most ${limits.passwordMaxBytes} bytes as password!`)
  .refine(isStorable, UNSTORABLE);

/** A new password: Spec 5 requires at least 8 characters. */
export const NewPassword = GivenPassword.refine(
  (password) => Array.from(password).length >= limits.passwordMinCharacters,
  messages.passwordTooShort,
);

/** The user in the login response, which the console stores (SPEC 3). */
export const SessionUser = z.object({
  userId: z.string(),
  username: z.string(),
  role: Role,
  loginAttempts: z.number().nullish(),
  isLocked: z.boolean().nullish(),
  lockTime: z.string().nullish(),
  lastLoginAttempt: z.string().nullish(),
  /** Extra: whether the user may create kapsules; the Add button depends on it. */
  isCreate: z.boolean().optional(),
  /** Extra: the session was opened by the provider of the company. */
  isByProvider: z.boolean().optional(),
});
export type SessionUser = z.infer<typeof SessionUser>;

/** Six digits of an authenticator app, or a recovery code; blanks and case do not matter. */
export const SecondFactorCode = requiredText('Please input your code!', 32);

/**
 * How a user shows who they are. A code is one of an authenticator app, or a recovery code; without an app only recovery
 * codes are left.
 */
export const FactorMethod = z.enum(['password', 'code', 'recoveryCode', 'passkey']);
export type FactorMethod = z.infer<typeof FactorMethod>;

/** `details` of SECOND_FACTOR_REQUIRED. */
export const LoginChallenge = z.object({ challenge: z.string(), methods: z.array(FactorMethod) });
export type LoginChallenge = z.infer<typeof LoginChallenge>;

/** A sign-in with the provider that has begun: its address, and what the page needs to finish it. */
export const BegunSignIn = z.object({ url: z.string(), verifier: z.string(), flow: z.string() });
const begunFlow = json(BegunSignIn);
const loginAnswer = json(z.object({ accessToken: z.string().min(1), user: SessionUser }));

const AppStatus = z.enum(['initialized', 'initializationNeeded']);
type AppStatus = z.infer<typeof AppStatus>;

export const session = {
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'everyone',
    summary: 'Log in with a name and a password.',
    body: z.object({
      username: requiredText(messages.usernameRequired),
      password: GivenPassword,
    }),
    answer: loginAnswer,
    errors: ['LOGIN_REFUSED', 'SECOND_FACTOR_REQUIRED', 'TOO_MANY_REQUESTS'],
  }),
  secondFactor: route({
    method: 'POST',
    path: '/auth/second-factor',
    access: 'everyone',
    summary: 'Finish a login that was answered with SECOND_FACTOR_REQUIRED.',
    extra: true,
    body: z
      .object({ challenge: idText, code: SecondFactorCode.optional(), passkey: PasskeyProof.optional() })
      .refine(({ code, passkey }) => (code ?? passkey) !== undefined, 'Please input your code!'),
    answer: loginAnswer,
    errors: ['LOGIN_REFUSED', 'SIGN_IN_EXPIRED', 'TOO_MANY_REQUESTS'],
  }),
  startPasskey: route({
    method: 'POST',
    path: '/auth/second-factor/passkey',
    access: 'everyone',
    summary: 'What the browser needs to finish such a login with a passkey. Works once, within five minutes.',
    extra: true,
    body: z.object({ challenge: idText }),
    answer: json(PasskeyRequest),
    errors: ['CONFLICT', 'SIGN_IN_EXPIRED', 'TOO_MANY_REQUESTS'],
  }),
  options: route({
    method: 'GET',
    path: '/auth/options',
    access: 'everyone',
    summary: 'How people sign in: the name of the provider, and whether passwords are left to admin.',
    extra: true,
    answer: json(z.object({ provider: z.string().nullable(), passwordOnlyForAdmin: z.boolean() })),
  }),
  startProvider: route({
    method: 'POST',
    path: '/auth/provider/start',
    access: 'everyone',
    summary:
      'Begin a sign-in with the provider: the browser goes to `url` and keeps `verifier`. It comes back to the login page, or to a window of the extension with this query; `window` posts `flow` and a code to the channel `kaptain.provider` of the browser.',
    extra: true,
    body: z.object({
      to: z.enum(['console', 'window', 'extension', 'choose']),
      query: plainText(4096).default(''),
    }),
    answer: begunFlow,
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  finishProvider: route({
    method: 'POST',
    path: '/auth/provider/session',
    access: 'everyone',
    summary:
      'The session of a sign-in with the provider, for the code it came back with and the verifier. Works once.',
    extra: true,
    body: z.object({ code: idText, verifier: idText }),
    answer: loginAnswer,
    errors: ['CODE_REFUSED', 'TOO_MANY_REQUESTS'],
  }),
  startProof: route({
    method: 'POST',
    path: '/auth/provider/proof/start',
    access: 'loggedIn',
    summary:
      'Begin a new proof of identity of a session that the provider has opened: a window goes to `url`, where the person signs in again. It posts `flow` and a code to the channel `kaptain.provider` of the browser.',
    extra: true,
    beforeSecondFactor: true,
    answer: begunFlow,
    errors: ['CONFLICT', 'TOO_MANY_REQUESTS'],
  }),
  finishProof: route({
    method: 'POST',
    path: '/auth/provider/proof',
    access: 'loggedIn',
    summary:
      'Prove this session with the code of that window and the verifier, once; counts for 15 minutes from the sign-in.',
    extra: true,
    beforeSecondFactor: true,
    body: z.object({ code: idText, verifier: idText }),
    answer: json(Success),
    errors: ['CODE_REFUSED', 'TOO_MANY_REQUESTS'],
  }),
  logoutProvider: route({
    method: 'POST',
    path: '/auth/provider/logout',
    access: 'loggedIn',
    summary: 'End this session; `url` ends the sign-in at the provider too, null when there is none.',
    extra: true,
    beforeSecondFactor: true,
    answer: json(z.object({ url: z.string().nullable() })),
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    access: 'loggedIn',
    summary: 'End the session of this token at once.',
    extra: true,
    beforeSecondFactor: true,
    answer: nothing,
  }),
  status: route({
    method: 'GET',
    path: '/api/user/status',
    access: 'everyone',
    summary: 'Whether the first admin exists.',
    answer: json(z.object({ status: AppStatus })),
  }),
  init: route({
    method: 'POST',
    path: '/api/user/init',
    access: 'everyone',
    summary: 'Create the first admin. Exactly one caller wins; all others hear adminExist.',
    body: z.object({
      // Spec 5: the name is fixed to admin, so that this call can create no other account.
      username: z.literal('admin', { error: 'The username of the first account is admin.' }),
      password: NewPassword,
      setupToken: plainText(limits.passwordMaxBytes).optional(),
    }),
    // Spec 7 defines only the value adminExist; other services may answer success differently.
    answer: json(z.object({ status: z.string().describe('initialized or adminExist') })),
    errors: ['SETUP_TOKEN_REQUIRED', 'TOO_MANY_REQUESTS'],
  }),
};
