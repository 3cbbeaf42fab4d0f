import type { DataSourceType } from '@kaptain/contract';
import type { DataSource } from '@kaptain/data-sources';
import type { KapsuleRecord, Store } from '@kaptain/store';
import type { Settings } from '../config/settings.ts';
import { AppError } from '../http/app-error.ts';
import { ConcurrencyLimit } from '../http/concurrency-limit.ts';
import { SourceChanges } from './source-changes.ts';

interface Deps {
  settings: Pick<Settings, 'whole'>;
  /** Folders that a path in the settings may lead into. */
  allowedFolders: readonly string[];
}

const STREAMS_PER_USER = 4;

interface Opened {
  /** The block it was opened with; another one means another source. */
  block: string;
  source: Promise<DataSource>;
  /** Limits its long answers. */
  streams?: ConcurrencyLimit;
}

export const notSetUp = (type: DataSourceType) =>
  new AppError('UNAVAILABLE', `The data source ${type} is not set up in the settings.`, { retryAfter: 60 });

/** The data sources of the settings, each opened when it is first needed and anew when its block has changed. */
export class DataSources {
  readonly #deps: Deps;
  readonly #opened = new Map<DataSourceType, Opened>();
  readonly changes = new SourceChanges();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The one place that knows where the settings keep it. */
  #blockOf(type: DataSourceType): Record<string, unknown> | undefined {
    return this.#deps.settings.whole()[type];
  }

  isSetUp(type: DataSourceType): boolean {
    return this.#blockOf(type) !== undefined;
  }

  async get(type: DataSourceType): Promise<DataSource> {
    return this.#open(type).source;
  }

  /** Each long answer holds a connection for as long as its reader takes; a third of them is left to short calls. */
  async streams(type: DataSourceType): Promise<ConcurrencyLimit> {
    const opened = this.#open(type);
    const { poolSize } = await opened.source;
    return (opened.streams ??= new ConcurrencyLimit(STREAMS_PER_USER, Math.floor((poolSize * 2) / 3)));
  }

  #open(type: DataSourceType): Opened {
    const block = this.#blockOf(type);
    const known = this.#opened.get(type);
    const mark = JSON.stringify(block);
    if (known && known.block !== mark) {
      this.#opened.delete(type);
      void this.#end(known);
    }
    if (block === undefined) throw notSetUp(type);
    const open = async () => {
      // Loaded when first needed: many services have no data source at all.
      const { openDataSource } = await import('@kaptain/data-sources');
      return openDataSource(type, block, { allowedFolders: this.#deps.allowedFolders });
    };
    const opened: Opened = this.#opened.get(type) ?? { block: mark, source: open() };
    this.#opened.set(type, opened);
    return opened;
  }

  /** What is under way on it fails with a sentence; the next call uses the new one. */
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

const byStore = new WeakMap<Store, DataSources>();

/** From here on, kapsules of this store may live in these data sources. */
export function connectDataSources(store: Store, deps: Deps): DataSources {
  const sources = new DataSources(deps);
  byStore.set(store, sources);
  return sources;
}

export function dataSourcesOf(store: Store): DataSources {
  const sources = byStore.get(store);
  if (!sources) throw new Error('This store has no data sources.');
  return sources;
}

/** What the data source needs to know of a kapsule. */
export const bindingOf = ({
  tableName,
  keyField,
  fields,
}: Pick<KapsuleRecord, 'tableName' | 'keyField' | 'fields'>) => ({
  table: tableName,
  keyField,
  fields: fields.map(({ name, type }) => ({ name, type })),
});
