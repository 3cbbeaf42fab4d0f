import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { sized } from '../../../../../tools/test-size.ts';
import { GranuleConflictError } from '../../errors.ts';
import type { GranuleInput } from '../../granules.ts';
import type { Store } from '../../store.ts';
import { linesOf } from '../../testing/lines.ts';
import { packed } from '../../testing/packed.ts';
import { patient } from '../../testing/patient.ts';
import { anAuditEntry } from '../../testing/samples.ts';
import { open } from './open.ts';
import { query } from './testing/query.ts';

/** Rows of a slice: of the size that the service uses, or two batches. */
const SLICE = sized(20_000, 800);

const row = (key: string, word: string): GranuleInput => ({ key, user: 'ann', data: { word } });
const rowsOf = (count: number, prefix: string, word: string) =>
  Array.from({ length: count }, (_, n) => row(`${prefix}-${n}`, word));

const inBatches = (rows: readonly GranuleInput[]) =>
  packed(
    ...Array.from({ length: Math.ceil(rows.length / 400) }, (_, n) => rows.slice(n * 400, (n + 1) * 400)),
  );

describe.runIf(hasPostgres())('an import into PostgreSQL', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres();
    store = await open({ ...patient(server.config), sliceRows: SLICE });
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const save = (kapsuleId: string, key: string) =>
    store.save({
      kapsuleId,
      rows: [row(key, 'saved')],
      dependsOn: [],
      entry: anAuditEntry('granule.upsert'),
    });
  const found = async (kapsuleId: string, key: string) => {
    const page = { sort: 'key', descending: false, offset: 0, limit: 100, q: key } as const;
    return (await store.granules.page(kapsuleId, page)).rows.find((granule) => granule.key === key);
  };

  it('writes beside other writers of its kapsule, and counts what they changed meanwhile', async () => {
    const kapsule = 'written beside';
    const known = await store.granules.upsert(kapsule, rowsOf(10, 'known', 'old'));
    await store.granules.removeMany([known[8]?.id ?? ''], 'Bob');
    await store.granules.markReloaded(kapsule, await store.granules.watermark(kapsule));
    const holder = new Client(server.url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM kapsule_data.granules WHERE id = $1 FOR UPDATE', [known[0]?.id]);
    const rows = [
      ...rowsOf(1_480, 'new', 'first'),
      row('new-0', 'again'),
      row('known-0', 'replaced'),
      row('known-1', 'first'),
      row('known-1', 'replaced'),
      row('known-2', 'old'),
      row('known-8', 'revived'),
    ];
    const importing = store.granules.importAll(kapsule, inBatches(rows), async () => undefined);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%granule_import%'`;
    await expect.poll(() => query(server.config, waiting), { timeout: 30_000 }).toHaveLength(1);
    // The import has written most of its rows by now and waits for one.
    await save(kapsule, 'beside');
    await store.granules.removeMany([known[9]?.id ?? ''], 'Bob');
    expect(await store.granules.counts(kapsule)).toEqual({ total: 9, reloaded: 8, notReloaded: 1 });
    const watermark = await store.granules.watermark(kapsule);
    await holder.end();
    expect(await importing).toBe(rows.length);
    expect(await store.granules.counts(kapsule)).toEqual({ total: 1_490, reloaded: 6, notReloaded: 1_484 });
    expect(await linesOf(store.granules.stream(kapsule, { since: watermark }))).toHaveLength(1_483);
    for (const [key, word, version] of [
      ['new-0', 'again', 1],
      ['known-0', 'replaced', 2],
      ['known-1', 'replaced', 2],
      ['known-2', 'old', 1],
      ['known-8', 'revived', 2],
      ['beside', 'saved', 1],
    ] as const) {
      const granule = await found(kapsule, key);
      expect([key, granule?.data, granule?.version]).toEqual([key, { word }, version]);
      expect(await store.granules.history(granule?.id ?? '')).toHaveLength(version);
    }
    await save(kapsule, 'afterwards');
    expect(await store.granules.counts(kapsule)).toMatchObject({ total: 1_491 });
    const [{ changes } = { changes: 0 }] = await store.granules.changesPerDay(kapsule, 1);
    expect(changes).toBe(10 + 1 + 1 + 1 + 1_483 + 1);
  });

  it('leaves others room to delete every granule of its kapsule meanwhile', async () => {
    const kapsule = 'deleted beside';
    const many = Array.from({ length: 20_001 }, (_, n) => row(`known-${n}`, 'old'));
    await store.granules.bulkUpsert(kapsule, many);
    const rows = (async function* () {
      yield* rowsOf(SLICE + 400, 'new', 'x');
      const ids = await linesOf(store.granules.stream(kapsule, {}));
      const deleted = ids.map((line) => (JSON.parse(line) as { _id: string })._id);
      expect(await store.granules.removeMany(deleted, 'Bob')).toHaveLength(many.length);
    })();
    await store.granules.importAll(kapsule, rows, async () => undefined);
    expect(await store.granules.counts(kapsule)).toMatchObject({ total: SLICE + 400 });
  });

  it('writes in slices, whose rows may have the same keys and versions', async () => {
    const kapsule = 'in slices';
    await store.granules.upsert(kapsule, rowsOf(3, 'known', 'old'));
    const versioned = (version: number) => ({ ...row('known-2', 'by version'), version });
    const rows = (version: number) =>
      inBatches([
        row('known-1', 'first'),
        ...rowsOf(SLICE + 200, 'new', 'x'),
        row('new-7', 'again'),
        row('known-1', 'last'),
        versioned(version),
        ...rowsOf(SLICE, 'more', 'x'),
      ]);
    const refused = store.granules.importAll(kapsule, rows(7), async () => undefined);
    await expect(refused).rejects.toThrow(GranuleConflictError);
    expect(await store.granules.counts(kapsule)).toMatchObject({ total: 3 });
    await store.granules.importAll(kapsule, rows(1), async () => undefined);
    expect(await store.granules.counts(kapsule)).toMatchObject({ total: 2 * SLICE + 203 });
    for (const [key, word, version] of [
      ['new-7', 'again', 1],
      ['known-1', 'last', 2],
      ['known-2', 'by version', 2],
      [`more-${SLICE - 1}`, 'x', 1],
    ] as const)
      expect(await found(kapsule, key)).toMatchObject({ data: { word }, version });
    const lines = await linesOf(store.granules.stream(kapsule, { since: 3 }));
    expect(lines).toHaveLength(2 * SLICE + 202);
  });

  it('stores rows with versions also when they fill a slice to the last row', async () => {
    const rows = rowsOf(SLICE, 'new', 'x').map((given) => ({ ...given, version: 0 }));
    await store.granules.importAll('a full slice', inBatches(rows), async () => undefined);
    expect(await store.granules.counts('a full slice')).toMatchObject({ total: SLICE });
  });

  it('finds the version of each row by its key, also before the database has statistics', async () => {
    const kapsule = 'without statistics';
    const importOf = (word: string, version?: number) =>
      store.granules.importAll(
        kapsule,
        inBatches(rowsOf(2_000, 'known', word).map((given) => (version ? { ...given, version } : given))),
        async () => undefined,
      );
    const lookUps = async () => {
      const sql = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'granules_place'";
      return Number((await query<{ idx_scan: string }>(server.config, sql))[0]?.idx_scan);
    };
    await importOf('old');
    const before = await lookUps();
    await importOf('new', 1);
    // Once for its version, once to be written. The server counts a little later.
    await expect.poll(lookUps, { timeout: 30_000 }).toBeGreaterThanOrEqual(before + 4_000);
  });

  it('asks for rights and fields after it has waited for other writers', async () => {
    const kapsule = 'asked at last';
    await store.granules.upsert(kapsule, rowsOf(1, 'known', 'old'));
    const holder = new Client(server.url);
    await holder.connect();
    await holder.query('BEGIN');
    let isAsked = false;
    const rows = (async function* () {
      yield* rowsOf(1_500, 'new', 'x');
      await holder.query('SELECT 1 FROM kapsule_data.granule_counts WHERE kapsule_id = $1 FOR UPDATE', [
        kapsule,
      ]);
    })();
    const importing = store.granules.importAll(kapsule, rows, async () => {
      isAsked = true;
      throw new Error('not allowed any more');
    });
    importing.catch(() => undefined);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%granule_counts%'`;
    await expect.poll(() => query(server.config, waiting), { timeout: 30_000 }).toHaveLength(1);
    expect(isAsked).toBe(false);
    await holder.end();
    await expect(importing).rejects.toThrow('not allowed any more');
    expect(await store.granules.counts(kapsule)).toMatchObject({ total: 1 });
  });

  it('says which text can not be stored, and stores nothing', async () => {
    const rows = [...rowsOf(1_500, 'new', 'x'), row('a\0b', 'x')];
    const importing = store.granules.importAll('refused', inBatches(rows), async () => undefined);
    await expect(importing).rejects.toThrow('key');
    expect(await store.granules.counts('refused')).toMatchObject({ total: 0 });
  });
});
