import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lastLines, runQuietly } from './children.mjs';
import { root, SetupError, secondsSince, tell } from './project.mjs';

const marker = join('node_modules', '.installed-from');
const npmRecord = join('node_modules', '.package-lock.json');
// Only these fields matter: a changed script or version number needs no new installation.
const installFields = ['workspaces', 'dependencies', 'devDependencies', 'optionalDependencies', 'overrides'];

/** @param {string} folder */
function manifests(folder) {
  const first = join(folder, 'package.json');
  /** @type {string[]} */
  const patterns = JSON.parse(readFileSync(first, 'utf8')).workspaces ?? [];
  const parents = patterns.map((pattern) => join(folder, pattern.replace(/\/\*$/, '')));
  const members = parents
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'package.json')));
  return [first, ...members.filter((file) => existsSync(file)).sort()];
}

/** @param {string} folder */
function wantedInstall(folder) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(join(folder, 'package-lock.json')));
  for (const file of manifests(folder)) {
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    hash.update(JSON.stringify([manifest.name, ...installFields.map((field) => manifest[field] ?? null)]));
  }
  return hash.digest('hex');
}

/** @param {string} folder */
function installedByHand(folder) {
  const record = join(folder, npmRecord);
  if (!existsSync(record)) return false;
  const installed = statSync(record).mtimeMs;
  const wanted = [join(folder, 'package-lock.json'), ...manifests(folder)];
  return wanted.every((file) => statSync(file).mtimeMs <= installed);
}

/**
 * `service`: the packages to build the console and run the service. `all`: also those of tests and checks.
 * @typedef {'service' | 'all'} Extent
 */

/**
 * @param {string} folder
 * @param {Extent} [extent]
 */
export function markInstalled(folder, extent = 'all') {
  writeFileSync(join(folder, marker), `${wantedInstall(folder)} ${extent}`);
}

/**
 * @param {string} folder
 * @param {Extent} [extent]
 */
export function isInstalled(folder, extent = 'all') {
  const file = join(folder, marker);
  const [from, found] = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : [];
  if (from === wantedInstall(folder)) return found === 'all' || found === extent;
  if (!installedByHand(folder)) return false;
  markInstalled(folder);
  return true;
}

/** npm with the Node it came with: `npm ci` deletes a Node that lies in node_modules while it runs. */
export function npmCommand() {
  const { npm_node_execpath: node, npm_execpath: cli } = process.env;
  if (node && cli && existsSync(node) && existsSync(cli))
    return { program: node, first: [cli], shell: false };
  return process.platform === 'win32'
    ? { program: 'npm.cmd', first: [], shell: true }
    : { program: 'npm', first: [], shell: false };
}

/**
 * Runs `npm ci` in a folder; no package of ours needs install scripts.
 * @param {string} folder
 * @param {Extent} extent
 */
export async function installFromLock(folder, extent) {
  const { program, first: cli, shell } = npmCommand();
  const inside = join(folder, 'node_modules');
  const path = (process.env.PATH ?? process.env.Path ?? '').split(delimiter);
  // Explicit in both cases, because NODE_ENV=production changes the default.
  const dev = extent === 'all' ? '--include=dev' : '--omit=dev';
  const args = [...cli, 'ci', dev, '--include=optional', '--ignore-scripts', '--loglevel=warn'];
  const { code, output } = await runQuietly(program, args, {
    cwd: folder,
    shell,
    env: { ...process.env, PATH: path.filter((dir) => !dir.startsWith(inside)).join(delimiter) },
  });
  if (code === 0) return;
  throw new SetupError(
    `The packages could not be installed. Check the network connection (and npm's proxy settings), close any running Kaptain of this folder, then run the same command again. npm said:\n\n${errorLines(output)}`,
  );
}

/**
 * npm's error lines, without warnings and usage text.
 * @param {string} output
 */
function errorLines(output) {
  const [reason = ''] = output.split('npm error Clean install a project');
  const errors = reason.split(/\r?\n/).filter((line) => /^npm (error|ERR!) *\S/.test(line));
  return lastLines(errors.length > 0 ? errors.join('\n') : output);
}

/**
 * @param {Extent} [extent]
 * @param {string} [folder]
 */
export async function ensureInstalled(extent = 'all', folder = root) {
  if (isInstalled(folder, extent)) return;
  const first = !existsSync(join(folder, 'node_modules'));
  tell(
    first
      ? 'Installing packages (first time only, about a minute) …'
      : 'Packages have changed, or more are needed: installing …',
  );
  const since = performance.now();
  await installFromLock(folder, extent);
  markInstalled(folder, extent);
  tell(`Packages installed (${secondsSince(since)}).`);
}
