import type { Metric } from 'prom-client';
import { type Answer, labelsOf } from './route-labels.ts';

/** Upper bounds of the buckets in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Series {
  labels: ReturnType<typeof labelsOf>;
  /** Answers in each bucket, those slower than the last bound at the end. */
  counts: number[];
  seconds: number;
}

interface Value {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

/**
 * A histogram of answered requests. The one of prom-client hashes its labels at each observation, which costs several times as
 * much; every request of the service is observed.
 */
export class RequestDurations {
  readonly name = 'kaptain_http_request_duration_seconds';
  readonly help = 'Answered requests and their duration, by method, route template and status';
  readonly type = 'histogram';
  readonly labelNames = ['method', 'route', 'status'];
  /** By the labels. */
  readonly #series = new Map<string, Series>();
  /** By template, method and status of an answer, which are bounded, as URLs are not. */
  readonly #known = new Map<string | undefined, Map<string, Map<number, Series>>>();

  /** As the registry of prom-client takes it, which calls `get` only. */
  get metric(): Metric {
    return this as unknown as Metric;
  }

  #find(answer: Answer): Series {
    const labels = labelsOf(answer);
    const key = Object.values(labels).join(' ');
    const found = this.#series.get(key) ?? { labels, counts: bounds.map(() => 0).concat(0), seconds: 0 };
    this.#series.set(key, found);
    const byMethod = this.#known.get(answer.template) ?? new Map<string, Map<number, Series>>();
    const byStatus = byMethod.get(answer.method) ?? new Map<number, Series>();
    this.#known.set(answer.template, byMethod.set(answer.method, byStatus.set(answer.status, found)));
    return found;
  }

  observe(answer: Answer, milliseconds: number): void {
    const series =
      this.#known.get(answer.template)?.get(answer.method)?.get(answer.status) ?? this.#find(answer);
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.seconds += seconds;
  }

  #values({ labels, counts, seconds }: Series): Value[] {
    let count = 0;
    const buckets = counts.map((inside, index): Value => {
      count += inside;
      const le = bounds[index] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: seconds },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }

  async get(): Promise<{ name: string; help: string; type: string; values: Value[] }> {
    const { name, help, type } = this;
    return { name, help, type, values: [...this.#series.values()].flatMap((each) => this.#values(each)) };
  }
}
