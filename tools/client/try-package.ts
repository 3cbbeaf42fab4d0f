import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Entry } from '../release/archives/entry.ts';
import { runQuietly } from '../setup/children.mjs';
import { SetupError } from '../setup/project.mjs';

const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
/** The packages that npm installs with the client and the types of Node. */
const beside = ['zod', '@types/node', 'undici-types'];

/** Compiles the example, a strict program, against the package as npm would install it. */
export async function tryPackage(root: string, entries: readonly Entry[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-client-'));
  try {
    for (const { path, content } of entries) {
      const file = join(folder, 'node_modules', '@kaptain', 'client', path.replace(/^package\//, ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    for (const name of beside) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      // A junction needs no right on Windows; elsewhere it is a symbolic link.
      symlinkSync(join(root, 'node_modules', name), link, 'junction');
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    copyFileSync(join(root, 'examples', 'save-and-read.ts'), join(folder, 'program.ts'));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [tsc, ...STRICT, '--target', 'es2024', '--types', 'node', 'program.ts'];
    const { code, output } = await runQuietly(process.execPath, args, { cwd: folder });
    if (code !== 0) throw new SetupError(`A program that uses the client does not compile:\n\n${output}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
