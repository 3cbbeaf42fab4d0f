import { expect, it } from 'vitest';
import { type CheckedInstance, instancesCheck } from './instances-check.ts';

const instance = (name: string, change: Partial<CheckedInstance> = {}): CheckedInstance => ({
  name,
  version: '1.0.0',
  generation: 3,
  seenAt: '2026-01-01T00:00:00.000Z',
  isLive: true,
  failure: null,
  ...change,
});
const found = (...instances: CheckedInstance[]) => instancesCheck(async () => instances).check();

it('warns of instances that differ, that could not apply the settings, or that stopped without a word', async () => {
  expect(await found(instance('a:1'))).toMatchObject({
    state: 'ok',
    sentence: expect.stringMatching(/^One instance uses/),
  });
  expect(await found(instance('a:1'), instance('b:1'))).toMatchObject({
    state: 'ok',
    sentence: expect.stringMatching(/^2 instances/),
  });
  const cases: [Partial<CheckedInstance>, RegExp][] = [
    [{ generation: 2 }, /different settings \(version at a:1: 3, b:1: 2\)/],
    [{ version: '1.1.0' }, /different versions \(a:1: 1\.0\.0, b:1: 1\.1\.0\)/],
    [{ isLive: false, generation: 2, version: '0.9.0' }, /^b:1 was not stopped, but does not answer/],
    [
      { generation: 2, failure: { generation: 3, reason: 'No folder.' } },
      /^b:1 could not apply version 3 of the settings: No folder\.$/,
    ],
  ];
  for (const [change, sentence] of cases) {
    const finding = await found(instance('a:1'), instance('b:1', change));
    expect(finding.state).toBe('warning');
    expect(finding.sentence).toMatch(sentence);
  }
});

it('finds nothing wrong with different settings while the instances restart one after the other', async () => {
  expect(await found(instance('a:1'), instance('b:1', { generation: 2, isRestartDue: true }))).toEqual({
    state: 'ok',
    sentence: 'The instances restart one after the other: 1 of 2 have restarted.',
  });
});
