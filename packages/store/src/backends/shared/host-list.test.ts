import { expect, it } from 'vitest';
import { addressesIn, addressText } from './host-list.ts';

it('is one host, or several with ports of their own', () => {
  const texts = (list: string) => addressesIn(list, 5432).map((one) => one && addressText(one));
  expect(texts('db')).toEqual(['db:5432']);
  expect(texts('db-1, db-2:5433,10.0.0.3')).toEqual(['db-1:5432', 'db-2:5433', '10.0.0.3:5432']);
  expect(texts('::1')).toEqual(['[::1]:5432']);
  expect(texts('[::1]:5433,[fe80::2]')).toEqual(['[::1]:5433', '[fe80::2]:5432']);
  for (const wrong of ['', ' ', ':5432', 'db:0', 'db:70000', 'db:x:1]', '[::1', '[::1]x', 'db:123456'])
    expect([wrong, texts(wrong)]).toEqual([wrong, [undefined]]);
  expect(texts('db,,db-2')).toEqual(['db:5432', undefined, 'db-2:5432']);
});
