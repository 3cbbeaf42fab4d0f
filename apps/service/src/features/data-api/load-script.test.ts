import type { KapsuleRecord } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { newQlikApp, type QlikApp, runQlikScript } from '../../testing/qlik-script.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

type RunOptions = Partial<Parameters<typeof runQlikScript>[2]>;
interface Scene extends AsyncDisposable {
  app: TestApp;
  key: Caller;
  kapsule: KapsuleRecord;
  script: string;
  run(script: string, qlik?: QlikApp, options?: RunOptions): Promise<QlikApp>;
  reloaded(): Promise<[reloaded: number, total: number]>;
  save(key: string): Promise<unknown>;
}

/** A service on a real port, a kapsule with three granules, and the script made for it. */
async function scene(name = 'Sales', change: Partial<KapsuleRecord> = {}): Promise<Scene> {
  const app = await testApp({ settings: { apiKey: true } });
  const admin = await app.asAdmin();
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'loader', apikey });
  const key = callerOf(app.http, apikey);
  const kapsule = await addKapsule(app.store, name, change);
  await addGranules(app.store, kapsule, 3);
  const host = `127.0.0.1:${await listenLocally(app.http)}`;
  const { text: script } = await key.get(`/api/kapsule/${kapsule.id}/loadscript`, { host });
  const headers = { 'x-api-key': apikey };
  const connections = {
    Kaptain: { method: 'GET', headers },
    'Kaptain confirm': { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
  } as const;
  return {
    app,
    key,
    kapsule,
    script,
    async run(text, qlik = newQlikApp(), options = {}) {
      await runQlikScript(text, qlik, { connections, ...options });
      return qlik;
    },
    async reloaded() {
      const { reloaded, total } = await app.store.granules.counts(kapsule.id);
      return [reloaded, total];
    },
    save: (granuleKey) =>
      app.store.granules.upsert(kapsule.id, [{ key: granuleKey, user: 'x', data: { comment: 'new' } }]),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const incremental = (script: string) => script.replace('// LET vKaptainSince', 'LET vKaptainSince');
const keysIn = (qlik: QlikApp, table = 'Sales') => qlik.tables.get(table)?.map(({ id }) => id);

describe('the generated load script', () => {
  it('loads every row, confirms them, and carries no API key', async () => {
    await using the = await scene();
    expect(the.script).not.toContain(String(the.key.token));
    const qlik = await the.run(the.script);
    expect(qlik.tables).toEqual(new Map([['Sales', expect.any(Array)]]));
    expect(qlik.tables.get('Sales')?.[1]).toEqual({
      id: '2',
      comment: 'comment 2',
      amount: '1',
      CreatedBy: 'UserDirectory=TEST; UserId=vera',
      CreatedAt: expect.any(String),
      UpdatedAt: expect.any(String),
    });
    expect(await the.reloaded()).toEqual([3, 3]);
    const [entry] = await the.app.store.audit.findBy('action', 'granule.reloaded');
    expect(entry?.after).toMatchObject({ count: 3 });
  });

  it('does not mark granules that are written between the read and the confirmation', async () => {
    await using the = await scene();
    const onConnect = async (name: string) => {
      if (name === 'Kaptain confirm') await Promise.all([the.save('2'), the.save('4')]);
    };
    const qlik = await the.run(the.script, newQlikApp(), { onConnect });
    expect(keysIn(qlik)).toEqual(['1', '2', '3']);
    expect(await the.reloaded()).toEqual([2, 4]);
  });

  it('loads only what is new when it is incremental, from the watermark that was confirmed last', async () => {
    await using the = await scene();
    const script = incremental(the.script);
    const qlik = await the.run(script);
    expect([keysIn(qlik), await the.reloaded()]).toEqual([
      ['1', '2', '3'],
      [3, 3],
    ]);
    await the.save('2');
    await the.save('4');
    await the.run(script, qlik);
    expect([keysIn(qlik), await the.reloaded()]).toEqual([
      ['2', '4'],
      [4, 4],
    ]);
    // Without changes nothing is loaded or confirmed, and the next load starts at the same watermark.
    await the.run(script, qlik);
    expect(keysIn(qlik)).toEqual([]);
    expect(await the.app.store.audit.findBy('action', 'granule.reloaded')).toHaveLength(2);
    await the.save('5');
    await the.run(script, qlik);
    expect([keysIn(qlik), await the.reloaded()]).toEqual([['5'], [5, 5]]);
  });

  it('confirms nothing of an empty kapsule', async () => {
    await using the = await scene();
    const ids = [
      ...(
        await the.app.store.granules.page(the.kapsule.id, {
          sort: 'key',
          descending: false,
          offset: 0,
          limit: 9,
        })
      ).rows,
    ];
    await the.app.store.granules.removeMany(
      ids.map(({ id }) => id),
      'x',
    );
    const qlik = await the.run(the.script);
    expect(keysIn(qlik)).toEqual([]);
    expect(await the.app.store.audit.findBy('action', 'granule.reloaded')).toEqual([]);
  });

  it('confirms nothing when a statement before its last part fails', async () => {
    await using the = await scene();
    const late = the.script.replace('// 2. Confirm', "LIB CONNECT TO 'Missing';\n// 2. Confirm");
    await expect(the.run(late)).rejects.toThrow('Missing');
    // Also when the script continues after a failure, and with a watermark of an earlier reload.
    const goingOn = `SET ErrorMode = '0';\n${late}`;
    await the.run(goingOn);
    const qlik = newQlikApp();
    qlik.variables.set(`vKaptainWatermark_${the.kapsule.id}`, '3-abcdefghijklmnop');
    const wrongKey = { method: 'GET', headers: { 'x-api-key': 'kpt_wrong' } } as const;
    await expect(the.run(the.script, qlik, { connections: { Kaptain: wrongKey } })).rejects.toThrow('401');
    // An answer that was cut off unnoticed has no watermark.
    await the.run(the.script, newQlikApp(), { transfer: (text) => text.replace(/[^\n]*\n$/, '') });
    expect(await the.reloaded()).toEqual([0, 3]);
  });

  it('works with names that need quotes, also when a field has the name of our column', async () => {
    const fields = ['my ]field', 'amount "net"', 'KaptainWatermark'].map((name) => ({
      _id: name,
      name,
      type: 'text' as const,
    }));
    await using the = await scene("Sales's [best]", { fields });
    await the.app.store.granules.upsert(the.kapsule.id, [
      { key: '9', user: 'x', data: { 'my ]field': 'a,"b"\n', KaptainWatermark: 'own' } },
    ]);
    const qlik = await the.run(the.script);
    expect(qlik.tables.get("Sales's [best]")?.at(-1)).toMatchObject({
      id: '9',
      'my ]field': 'a,"b"\n',
      KaptainWatermark: 'own',
    });
    expect(await the.reloaded()).toEqual([4, 4]);
  });
});

describe('a watermark', () => {
  it('is valid only for the kapsule whose read returned it, in reads and confirmations', async () => {
    await using the = await scene();
    const other = await addKapsule(the.app.store, 'Other');
    await addGranules(the.app.store, other, 3);
    const path = (id: string) => `/api/kapsule/${id}`;
    const read = await the.key.get(`${path(the.kapsule.id)}/sql/read`);
    const given = String(read.headers['x-kaptain-watermark']);
    const confirm = async (id: string, watermark: string) =>
      (await the.key.post(`${path(id)}/reloaded`, { watermark })).status;
    const since = async (id: string, watermark: string) =>
      (await the.key.get(`${path(id)}/sql/read?since=${watermark}`)).status;
    const [number = '', signature = ''] = given.split(/-(.*)/);
    for (const forged of [number, '1', '2', `2-${signature}`, `${number}-${'A'.repeat(16)}`, `0${given}`]) {
      expect([forged, await confirm(the.kapsule.id, forged)]).toEqual([forged, 400]);
      expect([forged, await since(the.kapsule.id, forged)]).toEqual([forged, 400]);
    }
    expect([await confirm(other.id, given), await since(other.id, given)]).toEqual([400, 400]);
    expect((await the.app.store.granules.counts(other.id)).reloaded).toBe(0);
    expect([await confirm(the.kapsule.id, '0'), await since(the.kapsule.id, '0')]).toEqual([200, 200]);
    expect(await the.reloaded()).toEqual([0, 3]);
    expect([await since(the.kapsule.id, given), await confirm(the.kapsule.id, given)]).toEqual([200, 200]);
    expect(await the.reloaded()).toEqual([3, 3]);
  });

  it('is a column only in csv', async () => {
    await using the = await scene();
    const path = `/api/kapsule/${the.kapsule.id}/sql/read?withWatermark=true`;
    for (const format of ['json', 'ndjson', 'qvd'])
      expect((await the.key.get(`${path}&format=${format}`)).status).toBe(400);
    const { text, headers } = await the.key.get(`${path}&format=csv`);
    const cells = text.split('\r\n').map((line) => line.split(',').at(-1));
    expect(cells).toEqual(['KaptainWatermark', '', '', headers['x-kaptain-watermark'], '']);
  });
});
