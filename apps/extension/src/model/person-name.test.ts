import { expect, it } from 'vitest';
import { personName } from './person-name.ts';

it('reads the long form of a name, and leaves all others', () => {
  expect(personName('UserDirectory=CORP; UserId=adu')).toBe('CORP\\adu');
  expect(['CORP\\jwe', 'mara', ''].map(personName)).toEqual(['CORP\\jwe', 'mara', '']);
});
