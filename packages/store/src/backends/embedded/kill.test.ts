import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import type { Store } from '../../store.ts';
import { openEmbeddedStore } from './open.ts';
import { startChild } from './testing/start-child.ts';
import { temporaryFile } from './testing/temporary-file.ts';
import { DIRECT_ROWS_PER_CHECKPOINT } from './tuning.ts';

const ROUNDS = sized(20, 1);
const BATCH = 300;

/** Everything the killed processes were promised, over all rounds. */
class Promised {
  readonly audit: string[] = [];
  readonly users: string[] = [];
  readonly saved: string[] = [];
  granules = 0;

  note(line: string): void {
    const [kind, value = ''] = line.split(' ');
    if (kind === 'audit') this.audit.push(value);
    if (kind === 'user') this.users.push(value);
    if (kind === 'saved') this.saved.push(value);
    if (kind === 'granules') this.granules += Number(value);
  }
}

it(`loses nothing it has acknowledged when it is killed while writing (rounds: ${ROUNDS})`, async () => {
  const file = temporaryFile();
  const promised = new Promised();
  for (let round = 0; round < ROUNDS; round += 1) {
    // At another point of its work each time, and not before it has been promised something of each kind.
    let furtherLines = Math.random() * 60;
    const kinds = new Set<string>();
    const { lines, errors } = await startChild([file, 'write-forever', String(BATCH)], (line, kill) => {
      kinds.add(line.split(' ')[0] ?? '');
      if (kinds.size < 5) return;
      furtherLines -= 1;
      if (furtherLines < 0) kill();
    });
    expect(errors).toBe('');
    for (const line of lines) promised.note(line);
    await expectWhole(file, promised);
  }
  expect(promised.audit.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(promised.users.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(promised.saved.length).toBeGreaterThanOrEqual(ROUNDS);
  expect(promised.granules).toBeGreaterThanOrEqual(ROUNDS * BATCH);
});

it(`loses no save that it has acknowledged when it is killed while one client saves (rounds: ${ROUNDS})`, async () => {
  const file = temporaryFile();
  const promised = new Promised();
  for (let round = 0; round < ROUNDS; round += 1) {
    // More saves than there are between two checkpoints, and another number each time.
    let furtherLines = DIRECT_ROWS_PER_CHECKPOINT + 10 + Math.random() * 200;
    const { lines, errors } = await startChild([file, 'save-forever'], (_, kill) => {
      furtherLines -= 1;
      if (furtherLines < 0) kill();
    });
    expect(errors).toBe('');
    for (const line of lines) promised.note(line);
    await expectSaved(file, promised);
  }
});

async function expectSaved(file: string, promised: Promised): Promise<void> {
  const store = await openEmbeddedStore({ file });
  const keys = await savedKeys(store);
  const noted = new Set((await store.audit.findBy('action', 'granule.upsert')).map(({ target }) => target));
  await store.close();
  expect(promised.saved.filter((key) => !keys.has(key))).toEqual([]);
  expect(noted, 'a save without its audit entry, or the reverse').toEqual(keys);
  expectSound(file, keys.size);
}

async function savedKeys(store: Store): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const chunk of store.granules.stream('saved', {}))
    for (const line of Buffer.from(chunk).toString().trim().split('\n'))
      keys.add((JSON.parse(line) as { key: string }).key);
  return keys;
}

async function expectWhole(file: string, promised: Promised): Promise<void> {
  const store = await openEmbeddedStore({ file });
  const users = new Set((await store.users.all()).map((user) => user.id));
  const [counter] = await store.users.findBy('nameKey', 'counter');
  const entries = new Set((await store.audit.findBy('action', 'increment')).map((entry) => entry.id));
  const { total } = await store.granules.counts('kapsule');
  const noted = new Set((await store.audit.findBy('action', 'granule.upsert')).map(({ target }) => target));
  const keys = await savedKeys(store);
  await store.close();

  expect(promised.saved.filter((key) => !keys.has(key))).toEqual([]);
  expect(noted, 'a save without its audit entry, or the reverse').toEqual(keys);
  expect(promised.users.filter((id) => !users.has(id))).toEqual([]);
  expect(promised.audit.filter((id) => !entries.has(id))).toEqual([]);
  expect(counter?.loginAttempts, 'a change without its audit entry, or the reverse').toBe(entries.size);
  expect(total).toBeGreaterThanOrEqual(promised.granules);
  expect(total % BATCH, 'half a batch').toBe(0);
  expectSound(file, total + keys.size);
}

/** Looks past the store, at the file itself. */
function expectSound(file: string, total: number): void {
  const database = new DatabaseSync(file, { readOnly: true });
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(database.prepare('SELECT count(*) AS rows FROM granules').get()).toEqual({ rows: total });
  database.close();
}
