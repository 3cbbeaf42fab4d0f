import type { DataSourceType } from '@kaptain/contract';
import type { GranuleInput } from '@kaptain/contract/granule-records';
import { inBatches } from './batches.ts';
import { Connection } from './connection.ts';
import type { Binding, DataSource } from './data-source.ts';
import type { Block, ConnectOptions, Dialect } from './dialect.ts';
import { mssql } from './dialects/mssql.ts';
import { mysql } from './dialects/mysql.ts';
import { oracle } from './dialects/oracle.ts';
import { postgresql } from './dialects/postgresql.ts';
import { snowflake } from './dialects/snowflake.ts';
import { DataSourceError } from './errors.ts';
import { POOL_SIZE } from './hosts.ts';
import { Reads } from './reads.ts';
import type { Shape } from './shape.ts';
import { Statements } from './statements.ts';
import { TableChanges } from './table-changes.ts';
import { TableStatements } from './table-statements.ts';
import { Tables } from './tables.ts';
import { Trend } from './trend.ts';
import { prepareRow } from './upsert.ts';
import { Writes } from './writes.ts';

export const dialects: Record<DataSourceType, Dialect> = { mssql, oracle, mysql, postgresql, snowflake };

/** How long rows that others have put into a table may stay unseen. */
const ADOPT_EVERY_MS = 10_000;

/** Nothing is connected until something is asked. `block` is the block of the settings, with its password. */
export function openDataSource(type: DataSourceType, block: Block, options: ConnectOptions): DataSource {
  const dialect = dialects[type];
  const connection = new Connection(dialect, block, options);
  const tableStatements = new TableStatements(dialect);
  const statements = new Statements(dialect);
  const tables = new Tables(connection, tableStatements);
  const changes = new TableChanges(connection, tableStatements, tables);
  const reads = new Reads(connection, statements, tableStatements);
  const adopted = new Map<string, number>();

  /** Somebody may have changed the table behind our back: then the catalog is asked once more. */
  async function onTable<T>(binding: Binding, work: (shape: Shape) => Promise<T>): Promise<T> {
    try {
      return await work(await tables.shape(binding));
    } catch (error) {
      if (!(error instanceof DataSourceError) || error.category !== 'missingTable') throw error;
      tables.forgetShapes();
      return work(await tables.shape(binding));
    }
  }

  const transaction = async <T>(binding: Binding, work: (writes: Writes) => Promise<T>, once = false) => {
    const shape = await tables.shape(binding);
    return connection.transaction(
      (session) => work(new Writes({ dialect, session, shape, statements, tables: tableStatements })),
      once,
    );
  };

  /** Rows that others have put there become visible, some seconds later at most. */
  async function adoptStrangers(binding: Binding, shape: Shape): Promise<void> {
    const now = performance.now();
    if (now - (adopted.get(shape.table) ?? Number.NEGATIVE_INFINITY) < ADOPT_EVERY_MS) return;
    adopted.set(shape.table, now);
    // To confirm nothing takes the table's turn, and with it adopts.
    if ((await reads.strangers(shape)) > 0) await transaction(binding, (writes) => writes.markReloaded(0));
  }

  const reading = <T>(binding: Binding, work: (shape: Shape) => Promise<T>) =>
    onTable(binding, async (shape) => {
      await adoptStrangers(binding, shape);
      return work(shape);
    });

  return {
    type,
    poolSize: dialect.poolSize?.(block) ?? POOL_SIZE,
    ping: () => connection.use(async (session) => void (await session.rows(dialect.schemaQuery))),
    describe: (table) => tables.describe(table),
    createTable: (binding) => changes.create(binding),
    extendTable: (binding, known) => changes.extend(binding, known),
    isMadeByUs: (binding) => onTable(binding, (shape) => reads.isMadeByUs(shape)),
    async ensureTable(binding) {
      const made = await changes.ensure(binding);
      adopted.clear();
      return made;
    },
    page: (binding, query) => reading(binding, (shape) => reads.page(shape, query)),
    get: (binding, id) => onTable(binding, (shape) => reads.get(shape, id)),
    counts: (binding) => reading(binding, (shape) => reads.counts(shape)),
    history: (binding, id, before) => onTable(binding, (shape) => reads.history(shape, id, before)),
    changesPerDay: (binding, days) => onTable(binding, (shape) => reads.changesPerDay(shape, days)),
    watermark: (binding) => reading(binding, (shape) => reads.watermark(shape)),
    lastChange: (binding) => onTable(binding, (shape) => reads.watermark(shape)),
    async *stream(binding, filter) {
      yield* reads.stream(await reading(binding, async (shape) => shape), filter);
    },
    transaction,
    async bulkUpsert(binding, rows) {
      const shape = await tables.shape(binding);
      const trend = new Trend(dialect);
      return inBatches(
        rows,
        (row: GranuleInput) => prepareRow(dialect, shape, row),
        (batch) =>
          trend.store(
            batch,
            () => transaction(binding, (writes) => writes.storeNew(batch)),
            (portion) => transaction(binding, (writes) => writes.store(portion, trend)),
          ),
        () => trend.portion,
      );
    },
    dropTable: (table, isConfirmed) => changes.drop(table, isConfirmed),
    close: () => connection.close(),
  };
}
