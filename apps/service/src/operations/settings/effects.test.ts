import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { upload } from '../../testing/multipart.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

const HOUR = 3_600_000;

async function save(admin: Caller, body: object): Promise<void> {
  const answer = await admin.call('PUT', '/configuration/sys/update/info', { body });
  expect([answer.status, answer.body]).toEqual([200, { status: 'success' }]);
}

/** For tests that save all settings that matter to them. */
const shared = appOfFile();

describe('a saved setting takes effect without a restart:', () => {
  it('web pages of the allowed origins may call, and no others', async () => {
    const { app, admin } = shared;
    const [hub, mashup, evil] = ['https://hub.example', 'http://mashup.example:8080', 'https://evil.example'];
    const allowed = async (): Promise<string[]> => {
      const found = [];
      for (const origin of [hub, mashup, evil]) {
        const asks = { origin, 'access-control-request-method': 'PUT' };
        const { status, headers } = await app.asNobody.call('OPTIONS', '/api/kapsule', { headers: asks });
        const isTold = headers['access-control-allow-origin'] === origin;
        // Without the CORS headers a browser refuses the request, whatever its status is.
        expect([origin, status, isTold]).toEqual([origin, isTold ? 204 : 405, isTold]);
        const given = { username: 'admin', password: PASSWORD };
        const login = await app.asNobody.post('/auth/login', given, { origin });
        expect([origin, login.status]).toEqual([origin, isTold ? 200 : 403]);
        if (isTold) found.push(origin);
      }
      return found;
    };
    await save(admin, { settings: {} });
    expect(await allowed()).toEqual([]);
    // Spec 5: stored as origin, in any spelling.
    await save(admin, { settings: { corsAllowOrigins: [`${hub}/page?x=1`, mashup] } });
    expect(await allowed()).toEqual([hub, mashup]);
    await save(admin, { settings: { corsAllowOrigins: [mashup] } });
    expect(await allowed()).toEqual([mashup]);
  });

  it('the next session lives as long as Sign Expires In says, and 24 hours with 0', async () => {
    await using app = await testApp();
    const lives: [number: number, timeUnit: string, ms: number][] = [
      [90, 's', 90_000],
      [45, 'm', 45 * 60_000],
      [3, 'h', 3 * HOUR],
      [0, 'm', 24 * HOUR],
    ];
    for (const [number, timeUnit, ms] of lives) {
      await save(await app.asAdmin(), { settings: {}, security: { signExpiresIn: { number, timeUnit } } });
      const vera = await app.asUser('vera');
      const statuses: number[] = [];
      // In steps, because an idle session ends earlier.
      for (const step of [ms / 4, ms / 4, ms / 4, ms / 4 - 1000, 1000]) {
        app.advance(step);
        statuses.push((await vera.get('/api/kapsule')).status);
        await app.store.ping();
      }
      expect([number, timeUnit, ...statuses]).toEqual([number, timeUnit, 200, 200, 200, 200, 401]);
    }
  });

  it('a session keeps the lifetime that it began with', async () => {
    await using app = await testApp();
    const [admin, vera] = [await app.asAdmin(), await app.asUser('vera')];
    await save(admin, { settings: {}, security: { signExpiresIn: { number: 1, timeUnit: 'm' } } });
    app.advance(HOUR);
    expect((await vera.get('/api/kapsule')).status).toBe(200);
  });

  it('the log level holds from the next line on', async () => {
    const { app, admin } = shared;
    const lines = async () => {
      const before = app.logLines.length;
      await app.asNobody.get('/api/user/status');
      await app.asNobody.get('/assets/index-abc123.js');
      const all = app.logLines.slice(before).map((line) => JSON.parse(line) as { path: string });
      return all.map(({ path }) => path);
    };
    await save(admin, { settings: {}, system: { logLevel: 'warn' } });
    expect(await lines()).toEqual([]);
    await save(admin, { settings: {}, system: { logLevel: 'info' } });
    expect(await lines()).toEqual(['/api/user/status']);
    await save(admin, { settings: {}, system: { logLevel: 'debug' } });
    expect(await lines()).toEqual(['/api/user/status', '/assets/index-abc123.js']);
  });

  it('API keys and the calls that manage them are switched on and off by their setting', async () => {
    const { app, admin } = shared;
    let key = 'none yet';
    const outcome = async () => {
      const path = '/api/kapsule/000000000000000000000000/loadscript';
      const { status } = await app.asNobody.get(path, { 'x-api-key': key });
      const list = await admin.get('/api/privatekey/list');
      const generated = await admin.get('/api/privatekey/get');
      return [status, list.status, generated.status, list.body.code];
    };
    const off = [401, 403, 403, 'API_KEYS_OFF'];
    await save(admin, { settings: {} });
    expect(await outcome()).toEqual(off);
    await save(admin, { settings: { apiKey: true } });
    key = String((await admin.get('/api/privatekey/get')).body['apikey']);
    expect((await admin.post('/api/privatekey/create', { name: 'loader', apikey: key })).status).toBe(200);
    // Authenticated: 404, because there is no such kapsule.
    const on = [404, 200, 200, undefined];
    expect(await outcome()).toEqual(on);
    await save(admin, { settings: { apiKey: false } });
    expect(await outcome()).toEqual(off);
    await save(admin, { settings: { apiKey: true } });
    expect(await outcome()).toEqual(on);
  });
});

describe('HSTS', () => {
  const tls = { cert: testCertificate('server.pem'), key: testCertificate('server_key.pem') };
  const strict = async (caller: Caller) => (await caller.get('/health')).headers['strict-transport-security'];
  const uploadBoth = async (admin: Caller) => {
    for (const name of ['server.pem', 'server_key.pem']) {
      const file = [{ field: 'file', name, content: testCertificate(name) }];
      expect((await upload(admin, `/configuration/sys/upload/file/${name}`, file)).status).toBe(200);
    }
  };

  it('lasts a day at first and a year later, and is withdrawn with the save', async () => {
    await using app = await testApp({ tls, settingsFile: { settings: { https: true, hsts: true } } });
    expect(await strict(app.asNobody)).toBe('max-age=86400');
    app.advance(24 * HOUR);
    expect(await strict(app.asNobody)).toBe('max-age=31536000');
    const admin = await app.asAdmin();
    await uploadBoth(admin);
    await save(admin, { settings: { https: true, hsts: false } });
    expect(await strict(app.asNobody)).toBe('max-age=0');
  });

  it('begins with a day even when https has been on for long', async () => {
    await using app = await testApp({ tls, settingsFile: { settings: { https: true } } });
    app.advance(48 * HOUR);
    const admin = await app.asAdmin();
    await uploadBoth(admin);
    await save(admin, { settings: { https: true, hsts: true } });
    expect(await strict(app.asNobody)).toBe('max-age=0');
  });

  it('is not sent over plain http', async () => {
    await using app = await testApp({ settingsFile: { settings: { https: true, hsts: true } } });
    expect(await strict(app.asNobody)).toBeUndefined();
  });
});
