import type { GranulePage } from '@kaptain/contract/granules';
import type { Answers } from '../../testing/fake-service.ts';
import { sampleGranule } from '../../testing/sample-granule.ts';
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

export const granule = sampleGranule;
export const rows = [granule('A1'), granule('A2', { reloaded: true }), granule('A3', { data: null })];

export const pageOf = (values: Partial<GranulePage> = {}): GranulePage => ({
  data: rows,
  total: 120,
  totalIsExact: true,
  summary: { total: 12_345, reloaded: 12_000, notReloaded: 345 },
  ...values,
});

/** A service with our extras; a test replaces single answers. */
export const serviceWith = (granules: Answers['granules'] = {}, others: Answers = {}): Answers => ({
  kapsules: { get: () => kapsule, list: () => [kapsule] },
  granules: { list: () => pageOf(), ...granules },
  ...others,
});

const state = (version: number, Comment: string) => ({
  version,
  user: 'jo',
  data: { Comment },
  updatedAt: `2026-03-0${version}T10:00:00Z`,
  deletedAt: null,
  deletedBy: null,
});
/** The states of a granule with three versions, newest first. */
export const history = () => [state(3, 'Present'), state(2, 'Earlier'), state(1, 'First')];
