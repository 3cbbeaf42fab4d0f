import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readSettings } from './settings.ts';

const DAY = 24 * 3_600_000;

it('has the defaults of SPEC 9 where there is no file', () => {
  using folder = temporaryFolder();
  expect(readSettings(join(folder.path, 'settings.json')).current()).toEqual({
    apiKey: false,
    sessionLifeMs: DAY,
    corsAllowOrigins: [],
    logLevel: 'info',
    logPath: '',
  });
});

it.each([
  [{ number: 30, timeUnit: 's' }, 30_000],
  [{ number: 5, timeUnit: 'm' }, 300_000],
  [{ number: 2, timeUnit: 'h' }, 7_200_000],
  [{ number: 0, timeUnit: 'h' }, 0],
])('reads signExpiresIn %o', (signExpiresIn, ms) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'settings.json');
  writeFileSync(file, JSON.stringify({ settings: { apiKey: true }, security: { signExpiresIn } }));
  expect(readSettings(file).current()).toMatchObject({ apiKey: true, sessionLifeMs: ms });
});

it.each(['', '{', '{"settings":{"apiKey":"yes"}}'])('says what to do with a damaged file: %s', (text) => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'settings.json');
  writeFileSync(file, text);
  expect(() => readSettings(file)).toThrow(/settings\.json can't be read: correct it, or move it away/);
});
