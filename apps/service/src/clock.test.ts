import type { AuditEntry } from '@kaptain/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appOfFile } from './testing/app-of-file.ts';
import type { Caller } from './testing/caller.ts';
import { PASSWORD, type TestApp, testApp } from './testing/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const path = '/api/kapsule';

const logIn = (app: TestApp, username: string, password = PASSWORD) =>
  app.asNobody.post('/auth/login', { username, password });

/** Locks the account by wrong passwords. */
async function lock(app: TestApp, username: string): Promise<void> {
  for (let count = 0; count < 5; count++) await logIn(app, username, 'wrong password');
  expect((await logIn(app, username)).status).toBe(401);
}

describe('after a clock that was a day ahead is set back', () => {
  const shared = appOfFile();

  it('a lock set then has expired, and the next failures lock as usual', async () => {
    const { app } = shared;
    await app.asUser('lotte');
    app.setClock(DAY);
    await lock(app, 'lotte');
    app.setClock(-DAY);
    const admin = await app.asAdmin();
    const { body } = await admin.get('/api/user/list');
    const users = body['data'] as { username: string; isLocked: boolean }[];
    expect(users.find(({ username }) => username === 'lotte')?.isLocked).toBe(false);
    expect((await logIn(app, 'lotte')).status).toBe(200);
    await lock(app, 'lotte');
    app.advance(16 * MINUTE);
    expect((await logIn(app, 'lotte')).status).toBe(200);
  });

  it('failures counted then are ignored', async () => {
    const { app } = shared;
    await app.asUser('fritz');
    app.setClock(DAY);
    for (let count = 0; count < 4; count++) await logIn(app, 'fritz', 'wrong password');
    app.setClock(-DAY);
    await logIn(app, 'fritz', 'wrong password');
    expect((await logIn(app, 'fritz')).status).toBe(200);
  });

  it('a session that began then is invalid for ever, and its user can log in again', async () => {
    const { app } = shared;
    const before = await app.asUser('anna');
    app.setClock(2 * HOUR);
    const ahead = await app.asUser('anna');
    expect((await ahead.get(path)).status).toBe(200);
    app.setClock(-2 * HOUR);
    expect((await ahead.get(path)).status).toBe(401);
    expect((await before.get(path)).status).toBe(200);
    await app.store.ping();
    app.advance(2 * HOUR);
    expect((await ahead.get(path)).status).toBe(401);
    expect((await before.get(path)).status).toBe(200);
  });

  it('a session that was used meanwhile stays valid for its lifetime, and lastSeenAt is updated again', async () => {
    const { app } = shared;
    const vera = await app.asUser('vera');
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    app.setClock(2 * HOUR);
    expect((await vera.get(path)).status).toBe(200);
    await app.store.ping();
    app.setClock(-2 * HOUR);
    expect((await vera.get(path)).status).toBe(200);
    await vi.waitFor(async () => {
      const [session] = await app.store.sessions.findBy('userId', user?.id ?? '');
      expect(Date.parse(session?.lastSeenAt ?? '')).toBeLessThan(app.now() + MINUTE);
    });
    for (let hours = 0; hours < 23; hours++) {
      app.advance(HOUR);
      expect((await vera.get(path)).status).toBe(200);
      await app.store.ping();
    }
    app.advance(HOUR);
    expect((await vera.get(path)).status).toBe(401);
  });

  it('a small correction ends no session and no ticket', async () => {
    const { app } = shared;
    const admin = await app.asAdmin();
    const { body } = await admin.post('/api/download/ticket', { path: '/api/log/download/x' });
    app.setClock(-2 * MINUTE);
    expect((await admin.get(path)).status).toBe(200);
    expect((await app.asNobody.get(String(body['url']))).status).toBe(404);
  });

  it('a ticket issued then is invalid', async () => {
    const { app } = shared;
    const admin = await app.asAdmin();
    app.setClock(2 * HOUR);
    const { body } = await admin.post('/api/download/ticket', { path: '/api/log/download/x' });
    app.setClock(-2 * HOUR);
    expect((await app.asNobody.get(String(body['url']))).status).toBe(401);
  });

  it('the rate limits of an address stay the same', async () => {
    const addressRules = { login: [{ count: 3, perMs: MINUTE }], wrongSetupToken: [] };
    await using app = await testApp({ addressRules });
    app.setClock(DAY);
    for (let count = 0; count < 3; count++) await logIn(app, 'vera', 'wrong password');
    app.setClock(DAY);
    expect((await logIn(app, 'vera')).status).toBe(429);
    app.setClock(-2 * DAY);
    const refused = await logIn(app, 'vera');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    app.advance(MINUTE);
    expect((await logIn(app, 'vera')).status).toBe(401);
  });
});

describe('the audit trail of a clock that was a day ahead', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  const read = async (admin: Caller, query: string) => {
    const { body } = await admin.get(`/api/audit?action=group.create&${query}`);
    const { data, next } = body as unknown as { data: AuditEntry[]; next: string | null };
    return { names: data.map(({ targetName }) => targetName), next };
  };

  it('is in the order of events, page by page and in every time range', async () => {
    await using app = await testApp();
    const began = Date.now();
    const admin = await app.asAdmin();
    const create = async (groupname: string) =>
      expect(
        (await admin.post('/api/group/create', { groupname, authority: ['READ'], kapsules: [], users: [] }))
          .status,
      ).toBe(200);
    await create('first');
    vi.setSystemTime(began + HOUR);
    await create('ahead');
    vi.setSystemTime(began + MINUTE);
    await create('second');
    await create('third');
    vi.setSystemTime(began + 2 * MINUTE);
    await create('fourth');
    const iso = (ms: number) => new Date(began + ms).toISOString();
    expect((await read(admin, '')).names).toEqual(['fourth', 'third', 'second', 'ahead', 'first']);
    const page = await read(admin, 'limit=2');
    expect(page.names).toEqual(['fourth', 'third']);
    expect((await read(admin, `before=${page.next}`)).names).toEqual(['second', 'ahead', 'first']);
    expect((await read(admin, `since=${iso(30_000)}`)).names).toEqual(['fourth', 'third', 'second', 'ahead']);
    expect((await read(admin, `until=${iso(90_000)}`)).names).toEqual(['third', 'second', 'first']);
    expect((await read(admin, `until=${iso(90_000)}&limit=1`)).names).toEqual(['third']);
    const span = `since=${iso(30_000)}&until=${iso(10 * MINUTE)}`;
    const first = await read(admin, `${span}&limit=2`);
    expect(first.names).toEqual(['fourth', 'third']);
    expect((await read(admin, `${span}&before=${first.next}`)).names).toEqual(['second']);
  });
});
