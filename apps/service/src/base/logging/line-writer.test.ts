import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { lineWriter } from './line-writer.ts';

/** A file on a disk that can be full: a write then fails, and leaves a part of it behind. */
function aFile() {
  const file = { text: '', isFull: false, opened: 0 };
  const open = () => {
    file.opened += 1;
    return new Writable({
      decodeStrings: false,
      write(chunk: string, _, done) {
        file.text += file.isFull ? chunk.slice(0, 3) : chunk;
        done(file.isFull ? new Error('ENOSPC') : null);
      },
    }).on('error', () => undefined);
  };
  return { file, writer: lineWriter(open) };
}

it('goes on after a full disk, on a line of its own that says that others are missing', async () => {
  const { file, writer } = aFile();
  writer.write('before\n');
  await expect.poll(() => file.text).toBe('before\n');
  file.isFull = true;
  writer.write('lost\n');
  await expect.poll(() => file.text).toBe('before\nlos');
  file.isFull = false;
  writer.write('after\n');
  await expect.poll(() => file.text).toContain('after');
  await writer.close();
  const [cut, missing, ...others] = file.text.split('\n').slice(1);
  expect([cut, others]).toEqual(['los', ['after', '']]);
  expect(JSON.parse(missing ?? '')).toMatchObject({
    level: 'warn',
    msg: 'Lines are missing here: the log could not be written.',
  });
});

it('writes the last lines when it is closed, also soon after a failure, and ends where they can not be written', async () => {
  const { file, writer } = aFile();
  file.isFull = true;
  writer.write('lost\n');
  await expect.poll(() => file.text).toBe('los');
  file.isFull = false;
  writer.write('last\n');
  await writer.close();
  expect(file.text).toMatch(/^los\n.*missing.*\nlast\n$/);
  const other = aFile();
  other.file.isFull = true;
  other.writer.write('lost\n');
  await other.writer.close();
  expect(other.file.text).toBe('los');
});

it('drops a line that comes after it was closed, and opens nothing for it', async () => {
  const { file, writer } = aFile();
  writer.write('last\n');
  await writer.close();
  writer.write('late\n'.repeat(20_000));
  expect([file.text, file.opened]).toEqual(['last\n', 1]);
});
