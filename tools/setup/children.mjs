import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './project.mjs';

const onWindows = process.platform === 'win32';

/**
 * What was compiled is kept beside the packages, for every thread of every process. Without it each thread takes the types
 * out of the sources again when it starts, which needs three times as long and, once in many times, crashes (Node 24.21).
 */
const compiled = join(root, 'node_modules', '.cache', 'compiled');

/**
 * The environment in which `node`, typed by any nested script, is the Node that was chosen.
 * @param {string} node
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(node, extra = {}) {
  const { Path, PATH = Path ?? '', ...rest } = process.env;
  const front = [join(root, 'node_modules', '.bin'), dirname(node)].filter((dir) => !PATH.startsWith(dir));
  return { NODE_COMPILE_CACHE: compiled, ...rest, PATH: [...front, PATH].join(delimiter), ...extra };
}

/**
 * Starts a program on the terminal of this one.
 * @param {string} node
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string, stdio?: import('node:child_process').StdioOptions }} [options]
 */
export function startNode(node, args, options = {}) {
  const child = spawn(node, args, {
    cwd: options.cwd ?? root,
    env: environment(node, options.env),
    stdio: options.stdio ?? 'inherit',
  });
  return { child, ended: exitCode(child) };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Lets the children stop in their own time when this process is asked to stop, or when npm is gone without a word:
 * the shell between npm and this process keeps npm's signals to itself.
 * @param {import('node:child_process').ChildProcess[]} children
 */
export function forwardSignals(children) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the children itself, and on Windows kill() would end them without a goodbye.
      if (onWindows || (signal === 'SIGINT' && process.stdin.isTTY)) return;
      for (const child of children) child.kill(signal);
    });
  }
  const parent = process.ppid;
  if (onWindows || !process.env.npm_lifecycle_event) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    for (const child of children) child.kill('SIGTERM');
  }, 500);
  watch.unref();
}

/**
 * Runs a program to its end, out of sight; what it printed comes back with its exit code.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, timeout?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runQuietly(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  }
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await exitCode(child).catch((error) => {
    output += String(error.message);
    return 1;
  });
  if (child.pid !== undefined) await closed;
  return { code, output };
}

/**
 * The last lines of an output: enough to see what went wrong.
 * @param {string} output
 */
export function lastLines(output, count = 15) {
  return output.trimEnd().split(/\r?\n/).slice(-count).join('\n');
}
