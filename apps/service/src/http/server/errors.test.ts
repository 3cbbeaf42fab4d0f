import { DataSourceError } from '@kaptain/data-sources';
import { expect, it } from 'vitest';
import { toAppError } from './errors.ts';

it('a value that a column refuses is told as values that a rule refuses', () => {
  const refused = { key: 'k', field: 'Amount', value: 70_000 };
  const sentence = 'The value of "Amount" of "k" is too large.';
  const { code, message, details } = toAppError(
    new DataSourceError('postgresql', 'value', sentence, undefined, refused),
  );
  expect([code, message]).toEqual(['VALUES_REFUSED', `PostgreSQL: ${sentence}`]);
  expect(details).toEqual({ count: 1, refused: [{ rule: 'type', ...refused, message }] });
  expect(toAppError(new DataSourceError('postgresql', 'value')).code).toBe('BAD_INPUT');
});
