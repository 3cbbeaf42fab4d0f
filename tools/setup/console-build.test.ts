import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildConsole, consoleFingerprint } from './console-build.mjs';
import { SetupError } from './project.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const page = '<!doctype html><title>x</title><script type="module" src="/src/main.ts"></script>';

function consoleProject() {
  return temporaryFolder({
    'apps/console/index.html': page,
    'apps/console/src/main.ts': 'document.title = "first";',
    'packages/contract/src/index.ts': 'export const limit = 1;',
    'package-lock.json': '{}',
  });
}

describe('the fingerprint of the console', () => {
  test.each([
    'apps/console/src/main.ts',
    'apps/console/src/new.ts',
    'packages/contract/src/index.ts',
    'package-lock.json',
  ])('changes with %s', (path) => {
    const { folder, write } = consoleProject();
    const before = consoleFingerprint(folder);
    write(path, '{ "other": 1 }');
    expect(consoleFingerprint(folder)).not.toBe(before);
  });

  test.each([
    'apps/console/src/main.test.ts',
    'apps/console/src/testing/fake.ts',
    'apps/console/dist/index.html',
    'apps/service/src/main.ts',
  ])('does not change with %s', (path) => {
    const { folder, write } = consoleProject();
    const before = consoleFingerprint(folder);
    write(path, 'other');
    expect(consoleFingerprint(folder)).toBe(before);
  });

  test('changes when a file is renamed, and is the same again when it is renamed back', () => {
    const { folder, write } = consoleProject();
    const before = consoleFingerprint(folder);
    write('apps/console/src/b.ts', 'export {};');
    const withB = consoleFingerprint(folder);
    rmSync(join(folder, 'apps/console/src/b.ts'));
    write('apps/console/src/c.ts', 'export {};');
    expect(consoleFingerprint(folder)).not.toBe(withB);
    rmSync(join(folder, 'apps/console/src/c.ts'));
    expect(consoleFingerprint(folder)).toBe(before);
  });
});

describe('building the console', () => {
  const script = (dist: string) => {
    const [name = ''] = readdirSync(join(dist, 'assets'));
    return readFileSync(join(dist, 'assets', name), 'utf8');
  };

  test('happens once per change, and a failed build leaves the last good one in place', async () => {
    const { folder, write } = consoleProject();
    const dist = join(folder, 'apps', 'console', 'dist');
    await buildConsole(process.execPath, folder);
    expect(script(dist)).toContain('first');
    const built = statSync(dist).ino;

    await buildConsole(process.execPath, folder);
    expect(statSync(dist).ino).toBe(built);

    write('apps/console/src/main.ts', 'this is not a program');
    await expect(buildConsole(process.execPath, folder)).rejects.toThrow(SetupError);
    expect(script(dist)).toContain('first');

    write('apps/console/src/main.ts', 'document.title = "second";');
    await buildConsole(process.execPath, folder);
    expect(script(dist)).toContain('second');
    expect(existsSync(join(folder, 'apps', 'console', '.cache'))).toBe(true);
    expect(readdirSync(join(folder, 'apps', 'console', '.cache'))).toEqual([]);
  });
});
