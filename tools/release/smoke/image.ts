/** `npm run release:smoke:image`: runs the image of this machine under runc, uses it, and stops it under load. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { command, say } from '../../setup/project.mjs';
import { Container } from './container.ts';
import { freePort } from './free-port.ts';
import { releaseFile } from './release-folder.ts';
import { keysOf, stopUnderLoad, useIt } from './steps.ts';

await command(async () => {
  const archive = releaseFile(`image-${process.arch}.tar`);
  const home = mkdtempSync(join(tmpdir(), 'kaptain-smoke-'));
  let container: Container | undefined;
  try {
    container = await Container.of(archive, home, await freePort());
    const running = await container.start();
    say(`${basename(archive)}: ready, not as root, on a read-only file system`);
    await container.run('health');
    const id = await useIt(running);
    say('  settings restart: answered');
    await container.run('backup', '/data/smoke.backup');
    await stopUnderLoad(container, running, id);
    assert.equal(statSync(join(home, 'data', 'kaptain.db')).uid, 10_001);
    const again = await container.start();
    assert.ok((await keysOf(again, id)).has('A-1'));
    assert.equal(await again.stop(), 0);
    say('  another container on the same data: all there');
    return 0;
  } finally {
    await container?.end();
    rmSync(home, { recursive: true, force: true });
  }
});
