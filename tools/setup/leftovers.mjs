import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const GRACE_MS = 10_000;

/** A run of all tests puts down about 1 GB at a time. */
const MEMORY_BYTES = 4 * 1024 ** 3;

/** Files of the browser itself, which no test can remove. */
const notOurs = /^(\.org\.chromium\.|\.com\.google\.Chrome\.)/;

/**
 * A run of tests with a folder of its own for everything temporary, and a mark in the environment of all its processes, so
 * that what it leaves behind can be named.
 */
export function startRun() {
  const folder = newFolder();
  // As the folder of the system: the database servers of a run by root belong to other accounts.
  chmodSync(folder, 0o1777);
  const env = { KAPTAIN_TEST_RUN: folder, TMPDIR: folder, TMP: folder, TEMP: folder };
  return {
    env,
    /** Ends what still runs and removes what still lies there; answers with a line about each. */
    async leftovers(graceMs = GRACE_MS) {
      const deadline = Date.now() + graceMs;
      while (processesOf(folder).length > 0 && Date.now() < deadline) await setTimeout(100);
      const processes = processesOf(folder);
      const lines = processes.map(({ pid, command }) => `process ${pid}: ${command}`);
      for (const { pid } of processes) kill(pid);
      if (!existsSync(folder)) return lines;
      const names = readdirSync(folder).filter((name) => !notOurs.test(name));
      lines.push(...names.map((name) => `in the folder for temporary files: ${name}`));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      return lines;
    },
  };
}

/** In memory where there is enough of it: the stores and servers under test call fsync thousands of times. */
function newFolder() {
  // A short name: the path of a socket below it may have 100 characters.
  const [name, memory] = ['kt-', '/dev/shm'];
  const isNested = process.env.KAPTAIN_TEST_RUN !== undefined;
  if (process.platform === 'linux' && !isNested && process.availableMemory() >= MEMORY_BYTES) {
    try {
      const { bavail, bsize } = statfsSync(memory);
      if (bavail * bsize >= MEMORY_BYTES) return mkdtempSync(join(memory, name));
    } catch {
      // There is no such file system, or it may not be written.
    }
  }
  return mkdtempSync(join(tmpdir(), name));
}

/**
 * The processes with the mark of a run; only Linux tells the environment of others.
 * @param {string} folder
 */
function processesOf(folder) {
  if (process.platform !== 'linux') return [];
  const mark = `KAPTAIN_TEST_RUN=${folder}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => textOf(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => ({
      pid: Number(pid),
      command: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200),
    }));
}

/**
 * Nothing of a process that has ended or belongs to another account.
 * @param {string} file
 */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
