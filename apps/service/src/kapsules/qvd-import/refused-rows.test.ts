import type { Field, QvdFileResult } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { TestAnswer } from '../../testing/caller.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { qvdBytes, send } from '../../testing/qvd.ts';

const fields: Field[] = [
  { _id: '1', name: 'Amount', type: 'number', min: 0 },
  { _id: '2', name: 'Day', type: 'date' },
  { _id: '3', name: 'State', type: 'choice', choices: [{ value: 'open' }, { value: 'shut' }] },
];
const shared = appOfFile();
const file = (rows: Parameters<typeof qvdBytes>[1], columns = ['id', 'Amount', 'Day', 'State']) => ({
  name: 'a.qvd',
  content: qvdBytes(columns, rows),
});
const mixed = file([
  ['1', 5, '2026-01-31', 'open'],
  ['2', -5, '2026-01-31', 'open'],
  ['3', '1,500', '03/04/2026', 'ajar'],
  ['4', 1, null, 'shut'],
]);
const resultOf = ({ body }: TestAnswer) => (body['files'] as QvdFileResult[])[0];

async function place(own = fields, data: Record<string, Record<string, unknown>> = {}) {
  const { app, admin } = shared;
  const { id } = await addKapsule(app.store, `Import ${Math.random()}`, { fields: own });
  const rows = Object.entries(data).map(([key, value]) => ({ key, user: 'TEST\\admin', data: value }));
  if (rows.length > 0) await app.store.granules.upsert(id, rows);
  const keys = async () => (await stored()).map(({ key }) => key);
  const stored = async () =>
    (await app.store.granules.page(id, { sort: 'key', descending: false, offset: 0, limit: 100 })).rows;
  return { app, admin, id, keys, stored };
}

