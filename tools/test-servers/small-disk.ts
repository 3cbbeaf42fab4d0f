import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, childrenOf } from './server-process.ts';

/** A disk that a test can fill and empty again under a running server. */
export interface SmallDisk {
  fill(server: number): void;
  free(server: number): void;
  remove(): void;
}

/** Says whether a disk can be mounted; if not, prints that tests which need one do not run. */
export function canMountDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-disk-'));
  try {
    ramDisk(folder, 1, undefined).remove();
    rmdirSync(folder);
    return true;
  } catch {
    process.stderr.write('\n!!! NOT TESTED: no disk can be mounted here, so a full disk is not tested.\n\n');
    return false;
  }
}

/** Mounts a small disk at `folder`, which must not exist yet; without the right to mount, limits file sizes instead. */
export function smallDisk(folder: string, megabytes: number, account: Account | undefined): SmallDisk {
  mkdirSync(folder);
  if (account) chownSync(folder, account.uid, account.gid);
  try {
    return ramDisk(folder, megabytes, account);
  } catch {
    process.stderr.write('\n!!! No disk can be mounted: a limit on file sizes simulates the full disk.\n\n');
    return limitedFiles(account);
  }
}

function ramDisk(folder: string, megabytes: number, account: Account | undefined): SmallDisk {
  const owner = account ? `,uid=${account.uid},gid=${account.gid}` : '';
  const options = `size=${megabytes}m,mode=700${owner}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'kaptain', folder], { stdio: 'ignore' });
  const unmount = () => execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  process.once('exit', unmount);
  const filler = join(folder, 'filler');
  return {
    fill() {
      try {
        for (let size = 1 << 20; ; ) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(filler),
    remove() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

/**
 * Limits the size of files (prlimit): a limit inside a block makes the server's write short, which it treats as a full
 * disk. The write-ahead log's files of 1 MB stay below the limit.
 */
function limitedFiles(account: Account | undefined): SmallDisk {
  const limit = (server: number, size: string) => {
    for (const pid of [server, ...childrenOf(server)]) {
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`], { ...account });
    }
  };
  return {
    fill: (server) => limit(server, String((1 << 20) + 1024)),
    free: (server) => limit(server, 'unlimited'),
    remove: () => undefined,
  };
}
