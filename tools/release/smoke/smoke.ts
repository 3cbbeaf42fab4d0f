/** `npm run release:smoke`: installs the Linux release of this machine, uses it, upgrades and removes it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { runQuietly } from '../../setup/children.mjs';
import { command, root, SetupError, say } from '../../setup/project.mjs';
import { createAdmin, Installation, logIn, type Running } from './installation.ts';
import { saveUntilStopped } from './save-until-stopped.ts';

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

async function useIt(running: Running): Promise<string> {
  await createAdmin(running);
  const { token, api } = await logIn(running);
  const { _id: id } = await api.dataApi.createKapsule({
    body: { name: 'Orders', keyField: 'OrderID', fields: [{ name: 'Comment', type: 'text' }] },
  });
  const params = { id };
  await api.dataApi.upsert({ params, body: { granules: [{ key: 'A-1', data: { Comment: 'Größe ✓' } }] } });
  say('  first admin, kapsule and granule: saved');
  const headers = { authorization: `Bearer ${token}` };
  const qvd = await fetch(`${running.url}/api/kapsule/${id}/export?format=qvd`, { headers });
  assert.equal(qvd.status, 200);
  const form = new FormData();
  form.set('file', new Blob([await qvd.arrayBuffer()]), 'Orders.qvd');
  const imported = await fetch(`${running.url}/api/kapsule/import/qvd/data?kapsuleId=${id}`, {
    method: 'POST',
    headers,
    body: form,
  });
  assert.equal(imported.status, 200, await imported.text());
  say('  QVD: exported and imported');
  for (const page of ['/', '/docs', '/docs/openapi.json'])
    assert.equal((await fetch(running.url + page)).status, 200, page);
  await api.settings.restart();
  return id;
}

async function keysOf(running: Running, id: string): Promise<Set<string>> {
  const { token } = await logIn(running);
  const answer = await fetch(`${running.url}/api/kapsule/${id}/sql/read`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return new Set(((await answer.json()) as { key: string }[]).map(({ key }) => key));
}

/**
 * Stops it while eight clients write. What it confirmed is there after the next start; what it did not answer, because the
 * connection was still waiting to be accepted, was not done.
 */
async function stopUnderLoad(installation: Installation, running: Running, id: string): Promise<void> {
  const { token } = await logIn(running);
  let stopped: Promise<number | null> | undefined;
  const outcomes = await saveUntilStopped(running.url, token, id, (saved) => {
    if (saved >= 200) stopped ??= running.stop();
  });
  assert.equal(await stopped, 0);
  const expected = new Set<number | string>([200, 503, 'ECONNREFUSED', 'ECONNRESET']);
  assert.deepEqual(
    [...outcomes].filter(([, outcome]) => !expected.has(outcome)),
    [],
  );
  const again = await installation.start();
  const keys = await keysOf(again, id);
  const wrong = [...outcomes].filter(([key, outcome]) => keys.has(key) !== (outcome === 200));
  assert.deepEqual(wrong, []);
  await again.stop();
  say(`  stopped under load: ${keys.size} granules, none lost, none saved without an answer`);
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
