import { connect, type Socket } from 'node:net';
import type { AuditEntry } from '@kaptain/contract';
import { idAt } from '@kaptain/contract/ids';
import type { AuditRecord } from '@kaptain/store';
import { describe, expect, it, vi } from 'vitest';
import { createPasswords } from '../../identity/passwords/passwords.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

const read = async (caller: Caller, query = '') => {
  const { body } = await caller.get(`/api/audit${query}`);
  return body as unknown as { data: AuditEntry[]; next: string | null };
};

const form = { authority: ['READ'], kapsules: [], users: [] };

/** For tests for which other entries do not matter. */
const shared = appOfFile();

describe('the audit trail', () => {
  it('is for ADMINs alone, newest first, with actor, time, address and action', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    expect((await app.asNobody.get('/api/audit')).status).toBe(401);
    expect((await vera.get('/api/audit')).status).toBe(403);
    const { data, next } = await read(admin);
    expect(data.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      'session.login admin',
      'instance.init admin',
      'session.login vera',
    ]);
    expect(data[0]).toMatchObject({ ip: '127.0.0.1', result: 'ok', targetName: 'admin' });
    expect(Date.parse(data[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(next).toBeNull();
  });

  it('has the address also when the client disconnects before the work is done', async () => {
    const [began, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const passwords = createPasswords({ memoryKiB: 64, rounds: 1 });
    const hash = async (password: string) => {
      began.resolve();
      await hungUp.promise;
      return await passwords.hash(password);
    };
    const slow = { ...passwords };
    await using app = await testApp({ passwords: slow });
    const admin = await app.asAdmin();
    slow.hash = hash;
    const port = await listenLocally(app.http);
    app.http.server.once('connection', (near: Socket) => near.once('close', () => hungUp.resolve()));
    const socket = connect(port, '127.0.0.1');
    const user = {
      username: 'late',
      password: PASSWORD,
      role: 'USER',
      qlikId: 'TEST\\late',
      isCreate: false,
    };
    const body = JSON.stringify(user);
    const lines = [
      'POST /api/user/create HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${admin.token}`,
    ];
    const about = ['content-type: application/json', `content-length: ${body.length}`, '', body];
    socket.write([...lines, ...about].join('\r\n'));
    await began.promise;
    socket.destroy();
    await vi.waitFor(async () =>
      expect((await read(admin)).data[0]).toMatchObject({ action: 'user.create', ip: '127.0.0.1' }),
    );
  });

  it('is filtered by actor, action, target and time, in any combination', async () => {
    await using app = await testApp();
    const [admin, ruth] = [await app.asAdmin(), await app.asUser('ruth', { role: 'ADMIN' })];
    const created = await ruth.post('/api/group/create', { ...form, groupname: 'sales' });
    await admin.post('/api/group/create', { ...form, groupname: 'it' });
    const [ruthId, groupId] = [
      (await app.store.users.findBy('nameKey', 'ruth'))[0]?.id,
      String(created.body['_id']),
    ];
    const names = async (query: string) =>
      (await read(admin, query)).data.map(({ targetName }) => targetName);
    expect(await names('?action=group.create')).toEqual(['it', 'sales']);
    expect(await names(`?action=group.create&actorId=${ruthId}`)).toEqual(['sales']);
    expect(await names(`?target=group:${groupId}`)).toEqual(['sales']);
    expect(await names(`?target=group:${groupId}&action=group.remove`)).toEqual([]);
    expect(await names('?since=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await names('?until=2001-01-01T00:00:00Z')).toEqual([]);
    expect(await names('?since=2001-01-01T00:00:00Z&action=instance.init')).toEqual(['admin']);
  });

  it('has the entries of a time range, also when their ids were made a moment after it', async () => {
    const { app, admin } = shared;
    const [login] = await app.store.audit.findBy('action', 'session.login');
    const at = '2031-01-01T00:00:00.000Z';
    const { version: _, ...entry } = login as AuditRecord;
    await app.store.audit.insert({ ...entry, id: idAt('2031-01-01T00:00:00.400Z'), at });
    const found = async (until: string) => (await read(admin, `?since=${at}&until=${until}`)).data.length;
    expect(await found('2031-01-01T00:00:00.200Z')).toBe(1);
    expect(await found('2031-01-01T00:00:00.000Z')).toBe(0);
    expect(await found('9999-12-31T23:59:59.999Z')).toBe(1);
  });

  it('has pages that neither repeat nor miss an entry', async () => {
    const { app, admin } = shared;
    for (let count = 0; count < 23; count++)
      await admin.post('/api/group/create', { ...form, groupname: `group ${count}` });
    const seen: string[] = [];
    let before: string | null = '';
    do {
      const page = await read(admin, `?limit=5${before && `&before=${before}`}`);
      expect(page.data.length).toBeLessThanOrEqual(5);
      seen.push(...page.data.map(({ _id }) => _id));
      before = page.next;
    } while (before);
    expect(seen).toEqual((await app.store.audit.all()).map(({ id }) => id).toReversed());
  });

  it('refuses invalid filters', async () => {
    const { admin } = shared;
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=x',
      'action=nonsense',
      'since=yesterday',
      'target=%00',
    ])
      expect((await admin.get(`/api/audit?${query}`)).status).toBe(400);
    expect((await read(admin, '?actorId=nobody')).data).toEqual([]);
    expect((await admin.get('/api/audit?actorId=a&actorId=b')).status).toBe(400);
  });

  it('is searched over every text of an entry, without case, combined with the filters, page by page', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    for (const groupname of ['say "x\\y"', 'Überblick', 'sales', 'sales of Ann'])
      await admin.post('/api/group/create', { ...form, groupname });
    const names = async (query: string) =>
      (await read(admin, query)).data.map(({ targetName }) => targetName);
    expect(await names('?q=SALES')).toEqual(['sales of Ann', 'sales']);
    expect(await names('?q=%C3%BCBER')).toEqual(['Überblick']);
    expect(await names('?q=group%20created&action=group.create&limit=2')).toEqual(['sales of Ann', 'sales']);
    expect(await names('?q=sales&action=user.create')).toEqual([]);
    expect(await names('?q=nowhere')).toEqual([]);
    expect(await names(`?q=${encodeURIComponent('"X\\Y"')}`)).toEqual(['say "x\\y"']);
    const first = await read(admin, '?q=sales&limit=1');
    expect(await names(`?q=sales&limit=1&before=${first.next}`)).toEqual(['sales']);
  });

  it('is searched 2,000 entries at a time, and goes on behind them', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const entries = Array.from({ length: 2_050 }, (_, n) => ({
      at: new Date().toISOString(),
      actorId: null,
      actor: n === 10 ? 'needle' : 'hay',
      ip: '',
      action: 'job.finish' as const,
      target: null,
      targetName: null,
      result: 'ok' as const,
      requestId: '',
      before: null,
      after: null,
    }));
    // All sent before the first answer: waiting for each of them takes longer.
    await app.store.transaction(({ audit }) => Promise.all(entries.map((entry) => audit.insert(entry))));
    const page = await read(admin, '?q=needle');
    expect([page.data.length, page.next]).toEqual([0, expect.any(String)]);
    const older = await read(admin, `?q=needle&before=${page.next}`);
    expect([older.data.length, older.next]).toEqual([1, null]);
  });

  it('is exported as CSV that honours the filters, runs no formula, and is audited itself', async () => {
    await using app = await testApp();
    const [admin, vera] = [await app.asAdmin(), await app.asUser('vera')];
    for (const groupname of ['=cmd|calc', 'a "quoted", name', 'other'])
      await admin.post('/api/group/create', { ...form, groupname });
    const path = '/api/audit/export?action=group.create';
    expect((await app.asNobody.get(path)).status).toBe(401);
    expect((await vera.get(path)).status).toBe(403);
    const { text, headers } = await admin.get(path);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"/);
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/at,actor,action,target,targetName,result,ip,requestId,before,after$/);
    expect(lines[2]).toContain('"a ""quoted"", name"');
    expect(lines[3]).toContain(",'=cmd|calc,");
    expect((await admin.get(`${path}&q=other`)).text.trim().split('\r\n')).toHaveLength(2);
    expect((await admin.get('/api/audit/export?action=audit.export')).text.trim().split('\r\n')).toHaveLength(
      3,
    );
    expect((await read(admin, '?action=audit.export')).data.map(({ after }) => after)).toEqual([
      { action: 'audit.export' },
      { action: 'group.create', q: 'other' },
      { action: 'group.create' },
    ]);
  });
});
