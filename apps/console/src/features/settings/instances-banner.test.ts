import { expect, test } from 'vitest';
import { instance } from '../../testing/instance.ts';
import { bannerOfInstances } from './instances-banner.ts';
import { settingsState } from './settings-fixture.ts';

const failure = { generation: 7, reason: 'The folder is missing.', at: '2026-03-04T05:06:07Z' };
const bannerFor = (...instances: ReturnType<typeof instance>[]) =>
  bannerOfInstances({ ...settingsState, instances });

test('a single instance, one of an older service, and several with the saved settings need no sentence of their own', () => {
  expect(bannerOfInstances(settingsState)).toBeUndefined();
  expect(bannerFor(instance('a:1', { generation: 6 }))).toBeUndefined();
  expect(bannerFor(instance('a:1'), instance('b:1', { isLive: false, generation: 6 }))).toBeUndefined();
  expect(bannerFor(instance('a:1'), instance('b:1'))).toBeUndefined();
});

test('several instances get one sentence about all of them, whichever of them answers', () => {
  expect(bannerFor(instance('a:1'), instance('b:1', { generation: 6, isRestartDue: true }))).toMatchObject({
    title: 'The instances restart one after the other',
    description: '1 of 2 have restarted.',
    action: null,
  });
  expect(bannerFor(instance('a:1'), instance('b:1', { generation: 6 }))).toMatchObject({
    title: 'The saved settings wait for a restart',
    description: '1 of 2 instances still run with the ones from before.',
  });
  const hasFailed = { generation: 6, failure, isRestartDue: true };
  expect(bannerFor(instance('a:1'), instance('b:1', hasFailed))).toMatchObject({
    title: 'The last change of the settings failed on b:1',
    description: 'The folder is missing. b:1 goes on with version 6.',
  });
  expect(bannerFor(instance('a:1'), instance('b:1', { failure }))).toMatchObject({
    title: 'The last restart failed on b:1',
  });
});

test('settings that were given up for all instances keep their own sentence', () => {
  const lastApply = { ...settingsState.lastApply, status: 'rolledBack' } as const;
  const instances = [instance('a:1'), instance('b:1', { failure })];
  expect(bannerOfInstances({ ...settingsState, lastApply, instances })).toBeUndefined();
});
