/*
 * The data of each released version, as that version has stored it: what the tests open from then on. `npm run
 * release:data` makes the folder of the present version.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Content } from '../../packages/store/src/testing/content.ts';

const home = import.meta.dirname;

/** Seals the audit trail in the data. */
export const trailSecret = (): Buffer => Buffer.alloc(32, 7);

export const releasedVersions: readonly string[] = readdirSync(home, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export const folderOf = (version: string): string => join(home, version);

export type Backend = 'embedded' | 'postgres' | 'mongodb';

/** The database of a backend, and what it holds. */
export function releasedData(version: string, backend: Backend): { dump: Buffer; content: Content } {
  const read = (name: string) => gunzipSync(readFileSync(join(folderOf(version), `${name}.gz`)));
  return {
    dump: read(`${backend}.dump`),
    content: JSON.parse(read(`${backend}.content.json`).toString('utf8')) as Content,
  };
}
