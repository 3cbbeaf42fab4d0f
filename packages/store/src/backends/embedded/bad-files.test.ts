import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { aUser } from '../../testing/samples.ts';
import { checkFile } from './file-check.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

async function aDatabase(): Promise<string> {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  for (let n = 0; n < 200; n += 1) await store.users.insert(aUser(`user ${n}`, { qlikId: 'x'.repeat(500) }));
  await store.close();
  return file;
}

function alter(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function overwrite(file: string, from: number, length: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(length, 0x5a), 0, length, from);
  closeSync(handle);
}

/** The refusal to open it: one sentence for a person; the file stays as it was. */
async function refusalOf(file: string): Promise<string> {
  const before = readFileSync(file);
  const error = await openEmbeddedStore({ file }).then(
    () => expect.fail('it was opened'),
    (reason: unknown) => reason as Error,
  );
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error.message).toContain(file);
  expect(error.message).toMatch(/^[^\n]+\.$/);
  expect(error.message).not.toMatch(/ at |SQLITE|Error/);
  expect(readFileSync(file).equals(before)).toBe(true);
  return error.message;
}

describe('a database file that is not right', () => {
  it.each(['x', 'this is no database', 'x'.repeat(100_000)])(
    'is refused when it is text (%#)',
    async (text) => {
      const file = temporaryFile();
      writeFileSync(file, text);
      expect(await refusalOf(file)).toMatch(/damaged.*backup/);
    },
  );

  it('is refused when it was cut short', async () => {
    const file = await aDatabase();
    truncateSync(file, Math.floor(statSync(file).size / 2));
    expect(await refusalOf(file)).toMatch(/damaged.*backup/);
  });

  it('is refused when only its head is left whole', async () => {
    const file = await aDatabase();
    overwrite(file, 4_096, statSync(file).size - 4_096);
    expect(await refusalOf(file)).toMatch(/damaged.*backup/);
  });

  it('is refused when one page of the users is damaged', async () => {
    const file = await aDatabase();
    const database = new DatabaseSync(file, { readOnly: true });
    const { rootpage } = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'users'")
      .get() as {
      rootpage: number;
    };
    database.close();
    overwrite(file, (rootpage - 1) * 4_096, 4_096);
    expect(await refusalOf(file)).toMatch(/damaged.*backup/);
  });

  it('is refused when it belongs to another program', async () => {
    const file = temporaryFile();
    alter(file, 'CREATE TABLE theirs (x)');
    expect(await refusalOf(file)).toMatch(/another program/);
  });

  it('is taken as new when it is empty', async () => {
    const file = temporaryFile();
    writeFileSync(file, '');
    const store = await openEmbeddedStore({ file });
    expect(await store.users.all()).toEqual([]);
    await store.close();
  });

  it('can be read by its owner alone', { skip: process.platform === 'win32' }, async () => {
    const file = await aDatabase();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('a data folder that is not right', () => {
  it('is refused when it does not exist', async () => {
    const file = join(temporaryFile(), 'missing', 'kaptain.db');
    await expect(openEmbeddedStore({ file })).rejects.toThrow(/folder .*missing does not exist; create it/);
  });

  it('is refused when it is a file', async () => {
    const folder = temporaryFile();
    writeFileSync(folder, 'x');
    const opened = openEmbeddedStore({ file: join(folder, 'kaptain.db') });
    await expect(opened).rejects.toThrow(/folder .*does not exist; create it/);
  });

  it('is refused when it may not be written', { skip: process.platform === 'win32' }, () => {
    const file = temporaryFile();
    chmodSync(dirname(file), 0o555);
    // The superuser may write everywhere, so the test runs this part as another user.
    const isSuperuser = process.geteuid?.() === 0;
    if (isSuperuser) process.seteuid?.(65_534);
    try {
      expect(() => checkFile(file)).toThrow(/folder .* can't be written; give the service the right/);
    } finally {
      if (isSuperuser) process.seteuid?.(0);
    }
  });

  it('is refused when a folder stands where the file should be', async () => {
    const file = temporaryFile();
    mkdirSync(file);
    await expect(openEmbeddedStore({ file })).rejects.toThrow(
      /is a folder where the database file should be/,
    );
  });
});
