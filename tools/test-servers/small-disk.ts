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

/** Says loudly when it is not so: what needs a disk of its own is not tested then. */
export function canMountDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-disk-'));
  try {
    ramDisk(folder, 1, undefined).remove();
    rmdirSync(folder);
    return true;
  } catch {
    process.stderr.write(
      '\n!!! NOT TESTED: no disk can be mounted here, so the end of one is not proved.\n\n',
    );
    return false;
  }
}

/** At `folder`, which must not exist yet; says loudly when it is not a disk of its own. */
export function smallDisk(folder: string, megabytes: number, account: Account | undefined): SmallDisk {
  mkdirSync(folder);
  if (account) chownSync(folder, account.uid, account.gid);
  try {
    return ramDisk(folder, megabytes, account);
  } catch {
    process.stderr.write('\n!!! No disk can be mounted here: its end is played by a limit on all files.\n\n');
    return limitedFiles(account);
  }
}

function ramDisk(folder: string, megabytes: number, account: Account | undefined): SmallDisk {
  const owner = account ? `,uid=${account.uid},gid=${account.gid}` : '';
  const options = `size=${megabytes}m,mode=700${owner}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'kaptain', folder], { stdio: 'ignore' });
  const unmount = () => execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  process.once('exit', unmount);
  const ballast = join(folder, 'ballast');
  return {
    fill() {
      try {
        for (let size = 1 << 20; ; ) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(ballast),
    remove() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

/**
 * A file that ends in the middle of a block lets the server write a part of it, which it takes for a full disk. The
 * files of its log, of 1 MB, still fit.
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
