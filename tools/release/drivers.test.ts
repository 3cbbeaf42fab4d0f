import { join } from 'node:path';
import { expect, it } from 'vitest';
import { optionalDriver } from '../../packages/data-sources/src/optional-driver.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';
import { driverEntries, driverNames } from './drivers.ts';

const files = {
  'package.json': '{ "name": "@kaptain/driver-snowflake" }',
  'package-lock.json':
    '{ "packages": { "": {}, "node_modules/a-driver": {}, "node_modules/other-system": {} } }',
  'node_modules/.package-lock.json': '{}',
  'node_modules/a-driver/package.json': '{ "name": "a-driver", "version": "1.2.3", "license": "MIT" }',
  'node_modules/a-driver/LICENSE': 'Of the driver.',
  'node_modules/a-driver/index.js': 'module.exports = { isDriver: true };',
  'node_modules/a-driver/index.d.ts': 'export const isDriver: true;',
};

it('packs a driver so that the service finds it where the archive is unpacked', () => {
  const installed = temporaryFolder(files);
  const program = temporaryFolder({});
  const entries = [...driverEntries('snowflake', installed.folder)];
  for (const { path, content } of entries) program.write(path, content.toString('utf8'));
  const drivers = join(program.folder, 'drivers');
  expect(optionalDriver('snowflake', 'a-driver', drivers)).toEqual({ isDriver: true });
  expect(entries.map(({ path }) => path)).toEqual([
    'drivers/snowflake/package.json',
    'drivers/snowflake/THIRD-PARTY-LICENCES.txt',
    'drivers/snowflake/node_modules/a-driver/LICENSE',
    'drivers/snowflake/node_modules/a-driver/index.js',
    'drivers/snowflake/node_modules/a-driver/package.json',
  ]);
  expect(entries[1]?.content.toString('utf8')).toContain('a-driver 1.2.3 (MIT)');
});

it('knows every folder of drivers', () => {
  expect(driverNames()).toContain('snowflake');
});
