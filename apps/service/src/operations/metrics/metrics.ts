import type { AuditRecord } from '@kaptain/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { type MetricSources, registerGauges } from './register-gauges.ts';
import { RequestDurations } from './request-durations.ts';

/** Results that a finished job may have. */
const jobResults = ['succeeded', 'failed', 'cancelled'] as const;

/** Entries that alert rules count: each begins at 0, so that its first increase is seen. */
const alerted = [
  ['session.login', 'ok'],
  ['session.loginRefused', 'refused'],
  ['session.locked', 'refused'],
  ['granule.import', 'ok'],
] as const;

/** Gauges of the library with the ending of a counter, which promtool refuses. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** The metrics of this worker; a new worker begins at zero, which Prometheus expects of counters. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #answers = new RequestDurations();
  readonly #entries: Counter<'action' | 'result'>;
  readonly #jobs: Counter<'result'>;
  #sources: MetricSources | undefined;
  #text: Promise<string> | undefined;

  constructor(version: string) {
    const registers = [this.#registry];
    this.#registry.registerMetric(this.#answers.metric);
    this.#entries = new Counter({
      registers,
      name: 'kaptain_audit_entries_total',
      help: 'Audit entries of this instance by action: logins, refused logins, imports, changes',
      labelNames: ['action', 'result'],
    });
    this.#jobs = new Counter({
      registers,
      name: 'kaptain_jobs_finished_total',
      help: 'Jobs that this instance has finished, by result',
      labelNames: ['result'],
    });
    for (const [action, result] of alerted) this.#entries.inc({ action, result }, 0);
    for (const result of jobResults) this.#jobs.inc({ result }, 0);
    registerGauges(registers, version, () => this.#sources);
    collectDefaultMetrics({ register: this.#registry });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
  }

  /** The values that the gauges read at each scrape. */
  watch(sources: MetricSources): void {
    this.#sources = sources;
  }

  /** By the template of the route, which an unknown path has not. */
  observeAnswer({ method, routeOptions }: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
    this.#answers.observe({ method, template: routeOptions.url, status: statusCode }, elapsedTime);
  }

  countEntry({ action, result, after }: Pick<AuditRecord, 'action' | 'result' | 'after'>): void {
    this.#entries.inc({ action, result });
    const ended = action === 'job.finish' ? jobResults.find((name) => name === after?.['status']) : undefined;
    if (ended) this.#jobs.inc({ result: ended });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics as text; scrapes that come together share one reading of the database. */
  text(): Promise<string> {
    this.#text ??= this.#registry.metrics().finally(() => {
      this.#text = undefined;
    });
    return this.#text;
  }

  /** The name, type, labels and meaning of each metric, for the documentation. */
  list(): { name: string; type: string; labels: string[]; help: string }[] {
    return this.#registry.getMetricsAsArray().map((metric) => {
      const { name, type, help, labelNames } = metric as unknown as Described;
      return { name, type, help, labels: [...(labelNames ?? [])] };
    });
  }
}

interface Described {
  name: string;
  type: string;
  help: string;
  labelNames?: string[];
}
