import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './project.mjs';

const onWindows = process.platform === 'win32';

/**
 * The compile cache, shared by all threads of all processes. Without it each thread strips the types of the sources again
 * at its start, which takes three times as long and occasionally crashes (Node 24.21).
 */
const compileCache = join(root, 'node_modules', '.cache', 'compiled');

/**
 * The environment in which `node`, called by any nested script, is the chosen Node.
 * @param {string} node
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(node, extra = {}) {
  const { Path, PATH = Path ?? '', ...rest } = process.env;
  const front = [join(root, 'node_modules', '.bin'), dirname(node)].filter((dir) => !PATH.startsWith(dir));
  // Playwright leaves TypeScript to Node, which strips its types; translating it takes three times as long.
  const sources = { NODE_COMPILE_CACHE: compileCache, PW_DISABLE_TS_ESM: '1' };
  return { ...sources, ...rest, PATH: [...front, PATH].join(delimiter), ...extra };
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let isForwarding = false;

/**
 * Starts a Node program that shares this process's terminal and gets its signals.
 * @param {string} node
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string, stdio?: import('node:child_process').StdioOptions }} [options]
 */
export function startNode(node, args, options = {}) {
  // Before the child runs: a program that reads the child's output may send this process a signal at once.
  if (!isForwarding) forwardSignals();
  const child = spawn(node, args, {
    cwd: options.cwd ?? root,
    env: environment(node, options.env),
    stdio: options.stdio ?? 'inherit',
  });
  running.add(child);
  return { child, ended: exitCode(child).finally(() => running.delete(child)) };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function exitCode(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Forwards signals to the running children, and sends them SIGTERM when npm has been killed: the shell between npm and
 * this process does not forward npm's signals.
 */
function forwardSignals() {
  isForwarding = true;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the children itself, and on Windows kill() would end them without clean-up.
      if (onWindows || (signal === 'SIGINT' && process.stdin.isTTY)) return;
      for (const child of running) child.kill(signal);
    });
  }
  const parent = process.ppid;
  if (onWindows || !process.env.npm_lifecycle_event) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    for (const child of running) child.kill('SIGTERM');
  }, 500);
  watch.unref();
}

/**
 * Runs a program to its end and returns its output and exit code.
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
 * The last lines of an output, for an error message.
 * @param {string} output
 */
export function lastLines(output, count = 15) {
  return output.trimEnd().split(/\r?\n/).slice(-count).join('\n');
}
