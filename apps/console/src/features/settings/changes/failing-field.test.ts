import { ApiError } from '@kaptain/contract/client';
import { expect, test } from 'vitest';
import { fullSettings } from '../settings-fixture.ts';
import { failingField } from './failing-field.ts';

const refusal = (message: string, details?: unknown) => new ApiError(400, 'BAD_INPUT', message, '1', details);
const before = fullSettings();

test('the service names the field itself, a certificate file by its name', () => {
  expect(failingField(refusal('x', { field: 'db.KAPTAIN_DB_HOST' }), before, before)).toEqual([
    'db',
    'KAPTAIN_DB_HOST',
  ]);
  expect(failingField(refusal('x', { field: 'server_key.pem' }), before, before)).toEqual([
    'temporary',
    'files',
    'server_key.pem',
  ]);
});

test('a password that is asked for again belongs to the block that was changed', () => {
  const after = fullSettings({
    mysql: { ...(before['mysql'] as object), MYSQL_SERVER: 'other.example.com' },
  });
  const again = refusal('Please enter the password again');
  expect(failingField(again, before, after)).toEqual(['mysql', 'MYSQL_PASSWORD']);
  expect(failingField(again, before, before)).toBeUndefined();
});

test('other failures are about no field', () => {
  expect(failingField(new ApiError(507, 'DISK_FULL', 'full'), before, before)).toBeUndefined();
  expect(failingField(new Error('x'), before, before)).toBeUndefined();
});
