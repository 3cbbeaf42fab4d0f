import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { textEntry } from '../release/archives/entry.ts';
import { tarGzBytes } from '../release/archives/tar.ts';
import { declarationsOf } from './declarations.ts';
import { tryPackage } from './try-package.ts';

const home = join('packages', 'client');

interface Manifest {
  name: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
}

/** The code as one module: the contract is inside; Zod is a package that npm installs beside it. */
async function bundled(root: string): Promise<{ code: string; sources: string[] }> {
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
  return { code: chunk.code, sources: chunk.moduleIds.filter((id) => id.endsWith('.ts')) };
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

/**
 * The package that other programs install: `npm install kaptain-client-<version>.tgz`. It fails when a declaration is
 * missing, or when a strict program that uses it does not compile.
 */
export async function packClient(root: string, version: string, seconds: number): Promise<Buffer> {
  const file = (name: string) => readFileSync(join(root, home, name), 'utf8');
  const { code, sources } = await bundled(root);
  const types = await declarationsOf(root, join(home, 'tsconfig.build.json'), sources);
  const own = JSON.parse(file('package.json')) as Manifest;
  const entries = [
    textEntry('package/package.json', `${JSON.stringify(manifest(own, version), null, 2)}\n`),
    textEntry('package/README.md', file('README.md')),
    textEntry('package/LICENSE', file('LICENSE')),
    textEntry('package/index.js', code),
    ...types.map((entry) => ({ ...entry, path: `package/types/${entry.path}` })),
  ];
  await tryPackage(root, entries);
  return tarGzBytes(entries, seconds);
}
