/**
 * `npm run bench` runs every bench in sequence, `bench/<name>.ts` or `bench/<name>/run.ts`; `npm run bench -- <name> …` runs only
 * that one. The options are in bench/README.md.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './setup/project.mjs';

const scripts = new Map(
  globSync(['bench/*.ts', 'bench/*/run.ts'], { cwd: root })
    .map((file): [string, string] => {
      const name = basename(file, '.ts');
      return [name === 'run' ? basename(dirname(file)) : name, file];
    })
    .sort(([one], [other]) => one.localeCompare(other)),
);
const [first = '', ...rest] = process.argv.slice(2);
const isNamed = scripts.has(first);
if (!isNamed && first !== '' && !first.startsWith('-')) {
  console.error(`There is no bench "${first}". Choose one of: ${[...scripts.keys()].join(', ')}.`);
  process.exit(1);
}
for (const [name, file] of scripts) {
  if (isNamed && name !== first) continue;
  console.log(`\n${name}`);
  const args = [join(root, file), ...(isNamed ? rest : process.argv.slice(2))];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
