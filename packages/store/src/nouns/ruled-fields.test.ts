import type { Field } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { ruledFields } from './ruled-fields.ts';

const fields: Field[] = [
  { _id: 'f1', name: 'Note', type: 'paragraph', required: true },
  { _id: 'f2', name: 'State', type: 'choice', choices: [{ value: 'open' }] },
  { _id: 'f3', name: 'Amount', type: 'number' },
];
const older = ruledFields.toOlder({ name: 'Sales', fields });

it('a kapsule with rules is read by earlier versions, which leave them alone', () => {
  expect(older['fields']).toEqual([
    { _id: 'f1', name: 'Note', type: 'text' },
    { _id: 'f2', name: 'State', type: 'text' },
    { _id: 'f3', name: 'Amount', type: 'number' },
  ]);
  expect(ruledFields.fromOlder({ ...older, name: 'Renamed' })).toEqual({ name: 'Renamed', fields });
});

it('a field that an earlier version has changed is as it left it', () => {
  const [note, ...others] = older['fields'] as Field[];
  const changed = { ...older, fields: [{ ...note, name: 'Remark' }, ...others.slice(0, 1)] };
  expect(ruledFields.fromOlder(changed)).toEqual({
    name: 'Sales',
    fields: [{ _id: 'f1', name: 'Remark', type: 'text' }, fields[1]],
  });
});

it('a kapsule of before has no rules', () => {
  const before = { fields: [{ _id: 'f1', name: 'Note', type: 'text' }] };
  expect(ruledFields.fromOlder(before)).toEqual(before);
});
