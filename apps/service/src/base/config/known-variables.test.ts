import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knownVariables, unknownVariables } from './known-variables.ts';

it('names the nearest variable for one that is not known, and is silent about those of others', () => {
  const known = Object.fromEntries(knownVariables.map((name) => [name, 'x']));
  const foreign = {
    PATH: '/bin',
    MY_KAPTAIN_PRT: '1',
    KAPTAIN_SERVICE_HOST: '10.0.0.1',
    KAPTAIN_PORT_8000_TCP_ADDR: '10.0.0.1',
    KAPTAIN_TEST_FULL: '1',
    KAPTAIN_VERSION: '1',
  };
  expect(unknownVariables({ ...known, ...foreign })).toEqual([]);
  const nearest = (name: string) =>
    /is (KAPTAIN_\w+)\.$/.exec(unknownVariables({ [name]: 'x' })[0] ?? '')?.[1];
  expect(['KAPTAIN_PRT', 'KAPTAIN_DB_PASSWORD', 'KAPTAIN_DATADIR'].map(nearest)).toEqual([
    'KAPTAIN_PORT',
    'KAPTAIN_DB_PASS',
    'KAPTAIN_DATA_DIR',
  ]);
  // Never the value, which may be a password under a misspelt name.
  expect(unknownVariables({ KAPTAIN_DB_PASSWORD: 'canary' }).join()).not.toContain('canary');
});

it('knows each variable that the code of the service names', () => {
  const folder = join(import.meta.dirname, '..', '..');
  const named = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('testing'))
    .flatMap(
      (file) => readFileSync(join(folder, file), 'utf8').match(/(?<=['[`])KAPTAIN_[A-Z_]+(?=['`\]])/g) ?? [],
    );
  expect(named.length).toBeGreaterThan(20);
  expect(unknownVariables(Object.fromEntries(named.map((name) => [name, 'x'])))).toEqual([]);
});
