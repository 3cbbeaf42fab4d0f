import { SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { keepPolicy } from './keep-policy.ts';

const withTenant = (SAAS: object | undefined) =>
  SettingsUpdate.parse({ settings: {}, ...(SAAS && { hosts: { SAAS } }) });

describe('a client that knows only the fields of SPEC', () => {
  const before = withTenant({ hostname: 'tenant.example.com', apiKey: 'k', clientId: 'client' });
  it.each([
    ['keeps the OAuth client of the tenant', { hostname: 'tenant.example.com' }, 'client'],
    ['does not keep it for another tenant', { hostname: 'other.example.com' }, undefined],
    ['can be followed by one that empties it', { hostname: 'tenant.example.com', clientId: '' }, ''],
  ])('%s', (_, SAAS, clientId) => {
    expect(keepPolicy(withTenant(SAAS), before).hosts.SAAS?.clientId).toBe(clientId);
  });

  it('removes a tenant by leaving it out', () => {
    expect(keepPolicy(withTenant(undefined), before).hosts).toEqual({});
  });
});
