import { buildConsole } from './console-build.mjs';
import { ensureInstalled } from './install.mjs';
import { chooseNode } from './node-version.mjs';

/**
 * Installs the packages and returns the Node that runs the command.
 * @param {import('./install.mjs').Extent} extent
 */
export async function prepare(extent) {
  await ensureInstalled(extent);
  return chooseNode();
}

/**
 * Also builds the console.
 * @param {import('./install.mjs').Extent} extent
 */
export async function prepareWithConsole(extent) {
  const node = await prepare(extent);
  await buildConsole(node);
  return node;
}
