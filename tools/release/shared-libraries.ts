import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from '../setup/project.mjs';
import type { Entry } from './archives/entry.ts';

const ELF = Buffer.from('\u007fELF');

/** Loaded by name at run time, so that no program names them as needed: they look up host names. */
const resolvers = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];

/** The libraries of a program on this machine, with the dynamic loader that it names. */
function neededBy(program: string, name: string): string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' });
  const [, missing] = /(\S+) => not found/.exec(said) ?? [];
  if (missing !== undefined)
    throw new SetupError(`${name} needs ${missing}, which this machine does not have.`);
  return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

/** The paths of the shared libraries that the programs and native packages among some files need: each is found by its content. */
export function sharedLibraries(entries: Iterable<Entry>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-libraries-'));
  try {
    const file = join(folder, 'program');
    const paths = new Set<string>();
    for (const { path, content } of entries) {
      if (!content.subarray(0, ELF.length).equals(ELF)) continue;
      writeFileSync(file, content, { mode: 0o755 });
      for (const needed of neededBy(file, path)) paths.add(needed);
    }
    const libc = [...paths].find((path) => path.endsWith('/libc.so.6')) ?? '';
    const beside = resolvers
      .map((name) => libc.replace('libc.so.6', name))
      .filter((path) => existsSync(path));
    return [...paths, ...beside].sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
