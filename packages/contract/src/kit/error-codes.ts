import { type ErrorCode, errorCodes } from '../rules/errors.ts';
import type { Route } from './route.ts';

/** A request that is no HTTP, or that the service can't answer now. */
const onEveryCall = ['BAD_REQUEST', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'] as const;

/** All but GET: web pages of other origins may not make them, a body may come along, and something is stored. */
const onChanges = [
  'FOREIGN_ORIGIN',
  'BAD_JSON',
  'REQUEST_TIMEOUT',
  'TOO_LARGE',
  'WRONG_TYPE',
  'DISK_FULL',
] as const;

function* implied(route: Route): Generator<ErrorCode> {
  const { method, access, params, query, body, files, answer } = route;
  yield* onEveryCall;
  if (method !== 'GET') yield* onChanges;
  // A valid credential of another role, or of another kind: each call takes only some kinds.
  if (access !== 'everyone') yield* ['NOT_LOGGED_IN', 'FORBIDDEN'] as const;
  // An ADMIN may still have to set up a second factor; an API key has none.
  if (access !== 'everyone' && !route.beforeSecondFactor) yield 'SECOND_FACTOR_NEEDED';
  if (route.proof) yield 'PROOF_NEEDED';
  // An API key is valid and does not open the call, or does not allow it.
  if (access !== 'everyone' && access !== 'dataApi') yield 'API_KEY_NOT_ALLOWED';
  if (access === 'adminWithApiKeys') yield 'API_KEYS_OFF';
  // The router knows no longer part of an address; what it names may be gone or out of sight.
  if (params) yield* ['URL_TOO_LONG', 'NOT_FOUND'] as const;
  if (params || query || body || files) yield 'BAD_INPUT';
  if (route.ifMatch) yield 'STALE';
  // A few at a time for each user.
  if (files) yield 'TOO_MANY_REQUESTS';
  // Browsers may not fetch a download ahead; who took what is written down before it begins.
  if (answer.kind === 'download') yield* ['FORBIDDEN', 'DISK_FULL'] as const;
}

/** The codes a call may answer with: what its shape implies, and what it declares. */
export const codesOf = (route: Route): ErrorCode[] =>
  [...new Set([...implied(route), ...(route.errors ?? [])])].sort(
    (a, b) => errorCodes[a][0] - errorCodes[b][0] || a.localeCompare(b),
  );
