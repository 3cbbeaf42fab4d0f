import type { Field, MisfitPage } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOn, addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const fields: Field[] = [
  { _id: 'f1', name: 'Amount', type: 'number', label: 'Sum' },
  { _id: 'f2', name: 'Day', type: 'date' },
  { _id: 'f3', name: 'State', type: 'choice', choices: [{ value: 'open' }, { value: 'shut' }] },
];

const stored = {
  A: { Amount: 1, Day: '2026-01-31', State: 'open' },
  B: { Amount: 'NaN!', Day: 'yesterday' },
  C: { Amount: -5, State: 'ajar' },
  D: { Amount: 3, Colour: 'red' },
};

describe('values that do not fit', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function filled(data: Record<string, Record<string, unknown>> = stored, own = fields) {
    const kapsule = await addKapsule(app.store, `Sales ${Math.random()}`, { fields: own });
    const rows = Object.entries(data).map(([key, value]) => ({ key, user: 'u', data: value }));
    await app.store.granules.upsert(kapsule.id, rows);
    return { kapsule, path: `/api/kapsule/${kapsule.id}` };
  }

  it('are listed, searched and exported for those who may read', async () => {
    const { kapsule, path } = await filled();
    const [admin, otto, vera] = [await app.asAdmin(), await app.asUser('otto'), await app.asUser('vera')];
    await grant(app.store, 'otto', ['READ'], [kapsule]);
    for (const caller of [admin, otto]) {
      const page = (await caller.get(`${path}/misfits`)).body as unknown as MisfitPage;
      expect(page).toMatchObject({
        granules: 3,
        count: 4,
        isCut: false,
        rules: [
          { field: 'Amount', rule: 'type', count: 1 },
          { field: 'Day', rule: 'type', count: 1 },
          { field: 'State', rule: 'choices', count: 1 },
          { field: 'Colour', rule: 'unknown', count: 1 },
        ],
      });
      const granule = await app.store.granules.get(page.rows[0]?._id ?? '');
      expect(page.rows[0]).toEqual({
        _id: granule?.id,
        key: 'B',
        version: granule?.version,
        refusals: [
          { field: 'Amount', rule: 'type', value: 'NaN!', message: 'Sum is not a valid number!' },
          {
            field: 'Day',
            rule: 'type',
            value: 'yesterday',
            message: 'Day is not a valid date, e.g. 2026-12-31!',
          },
        ],
      });
      const { text, headers } = await caller.get(`${path}/misfits/export?rule=type`);
      expect(text).toBe(
        '\ufeffkey,field,rule,value,message\r\n' +
          'B,Amount,type,NaN!,Sum is not a valid number!\r\n' +
          'B,Day,type,yesterday,"Day is not a valid date, e.g. 2026-12-31!"\r\n',
      );
      expect(headers['content-disposition']).toContain('values that do not fit.csv');
    }
    for (const call of ['misfits', 'misfits/export']) {
      expect((await vera.get(`${path}/${call}`)).status).toBe(404);
      expect((await app.asNobody.get(`${path}/${call}`)).status).toBe(401);
    }
    const entries = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(entries.map(({ action }) => action)).toEqual(['granule.export', 'granule.export']);
  });

  it('are narrowed by field, rule and search, while the counts of rules stay for another choice', async () => {
    const { path } = await filled();
    const admin = await app.asAdmin();
    const found = async (query: string) => {
      const page = (await admin.get(`${path}/misfits?${query}`)).body as unknown as MisfitPage;
      return [page.granules, page.count, page.rules.length, page.rows.map(({ key }) => key).join()];
    };
    expect(await found('field=Amount')).toEqual([1, 1, 4, 'B']);
    expect(await found('rule=type')).toEqual([1, 2, 4, 'B']);
    expect(await found('field=State&rule=type')).toEqual([0, 0, 4, '']);
    expect(await found('q=ajar')).toEqual([1, 1, 1, 'C']);
  });

  it('are counted for fields before these are saved, for those who may change them', async () => {
    const { kapsule, path } = await filled();
    const [admin, otto, dora] = [await app.asAdmin(), await app.asUser('otto'), await app.asUser('dora')];
    await grant(app.store, 'otto', ['READ'], [kapsule]);
    await grant(app.store, 'dora', ['READ', 'DELETE'], [kapsule]);
    const asked = {
      fields: [
        { name: 'Amount', type: 'number', min: 0 },
        { name: 'Day', type: 'text', required: true },
        { name: 'State', type: 'text' },
        { name: 'Colour', type: 'text' },
      ],
    };
    for (const caller of [admin, dora]) {
      const { status, body } = await caller.post(`${path}/fields/check`, asked);
      expect([status, body]).toMatchObject([
        200,
        {
          granules: 3,
          count: 4,
          rules: [
            { field: 'Day', rule: 'required', count: 2 },
            { field: 'Amount', rule: 'type', count: 1 },
            { field: 'Amount', rule: 'min', count: 1 },
          ],
        },
      ]);
      expect(body['first']).toContainEqual({
        key: 'C',
        field: 'Amount',
        rule: 'min',
        value: -5,
        message: 'Amount must be at least 0!',
      });
    }
    expect((await otto.post(`${path}/fields/check`, asked)).status).toBe(403);
    expect((await app.asNobody.post(`${path}/fields/check`, asked)).status).toBe(401);
    const senseless = { fields: [{ name: 'Amount', type: 'text', pattern: '(' }] };
    expect((await admin.post(`${path}/fields/check`, senseless)).status).toBe(400);
  });
});
