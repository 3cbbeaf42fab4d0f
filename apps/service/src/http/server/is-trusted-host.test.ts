import { expect, it } from 'vitest';
import { isTrustedHost } from './is-trusted-host.ts';

it('trusts the names of this machine, any address and the public hosts, in any case, and no name that begins like them', () => {
  const isTrusted = (hostname: string) => isTrustedHost(hostname, ['Kaptain.example.com']);
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '[::1]', '10.1.2.3'])
    expect([host, isTrusted(host)]).toEqual([host, true]);
  expect(isTrusted('kaptain.EXAMPLE.com')).toBe(true);
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', ''])
    expect([host, isTrusted(host)]).toEqual([host, false]);
});
