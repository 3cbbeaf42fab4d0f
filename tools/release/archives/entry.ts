import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** One member of an archive. Its path has slashes on every platform. */
export interface Entry {
  path: string;
  mode: number;
  content: Buffer;
  /** A symbolic link to this target. */
  link?: string;
  /** The user and group it belongs to; root otherwise. */
  owner?: number;
}

export const textEntry = (path: string, text: string, mode = 0o644): Entry => ({
  path,
  mode,
  content: Buffer.from(text),
});

/** The programs of an archive made on Windows are executable too: the file system there does not tell. */
const isProgram = (name: string, content: Buffer): boolean =>
  content.subarray(0, 2).toString('latin1') === '#!' ||
  (!name.includes('.') && content.subarray(1, 4).toString('latin1') === 'ELF');

/** The files below a folder in the order of their names, so that the same files make the same archive. */
export function* entriesBelow(folder: string, prefix: string): Generator<Entry> {
  for (const name of readdirSync(folder).sort()) {
    const [file, path] = [join(folder, name), `${prefix}/${name}`];
    const stat = lstatSync(file);
    if (stat.isDirectory()) yield* entriesBelow(file, path);
    else if (stat.isSymbolicLink())
      yield { path, mode: 0o777, content: Buffer.alloc(0), link: readlinkSync(file) };
    else {
      const content = readFileSync(file);
      yield { path, mode: isProgram(name, content) ? 0o755 : 0o644, content };
    }
  }
}
