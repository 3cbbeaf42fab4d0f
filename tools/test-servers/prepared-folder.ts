import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type Account, removeFolder } from './server-process.ts';

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'test-servers');

/**
 * Fills `folder` with an empty database: made by `make` the first time, afterwards a copy of that, which takes a tenth of the
 * time. `program` is the server's own program: another version of it needs other files.
 */
export async function prepareFolder(
  folder: string,
  program: string,
  account: Account | undefined,
  make: () => Promise<void>,
): Promise<void> {
  const kept = join(cache, `${basename(program)}-${Math.round(statSync(program).mtimeMs)}`);
  if (!existsSync(kept)) {
    await make();
    keep(folder, kept);
    return;
  }
  cpSync(kept, folder, { recursive: true });
  // Servers refuse a folder that others may read.
  chmodSync(folder, 0o700);
  if (account) giveTo(account, folder);
}

/** Several test files may do it at the same time: each has a whole copy, and one of them stays. */
function keep(folder: string, kept: string): void {
  mkdirSync(cache, { recursive: true });
  const own = `${kept}-${process.pid}`;
  cpSync(folder, own, { recursive: true });
  try {
    renameSync(own, kept);
  } catch {
    removeFolder(own);
  }
}

function giveTo({ uid, gid }: Account, folder: string): void {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, name), uid, gid);
}
