import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installFromLock } from '../setup/install.mjs';
import { root } from '../setup/project.mjs';
import { type Entry, entriesBelow, textEntry } from './archives/entry.ts';
import { byName, licenceTexts, type ShippedPackage, shippedPackage } from './shipped-packages.ts';

const home = join(root, 'drivers');
const MANIFESTS = ['package.json', 'package-lock.json'];

/** The drivers that a release does not contain: each is an archive of its own, to be unpacked beside the program. */
export const driverNames = (): string[] => readdirSync(home).sort();

/** Installs a driver from its lock file into a folder that is kept. */
export async function installedDriver(name: string): Promise<string> {
  const source = join(home, name);
  const hash = createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
  const folder = join(root, 'node_modules', '.cache', 'release', `driver-${name}-${hash.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    for (const file of MANIFESTS) copyFileSync(join(source, file), join(fresh, file));
    await installFromLock(fresh, 'service');
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** The files that run: without the commands of packages, npm's own records, types and maps of sources. */
const isUsed = ({ path }: Entry): boolean => !/\/node_modules\/\.|\.d\.[cm]?ts$|\.map$/.test(path);

/** The files of an installed driver as `drivers/<name>/…`, where the service looks for them. */
export function* driverEntries(name: string, folder: string): Generator<Entry> {
  const prefix = `drivers/${name}`;
  yield textEntry(`${prefix}/package.json`, readFileSync(join(folder, 'package.json'), 'utf8'));
  yield textEntry(`${prefix}/THIRD-PARTY-LICENCES.txt`, licenceTexts(packagesIn(folder)));
  for (const entry of entriesBelow(join(folder, 'node_modules'), `${prefix}/node_modules`))
    if (isUsed(entry)) yield entry;
}

function packagesIn(folder: string): ShippedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const folders = Object.keys(packages)
    .filter((path) => path !== '')
    .map((path) => join(folder, path));
  return folders
    .filter((path) => existsSync(path))
    .map(shippedPackage)
    .sort(byName);
}
