import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigurationFile } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { upload } from '../../testing/multipart.ts';
import { CANARY, CONFIG, filesOf, get, put, secretive } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

const PASSPHRASE = 'open sesame please';

describe('history and transfer', () => {
  it('show, compare and restore earlier settings, and move them to another server, without revealing a secret', async () => {
    await using here = await testApp();
    const chief = await here.asAdmin();
    const seen: string[] = [];
    const ask = async (caller: Caller, method: 'GET' | 'POST', path: string, body?: object) => {
      const answer = await caller.call(method, CONFIG + path, body ? { body } : {});
      seen.push(answer.text);
      return answer;
    };
    const pfx = [{ field: 'file', name: 'server.pfx', content: testCertificate('server.pfx') }];
    await upload(chief, `${CONFIG}/upload/file/server.pfx`, pfx);
    const key = [{ field: 'file', name: 'key.pem', content: testCertificate('other_key.pem') }];
    const { text: keyFile } = await upload(chief, `${CONFIG}/import/file`, key);
    const first = { ...secretive, hosts: { ...secretive.hosts, JWT: { hostname: 'q.example', keyFile } } };
    expect((await put(chief, first)).status).toBe(200);
    expect((await put(chief, { settings: { userId: 'later' } })).status).toBe(200);
    seen.push(JSON.stringify(await get(chief)));

    const history = (await ask(chief, 'GET', '/history')).body as unknown as object[];
    expect(history).toMatchObject([
      { generation: 2, by: 'admin', status: 'waiting', isCurrent: true },
      { generation: 1, by: 'admin', status: 'waiting', isCurrent: false },
    ]);
    expect((await ask(chief, 'GET', '/history/1')).body).toContainEqual({
      field: 'mysql.MYSQL_PASSWORD',
      before: null,
      after: '********',
    });
    expect((await ask(chief, 'GET', '/history/99')).status).toBe(404);
    expect((await ask(chief, 'POST', '/history/1')).status).toBe(200);
    expect(here.settings.whole()).toMatchObject(first);
    expect(here.settings.serverFiles()).toHaveProperty(['server.pfx']);
    expect((await ask(chief, 'GET', '/state')).body).toMatchObject({
      generation: 3,
      running: 0,
      lastApply: { status: 'waiting', generation: 3 },
      license: { kind: 'none' },
    });

    const bare = (await ask(chief, 'POST', '/transfer/export', {})).body as unknown as ConfigurationFile;
    const whole = (await ask(chief, 'POST', '/transfer/export', { passphrase: PASSPHRASE }))
      .body as unknown as ConfigurationFile;
    expect([bare.sealed, typeof whole.sealed?.data]).toEqual([undefined, 'string']);

    await using there = await testApp();
    const other = await there.asAdmin();
    const withPhrase = { file: whole, passphrase: PASSPHRASE };
    const preview = (await ask(other, 'POST', '/transfer/preview', withPhrase)).body;
    expect(preview).toMatchObject({ withSecrets: true, missingSecrets: [] });
    expect(preview['differences']).toContainEqual({ field: 'settings.https', before: 'off', after: 'on' });
    const wrong = await ask(other, 'POST', '/transfer/preview', { file: whole, passphrase: 'not this one' });
    expect([wrong.status, wrong.body.message]).toEqual([400, 'The passphrase does not fit this file.']);
    const withoutSecrets = await ask(other, 'POST', '/transfer/preview', { file: bare });
    expect(withoutSecrets.body['missingSecrets']).toEqual(['hosts.SAAS.apiKey', 'mysql.MYSQL_PASSWORD']);
    expect(there.settings.generations.numbers()).toEqual([]);
    expect((await ask(other, 'POST', '/transfer/import', { file: bare })).status).toBe(400);
    expect((await ask(other, 'POST', '/transfer/import', withPhrase)).status).toBe(200);
    expect(there.settings.whole()).toEqual(here.settings.whole());
    expect(readFileSync(join(there.folder, keyFile))).toEqual(testCertificate('other_key.pem'));
    const newer = { ...bare, version: 2 };
    expect((await ask(other, 'POST', '/transfer/preview', { file: newer })).body.message).toBe(
      'This configuration comes from a newer version of the service.',
    );

    // The names of all changed fields, also when they are many.
    const changedBy = (app: typeof here, action: string) =>
      app.logLines
        .map((line) => JSON.parse(line) as { action?: string; changed?: string[] })
        .find((line) => line.action === action)?.changed;
    expect(changedBy(here, 'settings.returnTo')).toContain('mysql.MYSQL_PASSWORD');
    expect(changedBy(there, 'settings.import')).toContain('settings.https');
    const [imported] = await there.store.audit.findBy('action', 'settings.import');
    expect(imported?.after?.['changed']).toContain('mysql.MYSQL_PASSWORD');

    const trails = [await here.store.audit.all(), await there.store.audit.all()];
    const disk = [filesOf(here), filesOf(there)];
    for (const place of [seen, here.logLines, there.logLines, trails, disk])
      expect(JSON.stringify(place)).not.toContain(CANARY);
    const actions = trails[1]?.map(({ action }) => action) ?? [];
    expect(actions).toContain('settings.import');
  });
});
