import type { StatusCheck } from '@kaptain/contract/status';
import { expect, test } from 'vitest';
import { verdictOf } from './verdict.ts';

const check = (name: string, state: StatusCheck['state']): StatusCheck => ({ name, state, sentence: 'x' });

test('the verdict names what is broken before what is only worth a look', () => {
  const [disk, database, job] = [
    check('Disk', 'warning'),
    check('Database', 'error'),
    check('Job', 'warning'),
  ];
  expect(verdictOf([disk, database], true)).toEqual({ type: 'error', title: 'Needs help now: Database' });
  expect(verdictOf([disk, job], true)).toEqual({ type: 'warning', title: 'Worth a look: Disk, Job' });
  expect(verdictOf([check('Disk', 'ok')], true)).toEqual({ type: 'success', title: 'Everything is fine.' });
});

test('the verdict about a service that no longer answers is an error, whatever it said before', () => {
  expect(verdictOf([check('Disk', 'ok')], false)).toMatchObject({
    type: 'error',
    title: expect.stringContaining('does not answer any more'),
  });
});
