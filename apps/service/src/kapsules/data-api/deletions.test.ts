import { kaptainClient, readGranules } from '@kaptain/client';
import { openQvd } from '@kaptain/qvd';
import type { KapsuleRecord } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../testing/caller.ts';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';

async function scene(change: Partial<KapsuleRecord> = {}) {
  const app = await testApp({ settings: { apiKey: true, corsAllowOrigins: ['https://qlik.example.com'] } });
  const admin = await app.asAdmin();
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'loader', apikey });
  const key = callerOf(app.http, apikey);
  const kapsule = await addKapsule(app.store, 'Sales', change);
  await addGranules(app.store, kapsule, 4);
  const path = `/api/kapsule/${kapsule.id}/sql/read`;
  const watermark = async () => String((await key.get(path)).headers['x-kaptain-watermark']);
  const idsOf = async (...keys: string[]) => {
    const rows = await app.store.granules.lookup(kapsule.id, keys);
    return rows.map((row) => row?.id ?? '');
  };
  return {
    app,
    admin,
    key,
    apikey,
    kapsule,
    path,
    watermark,
    remove: async (...keys: string[]) => {
      const body = {
        granuleIds: await idsOf(...keys),
        sqlType: kapsule.database,
        tableName: kapsule.tableName,
      };
      expect((await admin.call('DELETE', '/api/kapsule/sql/granules', { body })).status).toBe(200);
    },
    save: (granuleKey: string, data: object = { comment: 'new' }) =>
      key.call('PUT', `/api/kapsule/${kapsule.id}/granules`, {
        body: { granules: [{ key: granuleKey, data }] },
      }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a read since a watermark', () => {
  it('says in a header how many granules were deleted, and else what it has always said', async () => {
    await using the = await scene();
    const since = await the.watermark();
    expect((await the.key.get(the.path)).headers['x-kaptain-deleted']).toBeUndefined();
    await the.remove('1', '3');
    await the.save('2');
    const { headers, text } = await the.key.get(`${the.path}?since=${since}`);
    expect(headers['x-kaptain-deleted']).toBe('2');
    expect((JSON.parse(text) as { key: string }[]).map(({ key }) => key)).toEqual(['2']);
    const now = String(headers['x-kaptain-watermark']);
    expect(now).not.toBe(since);
    expect((await the.key.get(`${the.path}?since=${now}`)).headers['x-kaptain-deleted']).toBe('0');
    const origin = 'https://qlik.example.com';
    const fromPage = await the.key.get(`${the.path}?since=${since}`, { origin });
    expect(fromPage.headers['access-control-expose-headers']).toContain('x-kaptain-deleted');
  });

  it('tells deletions to those who ask, as json and ndjson, and leaves confirmations as they were', async () => {
    await using the = await scene();
    const since = await the.watermark();
    await the.save('2');
    await the.remove('1');
    await the.save('5');
    const url = `${the.path}?since=${since}&deletions=true`;
    const json = await the.key.get(url);
    const ndjson = await the.key.get(`${url}&format=ndjson`);
    const told = JSON.parse(json.text) as Record<string, unknown>[];
    expect(told).toEqual(linesOf(ndjson.text));
    expect(told.map(({ key }) => key)).toEqual(['2', '1', '5']);
    const deletedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(told[1]).toEqual({ _id: expect.any(String), key: '1', deleted: true, deletedAt });
    const watermark = json.headers['x-kaptain-watermark'];
    const { body } = await the.key.post(`/api/kapsule/${the.kapsule.id}/reloaded`, { watermark });
    expect(body).toEqual({ reloaded: 4 });
    const nothing = await the.key.get(`${the.path}?since=${String(watermark)}&deletions=true`);
    expect(nothing.text).toBe('[]');
    // A key that is written again is told as a row.
    await the.save('1');
    expect((await the.key.get(`${url}&format=ndjson`)).text).not.toContain('"deleted"');
  });

  it('tells them in two columns of csv and qvd, which no field can forge', async () => {
    await using the = await scene({ fields: [{ _id: 'a', name: 'deleted', type: 'text' }] });
    const since = await the.watermark();
    // A program may have stored such names when they were no fields.
    const forged = { Deleted: 1, Deleted_: 1, DeletedAt: 'now' };
    await the.app.store.granules.upsert(the.kapsule.id, [{ key: '2', user: 'u', data: forged }]);
    await the.save('2', { ...forged, deleted: 'field' });
    await the.remove('1');
    const url = `${the.path}?since=${since}&deletions=true`;
    const csv = await the.key.get(`${url}&format=csv&withWatermark=true`);
    const [head, row, deletion, end] = csv.text.split('\r\n').map((line) => line.split(','));
    expect(head).toEqual(
      'id,deleted,CreatedBy,CreatedAt,UpdatedAt,Deleted_,DeletedAt,KaptainWatermark'.split(','),
    );
    expect([row?.slice(0, 2), row?.slice(5)]).toEqual([
      ['2', 'field'],
      ['', '', ''],
    ]);
    const mark = csv.headers['x-kaptain-watermark'];
    expect(deletion).toEqual(['1', '', '', '', '', '1', expect.stringMatching(/Z$/), mark]);
    expect(end).toEqual(['']);
    const qvd = await the.app.http.inject({
      url: `${url}&format=qvd`,
      headers: { host: 'localhost', 'x-api-key': the.apikey },
    });
    const file = await openQvd(new Blob([new Uint8Array(qvd.rawPayload)]));
    expect(file.columns.map(({ name }) => name).slice(-2)).toEqual(['Deleted_', 'DeletedAt']);
    expect(file.rowCount).toBe(2);
    expect((await the.key.get(`${the.path}?since=${since}&format=csv`)).text).not.toContain('Deleted_');
  });

  it('is refused to those who may not read the kapsule, and with a watermark of another one', async () => {
    await using the = await scene();
    const since = await the.watermark();
    await the.remove('1');
    const url = `${the.path}?since=${since}&deletions=true`;
    expect((await the.app.asNobody.get(url)).status).toBe(401);
    expect((await (await the.app.asUser()).get(url)).status).toBe(404);
    expect((await the.admin.get(url)).status).toBe(200);
    const other = await addKapsule(the.app.store, 'Other');
    const foreign = `/api/kapsule/${other.id}/sql/read?deletions=true&since=`;
    expect((await the.key.get(`${foreign}${since}`)).status).toBe(400);
    expect((await the.key.get(`${the.path}?since=9-abcdefghijklmnop&deletions=true`)).status).toBe(400);
    expect((await the.key.get(`${the.path}?deletions=perhaps`)).status).toBe(400);
  });

  it('lets the typed client keep a copy: deleted granules leave it', async () => {
    await using the = await scene();
    const url = `http://127.0.0.1:${await listenLocally(the.app.http)}`;
    const kaptain = kaptainClient({ url, token: the.apikey });
    const copy = new Map<string, unknown>();
    const follow = async (since: string) => {
      const reading = await readGranules(kaptain, the.kapsule.id, { since, deletions: true });
      for await (const granule of reading.granules) {
        if (granule.deleted) copy.delete(granule.key);
        else copy.set(granule.key, granule.data);
      }
      return reading;
    };
    const first = await follow('0');
    expect([copy.size, first.deleted]).toEqual([4, 0]);
    await the.remove('1', '2');
    await the.save('2');
    await the.save('6');
    const second = await follow(first.watermark);
    expect([[...copy.keys()].toSorted(), second.deleted]).toEqual([['2', '3', '4', '6'], 1]);
    const plain = await readGranules(kaptain, the.kapsule.id, { since: first.watermark });
    const keys: string[] = [];
    for await (const { key, data } of plain.granules) if (data) keys.push(key);
    expect(keys).toEqual(['2', '6']);
  });
});
