import { api } from '@kaptain/contract';
import { describe, expect, it, vi } from 'vitest';
import { asExtension, codeFor, exchange, newProof, PAGE } from '../../testing/extension.ts';
import { addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
const allowed = () => testApp({ settings: { corsAllowOrigins: [PAGE, 'https://other.example.com'] } });

/** A user who may write into one of two kapsules. */
async function prepared() {
  const app = await allowed();
  const admin = await app.asAdmin();
  const [sales, stock] = [await addKapsule(app.store, 'sales'), await addKapsule(app.store, 'stock')];
  await addGranules(app.store, sales, 2);
  const vera = await app.asUser('vera');
  await grant(app.store, 'vera', ['READ', 'DELETE'], [sales]);
  return { app, admin, vera, sales, stock };
}

const put = { granules: [{ key: '1', data: { comment: 'mine' } }] };
const from = (origin: string) => ({ origin });

describe('the token exchange of the extension', () => {
  it('opens the data API of the chosen kapsule, with the proven person as the author', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const page = await asExtension(app, vera, [sales.id]);
    const path = `/api/kapsule/${sales.id}/granules`;
    const headers = { ...from(PAGE), 'x-kaptain-user': 'TEST\\boss' };
    const saved = await page.call('PUT', path, { body: put, headers });
    expect([saved.status, saved.headers['access-control-allow-origin']]).toEqual([200, PAGE]);
    const found = await page.post(`${path}/lookup`, { keys: ['1'] }, from(PAGE));
    expect(found.body['data']).toMatchObject([{ user: 'TEST\\vera', data: { comment: 'mine' } }]);
    const entries = await app.store.audit.findBy('action', 'extension.signIn');
    expect(entries).toMatchObject([{ actor: 'vera', after: { origin: PAGE, kapsuleIds: [sales.id] } }]);
  });

  it('answers who writes, until when, and stores neither code nor token', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const { verifier, challenge } = newProof();
    const code = await codeFor(vera, [sales.id, sales.id], challenge);
    const { body } = await exchange(app, code, verifier);
    expect(body).toMatchObject({ author: 'TEST\\vera', kapsuleIds: [sales.id] });
    expect(Date.parse(String(body['expiresAt'])) - Date.now()).toBeGreaterThan(14 * MINUTE);
    const stored = JSON.stringify([await app.store.extensionGrants.all(), app.logLines]);
    for (const secret of [code, verifier, String(body['token'])]) expect(stored).not.toContain(secret);
  });

  it('refuses guessed codes without a turn among the writers', async () => {
    const { app } = await prepared();
    await using _ = app;
    const transactions = vi.spyOn(app.store, 'transaction');
    const guesses = Array.from({ length: 20 }, () => exchange(app, newProof().verifier, 'v'.repeat(43)));
    for (const { body } of await Promise.all(guesses)) expect(body.code).toBe('CODE_REFUSED');
    expect(transactions).not.toHaveBeenCalled();
  });

  it('gives a code only for an allowed page and kapsules that the person may read', async () => {
    const { app, vera, sales, stock } = await prepared();
    await using _ = app;
    const { challenge } = newProof();
    const ask = (body: object) => vera.post('/api/extension/codes', body);
    const right = { origin: PAGE, kapsuleIds: [sales.id], challenge };
    expect((await app.asNobody.post('/api/extension/codes', right)).status).toBe(401);
    expect((await ask({ ...right, origin: 'https://evil.example.com' })).body.code).toBe('FOREIGN_ORIGIN');
    expect((await ask({ ...right, origin: `${PAGE}/` })).status).toBe(400);
    expect((await ask({ ...right, origin: 'null' })).status).toBe(400);
    expect((await ask({ ...right, kapsuleIds: [sales.id, stock.id] })).status).toBe(404);
    expect((await ask({ ...right, kapsuleIds: [] })).status).toBe(400);
    expect((await ask({ ...right, challenge: 'plain' })).status).toBe(400);
    expect(await app.store.extensionGrants.all()).toEqual([]);
  });

  it('renews a valid token as long as the sign-in holds', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const page = await asExtension(app, vera, [sales.id]);
    app.advance(14 * MINUTE);
    const { status, body } = await page.post('/api/extension/tokens/renew', undefined, from(PAGE));
    expect([status, body['kapsuleIds']]).toEqual([200, [sales.id]]);
    const renewed = { ...from(PAGE), authorization: `Bearer ${String(body['token'])}` };
    app.advance(2 * MINUTE);
    const path = `/api/kapsule/${sales.id}/granules/lookup`;
    expect((await page.post(path, { keys: ['1'] }, from(PAGE))).status).toBe(401);
    expect((await app.asNobody.post(path, { keys: ['1'] }, renewed)).status).toBe(200);
    await vera.post('/auth/logout');
    expect((await app.asNobody.post(path, { keys: ['1'] }, renewed)).status).toBe(401);
    expect((await app.asNobody.post('/api/extension/tokens/renew', undefined, renewed)).status).toBe(401);
  });

  it('keeps a bounded number of codes and tokens per person', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 30; n++) await codeFor(vera, [sales.id], newProof().challenge);
      const body = { origin: PAGE, kapsuleIds: [sales.id], challenge: newProof().challenge };
      expect((await vera.post('/api/extension/codes', body)).status).toBe(429);
      expect((await app.store.extensionGrants.all()).length).toBeLessThanOrEqual(50);
      app.advance(MINUTE);
    }
    await codeFor(vera, [sales.id], newProof().challenge);
    expect(await app.store.extensionGrants.all()).toHaveLength(1);
  });
});

