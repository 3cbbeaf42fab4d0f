import { ConfigError } from './config-error.ts';

/** Calls of the file system that change something; the others only read. */
const WRITES = new Set([
  'mkdir',
  'mkdtemp',
  'write',
  'rename',
  'unlink',
  'link',
  'copyfile',
  'rm',
  'fsync',
  'ftruncate',
]);

/** The account of this process, as administrators see it in `ls -n`; Windows has no numbers. */
const account = (): string => {
  const uid = process.getuid?.();
  return uid === undefined ? 'the account of the service' : `the account of the service (uid ${uid})`;
};

const rights = (path: string, verb: string): string =>
  `${path} can't be ${verb} by ${account()}: give it the right to, or choose another data folder with KAPTAIN_DATA_DIR.`;

/** One sentence about a file or folder that the host does not let the service use; undefined for any other failure. */
function sentenceFor({ code, path = 'A file of the service', syscall = '' }: NodeJS.ErrnoException) {
  switch (code ?? '') {
    case 'EACCES':
    case 'EPERM':
      return rights(path, WRITES.has(syscall) ? 'written' : 'opened');
    case 'EROFS':
      return `${path} is on a file system that is read-only for the service: make it writable (under systemd with ReadWritePaths=), or choose another data folder with KAPTAIN_DATA_DIR.`;
    case 'ENOENT':
      // Node's recursive mkdir reports a read-only file system with this code.
      return syscall.startsWith('mkd') ? rights(path, 'created') : undefined;
    case 'ENOTDIR':
    case 'EISDIR':
      return `${path} can't be used: one of its parts is a file where a folder is needed, or the reverse.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `${path} can't be written: its disk is full, so make room on it.`;
    default:
      return undefined;
  }
}

/** Turns the failure of a file or folder into an error that the admin can correct. */
export function asFileError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ConfigError || !('syscall' in error)) return error;
  const sentence = sentenceFor(error as NodeJS.ErrnoException);
  return sentence === undefined ? error : new ConfigError(sentence, { cause: error });
}

/** The disk itself refuses, e.g. because it is full: more rights would not help. */
export const isRefusedByDisk = (error: unknown): boolean =>
  ['EROFS', 'ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code));
