import { expect, it } from 'vitest';
import { categoryOf } from './failure-category.ts';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const sourceError = (category: string, cause: Error) =>
  Object.assign(new Error('SQL Server: The server can not be reached.', { cause }), { category });

it.each([
  ['a name that can’t be resolved', coded('ENOTFOUND', 'getaddrinfo ENOTFOUND db.exmaple'), 'unknownHost'],
  ['the same for a while', coded('EAI_AGAIN'), 'unknownHost'],
  [
    'the same in the message of a driver alone',
    sourceError('refused', coded('ESOCKET', 'Failed to connect to db:1433 - getaddrinfo ENOTFOUND db')),
    'unknownHost',
  ],
  ['a port without a server', sourceError('refused', coded('ECONNREFUSED')), 'refused'],
  ['a login', coded('28P01'), 'login'],
  ['no error', 'text', 'other'],
])('tells %s', (_, error, category) => {
  expect(categoryOf(error)).toBe(category);
});
