import { expect, test } from 'vitest';
import { networkOf } from './network-of.ts';

test.each([
  ['127.0.0.1', 'this computer'],
  ['::1', 'this computer'],
  ['::ffff:127.0.0.1', 'this computer'],
  ['10.1.2.3', 'local network'],
  ['::ffff:192.168.0.7', 'local network'],
  ['172.16.0.1', 'local network'],
  ['172.32.0.1', 'internet'],
  ['fd12:3456::1', 'local network'],
  ['fe80::1', 'local network'],
  ['8.8.8.8', 'internet'],
  ['2001:db8::1', 'internet'],
  ['', 'unknown'],
])('%s is %s', (ip, place) => {
  expect(networkOf(ip)).toBe(place);
});
