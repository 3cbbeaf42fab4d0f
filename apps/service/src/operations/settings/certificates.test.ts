import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { upload } from '../../testing/multipart.ts';
import { AGAIN, get, put, saved } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

describe('certificates', () => {
  const send = (caller: Caller, name: string, file: string) =>
    upload(caller, `/configuration/sys/upload/file/${name}`, [
      { field: 'file', name, content: testCertificate(file) },
    ]);
  const has = async (caller: Caller, name: string) =>
    (await caller.get(`/configuration/sys/has/file/kaptain/${encodeURIComponent(name)}`)).status;
  const pem = { https: true, hsts: true };
  const pfx = (pfxPassword: string) => ({ https: true, usePfxCertificate: true, pfxPassword });

  it('are stored beside the active ones until the settings that use them are saved', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    expect(await has(admin, 'server.pem')).toBe(404);
    for (const name of ['server.pem', 'server_key.pem']) {
      const answer = await send(admin, name, name);
      expect([answer.status, answer.text]).toEqual([200, name]);
      expect(await has(admin, name)).toBe(200);
    }
    expect(app.settings.serverFiles()).toEqual({});
    expect((await put(admin, { settings: pem })).status).toBe(200);
    const stored = app.settings.serverFiles()['server.pem'] ?? '';
    expect(readFileSync(join(app.folder, 'certificates', stored))).toEqual(testCertificate('server.pem'));
    expect(readdirSync(join(app.folder, 'certificates', 'staged'))).toEqual([]);
    expect(await has(admin, 'server.pem')).toBe(200);
    for (const name of ['../kaptain.db', 'kaptain.json', stored.replace(/^./, 'x')])
      expect([name, await has(admin, name)]).toEqual([name, 404]);
  });

  const unusable: [string, Record<string, string>, object, string, RegExp][] = [
    [
      'a key of another certificate',
      { 'server.pem': 'server.pem', 'server_key.pem': 'other_key.pem' },
      pem,
      'server_key.pem',
      /does not belong/,
    ],
    [
      'an expired one',
      { 'server.pem': 'expired.pem', 'server_key.pem': 'server_key.pem' },
      pem,
      'server.pem',
      /expired on 2021-01-01/,
    ],
    [
      'one of the future',
      { 'server.pem': 'future.pem', 'server_key.pem': 'server_key.pem' },
      pem,
      'server.pem',
      /not valid before 2090-01-01/,
    ],
    [
      'a wrong PFX password',
      { 'server.pfx': 'server.pfx' },
      pfx('wrong'),
      'settings.pfxPassword',
      /does not fit/,
    ],
    ['a legacy PFX', { 'server.pfx': 'legacy.pfx' }, pfx('secret'), 'server.pfx', /outdated encryption/],
    ['a PFX without key', { 'server.pfx': 'keyless.pfx' }, pfx('secret'), 'server.pfx', /no private key/],
    ['an expired PFX', { 'server.pfx': 'expired.pfx' }, pfx('secret'), 'server.pfx', /expired on/],
  ];

  it('that can not work are refused by their file, and nothing is stored', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    for (const [what, files, settings, field, message] of unusable) {
      for (const [name, file] of Object.entries(files))
        expect((await send(admin, name, file)).status).toBe(200);
      const answer = await put(admin, { settings });
      expect([what, answer.status, answer.body['details'], answer.body.message]).toEqual([
        what,
        400,
        { field },
        expect.stringMatching(message),
      ]);
    }
    expect([saved(app), app.settings.serverFiles()]).toEqual([0, {}]);
  });

  it('that are no certificates are refused at the upload, each with its own message', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const cases: [string, string, RegExp][] = [
      ['server.pem', 'server_key.pem', /not a certificate/],
      ['server_key.pem', 'server.pem', /not a private key/],
      ['server_key.pem', 'locked_key.pem', /protected by a passphrase/],
      ['server.pfx', 'server.pem', /not a PFX file/],
    ];
    for (const [name, file, message] of cases)
      expect(await send(admin, name, file)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(message) },
      });
    const big = [{ field: 'file', name: 'server.pem', content: 'x'.repeat(1024 * 1024 + 1) }];
    expect((await upload(admin, '/configuration/sys/upload/file/server.pem', big)).status).toBe(413);
    expect(await has(admin, 'server.pem')).toBe(404);
  });

  it('of the platform get a generated name, which the settings may use', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const file = [{ field: 'file', name: '../../evil.pem', content: testCertificate('server_key.pem') }];
    const { status, text } = await upload(admin, '/configuration/sys/import/file', file);
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/^certificates\/[0-9a-f]{32}-platform\.pem$/),
    ]);
    expect([await has(admin, text), await has(admin, text.split('/')[1] ?? '')]).toEqual([200, 200]);
    const jwt = { settings: { qlikHost: 'JWT' }, hosts: { JWT: { hostname: 'q.example', keyFile: text } } };
    expect((await put(admin, jwt)).status).toBe(200);
  });

  it('need the password again when another PFX replaces the first', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    await send(admin, 'server.pfx', 'server.pfx');
    expect((await put(admin, { settings: pfx('secret') })).status).toBe(200);
    expect((await put(admin, await get(admin))).status).toBe(200);
    expect(saved(app)).toBe(1);
    await send(admin, 'server.pfx', 'legacy.pfx');
    expect((await put(admin, await get(admin))).body.message).toBe(AGAIN);
  });
});
