import { randomBytes } from 'node:crypto';

/** On every answer, whatever it is. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/** Answers of the API are for one caller and one moment, and no browser shall run anything in them. */
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

/** For the console: only its own scripts; styles made at run time carry the nonce of this very answer. */
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

/** For pages without any script. */
export const pagePolicy = policy({
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  ...locked,
});

export const newNonce = (): string => randomBytes(16).toString('base64');
