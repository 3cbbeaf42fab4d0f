/** `npm run release:smoke`: installs the Linux release of this machine, uses it, upgrades and removes it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { runQuietly } from '../../setup/children.mjs';
import { command, root, SetupError, say } from '../../setup/project.mjs';
import { Installation } from './installation.ts';
import { keysOf, stopUnderLoad, useIt } from './steps.ts';

const name = `kaptain-${packageJson.version}-linux-${process.arch}`;

/** Unpacks the release into a folder whose name has a space, as many on Windows have. */
async function unpack(home: string, version: string): Promise<string> {
  const archive = join(root, 'release', `${name}.tar.gz`);
  if (!existsSync(archive)) throw new SetupError(`There is no ${archive}: run "npm run release" first.`);
  const folder = join(home, `program ${version}`);
  mkdirSync(folder);
  const { code, output } = await runQuietly('tar', ['-xzf', archive, '-C', folder]);
  assert.equal(code, 0, output);
  return join(folder, name);
}

await command(async () => {
  const home = mkdtempSync(join(tmpdir(), 'kaptain-smoke-'));
  try {
    const dataDir = join(home, 'data');
    const first = new Installation(await unpack(home, '1'), dataDir);
    say(`${name}: unpacked`);
    const running = await first.start();
    const id = await useIt(running);
    say('  settings restart: answered');
    await stopUnderLoad(first, running, id);
    await first.run('backup', join(home, 'backup.kaptain'));
    say(`  ${(await first.run('audit', 'verify')).trim()}`);
    const second = new Installation(await unpack(home, '2'), dataDir);
    rmSync(first.folder, { recursive: true });
    const upgraded = await second.start();
    assert.ok((await keysOf(upgraded, id)).has('A-1'));
    assert.equal(await upgraded.stop(), 0);
    say('  another version unpacked beside it and started on the same data: all there');
    rmSync(second.folder, { recursive: true });
    assert.ok(existsSync(dataDir));
    say('  program removed: the data stays');
    return 0;
  } finally {
    Installation.endAll();
    rmSync(home, { recursive: true, force: true });
  }
});
