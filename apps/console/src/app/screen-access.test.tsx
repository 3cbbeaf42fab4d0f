import { expect, test } from 'vitest';
import { variants } from '../variants/variants.ts';
import { screens } from './screens.ts';
import { matchingCommands } from './use-commands.tsx';

const pathsFor = (access: string) =>
  screens.filter((screen) => screen.access === access).map(({ path }) => path);

test('every screen is open to exactly the role it is for', () => {
  expect(pathsFor('loggedIn')).toEqual([
    '/data/kapsules',
    '/data/kapsules/:id',
    '/data/kapsules/:id/misfits',
    '/system/logs',
    '/account',
    '/about',
  ]);
  expect(pathsFor('admin')).toEqual([
    '/system/users',
    '/system/groups',
    '/program/logs',
    '/data/setting',
    '/system/audit',
    '/system/status',
  ]);
  expect(pathsFor('adminWithApiKeys')).toEqual(['/data/apikey']);
});

test('only screens beyond the specification depend on what the service knows', () => {
  const extras = screens.filter(({ isServed }) => isServed).map(({ path }) => path);
  expect(extras).toEqual(['/system/audit', '/account', '/system/status']);
});

test('the groups of the menu have the order of the specification', () => {
  const titles = (group: string) =>
    screens.filter(({ menu }) => menu === group).map((screen) => screen.title(variants.default.words));
  expect(titles('data')).toEqual(['Kapsules', 'Logs']);
  expect(titles('system')).toEqual(['Users', 'Groups', 'Api Key', 'System Logs', 'Settings', 'Audit']);
});

test('the palette finds commands that contain every typed word, in any order and case', () => {
  const command = (label: string, group: string) => ({ id: label, label, group, run() {} });
  const commands = [
    command('Sales', 'Kapsules'),
    command('Users', 'Pages'),
    command('Sales plan', 'Kapsules'),
  ];
  const found = (search: string) => matchingCommands(commands, search).map(({ label }) => label);
  expect(found('kaps SAL')).toEqual(['Sales', 'Sales plan']);
  expect(found('')).toHaveLength(3);
  expect(found('moon')).toEqual([]);
});
