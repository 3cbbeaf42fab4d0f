import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../../../tools/platform-simulator/simulator.ts';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { PAGE } from '../../testing/extension.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';
import { sessionsIn } from './platform-proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'kaptain-proof-'));
const publicAuthorities = getCACertificates('default');
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ folder, apps: [] });
  setDefaultCACertificates([...publicAuthorities, simulator.authority]);
});
afterAll(async () => {
  setDefaultCACertificates(publicAuthorities);
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const VERA = 'a1b2c3d4-vera';
const STRANGER = 'a1b2c3d4-stranger';

/** A service on the simulated platform; Vera has an account with DELETE on one kapsule, the other one is open to all. */
async function world(mode: 'CERT' | 'SAAS') {
  const { settings, hosts } = simulator.settings(mode);
  const settingsFile = { settings: { ...settings, corsAllowOrigins: [PAGE] }, hosts };
  const app = await testApp({ settingsFile });
  const subject = mode === 'SAAS' ? '\\auth0|vera' : 'TEST\\vera';
  await app.asAdmin();
  await app.asUser('vera', { qlikId: subject });
  const closed = await addKapsule(app.store, 'Sales');
  const open = await addKapsule(app.store, 'Ideas', { writers: 'EVERYONE' });
  await grant(app.store, 'vera', ['READ', 'DELETE'], [closed]);
  const bySession = (
    cookie: string,
    kapsuleIds: string[],
    headers: Record<string, string> = { origin: PAGE },
  ) => app.asNobody.post('/api/extension/tokens/session', { kapsuleIds }, { cookie, ...headers });
  const byCloud = (accessToken: string, kapsuleIds: string[], origin = PAGE) =>
    app.asNobody.post('/api/extension/tokens/cloud', { accessToken, kapsuleIds }, { origin });
  const write = async (token: unknown, id: string) => {
    const page: Caller = callerOf(app.http, String(token));
    const body = { granules: [{ key: '1', data: { comment: 'x' } }] };
    // This header names the author of an API key's saves; here it must have no effect.
    const headers = { origin: PAGE, 'x-kaptain-user': 'TEST\\boss' };
    const { status } = await page.call('PUT', `/api/kapsule/${id}/granules`, { body, headers });
    const found = await page.post(`/api/kapsule/${id}/granules/lookup`, { keys: ['1'] }, { origin: PAGE });
    return [status, (found.body['data'] as { user?: string }[] | undefined)?.[0]?.user];
  };
  return { app, closed: closed.id, open: open.id, bySession, byCloud, write };
}

describe('the session of Qlik Sense as a proof', () => {
  beforeAll(() => {
    simulator.sessions.set(VERA, { prefix: '', userDirectory: 'TEST', userId: 'vera' });
    simulator.sessions.set(STRANGER, { prefix: 'hub', userDirectory: 'CORP', userId: 'zoe' });
  });

  it('gives a token with the rights of the account that has this qlikId', async () => {
    const { app, closed, bySession, write } = await world('CERT');
    await using _ = app;
    const { status, body, headers } = await bySession(`a=b; X-Qlik-Session=${VERA}`, [closed]);
    expect([status, body['author']]).toEqual([200, 'TEST\\vera']);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(await write(body['token'], closed)).toEqual([200, 'TEST\\vera']);
    expect(JSON.stringify([app.logLines, await app.store.extensionGrants.all()])).not.toContain(VERA);
    const [entry] = await app.store.audit.findBy('action', 'extension.proof');
    expect(entry).toMatchObject({ actor: 'vera', after: { platformUser: 'TEST\\vera' } });
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    await app.store.users.patch(user?.id ?? '', { qlikId: 'TEST\\other' });
    expect((await write(body['token'], closed))[0]).toBe(401);
  });

  it('lets a person without an account write where everyone may, and nowhere else', async () => {
    const { app, closed, open, bySession, write } = await world('CERT');
    await using _ = app;
    const cookie = `X-Qlik-Session-hub=${STRANGER}`;
    expect((await bySession(cookie, [open, closed])).status).toBe(404);
    const { body } = await bySession(cookie, [open]);
    expect(await write(body['token'], open)).toEqual([200, 'CORP\\zoe']);
    const page = callerOf(app.http, String(body['token']));
    expect((await page.get('/api/kapsule')).status).toBe(403);
    const renewed = await page.post('/api/extension/tokens/renew', undefined, { origin: PAGE });
    expect(renewed.body.code).toBe('PLATFORM_PROOF_REFUSED');
    await app.store.kapsules.patch(open, { writers: 'READ' });
    expect((await write(body['token'], open))[0]).toBe(404);
    await app.store.extensionGrants.remove((await app.store.extensionGrants.all())[0]?.id ?? '');
    expect((await write(body['token'], open))[0]).toBe(401);
  });

  it('is refused to other pages, without a page, with a session that the proxy does not know, and for a minute after many refusals', async () => {
    const { app, open, bySession } = await world('CERT');
    await using _ = app;
    const cookie = `X-Qlik-Session=${VERA}`;
    const evil = await bySession(cookie, [open], { origin: 'https://evil.example.com' });
    expect([evil.body.code, evil.headers['access-control-allow-credentials']]).toEqual([
      'FOREIGN_ORIGIN',
      undefined,
    ]);
    expect((await bySession(cookie, [open], {})).body.code).toBe('FOREIGN_ORIGIN');
    for (const wrong of [
      '',
      'X-Qlik-Session=unknown-session',
      `X-Qlik-Session-hub=${VERA}`,
      `session=${VERA}`,
    ])
      expect((await bySession(wrong, [open])).body.code).toBe('PLATFORM_PROOF_REFUSED');
    expect(await app.store.extensionGrants.all()).toEqual([]);
    for (let n = 0; n < 56; n++) await bySession('', [open]);
    expect((await bySession('', [open])).status).toBe(429);
    app.advance(60_000);
    for (let n = 0; n < 3; n++) expect((await bySession(cookie, [open])).status).toBe(200);
  });

  it('of a platform’s user with two accounts opens neither', async () => {
    const { app, closed, bySession } = await world('CERT');
    await using _ = app;
    await app.asUser('otto', { qlikId: 'TEST\\vera', role: 'ADMIN' });
    expect((await bySession(`X-Qlik-Session=${VERA}`, [closed])).status).toBe(404);
  });

  it('opens no account by another spelling, or by a text in the user id that reads like one', async () => {
    const { app, closed, open, bySession } = await world('CERT');
    await using _ = app;
    await app.asUser('old', { qlikId: 'UserDirectory=OLD; UserId=olga' });
    await grant(app.store, 'old', ['READ'], await app.store.kapsules.all());
    for (const [userDirectory, userId] of [
      ['test', 'vera'],
      ['TEST', 'Vera'],
      ['CORP', 'x;UserId=vera;UserDirectory=TEST'],
      ['UserDirectory=TEST; UserId=vera', 'x'],
      ['TEST\\vera', ''],
      ['', 'TEST\\vera'],
      ['OLD', 'olga'],
    ] as const) {
      simulator.sessions.set('a1b2c3d4-forged', { prefix: '', userDirectory, userId });
      const cookie = 'X-Qlik-Session=a1b2c3d4-forged';
      expect([userDirectory, userId, (await bySession(cookie, [closed])).status === 200]).toEqual([
        userDirectory,
        userId,
        false,
      ]);
      await bySession(cookie, [open]);
    }
    simulator.sessions.delete('a1b2c3d4-forged');
    const tokens = await app.store.extensionGrants.all();
    expect([tokens.length, tokens.filter(({ userId }) => !userId.startsWith('platform:['))]).toEqual([5, []]);
  });

  it('is read from its cookies alone', () => {
    expect(sessionsIn(`x=1; X-Qlik-Session=${VERA}; X-Qlik-Session-hub=${STRANGER}`)).toEqual([
      { prefix: '', id: VERA },
      { prefix: 'hub', id: STRANGER },
    ]);
    for (const bad of [
      'X-Qlik-Session=../../about',
      'X-Qlik-Session=a b c d e f g',
      'X-Qlik-Session-a/b=abcdefgh',
    ])
      expect(sessionsIn(bad)).toEqual([]);
    expect(sessionsIn(Array(50).fill(`X-Qlik-Session=${VERA}`).join('; '))).toHaveLength(5);
  });
});

describe('the access token of Qlik Cloud as a proof', () => {
  it('is checked at the tenant of the settings', async () => {
    simulator.tenant.people.set('token-of-vera', { id: 'u1', subject: 'auth0|vera', status: 'active' });
    simulator.tenant.people.set('token-of-ex', { id: 'u2', subject: 'auth0|ex', status: 'disabled' });
    const { app, closed, open, byCloud, bySession, write } = await world('SAAS');
    await using _ = app;
    const { body } = await byCloud('token-of-vera', [closed]);
    expect(await write(body['token'], closed)).toEqual([200, 'auth0|vera']);
    for (const wrong of ['token-of-ex', 'token-of-nobody'])
      expect((await byCloud(wrong, [open])).body.code).toBe('PLATFORM_PROOF_REFUSED');
    expect((await byCloud('two words', [open])).status).toBe(400);
    expect((await byCloud('token-of-vera', [open], 'https://evil.example.com')).body.code).toBe(
      'FOREIGN_ORIGIN',
    );
    expect((await bySession(`X-Qlik-Session=${VERA}`, [open])).body.code).toBe('PLATFORM_PROOF_REFUSED');
    expect(JSON.stringify([app.logLines, await app.store.extensionGrants.all()])).not.toContain('token-of');
    simulator.tenant.people.clear();
  });
});
