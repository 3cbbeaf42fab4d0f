import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits can't be guessed, so a fast hash is enough to store it. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): string => hash('sha256', token, 'base64url');

/** Compares two secrets in constant time. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)));
