import { crc32, deflateRawSync } from 'node:zlib';
import type { Entry } from './entry.ts';

const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;

/** Two seconds are the smallest step of a time in a zip archive; it begins in 1980. */
function dosTime(seconds: number): { time: number; date: number } {
  const at = new Date(Math.max(seconds, Date.UTC(1980, 0, 1) / 1000) * 1000);
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

/** The bytes of a zip archive: UTF-8 names, deflated, all entries of the same time. Links are not possible in it. */
export function zipBytes(entries: Iterable<Entry>, seconds: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const { time, date } = dosTime(seconds);
  let offset = 0;
  for (const { path, mode, content, link } of entries) {
    if (link !== undefined) throw new Error(`A zip archive can't hold the link ${path}.`);
    const name = Buffer.from(path);
    const packed = deflateRawSync(content, { level: 6 });
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(VERSION, 0);
    shared.writeUInt16LE(UTF8_NAMES, 2);
    shared.writeUInt16LE(DEFLATED, 4);
    shared.writeUInt16LE(time, 6);
    shared.writeUInt16LE(date, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const own = Buffer.alloc(14);
    own.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6);
    own.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), shared, name, packed);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(MADE_ON_UNIX, 0);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), made, shared, own, name);
    offset += 4 + shared.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const count = directory.length / 5;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
