import { randomBytes } from 'node:crypto';

/** Headers of every answer. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/** Answers of the API are never cached, and a browser runs no script in them. */
export const apiHeaders = {
  ...commonHeaders,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

const policy = (parts: Record<string, string>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

const locked = {
  'form-action': "'self'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
};

/** The console runs only its own scripts; styles made at run time have the nonce of this answer. */
export const consolePolicy = (nonce: string, serviceUrl: string): string =>
  policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': serviceUrl === '' ? "'self'" : `'self' ${serviceUrl}`,
    'manifest-src': "'self'",
    ...locked,
    'require-trusted-types-for': "'script'",
  });

/** The API reference runs only our files and calls only this service; it inserts its icons as HTML, so without trusted types. */
export const referencePolicy = (nonce: string): string =>
  policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    ...locked,
  });

/** For pages without scripts. */
export const pagePolicy = policy({
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  ...locked,
});

/** For the sign-in window of the extension: its own script and calls of this service, no form that navigates. */
export const windowPolicy = policy({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  ...locked,
  'form-action': "'none'",
  'require-trusted-types-for': "'script'",
});

export const newNonce = (): string => randomBytes(16).toString('base64');
