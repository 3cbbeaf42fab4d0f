import { fieldTypeNames, isThread } from '@kaptain/contract/fields';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { loadScript } from './load-script.ts';

const shared = appOfFile();
const fields = fieldTypeNames
  .filter((type) => !isThread(type))
  .map((type) => ({ _id: type, name: type, type }));

it('every value of JSON is stored as it was sent, whatever the type of its field', async () => {
  const { app, admin } = shared;
  const { id } = await addKapsule(app.store, 'Any values', { fields });
  const values = [null, '', ' 1,5 ', 1.5, true, 'tomorrow', '2026-02-30', ['a', 1], { deep: [1] }];
  const granules = values.map((value, place) => ({
    key: String(place),
    data: Object.fromEntries(fields.map(({ name }) => [name, value])),
  }));
  const { status } = await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
  expect(status).toBe(200);
  const stored = await app.store.granules.lookup(
    id,
    granules.map(({ key }) => key),
  );
  expect(stored.map((row) => ({ key: row?.key, data: row?.data }))).toEqual(granules);
});

it('each type is read from CSV by its expression in a load script', async () => {
  const kapsule = await addKapsule(shared.app.store, 'Expressions', { fields });
  const script = loadScript(kapsule, 'https://kaptain.example.com');
  const lines = script.slice(script.indexOf('REPLACE LOAD'), script.indexOf('SQL SELECT')).split(',\n');
  const expressions = [
    '[text]',
    `Num#([number], '', '.', ',') AS [number]`,
    `If([boolean] = 'true', True(), If([boolean] = 'false', False())) AS [boolean]`,
    `Date(Date#([date], 'YYYY-MM-DD')) AS [date]`,
    `Timestamp(Timestamp#(Left(Replace([timestamp], 'T', ' '), 19), 'YYYY-MM-DD hh:mm:ss')) AS [timestamp]`,
    '[list]',
  ];
  expect(lines.map((line) => line.trim())).toEqual(expect.arrayContaining(expressions));
});
