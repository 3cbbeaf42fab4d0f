import { expect, test } from 'vitest';
import { instance } from '../../testing/instance.ts';
import { isListWorthy, newestOf, stateOf } from './instance-state.ts';

const failure = { generation: 7, reason: 'The folder is missing.', at: '2026-03-04T05:06:07Z' };

test('the newest values are those of live instances, and versions are compared by their numbers', () => {
  const instances = [
    instance('a:1', { version: '1.9.0' }),
    instance('b:1', { version: '1.10.0', generation: 6 }),
    instance('c:1', { version: '2.0.0', generation: 9, isLive: false }),
  ];
  expect(newestOf(instances)).toEqual({ version: '1.10.0', generation: 7 });
});

test('the state of an instance is the first thing to do about it', () => {
  const newest = { version: '1.4.0', generation: 7 };
  const label = (change: Parameters<typeof instance>[1]) => stateOf(instance('a:1', change), newest).label;
  expect(label({})).toBe('Running');
  expect(label({ isLive: false, failure, isRestartDue: true })).toBe('Does not answer');
  expect(label({ generation: 6, isRestartDue: true })).toBe('Restart pending');
  expect(label({ generation: 6, failure, isRestartDue: true })).toBe('Settings not applied');
  expect(label({ failure })).toBe('Restart failed');
  expect(label({ generation: 6 })).toBe('Earlier settings');
  expect(label({ version: '1.3.0' })).toBe('Earlier version');
});

test('a single instance is listed only with a problem', () => {
  expect(isListWorthy([])).toBe(false);
  expect(isListWorthy([instance('a:1')])).toBe(false);
  expect(isListWorthy([instance('a:1', { failure })])).toBe(true);
  expect(isListWorthy([instance('a:1'), instance('b:1')])).toBe(true);
});
