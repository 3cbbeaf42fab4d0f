import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFullTest } from '../test-size.ts';
import { ensureInstalled, isInstalled, markInstalled } from './install.mjs';
import { SetupError } from './project.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const first = { name: 'project', version: '1.0.0', workspaces: ['packages/*'] };
const member = { name: 'member', version: '1.0.0' };
const lock = {
  name: 'project',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': first,
    'node_modules/member': { resolved: 'packages/member', link: true },
    'packages/member': { version: '1.0.0' },
  },
};

function project() {
  return temporaryFolder({
    'package.json': first,
    'packages/member/package.json': member,
    'package-lock.json': lock,
  });
}

function installedProject() {
  const made = project();
  mkdirSync(join(made.folder, 'node_modules'));
  markInstalled(made.folder);
  return made;
}

describe('packages are installed again', () => {
  test('when there are none yet', () => {
    expect(isInstalled(project().folder)).toBe(false);
  });

  test('when the lock file has changed', () => {
    const { folder, write } = installedProject();
    expect(isInstalled(folder)).toBe(true);
    write('package-lock.json', { ...lock, version: '1.0.1' });
    expect(isInstalled(folder)).toBe(false);
  });

  test("when a workspace's dependencies have changed", () => {
    const { folder, write } = installedProject();
    write('packages/member/package.json', { ...member, dependencies: { door: '1.0.0' } });
    expect(isInstalled(folder)).toBe(false);
  });

  test('when a workspace has been added', () => {
    const { folder, write } = installedProject();
    write('packages/cellar/package.json', { name: 'cellar', version: '1.0.0' });
    expect(isInstalled(folder)).toBe(false);
  });

  test('when tests need more packages than the service', () => {
    const { folder } = installedProject();
    markInstalled(folder, 'service');
    expect([isInstalled(folder, 'service'), isInstalled(folder, 'all')]).toEqual([true, false]);
    markInstalled(folder, 'all');
    expect([isInstalled(folder, 'service'), isInstalled(folder, 'all')]).toEqual([true, true]);
  });

  test('but not when only a script has changed', () => {
    const { folder, write } = installedProject();
    write('package.json', { ...first, scripts: { start: 'node start.mjs' } });
    expect(isInstalled(folder)).toBe(true);
  });

  test('but not right after npm was run by hand', () => {
    const { folder, write } = project();
    write('node_modules/.package-lock.json', {});
    expect(isInstalled(folder)).toBe(true);
  });

  test('when a lock file newer than the last npm run has arrived', () => {
    const { folder, write } = project();
    write('node_modules/.package-lock.json', {});
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(folder, 'node_modules', '.package-lock.json'), past, past);
    expect(isInstalled(folder)).toBe(false);
  });
});

test.runIf(isFullTest)('npm installs a fresh folder, once', async () => {
  const { folder } = project();
  await ensureInstalled('all', folder);
  expect(existsSync(join(folder, 'node_modules', 'member', 'package.json'))).toBe(true);
  expect(isInstalled(folder)).toBe(true);
});

test('a failed installation says what to do, shows the errors of npm and is retried next time', async () => {
  const { folder, write } = project();
  write('package-lock.json', {});
  const failure = await ensureInstalled('all', folder).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SetupError);
  expect(String(failure)).toMatch(/run the same command again/);
  expect(String(failure)).toMatch(/in sync/);
  expect(isInstalled(folder)).toBe(false);
});
