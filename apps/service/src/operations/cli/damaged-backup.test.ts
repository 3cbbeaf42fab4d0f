import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { kaptain } from '../../testing/run-command.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testApp } from '../../testing/test-app.ts';

const CERTIFICATE = 'CERTIFICATE '.repeat(500);
const CHECKSUM_BYTES = 88;

async function backupOf(target: string): Promise<Buffer> {
  await using app = await testApp();
  await app.asUser('Vera');
  await app.asUser('Otto');
  mkdirSync(join(app.folder, 'certificates'), { recursive: true });
  writeFileSync(join(app.folder, 'certificates', '1.pem'), CERTIFICATE);
  expect((await kaptain(app.folder, 'backup', target)).code).toBe(0);
  return readFileSync(target);
}

/** The files of a folder with their times of change. */
const stateOf = (folder: string) =>
  globSync('**', { cwd: folder })
    .sort()
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => [
      path,
      statSync(path).mtimeMs,
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]);

/** A folder with data, and a function that tries to restore bytes into it. */
async function target(root: string) {
  const folder = join(root, 'present');
  mkdirSync(folder);
  const first = join(root, 'first.backup');
  const bytes = await backupOf(first);
  expect((await kaptain(folder, 'restore', first)).code).toBe(0);
  const file = join(root, 'tried.backup');
  const restore = async (content: Uint8Array) => {
    writeFileSync(file, content);
    return kaptain(folder, 'restore', file);
  };
  return { folder, bytes, restore };
}

it('refuses a backup with any single byte changed, and changes no file', async () => {
  using root = temporaryFolder();
  const { folder, bytes, restore } = await target(root.path);
  const before = stateOf(folder);
  const certificate = bytes.indexOf(CERTIFICATE.slice(0, 100));
  expect(certificate).toBeGreaterThan(0);
  const every = (step: number, from: number, to: number) =>
    Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
  const positions = [
    ...every(7, 0, 100),
    ...every(Math.ceil(bytes.length / sized(150, 15)), 0, bytes.length),
    ...every(100, certificate, certificate + 1000),
    ...every(9, bytes.length - CHECKSUM_BYTES, bytes.length),
    bytes.length - 1,
  ];
  for (const position of positions) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 0x01;
    const { code, text } = await restore(changed);
    expect([position, code, text]).toEqual([position, 1, expect.stringContaining('is damaged')]);
  }
  expect(stateOf(folder)).toEqual(before);
});

it('refuses a backup that was truncated or extended, and changes no file', async () => {
  using root = temporaryFolder();
  const { folder, bytes, restore } = await target(root.path);
  const before = stateOf(folder);
  for (const length of [0, 1, 87, 99, 511, 4096, bytes.length - 4096, bytes.length - 88, bytes.length - 1])
    expect([length, (await restore(bytes.subarray(0, length))).code]).toEqual([length, 1]);
  for (const more of ['\n', 'x'.repeat(87), 'x'.repeat(88), 'x'.repeat(4096), bytes.subarray(-88)])
    expect((await restore(Buffer.concat([bytes, Buffer.from(more)]))).code).toBe(1);
  expect((await restore(Buffer.concat([bytes, bytes]))).code).toBe(1);
  expect(stateOf(folder)).toEqual(before);
  expect((await restore(bytes)).text).not.toContain('checksum');
});

it('restores a backup of an earlier version, says what can not be checked, and refuses a corrupt one', async () => {
  using root = temporaryFolder();
  const { folder, bytes, restore } = await target(root.path);
  // Without the checksum after the last page, and without the column that announces it.
  const earlier = Buffer.from(
    bytes.subarray(0, -CHECKSUM_BYTES).toString('latin1').replace('has_checksum', 'before_sums_'),
    'latin1',
  );
  const before = stateOf(folder);
  expect((await restore(Buffer.concat([earlier, Buffer.alloc(88)]))).code).toBe(1);
  expect((await restore(earlier.subarray(0, -4096))).code).toBe(1);
  expect((await restore(Buffer.from(earlier).fill(0xff, 8192, 12_288))).code).toBe(1);
  expect(stateOf(folder)).toEqual(before);
  const { code, text } = await restore(earlier);
  expect([code, text]).toEqual([0, expect.stringContaining('without a checksum')]);
  expect(readFileSync(join(folder, 'certificates', '1.pem'), 'utf8')).toBe(CERTIFICATE);
});
