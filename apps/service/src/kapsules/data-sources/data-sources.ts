import type { DataSourceType } from '@kaptain/contract';
import type { DataSource } from '@kaptain/data-sources';
import type { KapsuleRecord, PoolUse, Store } from '@kaptain/store';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts';
import { SOURCE_STREAMS_PER_USER } from '../tuning.ts';
import { SourceChanges } from './source-changes.ts';

interface Deps {
  settings: Pick<Settings, 'whole'>;
  /** Folders that a path in the settings may lead into. */
  allowedFolders: readonly string[];
}

interface Opened {
  /** The settings block as JSON; a changed block opens the source again. */
  block: string;
  source: Promise<DataSource>;
  /** Limits its streams and imports. */
  longWork?: ConcurrencyLimit;
}

export const notSetUp = (type: DataSourceType) =>
  new AppError('UNAVAILABLE', `${type} is not set up in the settings.`, { retryAfter: 60 });

/** The data sources of the settings, each opened on first use and again after its block has changed. */
export class DataSources {
  readonly #deps: Deps;
  readonly #opened = new Map<DataSourceType, Opened>();
  readonly changes = new SourceChanges();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The only function that reads the block of a data source from the settings. */
  #blockOf(type: DataSourceType): Record<string, unknown> | undefined {
    return this.#deps.settings.whole()[type];
  }

  isSetUp(type: DataSourceType): boolean {
    return this.#blockOf(type) !== undefined;
  }

  async get(type: DataSourceType): Promise<DataSource> {
    return this.#open(type).source;
  }

  /** Limits streams and imports, each of which holds a connection for long: a third of the pool is left to short calls. */
  async longWork(type: DataSourceType): Promise<ConcurrencyLimit> {
    const opened = this.#open(type);
    const { poolSize } = await opened.source;
    return (opened.longWork ??= new ConcurrencyLimit(
      SOURCE_STREAMS_PER_USER,
      Math.floor((poolSize * 2) / 3),
    ));
  }

  /** The pools of the data sources that are open. */
  async pools(): Promise<PoolUse[]> {
    const opened = await Promise.allSettled([...this.#opened.values()].map(({ source }) => source));
    return opened.flatMap((result) =>
      result.status === 'fulfilled'
        ? [{ name: `data source ${result.value.type}`, ...result.value.poolUse() }]
        : [],
    );
  }

  #open(type: DataSourceType): Opened {
    const block = this.#blockOf(type);
    const existing = this.#opened.get(type);
    const mark = JSON.stringify(block);
    if (existing && existing.block !== mark) {
      this.#opened.delete(type);
      void this.#end(existing);
    }
    if (block === undefined) throw notSetUp(type);
    const open = async () => {
      // Imported on first use: many installations have no data source.
      const { openDataSource } = await import('@kaptain/data-sources');
      return openDataSource(type, block, { allowedFolders: this.#deps.allowedFolders });
    };
    const opened: Opened = this.#opened.get(type) ?? { block: mark, source: open() };
    this.#opened.set(type, opened);
    return opened;
  }

  /** Calls in progress fail with a message; the next call uses the new source. */
  async #end({ source }: Opened): Promise<void> {
    await source.then((ended) => ended.close()).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.changes.close();
    const all = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.all(all.map((opened) => this.#end(opened)));
  }
}

/** Where kapsules keep their granules: the service's own store, and the data sources of the settings. */
export interface Databases {
  store: Store;
  dataSources: DataSources;
}

/** The part of a kapsule that a data source needs. */
export const bindingOf = ({
  tableName,
  keyField,
  fields,
}: Pick<KapsuleRecord, 'tableName' | 'keyField' | 'fields'>) => ({
  table: tableName,
  keyField,
  fields: fields.map(({ name, type }) => ({ name, type })),
});
