import { type Field, limits } from '@kaptain/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { delaysOf, drained, othersBeside } from '../../testing/others-beside.ts';

const shared = appOfFile({ settings: { apiKey: true } });
let otto: Caller;
let url = '';
beforeAll(async () => {
  otto = await shared.app.asUser('otto', { isCreate: true });
  url = await shared.app.http.listen({ host: '127.0.0.1', port: 0 });
});

const threads = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `talk ${n}`, type: 'thread' as const }));
const stored = (fields: { name: string; type: Field['type'] }[]): Field[] =>
  [{ name: 'a', type: 'number' as const }, ...fields].map((field, n) => ({ _id: `f${n}`, ...field }));
const structure = (name: string, count: number) => ({ name, keyField: 'id', fields: threads(count) });
const most = limits.threadFieldsPerKapsule;
const rows = (value: number) =>
  Array.from({ length: limits.granulesPerUpsert }, (_, n) => ({ key: `key ${n}`, data: { a: value } }));
const save = (id: string, granules: object[]) =>
  fetch(`${url}/api/kapsule/${id}/granules`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${otto.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ granules }),
  });

describe('more thread fields than a kapsule may have', () => {
  it('are refused wherever a structure is made or changed', async () => {
    const kap = (name: string, count: number) => [
      {
        name: 'a.kap',
        content: JSON.stringify({ format: 'kap', version: 1, kapsule: structure(name, count) }),
      },
    ];
    const made = await otto.post('/api/kapsule', structure('as many', most));
    expect(made.status).toBe(200);
    const refused = await otto.post('/api/kapsule', structure('one more', most + 1));
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      413,
      'TOO_LARGE',
      `It has ${most + 1} fields of the type thread, and may have at most ${most}.`,
    ]);
    const imported = await upload(otto, '/api/kapsule/import/kapsules', kap('one more', most + 1));
    expect(imported.body).toMatchObject([{ status: 'failed', message: refused.body.message }]);
    const id = String(made.body['_id']);
    const path = `/api/kapsule/${id}`;
    const change = { body: { ...structure('as many', most + 1), table: '' } };
    expect((await shared.admin.call('PUT', path, change)).status).toBe(413);
    const { body, headers } = multipart(kap('as many', most + 1));
    const replaced = await shared.admin.call('POST', `/api/kapsule/import/kapsule/${id}`, {
      body,
      headers,
    });
    expect(replaced.status).toBe(413);
  });

  it('stay, readable and writable, in a kapsule from before the limit, which gets no further ones', async () => {
    const { store } = shared.app;
    const { id } = await addKapsule(store, 'of before', { owner: 'otto', fields: stored(threads(most + 5)) });
    const path = `/api/kapsule/${id}`;
    expect((await save(id, [{ key: 'k', data: { 'talk 0': 'forged', a: 1 } }])).status).toBe(200);
    const comment = {
      key: 'k',
      field: `talk ${most + 4}`,
      id: crypto.randomUUID().replaceAll('-', ''),
      text: 'hello',
    };
    expect((await otto.post(`${path}/granules/thread`, comment)).status).toBe(200);
    expect((await save(id, [{ key: 'k', data: { a: 2 } }])).status).toBe(200);
    const { body } = await otto.post(`${path}/granules/lookup`, { keys: ['k'] });
    expect(body['data']).toMatchObject([
      { data: { a: 2, [comment.field]: expect.stringContaining('hello') } },
    ]);
    const put = (count: number) =>
      shared.admin.call('PUT', path, { body: { ...structure('of before', count), table: '' } });
    expect([(await put(most + 5)).status, (await put(most + 6)).status]).toEqual([200, 413]);
    expect([(await put(most + 1)).status, (await put(most + 2)).status]).toEqual([200, 413]);
  });
});

describe('a kapsule with 1,000 thread fields', () => {
  it('is saved to with many rows, and the others are served', async () => {
    const { store } = shared.app;
    const { id } = await addKapsule(store, 'many', { owner: 'otto', fields: stored(threads(1000)) });
    const other = () => drained(url, '/api/user/status', undefined);
    const heavy = async () => {
      for (const value of [1, 2]) expect((await save(id, rows(value))).status).toBe(200);
    };
    expect(delaysOf(await othersBeside({ other, heavy }))).toEqual([]);
  }, 120_000);

  it('costs about as much as one without threads', async () => {
    const { store } = shared.app;
    const timed = async (fields: Field[]) => {
      const { id } = await addKapsule(store, `timed ${fields.length}`, { owner: 'otto', fields });
      const began = performance.now();
      expect((await save(id, rows(1))).status).toBe(200);
      expect((await save(id, rows(2))).status).toBe(200);
      return performance.now() - began;
    };
    const one = await timed(stored([]));
    expect(await timed(stored(threads(1000)))).toBeLessThan(2.5 * one + 300);
  }, 120_000);

  it('refuses a granule of 60,000 members at the cost of reading it', async () => {
    const { store } = shared.app;
    const { id } = await addKapsule(store, 'members', { owner: 'otto', fields: stored(threads(1000)) });
    const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`m${n}`, 1]));
    const timed = async (body: object, status: number) => {
      const began = performance.now();
      const answer = await otto.call('PUT', `/api/kapsule/${id}/granules`, { body });
      expect(answer.status).toBe(status);
      return performance.now() - began;
    };
    // The same bytes without granules are only parsed.
    const parsing = await timed({ data }, 400);
    const refusing = await timed({ granules: [{ key: 'k', data }] }, 413);
    await timed({ granules: [{ key: 'k', data: { nested: [data] } }] }, 413);
    expect(refusing).toBeLessThan(2 * parsing + 100);
  }, 60_000);
});
