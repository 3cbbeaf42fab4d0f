import { randomUUID } from 'node:crypto';
import type { ServiceInstance } from '@kaptain/contract';
import type { RolloutRecord, ServiceInstanceRecord, Store, Unit } from '@kaptain/store';
import { asFileError } from '../../base/errors/as-file-error.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import { INSTANCE_VARIABLE } from '../supervisor/messages.ts';
import { RESTART_RETRIES, RESTART_RETRY_MS } from '../tuning.ts';
import { Movement } from './movement.ts';
import { rolloutIn } from './rollout-record.ts';
import { isOutage } from './shared-home.ts';

interface Pace {
  /** The time between two polls of the rollout. */
  pollMs: number;
  beatMs: number;
  /** An instance without a heartbeat for this time counts as stopped. */
  goneMs: number;
  /** The longest time for the restart of one instance; then the next one may take the lease. */
  leaseMs: number;
}

const standardPace: Pace = { pollMs: 2000, beatMs: 5000, goneMs: 20_000, leaseMs: 60_000 };
const FORGOTTEN_MS = 86_400_000;

export interface Failure {
  generation: number;
  reason: string;
  at: string;
}

const UNREADABLE =
  'The settings could not be taken from the database; the system log of this instance has the details.';

/** Why newer settings could not be taken over, for ADMINs. */
function reasonOf(error: unknown): string {
  const told = asFileError(error);
  return told instanceof ConfigError ? told.message : UNREADABLE;
}

interface Deps {
  store: Store;
  version: string;
  /** The rollout before this process read the settings. */
  head: RolloutRecord;
  /** Fetches and applies newer settings. */
  fetch: () => Promise<void>;
  /** Asks the supervisor for a new worker. */
  restart: () => void;
  uptime: () => number;
  log: Log;
  pace?: Pace;
}

