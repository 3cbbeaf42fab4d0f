import { expect, test } from 'vitest';
import { hostNameOf, originOf, withPort } from './host-names.ts';

test.each([
  ['https://tenant.eu.qlikcloud.com/hub?a=b', 'tenant.eu.qlikcloud.com'],
  ['HTTPS://Tenant.example.com:443/', 'tenant.example.com'],
  ['tenant.example.com/login', 'tenant.example.com'],
  [' tenant.example.com ', 'tenant.example.com'],
  ['tenant', 'tenant'],
  ['https://', 'https://'],
  ['', ''],
])('%s is reduced to the host name %s', (typed, host) => {
  expect(hostNameOf(typed)).toBe(host);
});

test.each([
  ['https://hub.example.com/a?b#c', 'https://hub.example.com'],
  [' http://hub:4848/ ', 'http://hub:4848'],
])('%s is kept as the origin %s', (typed, origin) => {
  expect(originOf(typed)).toBe(origin);
});

test.each(['hub', 'hub.example.com', 'mailto:me@example.com', 'data:text/plain,x', 'https://'])(
  '%s is no origin',
  (typed) => {
    expect(() => originOf(typed)).toThrow('Please enter a valid domain name');
  },
);

test.each([
  ['qlik.example.com', 'qlik.example.com:4747'],
  ['qlik.example.com:4000', 'qlik.example.com:4000'],
  ['[::1]', '[::1]:4747'],
  ['wss://qlik/app', 'wss://qlik/app'],
  ['', ''],
])('%s gets the default port: %s', (typed, host) => {
  expect(withPort(typed, 4747)).toBe(host);
});
