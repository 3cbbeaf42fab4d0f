import { expect, test } from 'vitest';
import { alternativeVariant } from '../../variants/alternative.tsx';
import { firstSteps } from './first-steps.ts';

const check = (name: string, state: 'ok' | 'warning' | 'error' = 'ok') => ({ name, state, sentence: '' });

test('the first steps lead from the platform to a backup, in the words of the variant', () => {
  const fresh = [check('Platform', 'warning'), check('Database'), check('Last backup', 'warning')];
  const steps = firstSteps({ checks: fresh, kapsules: 0, users: 1 }, alternativeVariant.words);
  expect(steps.map(({ title, isDone }) => [title, isDone])).toEqual([
    ['Connect Qlik', false],
    ['Choose the storage', true],
    ['Add the first data source', false],
    ['Invite people', false],
    ['Make a backup', false],
  ]);
});

test('a step is done when its check is fine or there is what it makes; a server makes its own backups', () => {
  const done = [check('Platform'), check('Database')];
  const steps = firstSteps({ checks: done, kapsules: 2, users: 5 }, alternativeVariant.words);
  expect(steps.map(({ isDone }) => isDone)).toEqual([true, true, true, true]);
});
