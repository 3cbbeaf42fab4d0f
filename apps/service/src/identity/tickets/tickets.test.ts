import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const ticketPath = '/api/download/ticket';

const shared = appOfFile();
let worlds = 0;

/** A user with a kapsule; on a service of its own where a test looks at all tickets or moves the clock. */
async function world(app: TestApp) {
  const owner = `vera ${++worlds}`;
  const vera = await app.asUser(owner);
  const kapsule = await addKapsule(app.store, `Sales ${worlds}`, { owner });
  return { vera, owner, kapsule, path: `/api/kapsule/export/kapsule?kapsuleId=${kapsule.id}` };
}

const ticketFor = async (caller: Caller, path: string) =>
  String((await caller.post(ticketPath, { path })).body['url']);
const statusOf = async (app: TestApp, url: string, headers = {}) =>
  (await app.asNobody.get(url, headers)).status;

describe('a download ticket', () => {
  it('is for those who are logged in', async () => {
    const { app, admin } = shared;
    const path = '/api/kapsule/export/kapsule?kapsuleId=x';
    expect((await app.asNobody.post(ticketPath, { path })).status).toBe(401);
    for (const caller of [await app.asUser(), admin])
      expect((await caller.post(ticketPath, { path })).body['url']).toMatch(/^\/api\/.+&ticket=[\w-]{43}$/);
  });

  it('allows exactly one download, under its file name, and is stored as a hash only', async () => {
    await using app = await testApp();
    const { vera, kapsule, path } = await world(app);
    const url = await ticketFor(vera, path);
    const ticket = url.slice(-43);
    expect(JSON.stringify(await app.store.tickets.all())).not.toContain(ticket);
    const { status, headers } = await app.asNobody.get(url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-disposition': `attachment; filename="${kapsule.name}.kap"; filename*=UTF-8''${encodeURIComponent(kapsule.name)}.kap`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(await statusOf(app, url)).toBe(401);
    expect(app.logLines.join('')).not.toContain(ticket);
    expect(await app.store.tickets.all()).toEqual([]);
  });

  it('is redeemed once by many parallel requests', async () => {
    const { app } = shared;
    const { vera, path } = await world(app);
    const url = await ticketFor(vera, path);
    const length = sized(1000, 100);
    const statuses = await Promise.all(Array.from({ length }, () => statusOf(app, url)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(length - 1);
  });

  it('is not used up by HEAD or by a prefetching browser', async () => {
    const { app } = shared;
    const { vera, kapsule, path } = await world(app);
    const url = await ticketFor(vera, path);
    const head = await app.asNobody.call('HEAD', url);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(await statusOf(app, url, { 'sec-purpose': 'prefetch;prerender' })).toBe(403);
    expect(await statusOf(app, url)).toBe(200);
    expect(await app.store.audit.findBy('target', `kapsule:${kapsule.id}`)).toMatchObject([
      { action: 'kapsule.export' },
    ]);
  });

  it('is valid for its exact URL only', async () => {
    const { app } = shared;
    const { vera, owner, kapsule, path } = await world(app);
    const other = await addKapsule(app.store, 'Other', { owner });
    const url = await ticketFor(vera, path);
    for (const forged of [
      url.replace(kapsule.id, other.id),
      url.replace('&ticket', '&x=1&ticket'),
      `${url}&x=1`,
      url.replace('/export/', '//export/'),
      `/api/user/list?ticket=${url.slice(-43)}`,
      `/api/kapsule/${kapsule.id}?ticket=${url.slice(-43)}`,
    ])
      expect([forged, await statusOf(app, forged)]).not.toEqual([forged, 200]);
    expect(await statusOf(app, url)).toBe(200);
  });

  it('ends after a minute, with the session, and with the right to the object', async () => {
    await using app = await testApp();
    const { vera, path } = await world(app);
    const old = await ticketFor(vera, path);
    app.advance(60_001);
    expect(await statusOf(app, old)).toBe(401);
    const otto = await app.asUser('otto');
    const sales = await app.store.kapsules.all();
    const groupId = await grant(app.store, 'otto', ['READ'], sales);
    const [first, second] = [await ticketFor(otto, path), await ticketFor(otto, path)];
    await app.store.groups.remove(groupId);
    expect(await statusOf(app, first)).toBe(404);
    await otto.post('/auth/logout');
    expect(await statusOf(app, second)).toBe(401);
  });

  it('that has expired is answered with a page to browsers and with an error to programs', async () => {
    const { app } = shared;
    const { path } = await world(app);
    const url = `${path}&ticket=${'x'.repeat(43)}`;
    const page = await app.asNobody.get(url, { accept: 'text/html,*/*' });
    expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    expect(page.text).toContain('This link has expired');
    expect(page.headers['content-security-policy']).toContain('sandbox');
    expect((await app.asNobody.get(url)).body.code).toBe('NOT_LOGGED_IN');
  });

  it('is issued for downloads of this service alone', async () => {
    const { vera } = await world(shared.app);
    for (const path of [
      '/api/kapsule',
      '//evil.example/api/kapsule/export/kapsule',
      'https://evil.example/',
      '/api/kapsule/../user/list',
      '/api/kapsule/export/kapsule#x',
      '/api/kapsule/export/kapsule?ticket=x',
      '/api\\kapsule/export/kapsule',
      '/api/kapsule/export/kapsule\n',
      '',
    ])
      expect([path, (await vera.post(ticketPath, { path })).status]).toEqual([path, 400]);
  });

  it('is issued sixty times a minute at most', async () => {
    await using app = await testApp();
    const { vera, path } = await world(app);
    for (let count = 0; count < 60; count++) await ticketFor(vera, path);
    expect((await vera.post(ticketPath, { path })).body.code).toBe('TOO_MANY_REQUESTS');
    app.advance(61_000);
    expect((await vera.post(ticketPath, { path })).status).toBe(200);
    expect(await app.store.tickets.all()).toHaveLength(1);
  });

  it('is not needed with the bearer header', async () => {
    const { vera, path } = await world(shared.app);
    expect((await vera.get(path)).status).toBe(200);
    expect((await vera.get(`${path}&ticket=${'x'.repeat(43)}`)).status).toBe(200);
  });
});
