import type { PoolUse, Store } from '@kaptain/store';
import { Gauge, type GaugeConfiguration, type Registry } from 'prom-client';
import { GAUGE_LIMIT_MS } from '../tuning.ts';

/** The parts of the running service that the gauges read. */
export interface MetricSources {
  store: Store;
  /** The kind of the store: embedded, postgres or mongodb. */
  database: string;
  /** Pools beside those of the store. */
  pools(): Promise<PoolUse[]>;
  /** Limits of long requests, by kind. */
  permits: Record<string, { readonly permits: { held: number; limit: number } }>;
  /** Undefined when backups are made by the database server's own means. */
  lastBackup(): Promise<number | undefined>;
  freeBytes(): Promise<number>;
  /** The generation of the settings that this process runs with; 0 without saved ones. */
  settingsGeneration(): number;
  /** The time in ms at which the certificate expires; undefined without HTTPS. */
  certificateEnd(): Promise<number | undefined>;
}

type Sources = () => MetricSources | undefined;
type Registers = Registry[];

/** The value, or undefined when it can't be read in time. */
async function read<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), GAUGE_LIMIT_MS);
  });
  try {
    return await Promise.race([work?.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Registers a gauge; its `collect` sets the values at each scrape. */
const gauge = <Label extends string>(configuration: GaugeConfiguration<Label>): Gauge<Label> =>
  new Gauge(configuration);

/** A gauge of one value; a scrape leaves it out while it is not known. */
function single(
  registers: Registers,
  name: string,
  help: string,
  value: () => Promise<number | undefined> | undefined,
) {
  gauge({
    registers,
    name,
    help,
    async collect() {
      const number = await read(value());
      if (number === undefined) this.remove();
      else this.set(number);
    },
  });
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

function storeGauges(registers: Registers, sources: Sources): void {
  gauge({
    registers,
    name: 'kaptain_store_up',
    help: '1 while the database of the service answers, otherwise 0',
    labelNames: ['database'],
    async collect() {
      const running = sources();
      if (!running) return;
      const isUp = (await read(running.store.ping().then(() => true))) === true;
      this.set({ database: running.database }, isUp ? 1 : 0);
    },
  });
  single(registers, 'kaptain_store_ping_seconds', 'How long the database took to answer this scrape', () => {
    const since = performance.now();
    return sources()
      ?.store.ping()
      .then(() => (performance.now() - since) / 1000);
  });
  gauge({
    registers,
    name: 'kaptain_jobs',
    help: 'Jobs of all instances that wait or run, as the database has them',
    labelNames: ['status'],
    async collect() {
      this.reset();
      for (const status of ['queued', 'running'] as const) {
        const found = await read(sources()?.store.jobs.findBy('status', status));
        if (found) this.set({ status }, found.length);
      }
    },
  });
}

function poolGauges(registers: Registers, sources: Sources): void {
  const allPools = async () => [
    ...(sources()?.store.pools() ?? []),
    ...((await read(sources()?.pools())) ?? []),
  ];
  const poolGauge = (name: string, help: string, part: 'busy' | 'waiting') =>
    gauge({
      registers,
      name,
      help,
      labelNames: ['pool'],
      async collect() {
        this.reset();
        for (const pool of await allPools()) this.set({ pool: pool.name }, pool[part]);
      },
    });
  poolGauge('kaptain_pool_busy', 'Connections or threads of a pool that work now', 'busy');
  poolGauge('kaptain_pool_waiting', 'Pieces of work that wait in the queue of a pool', 'waiting');
  const permitGauge = (name: string, help: string, part: 'held' | 'limit') =>
    gauge({
      registers,
      name,
      help,
      labelNames: ['kind'],
      collect() {
        const entries = Object.entries(sources()?.permits ?? {});
        for (const [kind, { permits }] of entries) this.set({ kind }, permits[part]);
      },
    });
  permitGauge('kaptain_permits_held', 'Uploads, long answers and event streams that run now', 'held');
  permitGauge('kaptain_permits_limit', 'How many of a kind may run at the same time', 'limit');
}

/** Registers all gauges; before `sources` returns something they have no values. */
export function registerGauges(registers: Registers, version: string, sources: Sources): void {
  const info = gauge({
    registers,
    name: 'kaptain_build_info',
    help: 'Always 1; the labels have the version of the service and of Node',
    labelNames: ['version', 'node'],
  });
  info.set({ version, node: process.versions.node }, 1);
  storeGauges(registers, sources);
  poolGauges(registers, sources);
  single(
    registers,
    'kaptain_last_backup_timestamp_seconds',
    'When the last backup of the embedded database was made, as Unix time; 0 when never',
    async () => seconds(await sources()?.lastBackup()),
  );
  single(
    registers,
    'kaptain_settings_generation',
    'The generation of the settings that this instance runs with',
    async () => sources()?.settingsGeneration(),
  );
  single(registers, 'kaptain_data_folder_free_bytes', 'Free space on the disk of the data folder', () =>
    sources()?.freeBytes(),
  );
  single(
    registers,
    'kaptain_certificate_not_after_timestamp_seconds',
    'When the certificate of the service expires, as Unix time; only with HTTPS',
    async () => seconds(await sources()?.certificateEnd()),
  );
}
