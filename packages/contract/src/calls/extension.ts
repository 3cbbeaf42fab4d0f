import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { idText, plainText, requiredText } from '../kit/text.ts';
import { SESSION_PROOF_PATH } from '../rules/extension-window.ts';
import { limits } from '../rules/limits.ts';

/** The scheme, host and port of a web page, spelled as a browser sends it in the header Origin. */
const pageOrigin = z
  .string()
  .max(limits.nameCharacters)
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, 'This is no origin of a web page.');

/** Kapsules that one token opens. */
const kapsuleIds = z.array(idText).min(1).max(limits.kapsulesPerExtensionToken);

/** The base64url form of 32 bytes: a SHA-256 hash, or a random secret. */
const of32Bytes = z.string().regex(/^[\w-]{43}$/, 'This is not the base64url form of 32 bytes.');

/** The query with which the sign-in window is opened. */
export const SignInRequest = z.object({
  /** Of the page that opens the window. */
  origin: pageOrigin,
  kapsules: z
    .string()
    .transform((text) => text.split(','))
    .pipe(kapsuleIds),
  challenge: of32Bytes,
  /** Handed back unchanged, so that the page recognises its own request. */
  state: of32Bytes,
});

/** The query of the window in which the author of a sheet chooses a kapsule. */
export const ChooseRequest = z.object({
  origin: pageOrigin,
  state: of32Bytes,
  /** The name of the key dimension, which is the key field of a new kapsule. */
  keyField: requiredText('It needs a key field.', limits.nameCharacters),
  /** A name for a new kapsule. */
  name: plainText(limits.nameCharacters),
});

export const ExtensionToken = z.object({
  token: z.string(),
  expiresAt: z.string(),
  /** The author of what is written with this token. */
  author: z.string(),
  /** The id of the person, for comparisons; names are only shown. */
  person: z.string().optional(),
  kapsuleIds: z.array(z.string()),
});
export type ExtensionToken = z.infer<typeof ExtensionToken>;

/** How the extension in a page of the platform gets a short-lived token for one person and chosen kapsules. */
export const extension = {
  createCode: route({
    method: 'POST',
    path: '/api/extension/codes',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'A one-time code for a page of an allowed origin, valid for a minute. `challenge` is the base64url SHA-256 of the verifier that the page keeps.',
    extra: true,
    body: z.object({ origin: pageOrigin, kapsuleIds, challenge: of32Bytes }),
    answer: json(z.object({ code: z.string() })),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  createToken: route({
    method: 'POST',
    path: '/api/extension/tokens',
    access: 'everyone',
    summary:
      'Exchange a one-time code and its verifier for a token of 15 minutes. The header Origin must be the one of the code. A code works once, also when it is refused.',
    extra: true,
    body: z.object({ code: of32Bytes, verifier: of32Bytes }),
    answer: json(ExtensionToken),
    errors: ['CODE_REFUSED'],
  }),
  createTokenBySession: route({
    method: 'POST',
    path: SESSION_PROOF_PATH,
    access: 'everyone',
    summary:
      'Exchange the session cookie of Qlik Sense, which the browser sends to the same host name, for a token of 15 minutes. Only for pages of allowed origins; the service asks the proxy of the platform who that is.',
    extra: true,
    body: z.object({ kapsuleIds }),
    answer: json(ExtensionToken),
    errors: ['PLATFORM_PROOF_REFUSED', 'NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  createTokenByCloud: route({
    method: 'POST',
    path: '/api/extension/tokens/cloud',
    access: 'everyone',
    summary:
      'Exchange an access token of a person of Qlik Cloud for a token of 15 minutes. Only for pages of allowed origins; the service asks the tenant of its settings who that is.',
    extra: true,
    body: z.object({
      kapsuleIds,
      accessToken: z.string().regex(/^[\x21-\x7e]{1,8192}$/, 'This is no access token.'),
    }),
    answer: json(ExtensionToken),
    errors: ['PLATFORM_PROOF_REFUSED', 'NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  renewToken: route({
    method: 'POST',
    path: '/api/extension/tokens/renew',
    access: 'extension',
    summary:
      'A new token instead of one that is still valid, as long as the sign-in behind it holds. A token by a proof of the platform is not renewed: the proof is shown again.',
    extra: true,
    answer: json(ExtensionToken),
    errors: ['PLATFORM_PROOF_REFUSED'],
  }),
};
