/** `npm run release:smoke`: installs the Linux release of this machine, uses it, upgrades and removes it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runQuietly } from '../../setup/children.mjs';
import { command, say } from '../../setup/project.mjs';
import { Installation } from './installation.ts';
import { releaseFile } from './release-folder.ts';
import { keysOf, stopUnderLoad, useIt } from './steps.ts';

/** Unpacks the release into a folder whose name has a space, as many on Windows have. */
async function unpack(archive: string, home: string, version: string): Promise<string> {
  const folder = join(home, `program ${version}`);
  mkdirSync(folder);
  const { code, output } = await runQuietly('tar', ['-xzf', archive, '-C', folder]);
  assert.equal(code, 0, output);
  return join(folder, basename(archive, '.tar.gz'));
}

await command(async () => {
  const archive = releaseFile(`linux-${process.arch}.tar.gz`);
  const home = mkdtempSync(join(tmpdir(), 'kaptain-smoke-'));
  try {
    const dataDir = join(home, 'data');
    const first = new Installation(await unpack(archive, home, '1'), dataDir);
    say(`${basename(archive)}: unpacked`);
    const running = await first.start();
    const id = await useIt(running);
    say('  settings restart: answered');
    await stopUnderLoad(first, running, id);
    await first.run('backup', join(home, 'backup.kaptain'));
    say(`  ${(await first.run('audit', 'verify')).trim()}`);
    const second = new Installation(await unpack(archive, home, '2'), dataDir);
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
