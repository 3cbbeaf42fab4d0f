import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from './config-error.ts';

function make(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
    return;
  }
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no such drive');
  // One level at a time: Node's recursive mode never returns on file systems that refuse with "not found".
  make(parent);
  mkdirSync(folder);
}

/** Creates a folder if it does not exist. */
export function makeFolder(folder: string): void {
  try {
    make(folder);
  } catch {
    throw new ConfigError(
      `The folder ${folder} can't be created: give the service the right to write there, or choose another data folder with KAPTAIN_DATA_DIR.`,
    );
  }
}
