/**
 * The packages inside the script of the API reference, which its package does not name. `node tools/release/inside-reference.ts`
 * writes the list again, for a new version: with the versions that npm resolves for `@scalar/api-reference`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runQuietly } from '../setup/children.mjs';
import { npmCommand } from '../setup/install.mjs';
import { root } from '../setup/project.mjs';
import type { ShippedPackage } from './shipped-packages.ts';

interface List {
  version: string;
  /** Name, version and licence. */
  packages: [string, string, string][];
}
interface Locked {
  version: string;
  license?: string;
}

const file = join(import.meta.dirname, 'inside-reference.json');
const list = () => JSON.parse(readFileSync(file, 'utf8')) as List;

export const installedReference = (): string => {
  const home = join(root, 'node_modules', '@scalar', 'fastify-api-reference');
  return (JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }).version;
};
export const listedReference = (): string => list().version;

export const insideReference = (): ShippedPackage[] =>
  list().packages.map(([name, version, license]) => ({ name, version, license, type: 'npm' }));

async function write(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-reference-'));
  try {
    const version = installedReference();
    writeFileSync(join(folder, 'package.json'), '{}');
    const { program, first, shell } = npmCommand();
    const args = ['install', '--package-lock-only', '--ignore-scripts', `@scalar/api-reference@${version}`];
    const { code, output } = await runQuietly(program, [...first, ...args], { cwd: folder, shell });
    if (code !== 0) throw new Error(output);
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Locked>;
    };
    const packages = Object.entries(lock.packages)
      .filter(([path]) => path !== '' && !path.includes('@types/'))
      .map(([path, { version, license = 'UNKNOWN' }]): List['packages'][number] => [
        path.split('node_modules/').at(-1) ?? path,
        version,
        license,
      ]);
    const lines = packages.map((entry) => `    ${JSON.stringify(entry)}`);
    writeFileSync(file, `{\n  "version": "${version}",\n  "packages": [\n${lines.join(',\n')}\n  ]\n}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await write();
