import { expect, it } from 'vitest';
import { EditQueue } from './edit-queue.ts';
import { KnownGranules } from './known-granules.ts';

it('a field that is called like a member of every object begins without a value', () => {
  const known = new KnownGranules();
  known.set('A', {
    id: 'g',
    version: 3,
    data: { comment: 'old' },
    user: 'ann',
    updatedAt: '2026-01-01T00:00:00Z',
  });
  const queue = new EditQueue(known);
  expect([queue.valueOf('A', 'constructor'), queue.valueOf('A', 'toString')]).toEqual([undefined, undefined]);
  queue.edit('A', 'constructor', 'Ferrari');
  const data = { comment: 'old', constructor: 'Ferrari' };
  expect(queue.take()).toEqual([{ key: 'A', data, version: 3 }]);
});
