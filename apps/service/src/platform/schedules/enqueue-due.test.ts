import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { PASSWORD } from '../../testing/test-app.ts';
import { enqueueDue } from './enqueue-due.ts';

const policy = { askAgain: false, apiKey: true };
const shared = appOfFile({ settings: policy });

const set = (id: string, body: object) =>
  shared.admin.call('PUT', `/api/job/schedule/${id}`, { body: { appId: 'a1', cron: '30 5 * * *', ...body } });
const look = (at: number) => enqueueDue(shared.app.store, null, at, memoryLogs().logs.app);
const runsOf = async (id: string) => (await shared.app.store.jobs.findBy('kapsuleId', id)).length;
const hourIn = (time: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(time));

describe('a schedule', () => {
  it('runs at its time in its time zone, and shows the next three runs', async () => {
    const { id } = await addKapsule(shared.app.store, 'Zoned');
    const { body } = await set(id, { timeZone: 'America/New_York' });
    const runs = body['nextRuns'] as string[];
    expect(runs.map((run) => hourIn(run, 'America/New_York'))).toEqual(['05:30', '05:30', '05:30']);
    expect(body).toMatchObject({ timeZone: 'America/New_York', isPaused: false, nextRunAt: runs[0] });
    await look(Date.parse(runs[0] ?? '') - 1000);
    expect(await runsOf(id)).toBe(0);
    await look(Date.parse(runs[0] ?? '') + 1000);
    expect(await runsOf(id)).toBe(1);
    const [next] = await shared.app.store.schedules.findBy('kapsuleId', id);
    expect(next?.nextRunAt).toBe(runs[1]);
  });

  it('that is paused has no next runs and queues none; resumed, it begins with the next time', async () => {
    const { id } = await addKapsule(shared.app.store, 'Paused');
    expect((await set(id, { isPaused: true })).body).toMatchObject({ nextRuns: [], nextRunAt: null });
    const later = Date.now() + 10 * 86_400_000;
    await look(later);
    expect(await runsOf(id)).toBe(0);
    const { body } = await set(id, { isPaused: false });
    expect(Date.parse(String(body['nextRunAt']))).toBeGreaterThan(Date.now());
    expect((await actionsOn(shared.app.store, 'kapsule', id)).at(-1)).toMatchObject({
      before: { isPaused: true },
      after: { isPaused: false, timeZone: 'UTC' },
    });
  });

  it('of an earlier version, without a time zone, is in UTC', async () => {
    const { id } = await addKapsule(shared.app.store, 'Early', { appId: 'a1' });
    const nextRunAt = '2026-01-01T00:00:00.000Z';
    await shared.app.store.schedules.insert({
      kapsuleId: id,
      cron: '0 5 * * *',
      partial: false,
      userId: 'u',
      nextRunAt,
    });
    const listed = JSON.parse((await shared.admin.get('/api/job/schedule')).text) as Record<
      string,
      unknown
    >[];
    const shown = listed.find(({ kapsuleId }) => kapsuleId === id);
    expect(shown).toMatchObject({ timeZone: 'UTC', isPaused: false });
    expect(String(shown?.['nextRunAt'])).toMatch(/T05:00:00\.000Z$/);
  });

  it('asks for a proof before another app is reloaded, while the settings ask; other changes do without', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Proven');
    const create = (name: string, appId?: string) =>
      admin.post('/api/kapsule', { name, keyField: 'id', fields: [{ name: 'a', type: 'text' }], appId });
    await set(id, {});
    app.advance(20 * 60_000);
    policy.askAgain = true;
    for (const asked of [await set(id, { appId: 'a2' }), await create('Born with an app', 'a2')])
      expect([asked.status, asked.body.code]).toEqual([403, 'PROOF_NEEDED']);
    expect(await app.store.kapsules.get(id)).toMatchObject({ appId: 'a1' });
    for (const change of [{ cron: '0 6 * * *' }, { isPaused: true }, { appId: null, cron: null }])
      expect((await set(id, change)).status).toBe(200);
    expect((await create('Born without an app')).status).toBe(200);
    expect((await set(id, {})).body.code).toBe('PROOF_NEEDED');
    await admin.post('/api/account/proof', { password: PASSWORD });
    expect([(await set(id, { appId: 'a2' })).status, (await create('Born', 'a2')).status]).toEqual([
      200, 200,
    ]);
    policy.askAgain = false;
  });

  it('is refused in a time zone that does not exist, and nothing is stored', async () => {
    const { id } = await addKapsule(shared.app.store, 'Nowhere');
    const { status, body } = await set(id, { timeZone: 'Europe/Atlantis' });
    expect([status, body.message]).toEqual([400, 'There is no time zone "Europe/Atlantis".']);
    expect(await shared.app.store.schedules.findBy('kapsuleId', id)).toEqual([]);
  });
});

describe('the preview of a schedule', () => {
  const path = '/api/job/schedule/preview';

  it('is for ADMINs, and answers the next runs or why there are none', async () => {
    expect((await shared.app.asNobody.get(`${path}?cron=0+5+*+*+*`)).status).toBe(401);
    expect((await (await shared.app.asUser('vera')).get(`${path}?cron=0+5+*+*+*`)).status).toBe(403);
    const { body } = await shared.admin.get(`${path}?cron=0+5+*+*+*&timeZone=Asia/Tokyo`);
    expect((body['nextRuns'] as string[]).map((run) => run.slice(11, 16))).toEqual([
      '20:00',
      '20:00',
      '20:00',
    ]);
    for (const query of ['cron=every+day', 'cron=0+0+30+2+*', 'cron=', 'cron=0+5+*+*+*&timeZone=x', ''])
      expect([query, (await shared.admin.get(`${path}?${query}`)).status]).toEqual([query, 400]);
  });
});
