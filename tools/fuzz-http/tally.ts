import type { Role } from './roles.ts';
import type { Held } from './service.ts';
import type { Outcome, Shot } from './wire.ts';

/** Counts the outcomes of the attacks. */
export class Tally {
  requests = 0;
  readonly statuses = new Map<number, number>();
  readonly pairs = new Set<string>();
  readonly accepted = new Set<string>();
  unanswered = 0;
  /** Answers that ended in the middle because their caller had lost the right to them. */
  rightsLost = 0;
  slowestMs = 0;
  slowest = '';

  add(call: string, role: Role, { methods, ending }: Shot, { reading, ms }: Outcome): void {
    this.requests += methods.length;
    this.pairs.add(`${call} ${role}`);
    if (reading.answers.length === 0) this.unanswered += 1;
    for (const { status } of reading.answers) {
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status < 300) this.accepted.add(call);
    }
    if (ending !== 'answer' || ms <= this.slowestMs) return;
    this.slowestMs = ms;
    this.slowest = call;
  }

  line(held: Held | undefined): string {
    const memory = held
      ? `, ${held.residentMB.toFixed(0)} MB, ${held.sockets} sockets, ${held.descriptors} files`
      : '';
    return `${this.requests} requests${memory}`;
  }

  /** The figures of the whole run as text. */
  summary(): string {
    const statuses = [...this.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    return [
      `${this.requests} requests, ${this.pairs.size} pairs of call and role, ${this.accepted.size} calls answered with success`,
      `answers by status: ${statuses.join(', ')}; without an answer because the request was cut: ${this.unanswered}; ended because the caller had lost the right: ${this.rightsLost}`,
      `slowest answer: ${this.slowestMs.toFixed(0)} ms (${this.slowest})`,
    ].join('\n');
  }
}
