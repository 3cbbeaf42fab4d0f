import { type FieldType, fieldTypeNames, fieldTypes, isThread } from '@kaptain/contract/fields';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { loadScript } from './load-script.ts';

const shared = appOfFile();
const fields = fieldTypeNames
  .filter((type) => !isThread(type))
  .map((type) => ({ _id: type, name: type, type }));

/** Which types store a value of JSON as it is. */
it.each<[value: unknown, types: FieldType[]]>([
  [null, fieldTypeNames],
  [' 1,5 ', ['text', 'paragraph', 'choice']],
  [1.5, ['number']],
  [4, ['number', 'rating']],
  [true, ['boolean']],
  ['2026-02-28', ['text', 'paragraph', 'date', 'choice']],
  ['2026-02-30', ['text', 'paragraph', 'choice']],
  [['a', 1], ['list']],
  [
    ['a', 'b'],
    ['choices', 'list'],
  ],
  [{ deep: [1] }, []],
])('%j is a value of %j alone', async (value, types) => {
  const { app, admin } = shared;
  const { id } = await addKapsule(app.store, `Values ${JSON.stringify(value)}`, { fields });
  for (const { name, type } of fields) {
    const granules = [{ key: name, data: { [name]: value } }];
    const { status, body } = await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
    const [stored] = await app.store.granules.lookup(id, [name]);
    const isTime = fieldTypes[type].comparedAs === 'time' && value === '2026-02-28';
    const isStored = types.includes(type) || isTime;
    expect([type, status, stored?.data ?? body.code]).toEqual([
      type,
      isStored ? 200 : 400,
      isStored ? { [name]: isTime ? '2026-02-28T00:00:00.000Z' : value } : 'VALUES_REFUSED',
    ]);
  }
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
