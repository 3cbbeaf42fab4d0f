import type { Kapsule } from '@kaptain/contract/kapsules';

/** A kapsule with every value that a test does not set. */
export const sampleKapsule = (values: Partial<Kapsule> & { name: string }): Kapsule => ({
  _id: `id-${values.name}`,
  database: 'kaptaindb',
  tableName: 'kaptaindb',
  table: '',
  keyField: 'OrderID',
  owner: 'admin',
  authority: ['READ'],
  fields: [{ _id: 'f1', name: 'Comment', type: 'text' }],
  updatedAt: '2026-03-04T05:06:07Z',
  ...values,
});