/** This instance among those on the same database: its heartbeat, and its turn in a restart of all. */
export class Instances {
  readonly #deps: Deps;
  readonly #pace: Pace;
  readonly #id = process.env[INSTANCE_VARIABLE] ?? randomUUID();
  readonly #movement: Movement;
  #own: Omit<ServiceInstanceRecord, 'id' | 'version' | 'seenAt'> | undefined;
  /** Why the newest settings could not be taken over. */
  #fetchFailure: Failure | null = null;
  /** The restarts of all that were asked for before this process read the settings. */
  readonly #startedWith: number;
  #seenRollout: number;
  #lastBeat = 0;
  #requested = 0;
  #retry = { restart: 0, left: RESTART_RETRIES, at: 0 };
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #tick: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#pace = deps.pace ?? standardPace;
    this.#startedWith = deps.head.restart;
    this.#seenRollout = deps.head.version;
    this.#movement = new Movement(deps.uptime);
  }

  /** Inserts the row of this instance when it is ready, releases the lease, and starts polling. */
  async enter(name: string, generation: number, failure: Failure | null): Promise<void> {
    const { store, version } = this.#deps;
    const startedAt = new Date().toISOString();
    const restart = this.#startedWith;
    this.#own = { instance: this.#id, name, release: version, generation, restart, startedAt, failure };
    await store.transaction(async (unit) => {
      const rows = await unit.serviceInstances.all();
      const old = new Date(Date.now() - FORGOTTEN_MS).toISOString();
      // A live instance of the same name inserts its row again with its next heartbeat.
      const others = rows.filter(({ instance }) => instance !== this.#id);
      const left = others.filter((row) => row.name === name || row.seenAt < old);
      await unit.serviceInstances.removeMany(left.map(({ id }) => id));
      await this.#write(unit);
      await this.#giveBack(unit);
    });
    this.#schedule();
  }

  /** The name of this instance; undefined until it is ready. */
  get name(): string | undefined {
    return this.#own?.name;
  }

  async #write(unit: Unit): Promise<void> {
    if (!this.#own) return;
    const failure = this.#fetchFailure ?? this.#own.failure;
    const row = { ...this.#own, failure, seenAt: new Date().toISOString() };
    const [mine] = await unit.serviceInstances.findBy('instance', this.#id);
    if (mine) await unit.serviceInstances.patch(mine.id, row);
    else await unit.serviceInstances.insert(row);
  }

  async #giveBack(unit: Unit): Promise<void> {
    const head = await rolloutIn(unit);
    if (head.holder === this.#id) await unit.rollout.patch(head.id, { holder: null });
  }

  #schedule(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), this.#pace.pollMs).unref();
  }

  /** Polls for newer settings, and for a restart when it is this instance's turn; one poll at a time. */
  look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#tick = this.#tick.then(() => (this.#isOver ? undefined : this.#look()));
    return this.#tick;
  }

  async #look(): Promise<void> {
    const { store, log } = this.#deps;
    try {
      const [[head], rows] = await Promise.all([store.rollout.all(), store.serviceInstances.all()]);
      for (const { id, version } of rows) this.#movement.still(id, version);
      if (!head) return;
      const mine = rows.find(({ instance }) => instance === this.#id);
      // First: an instance that can't take settings over lives all the same.
      if (!mine || this.#deps.uptime() - this.#lastBeat >= this.#pace.beatMs) await this.#beat(mine);
      if (head.version !== this.#seenRollout) await this.#fetch(head);
      if (this.#isDue(head, mine) && (await this.#takeLease(head, rows))) {
        this.#requested = head.restart;
        this.#deps.restart();
      }
    } catch (error) {
      if (!isOutage(error)) log.warn({ err: error }, 'could not look at the other instances');
    } finally {
      this.#schedule();
    }
  }

  /** Takes newer settings over, and tries again at every look until it can. */
  async #fetch({ version, generation }: RolloutRecord): Promise<void> {
    try {
      await this.#deps.fetch();
    } catch (error) {
      if (isOutage(error)) throw error;
      const failure = { generation, reason: reasonOf(error), at: new Date().toISOString() };
      return this.#setFetchFailure(failure, error);
    }
    this.#seenRollout = version;
    await this.#setFetchFailure(null);
  }

  /** Tells the others once why this instance differs, and once that it does no more. */
  async #setFetchFailure(failure: Failure | null, error?: unknown): Promise<void> {
    const [now, before] = [failure, this.#fetchFailure];
    if (now?.generation === before?.generation && now?.reason === before?.reason) return;
    await this.#deps.store.transaction(async (unit) => {
      const [mine] = await unit.serviceInstances.findBy('instance', this.#id);
      // The next worker of this instance may have entered already.
      if (mine?.startedAt !== this.#own?.startedAt) return;
      if (mine)
        await unit.serviceInstances.patch(mine.id, { failure: failure ?? this.#own?.failure ?? null });
    });
    this.#fetchFailure = failure;
    if (failure) this.#deps.log.warn({ err: error }, 'could not take newer settings over');
  }

  #isDue({ restart }: RolloutRecord, mine: ServiceInstanceRecord | undefined): boolean {
    if (restart !== this.#retry.restart) this.#retry = { restart, left: RESTART_RETRIES, at: 0 };
    const isOpen = restart > (mine?.restart ?? this.#startedWith);
    return isOpen && restart !== this.#requested && this.#deps.uptime() >= this.#retry.at;
  }

  async #beat(mine: ServiceInstanceRecord | undefined): Promise<void> {
    this.#lastBeat = this.#deps.uptime();
    const { store } = this.#deps;
    // Only the time is patched: the next worker of this instance may have replaced the rest.
    if (mine) await store.serviceInstances.patch(mine.id, { seenAt: new Date().toISOString() });
    else await store.transaction((unit) => this.#write(unit));
  }

  /** Takes the lease if it is free, or if its holder has stopped or takes too long. */
  async #takeLease(head: RolloutRecord, rows: readonly ServiceInstanceRecord[]): Promise<boolean> {
    const stillFor = this.#movement.still(head.id, head.version);
    const holder = rows.find(({ instance }) => instance === head.holder);
    const isFree = head.holder === null || head.holder === this.#id;
    if (!isFree && holder && this.#isLive(holder) && stillFor < this.#pace.leaseMs) return false;
    // A holder without a row has stopped, unless its row is just being inserted.
    if (!isFree && !holder && stillFor < this.#pace.pollMs) return false;
    return this.#deps.store.transaction(async (unit) => {
      const now = await rolloutIn(unit);
      if (now.holder === this.#id) return true;
      if (now.version !== head.version) return false;
      await unit.rollout.patch(now.id, { holder: this.#id });
      return true;
    });
  }

  #isLive({ id, version }: ServiceInstanceRecord): boolean {
    return this.#movement.still(id, version) < this.#pace.goneMs;
  }

  async list(): Promise<ServiceInstance[]> {
    const { store } = this.#deps;
    const [[head], rows] = await Promise.all([store.rollout.all(), store.serviceInstances.all()]);
    return rows.map((row) => {
      const { name, release, generation, startedAt, seenAt, failure, instance } = row;
      const isThis = instance === this.#id;
      const isLive = isThis || this.#isLive(row);
      const isRestartDue = row.restart < (head?.restart ?? 0);
      return {
        name,
        version: release,
        generation,
        since: startedAt,
        seenAt,
        isLive,
        isThis,
        isRestartDue,
        failure,
      };
    });
  }

  /** The number of other live instances. */
  async others(): Promise<number> {
    return (await this.list()).filter(({ isThis, isLive }) => isLive && !isThis).length;
  }

  /** The time of the last request to restart all instances. */
  async lastRestartAt(): Promise<number> {
    const [head] = await this.#deps.store.rollout.all();
    return head?.restartAskedAt ? Date.parse(head.restartAskedAt) : 0;
  }

  /** Asks all instances to restart, one after the other; this one goes first unless another one restarts now. */
  async askRestart(unit: Unit, at: number): Promise<void> {
    const head = await rolloutIn(unit);
    const restartAskedAt = new Date(at).toISOString();
    const holder = head.holder ?? this.#id;
    await unit.rollout.patch(head.id, { restart: head.restart + 1, restartAskedAt, holder });
  }

  /** Schedules another attempt to restart; false when no attempts are left. */
  retryLater(): boolean {
    if (this.#retry.left === 0) return false;
    this.#retry = { ...this.#retry, left: this.#retry.left - 1, at: this.#deps.uptime() + RESTART_RETRY_MS };
    this.#requested = 0;
    return true;
  }

  /** Called when the new worker could not start: stores the failure and releases the lease. */
  async failed(failure: Failure, mayPass: boolean): Promise<void> {
    const isRetried = mayPass && this.retryLater();
    await this.#deps.store.transaction(async (unit) => {
      const head = await rolloutIn(unit);
      if (this.#own) {
        const restart = isRetried ? this.#own.restart : head.restart;
        this.#own = { ...this.#own, restart, failure };
      }
      await this.#write(unit);
      await this.#giveBack(unit);
    });
  }

  /** Ends the heartbeat. With `isLast` no other worker follows, and the row is removed. */
  async leave(isLast: boolean): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#tick;
    if (!isLast) return;
    await this.#deps.store
      .transaction(async (unit) => {
        const [mine] = await unit.serviceInstances.findBy('instance', this.#id);
        if (mine) await unit.serviceInstances.remove(mine.id);
        await this.#giveBack(unit);
      })
      // If this fails, the others see that the heartbeat has ended.
      .catch(() => undefined);
  }
}
