import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { GranuleInput } from '../../granules.ts';
import { Connection } from './connection.ts';
import { replaceMore } from './granules/replace-more.ts';
import { openEmbeddedStore } from './open.ts';
import { Readers } from './readers.ts';
import { importBeside } from './testing/import-beside.ts';
import { inside } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';
import { openEmbeddedTransfer } from './transfer.ts';

/** More than are replaced with the publication. */
const ROWS = 2_300;
const some = (count: number, text: string): GranuleInput[] =>
  Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, user: 'Ann', data: { text } }));
const countOf = (file: string, text: string) =>
  inside(file, (database) =>
    database.prepare("SELECT count(*) AS rows FROM granules WHERE data ->> 'text' = ?").get(text),
  );

/** A file with a published import that has still to replace all granules. */
async function published(before: GranuleInput[], after: GranuleInput[]): Promise<string> {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  await store.granules.bulkUpsert('k', before);
  await importBeside(store, after, () => store.close());
  return file;
}

function withConnection(file: string, work: (connection: Connection) => void): void {
  const connection = new Connection(file, { readOnly: false, busyMs: 0 });
  try {
    work(connection);
  } finally {
    connection.close();
  }
}

it('replaces in steps also what others have saved while the import arrived', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  async function* rows(): AsyncGenerator<GranuleInput> {
    yield* some(ROWS, 'imported');
    await store.granules.bulkUpsert('k', some(ROWS, 'saved'));
  }
  await importBeside(store, rows(), () => store.close());
  expect(countOf(file, 'saved')).toEqual({ rows: ROWS });
});

it('streams no half of an import that is published before the snapshot', async () => {
  const file = await published(some(ROWS, 'before'), some(ROWS, 'after'));
  const readers = new Readers(file);
  const first = readers.stream('k', {}).next();
  await setTimeout(200);
  withConnection(file, (connection) => {
    while (connection.atomically(() => replaceMore(connection, 'k')));
  });
  const { value } = await first;
  expect(Buffer.from(value ?? []).toString()).not.toContain('before');
  expect(Buffer.from(value ?? []).toString()).toContain('after');
  await readers.close();
});

it('moves no half of an import to another store', async () => {
  const transfer = await openEmbeddedTransfer({ file: temporaryFile() });
  await transfer.store.granules.bulkUpsert('k', some(ROWS, 'before'));
  const moved: unknown[] = [];
  await importBeside(transfer.store, some(ROWS, 'after'), async () => {
    // Its turn comes after the publication.
    await transfer.store.granules.upsert('other', some(1, 'other'));
    await transfer.kapsules();
    for await (const batch of transfer.granules('k'))
      moved.push(...batch.map(({ data, version }) => `${version} ${data}`));
  });
  expect(moved).toHaveLength(ROWS);
  expect(new Set(moved)).toEqual(new Set(['2 {"text":"after"}']));
  await transfer.close();
});
