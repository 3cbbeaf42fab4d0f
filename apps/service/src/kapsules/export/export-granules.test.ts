import { openQvd } from '@kaptain/qvd';
import { describe, expect, it } from 'vitest';
import { actionsOn, addGranules, addKapsule } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';

const data = {
  comment: '=HYPERLINK("http://evil","x")',
  amount: -5,
  done: true,
  due: '2026-02-28',
  at: '2026-02-28T10:11:12.345Z',
  tags: ['a', 'b'],
  unknown: 'not a field',
};

async function world() {
  const app = await testApp();
  const admin = await app.asAdmin();
  const fields = (
    ['comment:text', 'amount:number', 'done:boolean', 'due:date', 'at:timestamp', 'tags:list'] as const
  ).map((word, index) => ({
    _id: `f${index}`,
    name: word.split(':')[0] ?? '',
    type: word.split(':')[1] as 'text',
  }));
  const kapsule = await addKapsule(app.store, 'Überraschung / 2026', { keyField: 'Order ID', fields });
  await app.store.granules.upsert(kapsule.id, [
    { key: 'A,1', user: 'CORP\\vera', data, createdAt: '2026-01-02T03:04:05.006Z' },
    { key: 'B', user: 'otto', data: { comment: 'two\r\n"lines"', amount: null } },
  ]);
  return { app, admin, kapsule, path: `/api/kapsule/${kapsule.id}/export` };
}

describe('an export of granules', () => {
  it('is for those who may read the kapsule', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    expect((await app.asNobody.get(`${path}?format=csv`)).status).toBe(401);
    expect((await (await app.asUser('vera')).get(`${path}?format=csv`)).status).toBe(404);
    expect((await admin.get(`${path}?format=csv`)).status).toBe(200);
    expect((await admin.get(`${path}?format=exe`)).status).toBe(400);
  });

  it('as CSV is safe in a spreadsheet and names its columns', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    const { text, headers } = await admin.get(`${path}?format=csv`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toContain("filename*=UTF-8''%C3%9Cberraschung%20_%202026.csv");
    const [head, first, ...rest] = text.split('\r\n');
    expect(head).toBe('\ufeffOrder ID,comment,amount,done,due,at,tags,CreatedBy,CreatedAt,UpdatedAt');
    expect(first).toMatch(
      /^"A,1","'=HYPERLINK\(""http:\/\/evil"",""x""\)",-5,true,2026-02-28,2026-02-28T10:11:12.345Z,"\[""a"",""b""\]",CORP\\vera,2026-01-02T03:04:05.006Z,2/,
    );
    expect(rest.join('\r\n')).toMatch(/^B,"two\r\n""lines""",,,,,,otto,.*\r\n$/);
  });

  it('as JSON and NDJSON has complete records', async () => {
    const { app, admin, path } = await world();
    await using _ = app;
    const list = JSON.parse((await admin.get(`${path}?format=json`)).text) as unknown[];
    expect(list).toMatchObject([{ key: 'A,1', data, reloaded: false, version: 1 }, { key: 'B' }]);
    const { text } = await admin.get(`${path}?format=ndjson`);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(list);
  });

  it('as QVD can be read by other programs', async () => {
    const { app, admin, kapsule } = await world();
    await using _ = app;
    const response = await app.http.inject({
      url: `/api/kapsule/${kapsule.id}/export?format=qvd`,
      headers: { host: 'localhost', authorization: `Bearer ${admin.token}` },
    });
    expect(response.headers['content-disposition']).toContain('.qvd');
    const qvd = await openQvd(new Blob([new Uint8Array(response.rawPayload)]));
    expect([qvd.tableName, qvd.rowCount]).toEqual([kapsule.name, 2]);
    expect(qvd.columns.map(({ name, type }) => `${name}:${type}`)).toEqual(
      [
        'Order ID:text',
        'comment:text',
        'amount:integer',
        'done:integer',
        'due:date',
        'at:timestamp',
        'tags:text',
      ].concat(['CreatedBy:text', 'CreatedAt:timestamp', 'UpdatedAt:timestamp']),
    );
    const rows = [];
    for await (const row of qvd.rows()) rows.push(row);
    const [first, second] = rows;
    expect(first?.slice(0, 5)).toEqual([
      'A,1',
      data.comment,
      -5,
      { number: -1, text: 'true' },
      { number: 46081, text: '2026-02-28' },
    ]);
    expect(second?.[2]).toBeNull();
  });

  it('has exactly the rows of the filter, which its audit entry names', async () => {
    const { app, admin, kapsule, path } = await world();
    await using _ = app;
    const { text } = await admin.get(`${path}?format=ndjson&q=LINES&reloaded=false`);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect((await admin.get(`${path}?format=csv&q=nothing`)).text).toMatch(/^\ufeffOrder ID,[^\r]+\r\n$/);
    expect((await admin.get(`${path}?format=json&q=nothing`)).text).toBe('[]');
    const [entry] = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(entry).toEqual({
      action: 'granule.export',
      before: null,
      after: { format: 'ndjson', q: 'LINES', reloaded: false },
    });
  });

  it('is refused with 429 when a user has four long answers already', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const kapsule = await addKapsule(app.store, 'Sales');
    await addGranules(app.store, kapsule, 8000);
    const url = `/api/kapsule/${kapsule.id}/export?format=ndjson`;
    const headers = { host: 'localhost', authorization: `Bearer ${admin.token}` };
    const open = () => app.http.inject({ url, headers, payloadAsStream: true });
    const answers = [await open(), await open(), await open(), await open()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect((await admin.get(url)).body.code).toBe('TOO_MANY_REQUESTS');
    for (const answer of answers) for await (const chunk of answer.stream()) void chunk;
    expect((await admin.get(url)).status).toBe(200);
  });
});