describe('rows of a file that break a rule', () => {
  it('refuse the whole file with key, field, rule and value of each', async () => {
    const { admin, id, keys } = await place();
    const { status, body } = await send(admin, id, [mixed]);
    expect([status, body.code, body.message]).toEqual([
      400,
      'VALUES_REFUSED',
      'The record "2": Amount must be at least 0! 4 values were refused in all.',
    ]);
    expect(body['details']).toEqual({
      count: 4,
      refused: [
        { key: '2', field: 'Amount', rule: 'min', value: -5, message: 'Amount must be at least 0!' },
        {
          key: '3',
          field: 'Amount',
          rule: 'type',
          value: '1,500',
          message: 'Amount can be 1500 or 1.5: please write it in full!',
        },
        {
          key: '3',
          field: 'Day',
          rule: 'type',
          value: '03/04/2026',
          message: 'Day can be 2026-04-03 or 2026-03-04: please write it in full!',
        },
        {
          key: '3',
          field: 'State',
          rule: 'choices',
          value: 'ajar',
          message: 'State is not one of the choices!',
        },
      ],
    });
    expect(await keys()).toEqual([]);
  });

  it('are left out where the caller wants the good rows', async () => {
    const { app, admin, id, keys } = await place();
    const answer = await send(admin, id, [mixed], '&goodRowsOnly=true');
    expect([answer.status, answer.body['rows'], resultOf(answer)?.rows]).toEqual([200, 2, 2]);
    expect(resultOf(answer)?.refused).toMatchObject({ count: 4, rows: 2 });
    expect(await keys()).toEqual(['1', '4']);
    const [entry] = await actionsOn(app.store, 'kapsule', id);
    expect(entry?.after).toEqual({ count: 2, files: ['a.qvd: 2'], refused: 2 });
  });

  it('are counted for each rule by a dry run, which never fails for values', async () => {
    const { admin, id, keys } = await place();
    const answer = await send(admin, id, [mixed], '&dryRun=true');
    expect(answer.status).toBe(200);
    expect(resultOf(answer)).toMatchObject({
      rows: 2,
      refused: {
        count: 4,
        rows: 2,
        rules: [
          { field: 'Amount', rule: 'min', count: 1 },
          { field: 'Amount', rule: 'type', count: 1 },
          { field: 'Day', rule: 'type', count: 1 },
          { field: 'State', rule: 'choices', count: 1 },
        ],
      },
      changes: { new: 2, changed: 0, unchanged: 0, revived: 0 },
    });
    expect(await keys()).toEqual([]);
  });

  it('are kept where the value is stored already', async () => {
    const { admin, id, stored } = await place(fields, {
      1: { Amount: -5 },
      2: { Amount: 'many', State: 'gone' },
    });
    const again = file([
      ['1', -5, '2026-01-31', null],
      ['2', 'many', '2026-01-31', 'gone'],
    ]);
    expect((await send(admin, id, [again])).status).toBe(200);
    expect((await stored()).map(({ data, version }) => [data, version])).toEqual([
      [{ Amount: -5, Day: '2026-01-31' }, 2],
      [{ Amount: 'many', Day: '2026-01-31', State: 'gone' }, 2],
    ]);
    expect((await send(admin, id, [file([['1', -6, null, null]])])).status).toBe(400);
  });

  it('may lack a required value, also where the file has no such column', async () => {
    const required: Field[] = [
      { _id: '1', name: 'Amount', type: 'number', required: true },
      { _id: '2', name: 'Day', type: 'date', required: true },
    ];
    const { admin, id, keys } = await place(required, { 2: { Amount: 1 } });
    const columns = ['id', 'Amount'];
    const rows = [
      ['1', 1],
      ['2', 2],
      ['3', null],
    ];
    const answer = await send(admin, id, [file(rows, columns)], '&goodRowsOnly=true');
    // The stored row has no day either.
    expect(resultOf(answer)?.refused?.rules).toEqual([
      { field: 'Day', rule: 'required', count: 2 },
      { field: 'Amount', rule: 'required', count: 1 },
    ]);
    expect(await keys()).toEqual(['2']);
  });

  it('are checked beside the stored ones by rules that need these', async () => {
    const own: Field[] = [
      { _id: '1', name: 'Amount', type: 'number', writeOnce: true },
      { _id: '2', name: 'State', type: 'text', default: 'new' },
    ];
    const { admin, id, stored } = await place(own, { 1: { Amount: 1, State: 'old' }, 2: { Amount: 2 } });
    const rows = [
      ['1', 7],
      ['2', 2],
      ['3', 3],
    ];
    const answer = await send(admin, id, [file(rows, ['id', 'Amount'])], '&goodRowsOnly=true');
    expect(resultOf(answer)?.refused?.first).toEqual([
      {
        key: '1',
        field: 'Amount',
        rule: 'writeOnce',
        value: 7,
        message: 'Amount can’t be changed any more!',
      },
    ]);
    expect((await stored()).map(({ data }) => data)).toEqual([
      { Amount: 1, State: 'old' },
      { Amount: 2 },
      { Amount: 3, State: 'new' },
    ]);
    // The second row of a key changes the record that the first one makes, which is none to get defaults.
    const twice = [
      ['4', 4],
      ['4', null],
      ['4', 4],
    ];
    const again = await send(admin, id, [file(twice, ['id', 'Amount'])], '&goodRowsOnly=true');
    expect(resultOf(again)).toMatchObject({ rows: 2, refused: { rows: 1, first: [{ rule: 'writeOnce' }] } });
    expect((await stored()).at(-1)?.data).toEqual({ Amount: 4 });
    // What a default adds is found by a search.
    const found = await shared.app.store.granules.page(id, {
      q: 'NEW',
      sort: 'key',
      descending: false,
      offset: 0,
      limit: 9,
    });
    expect(found.rows.map(({ key }) => key)).toEqual(['3']);
  });

  it('may have a choice that another field of the row does not allow', async () => {
    const choices = ['north', 'south', 'oslo', 'rome'].map((value) => ({ value }));
    const own: Field[] = [
      {
        _id: '1',
        name: 'City',
        type: 'choice',
        choices,
        choicesBy: { field: 'Region', choices: { north: ['oslo'] } },
      },
      { _id: '2', name: 'Region', type: 'choice', choices },
    ];
    const { admin, id, keys } = await place(own);
    const rows = [
      ['1', 'oslo', 'north'],
      ['2', 'rome', 'north'],
      ['3', 'rome', null],
    ];
    await send(admin, id, [file(rows, ['id', 'City', 'Region'])], '&goodRowsOnly=true');
    expect(await keys()).toEqual(['1', '3']);
  });
});

it('a dry run tells new, changed, unchanged and revived rows', async () => {
  const { app, admin, id } = await place(fields, {
    same: { Amount: 1, State: 'open' },
    other: { Amount: 1 },
    gone: { Amount: 1 },
    left: { Amount: 1 },
  });
  const user = (await app.store.users.findBy('nameKey', 'admin'))[0]?.qlikId || 'admin';
  const page = await app.store.granules.page(id, { sort: 'key', descending: false, offset: 0, limit: 9 });
  await app.store.granules.upsert(
    id,
    page.rows.map(({ key, data }) => ({ key, user, data })),
  );
  const ids = page.rows.filter(({ key }) => key === 'gone').map((row) => row.id);
  await app.store.granules.removeMany(ids, 'admin');
  const rows = [
    ['same', 1, null, 'open'],
    ['other', 2, null, null],
    ['gone', 1, null, null],
    ['new', 1, null, null],
    ['bad', 'many', null, null],
  ];
  const preview = resultOf(await send(admin, id, [file(rows)], '&dryRun=true'));
  expect(preview?.changes).toEqual({ new: 1, changed: 1, unchanged: 1, revived: 1 });
  expect(preview?.preview?.map(({ key }) => key)).toEqual(['same', 'other', 'gone', 'new']);
  await send(admin, id, [file(rows)], '&goodRowsOnly=true');
  const after = resultOf(await send(admin, id, [file(rows)], '&dryRun=true'));
  expect(after?.changes).toEqual({ new: 0, changed: 0, unchanged: 4, revived: 0 });
});
