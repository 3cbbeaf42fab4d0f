import { z } from 'zod';

/** The code, status and meaning of every failure; docs/reference/errors.md is generated from this table. */
export const errorCodes = {
  BAD_INPUT: [400, 'A value in the request is missing or not allowed; the message names the first one.'],
  VALUES_REFUSED: [
    400,
    'Values break the type or a rule of their field, or a lock closes them, and nothing was stored; `details.refused` has key, field, rule, value and message of the first ones, `details.count` counts all. Where a whole row is closed, its `field` is empty.',
  ],
  BAD_JSON: [400, 'The body is not valid JSON.'],
  BAD_REQUEST: [400, 'The request is not valid HTTP, or its address cannot be decoded.'],
  BINDING_MISMATCH: [400, "sqlType or tableName is not the kapsule's own binding."],
  NOT_LOGGED_IN: [
    401,
    'You are not logged in, or your session or API key is no longer valid: please log in.',
  ],
  LOGIN_REFUSED: [401, 'The name or the password is wrong, or the account is locked for a while.'],
  SECOND_FACTOR_REQUIRED: [
    401,
    'The password is right, and the account has a second factor: `details.challenge` and a code or a passkey finish the login; `details.methods` says which.',
  ],
  FORBIDDEN: [403, 'You may not do this.'],
  API_KEY_NOT_ALLOWED: [
    403,
    'The API key is valid, but does not open this call, or was made for less: for reading, or without the permission to delete granules.',
  ],
  API_KEYS_OFF: [403, 'API keys are switched off in the settings.'],
  WRONG_PASSWORD: [403, 'The current password is not right, or the account is locked for a while.'],
  SIGN_IN_EXPIRED: [403, 'This login was begun more than ten minutes ago, or is finished: begin again.'],
  SECOND_FACTOR_NEEDED: [403, 'The settings require a second factor of every ADMIN: set one up first.'],
  PROOF_NEEDED: [
    403,
    'A sensitive action needs a proof of who you are, and the last one is more than 15 minutes old; `details.methods` says how to give one.',
  ],
  PROOF_REFUSED: [
    403,
    'The password, the code or the passkey is not right, the code was used already, or the account is locked for a while.',
  ],
  PROTECTED: [409, 'This account is protected: the first admin, the last admin, or oneself.'],
  SETUP_TOKEN_REQUIRED: [403, 'This installation asks for its SETUP_TOKEN to create the first admin.'],
  DELETE_REFUSED: [
    403,
    'Some kapsules may not be deleted by the caller; the message is a JSON list of their names, or of the ids of those that the caller can not see.',
  ],
  FOREIGN_ORIGIN: [
    403,
    'The request comes from a web page or under a host name that this service does not trust, or its token was issued for another web page.',
  ],
  CODE_REFUSED: [
    403,
    'The one-time code is unknown, used up or expired, or its verifier or the page is not the right one: sign in again.',
  ],
  PLATFORM_PROOF_REFUSED: [
    403,
    'Qlik Sense does not confirm who the person is, or its proof must be shown again: sign in to Qlik Sense, or in the sign-in window of the extension.',
  ],
  NOT_FOUND: [404, 'There is nothing at this address, or you may not see it.'],
  WRONG_METHOD: [405, 'The address exists but not with this method.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive completely in time.'],
  CONFLICT: [409, 'The value is taken, or the change is not possible in the present state.'],
  LIMIT_REACHED: [
    409,
    'A limit is reached, e.g. of the kapsules of one creator; `details.limit` names it and `details.most` is its value.',
  ],
  WATERMARK_OUTDATED: [
    410,
    'The watermark was given before the database was restored or lost its last changes: read all granules again, without `since`.',
  ],
  STALE: [412, 'This was changed meanwhile: reload and try again.'],
  TOO_LARGE: [413, 'The body, a file or a list is larger than allowed.'],
  URL_TOO_LONG: [414, 'A part of the address is longer than allowed.'],
  WRONG_TYPE: [415, 'The content type of the body is not accepted by this call.'],
  OTHER_INSTANCE: [
    421,
    'Another instance than the one that `instance` names has answered: behind a load balancer, repeat the call.',
  ],
  TOO_MANY_REQUESTS: [429, 'Too many requests: wait as long as Retry-After says.'],
  HEADERS_TOO_LARGE: [431, 'The request headers are larger than allowed.'],
  INTERNAL: [500, 'An unexpected error; the system log has the details under the request id.'],
  UNAVAILABLE: [
    503,
    'The service is stopping, or something that it needs does not answer: try again after Retry-After.',
  ],
  DISK_FULL: [507, 'The disk of the service is full: this was not stored.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof errorCodes;

/** The shape of every error response. */
export const ErrorAnswer = z.object({
  statusCode: z.number().int(),
  code: z.string(),
  message: z.string(),
  requestId: z.string(),
  /** Further data for programs, which some codes have. */
  details: z.unknown().optional(),
});
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
