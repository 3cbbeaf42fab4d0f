import type { Field, FieldsCheck, MisfitPage, QvdFileResult } from '@kaptain/contract';
import { limits } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { qvdBytes, send } from '../../testing/qvd.ts';

const shared = appOfFile();
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const longName = (index: number) => `${'n'.repeat(240)}${index}`;
const wide = times(1000, (index): Field => ({ _id: `${index}`, name: longName(index), type: 'number' }));

async function place(fields: Field[], rows: { key: string; data: Record<string, unknown> }[]) {
  const { app, admin } = shared;
  const { id } = await addKapsule(app.store, `Hostile ${Math.random()}`, { fields });
  if (rows.length > 0)
    await app.store.granules.upsert(
      id,
      rows.map((row) => ({ ...row, user: 'u' })),
    );
  return { admin, id, path: `/api/kapsule/${id}` };
}

describe('answers about refused values stay short', () => {
  it('of 1,000 fields with long names that are wrong in each row', async () => {
    const data = Object.fromEntries(wide.map(({ name }) => [name, 'x'.repeat(15)]));
    const { admin, path } = await place(
      wide,
      times(20, (row) => ({ key: 'k'.repeat(900) + row, data })),
    );
    const list = await admin.get(`${path}/misfits`);
    const page = list.body as unknown as MisfitPage;
    expect([page.granules, page.count, page.isCut]).toEqual([20, 20_000, true]);
    expect(page.rows.length).toBeGreaterThan(0);
    expect(page.rows[0]?.refusals).toHaveLength(limits.refusalsTold);
    expect(list.text.length).toBeLessThan(limits.pageBytes);
    const fields = wide.map(({ name }) => ({ name, type: 'text', max: 3 }));
    const check = await admin.post(`${path}/fields/check`, { fields });
    const found = check.body as unknown as FieldsCheck;
    expect([check.status, found.granules, found.count]).toEqual([200, 20, 20_000]);
    expect(check.text.length).toBeLessThan(limits.pageBytes);
  });

  it('of values and unknown names that are as long as the data may be', async () => {
    const long = 'ä'.repeat(100_000);
    const fields: Field[] = [{ _id: '1', name: 'Amount', type: 'number' }];
    const rows = times(5, (row) => ({ key: `${row}`, data: { Amount: long, [`${long}${row}`]: [long] } }));
    const { admin, path } = await place(fields, rows);
    const { text, body } = await admin.get(`${path}/misfits`);
    expect(text.length).toBeLessThan(20_000);
    expect((body as unknown as MisfitPage).rows[0]?.refusals).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: 'Amount', value: `${'ä'.repeat(200)}…` })]),
    );
    // An export has them whole.
    expect((await admin.get(`${path}/misfits/export?field=Amount`)).text.length).toBeGreaterThan(500_000);
  });

  it('of many different unknown names', async () => {
    const rows = times(5, (row) => ({
      key: `${row}`,
      data: Object.fromEntries(times(5000, (name) => [`${row} ${name}`, name])),
    }));
    const { admin, path } = await place([{ _id: '1', name: 'Amount', type: 'number' }], rows);
    const { text, body } = await admin.get(`${path}/misfits?rule=unknown`);
    expect(body).toMatchObject({ granules: 5, count: 25_000 });
    expect(text.length).toBeLessThan(limits.pageBytes);
  });

  it('of an import of rows that are all wrong', async () => {
    const { admin, id } = await place(wide, []);
    const content = qvdBytes(
      ['id', ...wide.map(({ name }) => name)],
      times(30, (row) => [`k${row}`, ...wide.map(() => 'many')]),
    );
    const file = { name: 'a.qvd', content };
    const refused = await send(admin, id, [file, { ...file, name: 'b.qvd' }]);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALUES_REFUSED']);
    expect(refused.body['details']).toMatchObject({ count: 60_000 });
    expect(refused.text.length).toBeLessThan(limits.pageBytes);
    const few = { name: 'a.qvd', content: qvdBytes(['id', longName(1)], [['k', 'many']]) };
    const files = times(limits.qvdFiles, (index) => (index === 0 ? file : few));
    const preview = await send(admin, id, files, '&dryRun=true');
    const [result] = preview.body['files'] as QvdFileResult[];
    expect(result?.refused).toMatchObject({ count: 30_000, rows: 30 });
    expect(JSON.stringify(result?.refused).length).toBeLessThan(limits.pageBytes / limits.qvdFiles);
    expect(preview.text.length).toBeLessThan(limits.pageBytes);
  });

  it('of a pattern that would keep a regular expression busy for hours', async () => {
    const fields: Field[] = [{ _id: '1', name: 'Code', type: 'text', pattern: '(a+)+b' }];
    const { admin, path } = await place(fields, [{ key: '1', data: { Code: 'a'.repeat(50_000) } }]);
    const began = performance.now();
    expect((await admin.get(`${path}/misfits`)).body).toMatchObject({ count: 1 });
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
