import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { UnavailableError } from '../../errors.ts';
import { CHECKSUM_CHUNK_BYTES } from './tuning.ts';

/*
 * The last bytes of a backup are `kaptain-backup-sha256 <hash of all bytes before>` between two line feeds.
 */

const LABEL = '\nkaptain-backup-sha256 ';
const TRAILER_BYTES = LABEL.length + 64 + 1;

export const damagedBackup = (file: string) =>
  new UnavailableError(
    `${file} is damaged: it is not what was written when the backup was made. Nothing was changed; use another backup.`,
  );

export const appendChecksum = (file: string): void =>
  appendFileSync(file, trailerOf(hashOf(file, statSync(file).size)));

/** Whether a checksum ends the file; throws when it is not the one of the bytes before it. */
export function hasChecksum(file: string): boolean {
  const end = statSync(file).size - TRAILER_BYTES;
  if (end < 0) return false;
  const trailer = Buffer.concat([...chunksOf(file, end, end + TRAILER_BYTES)]).toString('latin1');
  if (!trailer.startsWith(LABEL)) return false;
  if (trailer !== trailerOf(hashOf(file, end))) throw damagedBackup(file);
  return true;
}

/** Takes the checksum off a backup that has one; throws when it is not the right one. */
export function dropChecksum(file: string): void {
  if (hasChecksum(file)) truncateSync(file, statSync(file).size - TRAILER_BYTES);
}

const trailerOf = (hash: string): string => `${LABEL}${hash}\n`;

function hashOf(file: string, bytes: number): string {
  const hash = createHash('sha256');
  for (const chunk of chunksOf(file, 0, bytes)) hash.update(chunk);
  return hash.digest('hex');
}

function* chunksOf(file: string, from: number, to: number): Generator<Buffer> {
  const fd = openSync(file, 'r');
  try {
    for (let offset = from; offset < to; ) {
      const chunk = Buffer.alloc(Math.min(CHECKSUM_CHUNK_BYTES, to - offset));
      const read = readSync(fd, chunk, 0, chunk.length, offset);
      if (read === 0) return;
      yield chunk.subarray(0, read);
      offset += read;
    }
  } finally {
    closeSync(fd);
  }
}
