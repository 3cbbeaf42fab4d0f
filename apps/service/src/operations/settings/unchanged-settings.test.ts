import { SettingsUpdate } from '@kaptain/contract';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  string,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { normalised } from '../../base/config/settings/normalised.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import { filesOf, get, put } from '../../testing/settings.ts';

const shared = appOfFile();

const text = string({ maxLength: 20, unit: 'grapheme' });
const needed = string({ minLength: 1, maxLength: 20 });
const port = integer({ min: 1, max: 65_535 });
const maybe = <T>(value: Arbitrary<T>) => option(value, { nil: undefined });

/** Any settings object that could have been saved, complete or not. */
const anySettings = record({
  settings: record({
    https: boolean(),
    hsts: boolean(),
    usePfxCertificate: boolean(),
    pfxPassword: maybe(text),
    corsAllowOrigins: array(constantFrom('https://a.example', 'http://b.example:81'), { maxLength: 3 }),
    apiKey: boolean(),
    qlikHost: constantFrom('CERT', 'JWT', 'SAAS', 'DESKTOP'),
    userId: text,
  }),
  security: record({
    signExpiresIn: record({ number: integer({ min: 0, max: 700 }), timeUnit: constantFrom('s', 'm', 'h') }),
  }),
  hosts: record({
    CERT: maybe(record({ hostname: needed, prefix: text, isSecure: boolean(), certFile: text })),
    JWT: maybe(record({ hostname: needed, keyFile: needed })),
    SAAS: maybe(record({ hostname: needed, apiKey: maybe(text) })),
    DESKTOP: maybe(record({})),
  }),
  db: maybe(
    record({
      KAPTAIN_DB: constantFrom('mongodb', 'postgres'),
      KAPTAIN_DB_HOST: needed,
      KAPTAIN_DB_PORT: port,
      KAPTAIN_DB_USER: needed,
      KAPTAIN_DB_PASS: maybe(text),
      KAPTAIN_DB_NAME: needed,
    }),
  ),
  license: record({ LICENSE_TEXT: text }),
  system: record({ logLevel: constantFrom('debug', 'warn', 'info', 'error'), logPath: text }),
  mssql: maybe(
    record({
      MSSQL_SERVER: needed,
      MSSQL_PORT: port,
      MSSQL_USER: needed,
      MSSQL_PASSWORD: maybe(text),
      OPTIONS: record({ encrypt: boolean() }),
    }),
  ),
  postgresql: maybe(
    record({
      POSTGRE_USER: needed,
      POSTGRE_SERVER: needed,
      POSTGRE_DATABASE: needed,
      POSTGRE_PORT: port,
      POSTGRE_PASSWORD: maybe(text),
    }),
  ),
});

describe('settings that were read', () => {
  it('change no byte on the disk when they are saved again, for any settings', async () => {
    const { generations } = shared.app.settings;
    const { by } = nothingSaved();
    await assert(
      asyncProperty(anySettings, async (given) => {
        const parsed = SettingsUpdate.safeParse(given);
        if (!parsed.success) return;
        generations.add({ at: '', by, changed: [], files: {}, settings: normalised(parsed.data) });
        generations.prune(0);
        const before = filesOf(shared.app);
        const answer = await put(shared.admin, await get(shared.admin));
        expect([answer.status, answer.text]).toEqual([200, '{"status":"success"}']);
        expect(filesOf(shared.app)).toEqual(before);
      }),
      { numRuns: Number(process.env['KAPTAIN_TEST_RUNS'] ?? sized(60, 25)) },
    );
  });
});
