import { setTimeout } from 'node:timers/promises';
import type { DataSourceType } from '@kaptain/contract';
import type { GranuleInput } from '@kaptain/contract/granule-records';
import { storeInBatches } from './batches.ts';
import { Connection } from './connection.ts';
import type { Binding, DataSource } from './data-source.ts';
import type { Block, ConnectOptions, Dialect } from './dialect.ts';
import { mssql } from './dialects/mssql.ts';
import { mysql } from './dialects/mysql.ts';
import { oracle } from './dialects/oracle.ts';
import { postgresql } from './dialects/postgresql.ts';
import { snowflake } from './dialects/snowflake.ts';
import { DataSourceError } from './errors.ts';
import { InsertStrategy } from './insert-strategy.ts';
import { prepareRow } from './prepared-row.ts';
import { Reads } from './reads.ts';
import type { Shape } from './shape.ts';
import { Statements } from './statements.ts';
import { TableChanges } from './table-changes.ts';
import { TableStatements } from './table-statements.ts';
import { Tables } from './tables.ts';
import { ADOPT_INTERVAL_MS, ADOPT_WAIT_MS, POOL_SIZE } from './tuning.ts';
import { Writes } from './writes.ts';

export const dialects: Record<DataSourceType, Dialect> = { mssql, oracle, mysql, postgresql, snowflake };

/** Connects on the first call. `block` is the data source's block of the settings, with its password. */
export function openDataSource(type: DataSourceType, block: Block, options: ConnectOptions): DataSource {
  const dialect = dialects[type];
  const connection = new Connection(dialect, block, options);
  const tableStatements = new TableStatements(dialect);
  const statements = new Statements(dialect);
  const tables = new Tables(connection, tableStatements);
  const changes = new TableChanges(connection, tableStatements, tables);
  const reads = new Reads(connection, statements, tableStatements);
  const adopted = new Map<string, { at: number; done: Promise<void> }>();

  /** Reads the catalog again and retries when the table has changed since it was read. */
  async function onTable<T>(binding: Binding, work: (shape: Shape) => Promise<T>): Promise<T> {
    try {
      return await work(await tables.shape(binding));
    } catch (error) {
      if (!(error instanceof DataSourceError) || error.category !== 'missingTable') throw error;
      tables.forgetShapes();
      return work(await tables.shape(binding));
    }
  }

  const transactionOn = async <T>(
    bindings: readonly Binding[],
    work: (writes: readonly Writes[]) => Promise<T>,
    once = false,
  ) => {
    const shapes = await Promise.all(bindings.map((binding) => tables.shape(binding)));
    const parts = { dialect, statements, tables: tableStatements, reads };
    return connection.transaction(
      (session) => work(shapes.map((shape) => new Writes({ ...parts, session, shape }))),
      once,
    );
  };

  const transaction = <T>(binding: Binding, work: (writes: Writes) => Promise<T>, once = false) =>
    transactionOn([binding], ([writes]) => work(writes as Writes), once);

  /** Adopts rows that other programs have inserted, at most every 10 seconds per table. */
  async function adoptForeignRows(binding: Binding, shape: Shape): Promise<void> {
    const at = performance.now();
    const last = adopted.get(shape.table);
    // A read beside one that has not ended would see none of the rows; but it does not wait for another program's lock.
    if (last && at - last.at < ADOPT_INTERVAL_MS)
      return Promise.race([
        last.done.catch(() => undefined),
        setTimeout(ADOPT_WAIT_MS, undefined, { ref: false }),
      ]);
    const adopt = async () => {
      // Marking up to change 0 changes nothing, but locks the table and adopts.
      if ((await reads.countForeignRows(shape)) > 0)
        await transaction(binding, (writes) => writes.markReloaded(0));
    };
    const done = adopt();
    adopted.set(shape.table, { at, done });
    done.catch(() => adopted.get(shape.table)?.done === done && adopted.delete(shape.table));
    return done;
  }

  const reading = <T>(binding: Binding, work: (shape: Shape) => Promise<T>) =>
    onTable(binding, async (shape) => {
      await adoptForeignRows(binding, shape);
      return work(shape);
    });

  const poolSize = dialect.poolSize?.(block) ?? POOL_SIZE;
  return {
    type,
    poolSize,
    poolUse() {
      const busy = Math.min(poolSize, connection.unfinished);
      return { busy, waiting: connection.unfinished - busy };
    },
    ping: () => connection.use(async (session) => void (await session.rows(dialect.schemaQuery))),
    describe: (table) => tables.describe(table),
    createTable: (binding) => changes.create(binding),
    extendTable: (binding, known) => changes.extend(binding, known),
    isMadeByUs: (binding) => onTable(binding, ({ table }) => tables.isMadeByUs(table)),
    columnOf: (binding, field) =>
      onTable(binding, async ({ table, columns }) => ({
        table,
        column: columns.find((column) => column.field === field)?.name ?? field,
      })),
    async ensureTable(binding) {
      const made = await changes.ensure(binding);
      adopted.clear();
      return made;
    },
    page: (binding, query) => reading(binding, (shape) => reads.page(shape, query)),
    lookup: (binding, keys) => reading(binding, (shape) => reads.lookup(shape, keys)),
    get: (binding, id) => onTable(binding, (shape) => reads.get(shape, id)),
    counts: (binding) => reading(binding, (shape) => reads.counts(shape)),
    history: (binding, id, before) => onTable(binding, (shape) => reads.history(shape, id, before)),
    changesPerDay: (binding, days) => onTable(binding, (shape) => reads.changesPerDay(shape, days)),
    watermark: (binding) => reading(binding, (shape) => reads.watermark(shape)),
    lastChange: (binding) => onTable(binding, (shape) => reads.watermark(shape)),
    deletedSince: (binding, watermark) => reading(binding, (shape) => reads.deletedSince(shape, watermark)),
    async *stream(binding, filter) {
      yield* reads.stream(await reading(binding, async (shape) => shape), filter);
    },
    transaction,
    transactionOn: (bindings, work) => transactionOn(bindings, work),
    async bulkUpsert(binding, rows) {
      const shape = await tables.shape(binding);
      const strategy = new InsertStrategy(dialect);
      return storeInBatches(
        rows,
        (row: GranuleInput) => prepareRow(dialect, shape, row),
        (batch) =>
          strategy.store(
            batch,
            () => transaction(binding, (writes) => writes.insertNew(batch)),
            (part) => transaction(binding, (writes) => writes.store(part, strategy)),
          ),
        () => strategy.batchSize,
      );
    },
    dropTable: (table, isConfirmed) => changes.drop(table, isConfirmed),
    close: () => connection.close(),
  };
}
