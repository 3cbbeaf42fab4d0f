import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '@kaptain/contract';
import { expect, test } from 'vitest';
import { root } from './setup/project.mjs';

const codes = Object.keys(errorCodes).sort();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Types already prevent other codes: AppError takes an ErrorCode. */
test('docs/reference/errors.md names every code once, with its status and meaning', () => {
  const rows = read('docs/reference/errors.md').matchAll(/^\| ([A-Z_]+) \| (\d+) \| (.+) \|\r?$/gm);
  const documented = Array.from(rows, ([, code, status, meaning]) => [code, [Number(status), meaning]]);
  expect(documented).toEqual(Object.entries(errorCodes));
});

const sourcesOfService = () =>
  globSync('apps/service/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !/[\\/]testing[\\/]/.test(file))
    .map(read)
    .join('\n');

test('the service uses every code of the contract', () => {
  const sources = sourcesOfService();
  expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

test('a meaning that the service sends as its message speaks to the person who reads it', () => {
  const sent = sourcesOfService().matchAll(/AppError\('([A-Z_]+)'(?=\)|, undefined)/g);
  const meanings = new Set(Array.from(sent, ([, code]) => errorCodes[code as 'INTERNAL'][1]));
  expect([...meanings].filter((meaning) => /caller|no token/.test(meaning))).toEqual([]);
});
