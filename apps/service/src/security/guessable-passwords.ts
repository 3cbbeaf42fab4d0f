import { readFileSync } from 'node:fs';
import { limits } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';

const COMMON =
  'This password is one of the most common ones, which are guessed first: please choose another.';
const OBVIOUS =
  'This password is little more than the user name or the name of the product: please choose another.';
const PRODUCT_WORDS = ['kaptain', 'qlik'];

let common: ReadonlySet<string> | undefined;

/** Read when the first password is chosen: most starts of the service never need it. */
function isCommon(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  );
  return common.has(password);
}

/** What anybody would try first: the words of the name and of the product, longest first. */
const wordsAround = (username: string): string[] =>
  [...PRODUCT_WORDS, ...foldName(username).split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length);

/** Why a password would be guessed soon, in words for the person who chose it. */
export function whyGuessable(password: string, username: string): string | undefined {
  const folded = foldName(password);
  if (isCommon(folded)) return COMMON;
  const rest = folded.replace(new RegExp(wordsAround(username).join('|'), 'gu'), '');
  if (rest === folded) return undefined;
  // Digits behind a name are tried next; whatever has letters of its own, or is long, is somebody's own idea.
  const isShort = rest.length < limits.passwordMinCharacters && !/\p{L}/u.test(rest);
  return isShort || isCommon(rest) ? OBVIOUS : undefined;
}

/** Wherever a password is set. One that was set earlier goes on working. */
export function refuseGuessable(password: string, username: string): void {
  const why = whyGuessable(password, username);
  if (why !== undefined) throw new AppError('BAD_INPUT', why);
}
