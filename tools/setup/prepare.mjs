import { buildConsole } from './console-build.mjs';
import { ensureInstalled } from './install.mjs';
import { chooseNode } from './node-version.mjs';

/** Everything a command needs before it may start: the packages and the Node that runs it. */
export async function prepare() {
  await ensureInstalled();
  return chooseNode();
}

/** The same, with a console to serve. */
export async function prepareWithConsole() {
  const node = await prepare();
  await buildConsole(node);
  return node;
}
