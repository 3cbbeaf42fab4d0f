import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { type Entry, entriesBelow, textEntry } from '../release/archives/entry.ts';
import { tarGzBytes } from '../release/archives/tar.ts';
import { runQuietly } from '../setup/children.mjs';
import { SetupError } from '../setup/project.mjs';

const home = join('packages', 'client');

interface Manifest {
  name: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
}

/** The code as one module: the contract is inside; Zod is a package that npm installs beside it. */
async function bundledCode(root: string): Promise<string> {
  const bundle = await rolldown({
    cwd: root,
    input: join(home, 'src', 'index.ts'),
    platform: 'neutral',
    external: ['zod'],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const [chunk, ...more] = output;
  if (more.length > 0) throw new Error('The client must be one file.');
  return chunk.code;
}

/** Imports of declarations as other programs resolve them: with `.js`, and the contract where it is in the package. */
function withPackedImports(text: string, path: string): string {
  const contract = relative(dirname(path), 'contract/src/index.js').split(sep).join('/');
  return text
    .replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1')
    .replace(/(['"])@kaptain\/contract\1/g, `$1${contract}$1`);
}

async function declarations(root: string): Promise<Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-client-'));
  try {
    const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
    const args = [tsc, '-p', join(home, 'tsconfig.build.json'), '--outDir', folder];
    const { code, output } = await runQuietly(process.execPath, args, { cwd: root });
    if (code !== 0) throw new SetupError(`The types of the client could not be written:\n\n${output}`);
    return [...entriesBelow(folder, '.')].map(({ path, content }) => {
      const inside = path.slice(2);
      return textEntry(`package/types/${inside}`, withPackedImports(content.toString(), inside));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const manifest = ({ name, description, license, dependencies }: Manifest, version: string) => ({
  name,
  version,
  description,
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './types/client/src/index.d.ts', default: './index.js' } },
  dependencies: { zod: dependencies['zod'] },
});

/** The package that other programs install: `npm install kaptain-client-<version>.tgz`. */
export async function packClient(root: string, version: string, seconds: number): Promise<Buffer> {
  const file = (name: string) => readFileSync(join(root, home, name), 'utf8');
  const own = JSON.parse(file('package.json')) as Manifest;
  const entries = [
    textEntry('package/package.json', `${JSON.stringify(manifest(own, version), null, 2)}\n`),
    textEntry('package/README.md', file('README.md')),
    textEntry('package/LICENSE', file('LICENSE')),
    textEntry('package/index.js', await bundledCode(root)),
    ...(await declarations(root)),
  ];
  return tarGzBytes(entries, seconds);
}
