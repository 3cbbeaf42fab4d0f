import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative, sep } from 'node:path';
import { type Entry, entriesBelow, textEntry } from '../release/archives/entry.ts';
import { runQuietly } from '../setup/children.mjs';
import { SetupError } from '../setup/project.mjs';

const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
const CONTRACT = 'contract/src/index';

/** Rewrites imports of declarations for other programs: with `.js`, and with the path of the contract in the package. */
function withPackedImports(text: string, path: string): string {
  const contract = posix.relative(posix.dirname(path), `${CONTRACT}.js`);
  return text
    .replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1')
    .replace(/(['"])@kaptain\/contract\1/g, `$1${contract}$1`);
}

/** The path of the declaration of a module, and of the declaration that an import names. */
const declarationOf = (module: string): string => module.replace(/\.(?:ts|js)$/, '.d.ts');

/** The missing declarations: those of a module of the code, and those that another declaration imports. */
export function missingIn(types: readonly Entry[], modules: readonly string[]): string[] {
  const present = new Set(types.map(({ path }) => path));
  const imported = types.flatMap(({ path, content }) =>
    Array.from(content.toString().matchAll(IMPORT), ([, name = '']) => name)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(posix.dirname(path), name)),
  );
  const needed = new Set([...modules, ...imported].map(declarationOf));
  return [...needed].filter((path) => !present.has(path)).sort();
}

async function write(root: string, project: string): Promise<Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-client-'));
  try {
    const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
    const args = [tsc, '-p', project, '--outDir', folder];
    const { code, output } = await runQuietly(process.execPath, args, { cwd: root });
    if (code !== 0) throw new SetupError(`The types of the client could not be written:\n\n${output}`);
    return [...entriesBelow(folder, '.')].map(({ path, content }) => {
      const inside = path.slice(2);
      return textEntry(inside, withPackedImports(content.toString(), inside));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the declarations once more when some are missing: tsc 7.0.2 sometimes writes a tenth of them and exits with 0. */
export async function complete(
  declarations: () => Promise<Entry[]>,
  modules: readonly string[],
): Promise<Entry[]> {
  const first = await declarations();
  if (missingIn(first, modules).length === 0) return first;
  const second = await declarations();
  const missing = missingIn(second, modules);
  if (missing.length === 0) return second;
  throw new SetupError(`The compiler left out declarations of the client, twice:\n\n${missing.join('\n')}`);
}

/** The declarations of these source files and of all that they import; paths begin below `packages`. */
export function declarationsOf(root: string, project: string, sources: readonly string[]): Promise<Entry[]> {
  const modules = sources.map((file) => relative(join(root, 'packages'), file).split(sep).join('/'));
  return complete(() => write(root, project), modules);
}
