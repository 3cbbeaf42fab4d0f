import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Entry } from './entry.ts';

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/** The header of gzip has no time, so equal contents have equal bytes. */
const gzip = { level: 6 };

function splitPath(path: string): [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= NAME_BYTES) return [path, ''];
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const [name, prefix] = [path.slice(slash + 1), path.slice(0, slash)];
    if (Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return [name, prefix];
  }
  throw new Error(`The path is too long for a tar archive: ${path}`);
}

const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;

function header({ path, mode, content, link, owner = 0 }: Entry, seconds: number): Buffer {
  const [name, prefix] = splitPath(path);
  const block = Buffer.alloc(BLOCK);
  const type = link === undefined ? (path.endsWith('/') ? '5' : '0') : '2';
  block.write(name, 0, NAME_BYTES);
  block.write(octal(mode, 8), 100);
  block.write(octal(owner, 8), 108);
  block.write(octal(owner, 8), 116);
  block.write(octal(content.length, 12), 124);
  block.write(octal(seconds, 12), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(link ?? '', 157, NAME_BYTES);
  block.write('ustar\x0000', 257, 'latin1');
  if (owner === 0) for (const place of [265, 297]) block.write('root', place);
  block.write(prefix, 345, PREFIX_BYTES);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function* folders(entries: Iterable<Entry>): Generator<Entry> {
  const made = new Set<string>();
  for (const entry of entries) {
    const parts = entry.path.replace(/\/$/, '').split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++) {
      const path = `${parts.slice(0, depth).join('/')}/`;
      if (path === './' || made.has(path)) continue;
      made.add(path);
      yield { path, mode: 0o755, content: Buffer.alloc(0) };
    }
    yield entry;
  }
}

/** The bytes of a tar archive (POSIX ustar): all entries have the same time. */
function* tar(entries: Iterable<Entry>, seconds: number): Generator<Buffer> {
  for (const entry of folders(entries)) {
    yield header(entry, seconds);
    yield entry.content;
    yield Buffer.alloc((BLOCK - (entry.content.length % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

export const tarBytes = (entries: Iterable<Entry>, seconds: number): Buffer =>
  Buffer.concat([...tar(entries, seconds)]);

export const tarGzBytes = (entries: Iterable<Entry>, seconds: number): Buffer =>
  gzipSync(tarBytes(entries, seconds), gzip);

export async function writeTarGz(file: string, entries: Iterable<Entry>, seconds: number): Promise<void> {
  await pipeline(tar(entries, seconds), createGzip(gzip), createWriteStream(file));
}
