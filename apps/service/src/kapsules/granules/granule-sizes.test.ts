import { limits } from '@kaptain/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';

/** A granule with exactly this many bytes of JSON. */
const ofBytes = (key: string, bytes: number) => {
  const comment = 'ü'.repeat(Math.floor((bytes - '{"comment":""}'.length) / 2));
  const rest = bytes - Buffer.byteLength(JSON.stringify({ comment }));
  return { key, data: { comment: comment + 'x'.repeat(rest) } };
};

const save = (caller: Caller, id: string, granules: object[]) =>
  caller.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });

const shared = appOfFile();
/** The kapsule with large granules, which the tests only read. */
let id: string;
beforeAll(async () => {
  const { store } = shared.app;
  id = (await addKapsule(store, 'Large')).id;
  const rows = Array.from({ length: 12 }, (_, n) => ofBytes(String(n).padStart(2, '0'), 200_000));
  await store.granules.bulkUpsert(
    id,
    rows.map((row) => ({ ...row, user: 'vera' })),
  );
});

interface Page {
  data: { _id: string; key: string }[];
  total: number;
  next?: string;
}

describe('the size of a granule', () => {
  it('is 256 KiB at most for every caller, to the byte, and nothing of a larger request is stored', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const { id } = await addKapsule(app.store, 'Sales', { owner: 'vera' });
    const most = limits.granuleBytes;
    expect((await save(app.asNobody, id, [ofBytes('a', 20)])).status).toBe(401);
    for (const caller of [admin, vera]) {
      const refused = await save(caller, id, [ofBytes('small', 20), ofBytes('large', most + 1)]);
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        413,
        'TOO_LARGE',
        'The record "large" has 262,145 bytes of data; one record may have at most 262,144.',
      ]);
    }
    expect((await app.store.granules.counts(id)).total).toBe(0);
    expect((await save(vera, id, [ofBytes('exact', most)])).status).toBe(200);
  });

  it('has the limit of the boot config', async () => {
    await using app = await testApp({ granuleBytes: 2048 });
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    expect((await save(admin, id, [ofBytes('k', 2049)])).status).toBe(413);
    expect((await save(admin, id, [ofBytes('k', 2048)])).status).toBe(200);
  });
});

describe('a page of large granules', () => {
  it('ends early and continues by next: every row once, each answer bounded; the last has no next', async () => {
    const { admin } = shared;
    const keys: string[] = [];
    const parts: number[] = [];
    for (const page of [1, 2]) {
      for (let next: string | undefined = ''; next !== undefined; ) {
        const more = next === '' ? '' : `&next=${next}`;
        const { status, text } = await admin.get(
          `/api/kapsule/${id}/sql/read/internal?page=${page}&size=9&sort=key${more}`,
        );
        expect(status).toBe(200);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.pageBytes + 10_000);
        const answer = JSON.parse(text) as Page;
        expect(answer.total).toBe(12);
        keys.push(...answer.data.map(({ key }) => key));
        parts.push(answer.data.length);
        next = answer.next;
      }
    }
    expect(parts).toEqual([5, 4, 3]);
    expect(keys).toEqual(Array.from({ length: 12 }, (_, n) => String(n).padStart(2, '0')));
  });

  it('refuses a next that is outside of it', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    await grant(app.store, 'vera', ['READ'], [await addKapsule(app.store, 'Other')]);
    const read = (caller: Caller, more: string) =>
      caller.get(`/api/kapsule/${id}/sql/read/internal?page=2&size=10&${more}`);
    for (const next of ['9', '20', '-1', 'x', '1e1', '9'.repeat(16)])
      expect([next, (await read(admin, `next=${next}`)).status]).toEqual([next, 400]);
    expect((await read(admin, 'next=15')).status).toBe(200);
    expect((await read(vera, 'next=15')).status).toBe(404);
    expect((await read(app.asNobody, 'next=15')).status).toBe(401);
  });
});

describe('other answers about large granules', () => {
  it('return a history in parts', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Changed');
    for (let n = 0; n < 9; n++) await save(admin, id, [ofBytes('k', 250_000 + n)]);
    const { rows } = await app.store.granules.page(id, {
      sort: 'key',
      descending: false,
      offset: 0,
      limit: 1,
    });
    const path = `/api/kapsule/${id}/granules/${rows[0]?.id}/history`;
    const versions: number[] = [];
    for (let before = ''; !versions.includes(1); before = `?before=${versions.at(-1)}`) {
      const { text } = await admin.get(path + before);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.pageBytes + 10_000);
      versions.push(...(JSON.parse(text) as { version: number }[]).map(({ version }) => version));
    }
    expect(versions).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect((await admin.get(`${path}?before=0`)).status).toBe(400);
  });

  it('list both values of the first conflicts and the number of all', async () => {
    const { admin } = shared;
    const stale = Array.from({ length: 12 }, (_, n) => ({
      key: String(n).padStart(2, '0'),
      data: { comment: 'mine' },
      version: 5,
    }));
    const { status, text, body } = await save(admin, id, stale);
    expect([status, body.message]).toEqual([409, '12 of these records were changed meanwhile.']);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.pageBytes + 10_000);
    const { conflicts } = body['details'] as { conflicts: object[] };
    expect(conflicts[0]).toMatchObject({ key: '00', givenData: { comment: 'mine' }, storedVersion: 1 });
  });

  it('stream the whole list and every export in bounded chunks', async () => {
    const { app, admin } = shared;
    for (const filter of [{}, { q: 'üx' }]) {
      const sizes: number[] = [];
      for await (const chunk of app.store.granules.stream(id, filter)) sizes.push(chunk.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.pageBytes / 2);
    }
    const list = await admin.get(`/api/kapsule/${id}/sql/read/internal`);
    expect(JSON.parse(list.text)).toHaveLength(12);
    for (const format of ['csv', 'ndjson', 'json', 'qvd'])
      expect((await admin.get(`/api/kapsule/${id}/export?format=${format}`)).status).toBe(200);
  });
});
