import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFullTest } from '../../../tools/test-size.ts';
import { DataSourceError } from './errors.ts';
import { optionalDriver } from './optional-driver.ts';

let drivers: string;
beforeEach(() => void (drivers = mkdtempSync(join(tmpdir(), 'kaptain-drivers-'))));
afterEach(() => rmSync(drivers, { recursive: true }));

describe('an optional driver', () => {
  it('that is missing is refused with the command that installs it', () => {
    const load = () => optionalDriver('snowflake', 'no-such-driver', drivers);
    expect(load).toThrow(DataSourceError);
    expect(load).toThrow('Run "npm run add-driver snowflake"');
  });

  it('is found in the folder that the command installs it into', () => {
    const home = join(drivers, 'snowflake', 'node_modules', 'no-such-driver');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'index.js'), 'module.exports = { isDriver: true };');
    expect(optionalDriver('snowflake', 'no-such-driver', drivers)).toEqual({ isDriver: true });
  });

  it('is found among the packages of the project', () => {
    expect(optionalDriver('snowflake', 'pg', drivers)).toHaveProperty('Pool');
  });

  it.runIf(isFullTest)('of Snowflake is a devDependency', () => {
    expect(optionalDriver('snowflake', 'snowflake-sdk', drivers)).toHaveProperty('createPool');
  });
});
