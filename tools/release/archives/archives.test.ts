import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arBytes } from './ar.ts';
import { type Entry, textEntry } from './entry.ts';
import { tarGzBytes, writeTarGz } from './tar.ts';
import { zipBytes } from './zip.ts';

const SECONDS = 1_700_000_000;
const long = `kaptain/${'folder/'.repeat(14)}${'n'.repeat(90)}.js`;
const entries: Entry[] = [
  textEntry('kaptain/kaptain', '#!/bin/sh\n', 0o755),
  textEntry('kaptain/größe.txt', 'ä'),
  textEntry(long, 'x'.repeat(1000)),
  textEntry('kaptain/empty', ''),
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaptain-archives-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const unpack = (file: string) => execFileSync('tar', ['-xzf', file, '-C', folder]);
const unpacked = (path: string) => readFileSync(join(folder, ...path.split('/')), 'utf8');

describe('a tar archive', () => {
  it('unpacks to the same files, long paths and other scripts included', async () => {
    const file = join(folder, 'a.tar.gz');
    await writeTarGz(file, entries, SECONDS);
    unpack(file);
    for (const { path, content } of entries) expect(unpacked(path)).toBe(content.toString());
  });

  it('keeps links, and says which program is executable', () => {
    const file = join(folder, 'a.tar.gz');
    const link: Entry = { path: 'kaptain/link', mode: 0o777, content: Buffer.alloc(0), link: 'kaptain' };
    writeFileSync(file, tarGzBytes([...entries, link], SECONDS));
    const list = execFileSync('tar', ['-tvzf', file], { encoding: 'utf8' });
    expect(list).toMatch(/^-rwxr-xr-x .*kaptain\/kaptain$/m);
    expect(list).toMatch(/^-rw-r--r-- .*kaptain\/empty$/m);
    expect(list).toMatch(/^l.*kaptain\/link -> kaptain$/m);
  });

  it('is the same bytes each time', () => {
    expect(tarGzBytes(entries, SECONDS)).toEqual(tarGzBytes(entries, SECONDS));
  });

  it('refuses a path that the format can not hold', () => {
    expect(() => tarGzBytes([textEntry('n'.repeat(101), '')], SECONDS)).toThrow('too long');
  });
});

/** The members of a zip archive, read from its directory. */
function members(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const found = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26);
    const content = inflateRawSync(zip.subarray(begin, begin + size));
    expect(crc32(content)).toBe(zip.readUInt32LE(at + 16));
    found.set(zip.toString('utf8', at + 46, at + 46 + nameLength), content);
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return found;
}

it('a zip archive holds the same files', () => {
  const found = members(zipBytes(entries, SECONDS));
  expect([...found]).toEqual(entries.map(({ path, content }) => [path, content]));
});

it('an ar archive begins each member at an even byte', () => {
  const bytes = arBytes(
    [
      { name: 'debian-binary', content: Buffer.from('2.0') },
      { name: 'data', content: Buffer.from('x') },
    ],
    SECONDS,
  ).toString('latin1');
  expect(bytes).toBe(
    '!<arch>\n' +
      'debian-binary   1700000000  0     0     100644  3         `\n2.0\n' +
      'data            1700000000  0     0     100644  1         `\nx\n',
  );
});
