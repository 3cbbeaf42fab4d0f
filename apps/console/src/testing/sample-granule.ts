import type { Granule } from '@kaptain/contract/granules';

/** A granule with every value that a test does not set. */
export const sampleGranule = (key: string, values: Partial<Granule> = {}): Granule => ({
  _id: `id-${key}`,
  key,
  user: `UserDirectory=CORP; UserId=mara`,
  data: { Comment: `Note ${key}`, Amount: 3.5, Done: true },
  reloaded: false,
  createdAt: '2026-03-01T10:00:00Z',
  updatedAt: '2026-03-02T10:00:00Z',
  ...values,
});
