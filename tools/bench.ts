/** `npm run bench` runs every bench/<name>/run.ts in sequence; `npm run bench -- <name> …` runs only that one. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './setup/project.mjs';

const all = globSync('bench/*/run.ts', { cwd: root })
  .map((file) => basename(dirname(file)))
  .sort();
const [first = '', ...rest] = process.argv.slice(2);
const isNamed = all.includes(first);
if (!isNamed && first !== '' && !first.startsWith('-')) {
  console.error(`There is no bench "${first}". Choose one of: ${all.join(', ')}.`);
  process.exit(1);
}
for (const name of isNamed ? [first] : all) {
  console.log(`\n${name}`);
  const args = [join('bench', name, 'run.ts'), ...(isNamed ? rest : process.argv.slice(2))];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
