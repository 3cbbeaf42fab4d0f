/**
 * `npm run release`: builds what people install, into the folder `release` or the one that `--into` names. The same commit
 * makes the same bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { packClient } from '../client/pack-client.ts';
import { runQuietly } from '../setup/children.mjs';
import { command, root, SetupError, say } from '../setup/project.mjs';
import { writeTarGz } from './archives/tar.ts';
import { zipBytes } from './archives/zip.ts';
import { bundleConsole } from './build-console.ts';
import { bundleService, copiedPackages } from './bundle.ts';
import { debBytes } from './deb.ts';
import { driverEntries, driverNames, installedDriver } from './drivers.ts';
import { imageBytes } from './image.ts';
import { insideReference } from './inside-reference.ts';
import { platformPackages } from './platform-packages.ts';
import { programEntries } from './program.ts';
import { sbom } from './sbom.ts';
import { byName, licenceTexts, packagesOf, shippedPackage, unique } from './shipped-packages.ts';
import { type Target, targets } from './targets.ts';
import { buildWindowsService } from './windows/build-service.ts';
import { buildSetup } from './windows/build-setup.ts';

const { version } = packageJson;
const { values: given, positionals: wanted } = parseArgs({
  options: { into: { type: 'string' } },
  allowPositionals: true,
});
const folder = resolve(given.into ?? join(root, 'release'));
const app = join(folder, '.app');
const modules = join(root, 'node_modules');

/** The time of the commit, so that it is the same whenever the release is built. */
async function commitSeconds(): Promise<number> {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  const { code, output } = await runQuietly('git', ['log', '-1', '--format=%ct']);
  if (code !== 0) throw new SetupError('Not a clone of the repository: set SOURCE_DATE_EPOCH.');
  return Number(output.trim());
}

/** Asked for before anything is built, which takes minutes. */
async function requireTools(): Promise<void> {
  for (const [program, argument, name] of [
    ['go', 'version', 'Go 1.25 or later'],
    ['makensis', '-VERSION', 'NSIS 3.08 or later'],
  ] as const) {
    const { code } = await runQuietly(program, [argument]);
    if (code !== 0)
      throw new SetupError(
        `The release for Windows needs ${name} (the command ${program}). ` +
          'Others can be built without: npm run release linux-x64 linux-arm64',
      );
  }
}

/** The lines of CHANGELOG.md about this version. */
function changes(): string {
  const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  const own = sections.find((text) => text.startsWith(`## ${version}`)) ?? sections[0] ?? '';
  return `# Kaptain ${version}\n\n${own}`;
}

async function buildApp(): Promise<string[]> {
  const [service, console] = await Promise.all([
    bundleService(root, join(app, 'service', 'lib')),
    bundleConsole(root, join(app, 'console', 'dist')),
  ]);
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }\n');
  return [...service, ...console];
}

async function buildTarget(target: Target, shipped: string[], seconds: number): Promise<void> {
  const platform = join(await platformPackages(target), 'node_modules');
  const windows = target.os === 'win32' ? await buildWindowsService(join(folder, '.windows')) : undefined;
  const packages = unique([
    ...insideReference(),
    ...packagesOf(shipped),
    ...(windows?.packages ?? []),
    ...copiedPackages.map((name) => shippedPackage(join(modules, name))),
    ...[target.node, ...target.natives].map((name) => shippedPackage(join(platform, name))),
  ]).sort(byName);
  const name = `kaptain-${version}-${target.name}`;
  const bom = sbom(version, seconds, packages);
  const texts = {
    'CHANGELOG.md': changes(),
    'THIRD-PARTY-LICENCES.txt': licenceTexts(packages),
    'sbom.cdx.json': bom,
  };
  const parts = { app, modules, copied: copiedPackages, platform, windowsService: windows?.program, texts };
  const entries = (prefix: string) => programEntries(target, parts, prefix);
  writeFileSync(join(folder, `${name}.cdx.json`), bom);
  if (windows) {
    writeFileSync(join(folder, `${name}.zip`), zipBytes(entries(name), seconds));
    const setup = join(folder, `${name}-setup.exe`);
    await buildSetup(version, entries(name), setup, join(folder, '.windows'), seconds);
    return;
  }
  await writeTarGz(join(folder, `${name}.tar.gz`), entries(name), seconds);
  const deb = debBytes(version, target.cpu, entries('kaptain'), seconds);
  writeFileSync(join(folder, `${name}.deb`), deb);
  // The image takes the shared libraries of this machine.
  if (process.platform !== 'linux' || process.arch !== target.cpu) return;
  const image = imageBytes(version, target.cpu, entries('kaptain'), seconds);
  writeFileSync(join(folder, `kaptain-${version}-image-${target.cpu}.tar`), image);
}

/** Drivers are the same on every platform; Windows unpacks a zip without further programs. */
async function buildDriver(driver: string, seconds: number): Promise<void> {
  const installed = await installedDriver(driver);
  const name = join(folder, `kaptain-${version}-driver-${driver}`);
  await writeTarGz(`${name}.tar.gz`, driverEntries(driver, installed), seconds);
  writeFileSync(`${name}.zip`, zipBytes(driverEntries(driver, installed), seconds));
}

function writeChecksums(): void {
  const names = readdirSync(folder).filter((name) => name.startsWith('kaptain-'));
  const lines = names.sort().map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

await command(async () => {
  const chosen = wanted.length > 0 ? targets.filter(({ name }) => wanted.includes(name)) : targets;
  if (chosen.length === 0) throw new SetupError(`Choose of: ${targets.map(({ name }) => name).join(', ')}.`);
  if (chosen.some(({ os }) => os === 'win32')) await requireTools();
  const seconds = await commitSeconds();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  say('Building service and console …');
  const shipped = await buildApp();
  for (const target of chosen) {
    say(`Packing ${target.name} …`);
    await buildTarget(target, shipped, seconds);
  }
  for (const driver of driverNames()) {
    say(`Packing the driver for ${driver} …`);
    await buildDriver(driver, seconds);
  }
  rmSync(app, { recursive: true, force: true });
  say('Packing the typed client …');
  writeFileSync(join(folder, `kaptain-client-${version}.tgz`), await packClient(root, version, seconds));
  writeFileSync(join(folder, 'CHANGELOG.md'), changes());
  writeChecksums();
  for (const name of readdirSync(folder).sort()) say(join(folder, name));
  return 0;
});
