const HIDDEN = '…';

/** Texts that may be values of a person or a row: quoted text, values of a key, tokens, addresses of mail and network. */
const values: readonly RegExp[] = [
  /“[^”]*”|„[^“]*“|"[^"]*"|'[^']*'|`[^`]*`/gu,
  /=\s*\([^)]*\)/gu,
  /[^\s@]+@[^\s@]+/gu,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/gu,
  /(?=[\w-]*\d)[\w-]{20,}/gu,
];

/** Text without the values in it: it tells what happened, not to whom or with which data. */
export const withoutValues = (text: string): string =>
  values.reduce((rest, pattern) => rest.replace(pattern, HIDDEN), text);

/** Removes these secrets from a text: a last line of defence, after each part was redacted by its own rules. */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= 4);
  const longestFirst = long.toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}

/** Numbers names in the order in which they appear, so that lines about the same one can be seen to be. */
export class Pseudonyms {
  readonly #word: string;
  readonly #numbers = new Map<string, number>();

  constructor(word: string) {
    this.#word = word;
  }

  of(name: string): string {
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return `${this.#word} ${number}`;
  }
}
