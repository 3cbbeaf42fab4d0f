import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { environment, lastLines, runQuietly } from './children.mjs';
import { root, SetupError, secondsSince, tell } from './project.mjs';

const sources = [
  join('apps', 'console'),
  join('packages', 'contract'),
  join('packages', 'qvd', 'src'),
  'package-lock.json',
  'tsconfig.base.json',
];
const notBuilt = /^(node_modules|dist|\.cache|testing)$|\.test\.tsx?$/;

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !notBuilt.test(name))
    .flatMap((name) => filesBelow(join(path, name)));
}

/** A hash of all files from which the console is built. */
export function consoleFingerprint(folder = root) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesBelow(join(folder, source))).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(folder, file).split(sep).join('/')}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} node
 * @param {string} folder
 */
export async function buildConsole(node, folder = root) {
  const home = join(folder, 'apps', 'console');
  const dist = join(home, 'dist');
  const marker = '.built-from';
  const wanted = consoleFingerprint(folder);
  if (existsSync(join(dist, marker)) && readFileSync(join(dist, marker), 'utf8') === wanted) return;

  tell('Building the console …');
  const since = performance.now();
  const fresh = join(home, '.cache', `build-${process.pid}`);
  const old = join(home, '.cache', `old-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  try {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
    const { code, output } = await runQuietly(node, args, { cwd: home, env: environment(node) });
    if (code !== 0) {
      throw new SetupError(
        `The console could not be built; the last good build is untouched. Fix the error below, then run the same command again:\n\n${lastLines(output, 30)}`,
      );
    }
    writeFileSync(join(fresh, marker), wanted);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  tell(`Console built (${secondsSince(since)}).`);
}
