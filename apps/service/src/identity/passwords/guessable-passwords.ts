import { readFileSync } from 'node:fs';
import { limits } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

const COMMON =
  'This password is one of the most common ones, which are guessed first: please choose another.';
const OBVIOUS =
  'This password is little more than the user name or the name of the product: please choose another.';
const PRODUCT_WORDS = ['kaptain', 'qlik'];

let common: ReadonlySet<string> | undefined;

/** Reads the list when a password is set for the first time: most processes never need it. */
function isCommon(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  );
  return common.has(password);
}

/** The words that an attacker tries first: those of the user name and of the product, longest first. */
const obviousWords = (username: string): string[] =>
  [...PRODUCT_WORDS, ...foldName(username).split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length);

/** The reason why a password is guessable, written for the user; undefined when it is not. */
export function whyGuessable(password: string, username: string): string | undefined {
  const folded = foldName(password);
  if (isCommon(folded)) return COMMON;
  const rest = folded.replace(new RegExp(obviousWords(username).join('|'), 'gu'), '');
  if (rest === folded) return undefined;
  // The rest without these words must have a letter or eight characters, and must not be a common password.
  const isShort = rest.length < limits.passwordMinCharacters && !/\p{L}/u.test(rest);
  return isShort || isCommon(rest) ? OBVIOUS : undefined;
}

/** Called wherever a password is set. Passwords set earlier stay valid. */
export function refuseGuessable(password: string, username: string): void {
  const why = whyGuessable(password, username);
  if (why !== undefined) throw new AppError('BAD_INPUT', why);
}
