import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../setup/children.mjs';
import { npmCommand } from '../setup/install.mjs';
import { root, SetupError } from '../setup/project.mjs';
import { NODE_VERSION, type Target } from './targets.ts';

interface Lock {
  packages: Record<string, { version?: string; integrity?: string }>;
}

const lockOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;

/** The natives are those of the lock file, version and content; only Node of other platforms is not in it. */
function requireLocked(folder: string, names: readonly string[]): void {
  const [wanted, got] = [lockOf(root), lockOf(folder)];
  for (const name of names) {
    const key = `node_modules/${name}`;
    const integrity = wanted.packages[key]?.integrity;
    if (integrity !== undefined && integrity !== got.packages[key]?.integrity)
      throw new SetupError(`The package ${name} is not the one of package-lock.json.`);
  }
}

/**
 * Installs Node and the native packages of a platform into a folder of their own, which is kept: npm would refuse them in
 * the workspace of another platform.
 */
export async function platformPackages({ name, os, cpu, node, natives }: Target): Promise<string> {
  const argon = lockOf(root).packages['node_modules/@node-rs/argon2']?.version;
  const wanted = [`${node}@${NODE_VERSION}`, ...natives.map((native) => `${native}@${argon}`)];
  const folder = join(root, 'node_modules', '.cache', 'release', `${name}-${NODE_VERSION}-${argon}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    writeFileSync(join(fresh, 'package.json'), '{}');
    const { program, first, shell } = npmCommand();
    const args = [
      'install',
      '--force',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `--os=${os}`,
      `--cpu=${cpu}`,
    ];
    const { code, output } = await runQuietly(program, [...first, ...args, ...wanted], { cwd: fresh, shell });
    if (code !== 0) throw new SetupError(`The packages for ${name} could not be fetched:\n\n${output}`);
    requireLocked(fresh, natives);
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}
