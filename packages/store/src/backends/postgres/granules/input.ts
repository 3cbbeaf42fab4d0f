import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { searchText } from '../../../folding.ts';
import { newId } from '../../../ids.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';

/** A row on its way into the database: with the id it gets when its key is new, and all that is derived from it. */
export interface Input {
  n: number;
  /** 1 for the second row of the same key, and so on: rounds are written one after another. */
  round: number;
  id: string;
  /** The value of the column `place`, still without its kapsule. */
  place: string;
  long_key: string | null;
  user: string;
  data: string;
  search: string;
  created_at: string | null;
  version: number | null;
}

export const INPUT_COLUMNS = `n bigint, round integer, id text, place text COLLATE "C", long_key text,
  "user" text COLLATE "C", data text, search text, created_at text, version bigint`;

/** An entry of an index must not be longer than a third of a page. */
const LONGEST = 500;

/** The bounds of a kapsule's values of `place`; those of all other kapsules are before or behind. */
export const prefixOf = (kapsule: number) => `${kapsule}:`;
export const endOf = (kapsule: number) => `${kapsule};`;

/** The key as the column `place` has it: a long key is cut and gets its hash, which makes it longer than any short key. */
export function placeOf(key: string): string {
  if (key.length <= LONGEST) return key;
  return `${key.slice(0, LONGEST).toWellFormed()}#${createHash('sha256').update(key).digest('hex')}`;
}

export class Inputs {
  readonly #seen = new Map<string, number>();
  #count = 0;
  #rounds = 1;
  #hasVersions = false;

  /**
   * `areLastOnly`: of the rows of one key only the last will count, so that they need no rounds. `search`: its folded text,
   * where it is known.
   */
  add(
    [key, user, data, created_at, version]: GranuleRow,
    areLastOnly = false,
    search = searchText(key, user, JSON.parse(data)),
  ): Input {
    const place = placeOf(key);
    const round = areLastOnly ? 0 : (this.#seen.get(place) ?? 0);
    if (!areLastOnly) this.#seen.set(place, round + 1);
    this.#rounds = Math.max(this.#rounds, round + 1);
    this.#count += 1;
    if (version !== null) this.#hasVersions = true;
    const long_key = place === key ? null : key;
    return { n: this.#count, round, id: newId(), place, long_key, user, data, search, created_at, version };
  }

  get rounds(): number {
    return this.#rounds;
  }

  /** Some rows may only replace a certain version. */
  get hasVersions(): boolean {
    return this.#hasVersions;
  }
}

/** COPY's text form: one line per row, tabs between the columns. */
export async function copyInputs(client: ClientBase, table: string, inputs: readonly Input[]): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} FROM STDIN`));
  await pipeline([inputs.map(lineOf).join('')], stream);
}

/** A line of COPY's text form. */
export function lineOf(input: Input): string {
  const { n, round, id, place, long_key, user, data, search, created_at, version } = input;
  return `${n}\t${round}\t${id}\t${escaped(place)}\t${long_key === null ? '\\N' : escaped(long_key)}\t${escaped(user)}\t${escaped(data)}\t${escaped(search)}\t${created_at ?? '\\N'}\t${version ?? '\\N'}\n`;
}

const SPECIAL = /[\\\n\r\t]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '') : text;
}