describe('attacks on the token exchange', () => {
  it('a code works once, with its verifier, on its page, for a minute', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const attempt = async (try_: (code: string, verifier: string) => ReturnType<typeof exchange>) => {
      const { verifier, challenge } = newProof();
      const code = await codeFor(vera, [sales.id], challenge);
      const { body } = await try_(code, verifier);
      // Also a refused code is used up.
      expect((await exchange(app, code, verifier)).body.code).toBe('CODE_REFUSED');
      return body.code ?? 'issued';
    };
    expect(await attempt((code, verifier) => exchange(app, code, verifier))).toBe('issued');
    expect(await attempt((code) => exchange(app, code, newProof().verifier))).toBe('CODE_REFUSED');
    expect(
      await attempt((code, verifier) => exchange(app, code, verifier, 'https://other.example.com')),
    ).toBe('CODE_REFUSED');
    expect(
      await attempt((code, verifier) => {
        app.advance(MINUTE + 1);
        return exchange(app, code, verifier);
      }),
    ).toBe('CODE_REFUSED');
    expect((await exchange(app, 'x'.repeat(43), 'y'.repeat(43))).body.code).toBe('CODE_REFUSED');
  });

  it('of many parallel exchanges of one code one wins', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const { verifier, challenge } = newProof();
    const code = await codeFor(vera, [sales.id], challenge);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(app, code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.store.extensionGrants.all()).toHaveLength(1);
  });

  it('a foreign page can neither exchange nor read the answer, with or without the right code', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const { verifier, challenge } = newProof();
    const code = await codeFor(vera, [sales.id], challenge);
    const evil = await exchange(app, code, verifier, 'https://evil.example.com');
    expect([evil.body.code, evil.headers['access-control-allow-origin']]).toEqual([
      'FOREIGN_ORIGIN',
      undefined,
    ]);
    const noPage = await app.asNobody.post('/api/extension/tokens', { code, verifier });
    expect(noPage.body.code).toBe('FOREIGN_ORIGIN');
    const own = await exchange(app, code, verifier, 'http://localhost');
    expect(own.body.code).toBe('FOREIGN_ORIGIN');
    // The code never reached the right page, and still works there.
    expect((await exchange(app, code, verifier)).status).toBe(200);
  });

  it('a page that is no longer allowed gets no token', async () => {
    const origins = [PAGE];
    await using app = await testApp({ settings: { corsAllowOrigins: origins } });
    const admin = await app.asAdmin();
    const kapsule = await addKapsule(app.store, 'sales');
    const { verifier, challenge } = newProof();
    const code = await codeFor(admin, [kapsule.id], challenge);
    origins.pop();
    expect((await exchange(app, code, verifier)).body.code).toBe('FOREIGN_ORIGIN');
  });

  it('a token opens no other kapsule, no other page and nothing beside the data API, also that of an ADMIN', async () => {
    const { app, admin, sales, stock } = await prepared();
    await using _ = app;
    const page = await asExtension(app, admin, [sales.id]);
    const lookup = (id: string, origin: string) =>
      page.post(`/api/kapsule/${id}/granules/lookup`, { keys: ['1'] }, from(origin));
    expect((await lookup(sales.id, PAGE)).status).toBe(200);
    expect((await lookup(stock.id, PAGE)).status).toBe(403);
    expect((await lookup(sales.id, 'https://other.example.com')).body.code).toBe('FOREIGN_ORIGIN');
    for (const path of [
      api.users.list.path,
      '/api/kapsule',
      `/api/kapsule/${sales.id}`,
      `/api/kapsule/${sales.id}/sql/read/internal`,
      '/configuration/sys/get/info',
      '/api/audit',
    ])
      expect([path, (await page.get(path)).body.code]).toEqual([path, 'FORBIDDEN']);
    const structure = { name: 'new', keyField: 'id', fields: [{ name: 'a', type: 'text' }] };
    expect((await page.post('/api/kapsule', structure)).status).toBe(403);
    expect((await page.post('/auth/logout')).status).toBe(403);
    const more = { origin: PAGE, kapsuleIds: [stock.id], challenge: newProof().challenge };
    expect((await page.post('/api/extension/codes', more)).status).toBe(403);
    expect((await exchange(app, String(page.token).slice(4), 'v'.repeat(43))).status).toBe(403);
  });

  it('a token ends with its sign-in, the user, the password or the right to the kapsule', async () => {
    const { app, admin, vera, sales } = await prepared();
    await using _ = app;
    const save = async (page: Awaited<ReturnType<typeof asExtension>>) =>
      (await page.call('PUT', `/api/kapsule/${sales.id}/granules`, { body: put, headers: from(PAGE) }))
        .status;
    const page = await asExtension(app, vera, [sales.id]);
    expect(await save(page)).toBe(200);
    const [group] = await app.store.groups.all();
    await app.store.groups.patch(group?.id ?? '', { authority: ['READ'] });
    expect(await save(page)).toBe(403);
    await app.store.groups.remove(group?.id ?? '');
    expect(await save(page)).toBe(404);
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    const change = { userId: user?.id, role: 'USER', groups: [], qlikId: 'x', isCreate: false };
    await admin.call('PUT', '/api/user/update', { body: { ...change, password: `${PASSWORD} new` } });
    expect(await save(page)).toBe(401);
    expect(await app.store.extensionGrants.findBy('userId', user?.id ?? '')).toEqual([]);
  });

  it('a cookie opens nothing: a cross-site request with the browser’s cookies is refused', async () => {
    const { app, vera, sales } = await prepared();
    await using _ = app;
    const cookie = `__Host-kd=x; session=${vera.token}; token=${vera.token}`;
    const path = `/api/kapsule/${sales.id}/granules`;
    for (const origin of ['https://evil.example.com', 'null', PAGE]) {
      const headers = { origin, cookie };
      const { status, headers: sent } = await app.asNobody.call('PUT', path, { body: put, headers });
      expect([401, 403]).toContain(status);
      expect(sent['access-control-allow-credentials']).toBeUndefined();
      expect((await app.asNobody.post('/api/extension/tokens/renew', undefined, headers)).status).not.toBe(
        200,
      );
    }
    expect((await app.store.granules.lookup(sales.id, ['1']))[0]?.version).toBe(1);
  });
});
