import assert from 'node:assert/strict';
import { say } from '../../setup/project.mjs';
import { createAdmin, logIn, type Running } from './installation.ts';
import { saveUntilStopped } from './save-until-stopped.ts';

/** The steps of a first day with an installation; returns the id of its kapsule. */
export async function useIt(running: Running): Promise<string> {
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

/** The keys of all granules of a kapsule. */
export async function keysOf(running: Running, id: string): Promise<Set<string>> {
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
export async function stopUnderLoad(
  installation: { start(): Promise<Running> },
  running: Running,
  id: string,
): Promise<void> {
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
