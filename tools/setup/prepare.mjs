import { buildConsole } from './console-build.mjs';
import { ensureInstalled } from './install.mjs';
import { chooseNode } from './node-version.mjs';

/**
 * Everything a command needs before it may start: the packages and the Node that runs it.
 * @param {import('./install.mjs').Extent} extent
 */
export async function prepare(extent) {
  await ensureInstalled(extent);
  return chooseNode();
}

/**
 * The same, with a console to serve.
 * @param {import('./install.mjs').Extent} extent
 */
export async function prepareWithConsole(extent) {
  const node = await prepare(extent);
  await buildConsole(node);
  return node;
}
