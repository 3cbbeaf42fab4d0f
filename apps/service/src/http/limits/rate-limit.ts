import { isIPv6 } from 'node:net';
import { AppError } from '../../base/errors/app-error.ts';

export interface RateRule {
  count: number;
  perMs: number;
}

/** All addresses of one IPv6 /64 network count as one, because one client may have 2^64 of them. */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}

/**
 * A rate limit with sliding windows, per IP address or other key. It is kept in memory, so a restart resets it. `now`
 * is monotonic.
 */
export class RateLimit {
  readonly #rules: readonly RateRule[];
  readonly #longest: number;
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(rules: readonly RateRule[], now: () => number) {
    this.#rules = rules;
    this.#longest = Math.max(0, ...rules.map((rule) => rule.perMs));
    this.#now = now;
  }

  /** Counts one attempt, or throws 429 with the time to wait; the returned function refunds the attempt. */
  consume(subject: string, message: string): () => void {
    const now = this.#now();
    const key = addressKey(subject);
    const times = (this.#times.get(key) ?? []).filter((time) => time > now - this.#longest);
    for (const { count, perMs } of this.#rules) {
      const oldest = times.filter((time) => time > now - perMs).at(-count);
      if (oldest !== undefined) {
        const retryAfter = Math.max(1, Math.ceil((oldest + perMs - now) / 1000));
        throw new AppError('TOO_MANY_REQUESTS', message, { retryAfter });
      }
    }
    times.push(now);
    this.#times.set(key, times);
    this.#evict(now);
    return () => this.#refund(key, now);
  }

  #refund(key: string, taken: number): void {
    const times = this.#times.get(key) ?? [];
    const index = times.indexOf(taken);
    if (index >= 0) times.splice(index, 1);
  }

  /** Bounds the memory under a flood of addresses. */
  #evict(now: number): void {
    if (this.#times.size <= 10_000) return;
    for (const [key, times] of this.#times)
      if ((times.at(-1) ?? 0) <= now - this.#longest) this.#times.delete(key);
    const first = this.#times.keys().next().value;
    if (this.#times.size > 10_000 && first !== undefined) this.#times.delete(first);
  }
}
