import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../../setup/children.mjs';
import { SetupError } from '../../setup/project.mjs';
import type { ShippedPackage } from '../shipped-packages.ts';

const source = join(import.meta.dirname, 'service');

async function go(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, output } = await runQuietly('go', args, { cwd: source, env: { ...process.env, ...env } });
  if (code !== 0) throw new SetupError(`The Windows service could not be built by Go:\n\n${output}`);
  return output.trim();
}

/** The third-party code inside the program: the module it requires, and Go itself. */
async function packagesInside(): Promise<ShippedPackage[]> {
  const [root = '', version = ''] = (await go(['env', 'GOROOT', 'GOVERSION'])).split(/\r?\n/);
  const [name = '', tag = '', folder = ''] = (
    await go(['list', '-m', '-f', '{{.Path}} {{.Version}} {{.Dir}}', 'golang.org/x/sys'])
  ).split(' ');
  const license = 'BSD-3-Clause';
  return [
    { name, version: tag, license, folder, type: 'golang' },
    { name: 'std', version: version.replace(/^go/, ''), license, folder: root, type: 'golang' },
  ];
}

/** The program that Windows runs as a service, and the packages inside of it. */
export async function buildWindowsService(
  folder: string,
): Promise<{ program: Buffer; packages: ShippedPackage[] }> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'kaptain-service.exe');
  await go(['mod', 'download']);
  const packages = await packagesInside();
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w -buildid='];
  await go(['build', ...flags, '-o', file, '.'], { GOOS: 'windows', GOARCH: 'amd64', CGO_ENABLED: '0' });
  const program = readFileSync(file);
  rmSync(file);
  return { program, packages };
}
