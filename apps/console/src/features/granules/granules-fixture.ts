import type { Granule, GranulePage } from '@kaptain/contract/granules';
import type { Answers } from '../../testing/fake-service.ts';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';

export const kapsule = sampleKapsule({
  _id: 'k1',
  name: 'Sales',
  table: 'SalesComments',
  authority: ['READ', 'DELETE'],
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
    { name: 'Done', type: 'boolean' },
  ],
});
export const path = '/data/kapsules/k1';

export const granule = (key: string, values: Partial<Granule> = {}): Granule => ({
  _id: `id-${key}`,
  key,
  user: `UserDirectory=CORP; UserId=mara`,
  data: { Comment: `Note ${key}`, Amount: 3.5, Done: true },
  reloaded: false,
  createdAt: '2026-03-01T10:00:00Z',
  updatedAt: '2026-03-02T10:00:00Z',
  ...values,
});
export const rows = [granule('A1'), granule('A2', { reloaded: true }), granule('A3', { data: null })];

export const pageOf = (values: Partial<GranulePage> = {}): GranulePage => ({
  data: rows,
  total: 120,
  totalIsExact: true,
  summary: { total: 12_345, reloaded: 12_000, notReloaded: 345 },
  ...values,
});

/** A service that knows our extras; what a test is about replaces a part. */
export const serviceWith = (granules: Answers['granules'] = {}, others: Answers = {}): Answers => ({
  kapsules: { get: () => kapsule, list: () => [kapsule] },
  granules: { list: () => pageOf(), ...granules },
  ...others,
});
