import type { FieldType } from '@kaptain/contract';
import { Catalog } from './catalog.ts';
import type { Connection } from './connection.ts';
import type { Binding, TableInfo } from './data-source.ts';
import type { Dialect, Kind } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { own, requireBinding, requireTable } from './names.ts';
import { type Shape, shapeOf } from './shape.ts';
import type { TableStatements } from './table-statements.ts';
import { CATALOG_AGE_MS } from './tuning.ts';

const fieldTypeOf = (kind: Kind): FieldType | undefined =>
  kind === 'other' ? undefined : kind === 'integer' ? 'number' : kind;

/** Describes tables from the catalog. */
export class Tables {
  readonly #connection: Connection;
  readonly #dialect: Dialect;
  readonly #catalog: Catalog;
  /** The resolved shapes by binding, cleared when a statement shows that a table has changed. */
  readonly #shapes = new Map<string, { at: number; shape: Promise<Shape> }>();

  constructor(connection: Connection, statements: TableStatements) {
    this.#connection = connection;
    this.#dialect = connection.dialect;
    this.#catalog = new Catalog(connection.dialect, statements);
  }

  async describe(table: string): Promise<TableInfo | undefined> {
    requireTable(this.#dialect, table);
    return this.#connection.use(async (session) => {
      const name = await this.#catalog.nameOf(session, table);
      if (name === undefined) return undefined;
      const columns = await this.#catalog.columns(session, name);
      return {
        name,
        madeByUs: await this.#catalog.isMadeByUs(session, name, columns),
        columns: columns
          .filter((column) => !Object.values<string>(own).includes(column.name))
          .map((column) => ({
            name: column.name,
            type: column.type,
            fieldType: fieldTypeOf(this.#dialect.kindOf(column.type)),
            isReadOnly: column.isReadOnly,
          })),
      };
    });
  }

  isMadeByUs(table: string): Promise<boolean> {
    return this.#connection.use(async (session) =>
      this.#catalog.isMadeByUs(session, table, await this.#catalog.columns(session, table)),
    );
  }

  /** Resolves the binding against the catalog. */
  shape(binding: Binding): Promise<Shape> {
    requireBinding(this.#dialect, binding);
    const cacheKey = JSON.stringify(binding);
    const cached = this.#shapes.get(cacheKey);
    if (cached && performance.now() - cached.at < CATALOG_AGE_MS) return cached.shape;
    const resolving = this.#connection.use(async (session) => {
      const name = await this.#catalog.nameOf(session, binding.table);
      if (name === undefined) throw missingTable(this.#dialect, binding.table);
      return shapeOf(this.#dialect, name, binding, await this.#catalog.columns(session, name));
    });
    this.#shapes.set(cacheKey, { at: performance.now(), shape: resolving });
    resolving.catch(() => this.#shapes.delete(cacheKey));
    return resolving;
  }

  /** Makes the next call read the catalog again. */
  forgetShapes(): void {
    this.#shapes.clear();
  }
}

export const missingTable = ({ type }: Dialect, table: string): DataSourceError =>
  new DataSourceError(type, 'missingTable', `There is no table ${table}.`);
