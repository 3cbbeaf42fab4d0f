import { expect, it, vi } from 'vitest';
import { OwnComments } from './own-comments.ts';

const place = { key: 'K1', field: 'Talk' };

it('asks the service once per version of a row, and keeps what is known while it does not answer', async () => {
  const answers = [['one'], undefined, ['one', 'two']];
  const ask = vi.fn<() => Promise<string[]>>(async () => {
    const ids = answers.shift();
    if (!ids) throw new Error('away');
    return ids;
  });
  const changed = vi.fn<() => void>();
  const own = new OwnComments({ ask, changed });
  expect([...own.of(place, 0)]).toEqual([]);
  own.of(place, 1);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  expect([[...own.of(place, 1)], ask.mock.calls.length]).toEqual([['one'], 1]);
  expect([...own.of(place, 2)]).toEqual(['one']);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  expect([[...own.of(place, 2)], ask.mock.calls.length]).toEqual([['one'], 2]);
  own.refresh(place);
  own.of(place, 2);
  await vi.waitFor(() => expect([...own.of(place, 2)]).toEqual(['one', 'two']));
});

it('knows nothing of another person, also from an answer that comes late', async () => {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const own = new OwnComments({ ask: () => promise, changed: () => undefined });
  own.learn({ ...place, key: 'K2' }, 1, ['mine']);
  own.of(place, 1);
  own.forget();
  resolve(['mine']);
  await promise;
  own.learn(place, 3, []);
  expect([[...own.of(place, 3)], [...own.of({ ...place, key: 'K2' }, 0)]]).toEqual([[], []]);
});
