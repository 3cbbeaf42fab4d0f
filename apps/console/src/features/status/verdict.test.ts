import type { StatusCheck } from '@kaptain/contract/status';
import { expect, test } from 'vitest';
import { verdictOf } from './verdict.ts';

const check = (name: string, state: StatusCheck['state']): StatusCheck => ({ name, state, sentence: 'x' });

const inWords = (name: string) => (name === 'Job' ? 'Task' : name);

test('the verdict names what is broken before what is only worth a look', () => {
  const [disk, database, job] = [
    check('Disk', 'warning'),
    check('Database', 'error'),
    check('Job', 'warning'),
  ];
  expect(verdictOf([disk, database], true, inWords)).toEqual({
    type: 'error',
    title: 'Needs help now: Database',
  });
  expect(verdictOf([disk, job], true, inWords)).toEqual({
    type: 'warning',
    title: 'Worth a look: Disk, Task',
  });
  expect(verdictOf([check('Disk', 'ok')], true, inWords)).toEqual({
    type: 'success',
    title: 'Everything is fine.',
  });
});

test('the verdict about a service that no longer answers is an error, whatever it said before', () => {
  expect(verdictOf([check('Disk', 'ok')], false, inWords)).toMatchObject({
    type: 'error',
    title: expect.stringContaining('does not answer any more'),
  });
});
