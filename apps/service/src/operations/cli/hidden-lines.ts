import type { Readable } from 'node:stream';
import { ConfigError } from '../../base/errors/config-error.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ENDS = new Set(['\r', '\n', CTRL_D]);
const ERASES = new Set(['\u007f', '\b']);

export type PasswordInput = Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };

/** Reads lines from a terminal without echo; each call returns the next line. */
export function hiddenLines(input: PasswordInput): () => Promise<string> {
  let early = '';
  input.setEncoding('utf8');
  return () =>
    new Promise((resolve, reject) => {
      let typed: string[] = [];
      const end = (settle: () => void) => {
        input.off('data', read);
        input.setRawMode?.(false);
        input.pause();
        settle();
      };
      const read = (chunk: string) => {
        // Split into characters: a pasted password may arrive in one chunk, together with the second line.
        const characters = Array.from(early + chunk);
        early = '';
        for (const [index, character] of characters.entries()) {
          if (character === CTRL_C)
            return end(() => reject(new ConfigError('Given up; nothing was changed.')));
          if (ENDS.has(character)) {
            early = characters
              .slice(index + 1)
              .join('')
              .replace(/^\n/, '');
            return end(() => resolve(typed.join('')));
          }
          typed = ERASES.has(character) ? typed.slice(0, -1) : [...typed, character];
        }
      };
      input.setRawMode?.(true);
      input.on('data', read);
      input.resume();
      if (early !== '') read('');
    });
}
