import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readBootConfig } from './boot-config.ts';

const withFile = (folder: string, content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, 'kaptain.json'), text);
  return { KAPTAIN_DATA_DIR: folder };
};

describe('the boot config', () => {
  it('has defaults for all values', () => {
    using folder = temporaryFolder();
    expect(readBootConfig({ KAPTAIN_DATA_DIR: folder.path })).toEqual({
      dataDir: folder.path,
      host: '127.0.0.1',
      port: 8000,
      setupToken: undefined,
      variant: 'default',
      publicHosts: [],
      trustedProxies: [],
      allowedFolders: [],
      licenseKey: '',
      scriptLogFolder: join(folder.path, 'script-logs'),
      granuleBytes: 262_144,
      consoleServiceUrl: '',
      metrics: undefined,
      logsToStdout: false,
    });
    expect(readBootConfig({}).dataDir).toBe(resolve('data'));
  });

  it('reads who may see metrics, and refuses a token that could be guessed', () => {
    using folder = temporaryFolder();
    const metrics = (KAPTAIN_METRICS: string) =>
      readBootConfig({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_METRICS }).metrics;
    expect(metrics('')).toBeUndefined();
    expect(metrics('loopback')).toBe('loopback');
    expect(metrics('t'.repeat(32))).toEqual({ token: 't'.repeat(32) });
    for (const wrong of ['loopbak', 'on', 't'.repeat(31), `${'t'.repeat(32)} x`])
      expect(() => metrics(wrong)).toThrow('KAPTAIN_METRICS must be "loopback", or a secret token of 32');
    expect(readBootConfig(withFile(folder.path, { metrics: 'loopback', logStdout: true }))).toMatchObject({
      metrics: 'loopback',
      logsToStdout: true,
    });
    const env = { KAPTAIN_DATA_DIR: folder.path, KAPTAIN_LOG_STDOUT: 'perhaps' };
    expect(() => readBootConfig(env)).toThrow('KAPTAIN_LOG_STDOUT must be true or false.');
  });

  it('prefers the environment over the file', () => {
    using folder = temporaryFolder();
    const env = withFile(folder.path, {
      port: 1234,
      host: '0.0.0.0',
      variant: 'alternative',
      publicHosts: ['k.example'],
    });
    expect(readBootConfig(env)).toMatchObject({
      port: 1234,
      host: '0.0.0.0',
      variant: 'alternative',
      publicHosts: ['k.example'],
    });
    const over = {
      ...env,
      KAPTAIN_PORT: '8001',
      KAPTAIN_HOST: '::1',
      KAPTAIN_VARIANT: 'default',
      SETUP_TOKEN: 'open sesame',
      KAPTAIN_GRANULE_BYTES: '4096',
    };
    expect(readBootConfig(over)).toMatchObject({
      port: 8001,
      host: '::1',
      variant: 'default',
      setupToken: 'open sesame',
      granuleBytes: 4096,
    });
    expect(readBootConfig(withFile(folder.path, { granuleBytes: 2048 })).granuleBytes).toBe(2048);
  });

  it.each([
    [{ KAPTAIN_PORT: 'eighty' }, 'KAPTAIN_PORT must be a port number between 0 and 65535, not "eighty".'],
    [{ KAPTAIN_PORT: '80x' }, 'KAPTAIN_PORT must be'],
    [{ KAPTAIN_PORT: '65536' }, 'KAPTAIN_PORT must be'],
    [{ KAPTAIN_PORT: '-1' }, 'KAPTAIN_PORT must be'],
    ...['1023', '524289', '1e4', '-5', '256k'].map((bytes): [object, string] => [
      { KAPTAIN_GRANULE_BYTES: bytes },
      'KAPTAIN_GRANULE_BYTES must be a number of bytes between 1024 and 524288.',
    ]),
    [{ KAPTAIN_VARIANT: 'purple' }, 'KAPTAIN_VARIANT must be one of: default, alternative.'],
  ])('complains about %o by name', (env, message) => {
    using folder = temporaryFolder();
    expect(() => readBootConfig({ ...env, KAPTAIN_DATA_DIR: folder.path })).toThrow(message);
  });

  it.each([
    ['{', 'is not a JSON object'],
    ['[]', 'is not a JSON object'],
    [{ port: '8x' }, '"port" in '],
    [{ publicHosts: 'k.example' }, '"publicHosts" in '],
    [{ trustedProxies: [1] }, '"trustedProxies" in '],
    [{ trustedProxies: ['proxy.example'] }, '"trustedProxies" in '],
    [{ trustedProxies: ['10.0.0.0/33'] }, '"trustedProxies" in '],
    [{ port: 8001, trustedProxy: [] }, 'is not a setting: correct or remove it. There are: port, host, '],
    [{ consoleServiceUrl: 'javascript:alert(1)' }, '"consoleServiceUrl" in '],
  ])('complains about the file %o by name', (content, message) => {
    using folder = temporaryFolder();
    const env = withFile(folder.path, content);
    expect(() => readBootConfig(env)).toThrow(message);
  });
});
