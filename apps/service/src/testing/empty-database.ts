import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { databaseFile } from '../base/database/open-store.ts';

let bytes: Promise<Buffer> | undefined;

async function makeEmpty(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-empty-'));
  const file = databaseFile(folder);
  await (await openEmbeddedStore({ file })).close();
  const made = readFileSync(file);
  rmSync(folder, { recursive: true });
  return made;
}

/** Made once per process: creating the tables took a fifth of what an app of a test costs. */
export async function writeEmptyDatabase(folder: string): Promise<void> {
  writeFileSync(databaseFile(folder), await (bytes ??= makeEmpty()));
}
