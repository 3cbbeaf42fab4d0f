import type { StructureProposal } from '@kaptain/contract/proposals';
import { expect, test } from 'vitest';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';
import { structureOf } from './kapsule-values.ts';
import { fieldsWithKey, proposedValues } from './proposed-values.ts';

const proposal: StructureProposal = {
  name: 'Orders',
  table: 'T',
  keyField: 'id',
  columns: [
    { name: 'id', type: 'text', isKey: true },
    { name: 'Amount', type: 'number', decimals: 2, isKey: true },
    { name: 'State', type: 'choice', choices: [{ value: 'open' }], isKey: false },
  ],
  leftOut: { count: 0, first: [] },
  rows: 2,
  firstRows: [],
};

test('a proposal becomes the form of a kapsule under a free name', () => {
  expect(structureOf(proposedValues(proposal, []))).toEqual({
    name: 'Orders',
    table: 'T',
    keyField: 'id',
    database: 'kaptaindb',
    fields: [
      { name: 'Amount', type: 'number', decimals: 2 },
      { name: 'State', type: 'choice', choices: [{ value: 'open' }] },
    ],
  });
  expect(proposedValues(proposal, [sampleKapsule({ name: 'ORDERS' })]).name).toBe('Orders (2)');
  const keyless = proposedValues({ ...proposal, keyField: null }, []);
  expect([keyless.keyField, keyless.fields.length]).toEqual(['', 3]);
});

test('another key leaves the fields, and the former one becomes a field', () => {
  const { fields } = proposedValues(proposal, []);
  const names = (before: string, now: string, from = fields) =>
    fieldsWithKey(from, proposal.columns, { before, now }).map(({ name }) => name);
  expect(names('id', 'Amount')).toEqual(['id', 'State']);
  expect(names('', 'Amount')).toEqual(['State']);
  expect(names('id', 'id')).toEqual(['Amount', 'State']);
  expect(names('', 'State', fields.slice(1))).toEqual(['']);
});
