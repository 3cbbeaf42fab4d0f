import type { Field } from '@kaptain/contract';
import { rowCheck } from '@kaptain/contract/field-rules';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { checkRows } from './check-rows.ts';

const shared = appOfFile();
const fields: Field[] = [
  { _id: 'f1', name: 'Text', type: 'text' },
  { _id: 'f2', name: 'Once', type: 'text', writeOnce: true },
];

it('large rows that are stored are read a few at a time, each before the next ones', async () => {
  const { granules } = shared.app.store;
  const kapsule = await addKapsule(shared.app.store, 'Large rows', { fields });
  const large = Array.from({ length: 20 }, (_, n) => ({
    key: `${n}`,
    user: 'u',
    data: { Text: 'x'.repeat(250_000) },
  }));
  await granules.upsert(kapsule.id, large);
  let asked = 0;
  const lookup: typeof granules.lookup = async (...query) => {
    asked += 1;
    return granules.lookup(...query);
  };
  const { check } = rowCheck(fields);
  const seen: number[] = [];
  const checks = {
    needsStored: true,
    check: (...given: Parameters<typeof check>) => {
      seen.push(asked);
      return check(...given);
    },
  };
  const rows = large.map(({ key, user }) => ({ key, user, data: { Once: key } }));
  const checked = await checkRows({ lookup }, kapsule, checks, rows);
  expect(checked).toEqual(rows.map((row) => ({ ...row, version: 1 })));
  expect([seen[0], seen.at(-1), seen.length]).toEqual([1, asked, 20]);
  expect(asked).toBeGreaterThan(4);
});
