import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { kaptain } from '../../testing/run-command.ts';
import { startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readBootConfig } from '../config/boot-config.ts';
import { makeFolder } from '../config/make-folder.ts';
import { openSettings } from '../config/settings.ts';
import { asFileError } from './as-file-error.ts';
import { ConfigError } from './config-error.ts';
import { errorText } from './error-text.ts';

const UNPRIVILEGED_UID = 65_534;

/** Runs the work as an account that owns none of the files; only root can become one. */
function asNobody(work: () => unknown): string {
  process.seteuid?.(UNPRIVILEGED_UID);
  try {
    work();
    return 'It has worked.';
  } catch (error) {
    return errorText(error);
  } finally {
    process.seteuid?.(0);
  }
}

const failing = (code: string, syscall: string, path = '/data/keys') =>
  asFileError(Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path }));

describe('a file or folder that can’t be used is told in one sentence', () => {
  it.each([
    ['EACCES', 'mkdir', "/data/keys can't be written by"],
    ['EPERM', 'open', "/data/keys can't be opened by"],
    ['EROFS', 'open', 'read-only for the service'],
    ['ENOENT', 'mkdir', "/data/keys can't be created by"],
    ['ENOTDIR', 'open', 'one of its parts is a file'],
    ['ENOSPC', 'write', 'its disk is full'],
  ])('for %s of %s', (code, syscall, sentence) => {
    const error = failing(code, syscall);
    expect(error).toBeInstanceOf(ConfigError);
    expect(errorText(error)).toContain(sentence);
    expect(errorText(error)).not.toContain('\n');
  });

  it('and a bug keeps its stack', () => {
    for (const error of [failing('ENOENT', 'open'), failing('EBADF', 'close'), new TypeError('no')])
      expect(errorText(error)).toContain('\n    at ');
    expect(asFileError('text')).toBe('text');
  });

  it.runIf(process.getuid?.() === 0)('as another account than that of the data folder', () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const env = { KAPTAIN_DATA_DIR: dataDir };
    // The parent folder belongs to the test, and may be entered.
    for (const work of [() => readBootConfig(env), () => makeFolder(dataDir)]) {
      const text = asNobody(work);
      expect([
        text.includes(dataDir),
        text.includes('\n'),
        text.includes('boot file') || text.includes('.probe'),
      ]).toEqual([true, false, false]);
    }
    openSettings({ dataDir }).generations.add({
      at: '',
      by: { action: 'settings.update', userId: null, username: null, ip: '', requestId: '' },
      changed: [],
      files: {},
      settings: openSettings({ dataDir }).whole(),
    });
    expect(asNobody(() => openSettings({ dataDir }))).toMatch(/^[^\n]*check the rights on it\.$/);
  });
});

it('by the process and by each command, without a stack', async () => {
  using folder = temporaryFolder();
  await (await openEmbeddedStore({ file: join(folder.path, 'kaptain.db') })).close();
  writeFileSync(join(folder.path, 'keys'), 'a file where a folder should be');
  using started = startProcess({ KAPTAIN_DATA_DIR: folder.path });
  expect(await started.ended).toBe(1);
  const sentence = expect.stringMatching(/^\S*keys\S* can't be used: [^\n]*\n?$/);
  expect(started.output()).toEqual(sentence);
  const { code, text } = await kaptain(folder.path, 'audit', 'verify');
  expect([code, text]).toEqual([1, sentence]);
  expect(readFileSync(join(folder.path, 'keys'), 'utf8')).toContain('a file');
});
