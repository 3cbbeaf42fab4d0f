import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { WORKER_READY_MS, WORKER_STOP_MS } from '../tuning.ts';
import {
  type FromWorker,
  INSTANCE_VARIABLE,
  type Rejected,
  START_REASON_VARIABLE,
  type StartReason,
  type ToWorker,
} from './messages.ts';

/** Back-off between workers that do not become ready: each delay is four times the one before, up to the longest. */
const RETRY_MS = { first: 100, longest: 30_000 };

/**
 * glibc keeps memory for each thread, and ever larger freed blocks, instead of returning them: a worker grew by 50 MB more
 * under load. Other systems ignore these variables; those of the administrator are kept.
 */
const allocatorLimits = Object.fromEntries(
  Object.entries({ MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' }).filter(
    ([name]) => process.env[name] === undefined,
  ),
);

interface Attempt {
  worker: Worker;
  generation: number;
  isProven: boolean;
  /** The settings before it name the same database. */
  sharesDatabase: boolean;
  isDatabaseOpen: boolean;
  /** Its port, when any free port was requested. */
  freePort: number;
  /** Why it did not become ready. */
  failure?: { text: string; reason: string; isDatabase: boolean };
}

/** A rollback can't help: the settings before name the same database, which is not available. */
const isSharedDatabaseAway = ({ failure, sharesDatabase }: Attempt) =>
  failure?.isDatabase === true && sharesDatabase;

/** The callback receives the error of a worker that has just ended, which its exit event reports too. */
const tell = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message, () => undefined);
};

/** Passes the watched files of a worker on to `node --watch`, which listens only to its own child. */
function passOnWatched(message: object): void {
  if (Object.keys(message).some((key) => key.startsWith('watch:'))) process.send?.(message);
}

/**
 * Keeps one worker serving. A new worker must be ready before the old one retires, both on the same socket; when it
 * fails, the old one stays; a worker that crashes is replaced. This process loads no other part of the service.
 */
class Supervisor {
  #current: Attempt | undefined;
  #hasBeenReady = false;
  #isRestarting = false;
  #isStopping = false;
  /** After a crash no process holds the socket, so a freely chosen port is requested again by its number. */
  #pinned: { KAPTAIN_PORT?: string } = {};

  async start(): Promise<void> {
    const attempt = await this.#bringUp();
    if (this.#isStopping) return;
    if (attempt.failure) {
      process.stderr.write(`${attempt.failure.text}\n`);
      process.exit(1);
    }
    this.#current = attempt;
  }

  /**
   * Starts a worker with the newest settings. When it does not become ready and these settings were never applied, it
   * tries the generations before, one after the other, down to one with which the service has run; a worker refuses to
   * start when there is none. Settings that were applied once are never rolled back. Settings are also kept when only the
   * database is away that the generation before uses too.
   */
  async #bringUp(): Promise<Attempt> {
    const hasRunBefore = this.#hasBeenReady;
    const rejected: Rejected[] = [];
    const sentences = new Set<string>();
    for (;;) {
      const attempt = await this.#attempt({ restartedAt: 0, rejected, hasRunBefore });
      const { generation, isProven, failure } = attempt;
      if (!failure) return attempt;
      // All of them: what failed, and why the service does not go back to other settings.
      sentences.add(failure.text);
      failure.text = [...sentences].join('\n');
      if (isProven || isSharedDatabaseAway(attempt) || this.#isStopping) return attempt;
      rejected.push({ generation, reason: failure.reason });
    }
  }

  #attempt(startReason: StartReason): Promise<Attempt> {
    const worker = cluster.fork({
      ...allocatorLimits,
      ...this.#pinned,
      [START_REASON_VARIABLE]: JSON.stringify(startReason),
    });
    const attempt: Attempt = {
      worker,
      generation: 0,
      isProven: true,
      sharesDatabase: true,
      isDatabaseOpen: false,
      freePort: 0,
    };
    return new Promise((resolve) => {
      const fail = (text: string, reason = text, isDatabase = false) => {
        attempt.failure ??= { text, reason, isDatabase };
        clearTimeout(patience);
        worker.process.kill('SIGKILL');
        resolve(attempt);
      };
      const late = 'The service did not become ready in time with these settings.';
      const loseHope = () => !attempt.isProven && fail(late, late, !attempt.isDatabaseOpen);
      const patience = setTimeout(loseHope, WORKER_READY_MS);
      if (startReason.restartedAt > 0) attempt.isProven = false;
      worker.on('message', (message: FromWorker | object) => {
        if (!('kind' in message)) return passOnWatched(message);
        switch (message.kind) {
          case 'opening':
            attempt.generation = message.generation;
            attempt.isProven = message.isProven && startReason.restartedAt === 0;
            attempt.sharesDatabase = message.sharesDatabase;
            return;
          case 'opened':
            attempt.isDatabaseOpen = true;
            return;
          case 'failed':
            return fail(message.text, message.reason, message.isDatabase);
          case 'ready':
            clearTimeout(patience);
            this.#hasBeenReady = true;
            if (message.freePort) attempt.freePort = message.port;
            process.stdout.write(`${message.greeting}\n`);
            return resolve(attempt);
          case 'restart':
            return void this.restart();
        }
      });
      worker.once('exit', () => {
        fail('The service stopped while it was starting.');
        if (this.#current === attempt) void this.#replaceCrashed();
      });
      // A message could not be sent because the worker has ended; its exit event follows.
      worker.on('error', () => undefined);
    });
  }

  async restart(): Promise<void> {
    const old = this.#current;
    if (this.#isRestarting || this.#isStopping || !old) return;
    this.#isRestarting = true;
    const attempt = await this.#attempt({ restartedAt: Date.now(), rejected: [], hasRunBefore: true });
    this.#isRestarting = false;
    const { generation, failure } = attempt;
    if (!failure) {
      this.#current = attempt;
      tell(old.worker, { kind: 'retire' });
      return;
    }
    process.stderr.write(
      `${failure.text}\nThe service goes on with the settings of generation ${old.generation}.\n`,
    );
    const isSame = generation === 0 || generation === old.generation;
    const isKept = isSame || isSharedDatabaseAway(attempt);
    const rejected = isKept ? undefined : { generation, reason: failure.reason };
    tell(old.worker, { kind: 'restartFailed', rejected, reason: failure.reason });
    if (old.worker.isDead()) await this.#replaceCrashed();
  }

  /** Replaces a worker that was ready without a delay; back-off applies only to workers that do not become ready. */
  async #replaceCrashed(): Promise<void> {
    if (this.#isStopping || this.#isRestarting) return;
    if (this.#current?.freePort) this.#pinned = { KAPTAIN_PORT: String(this.#current.freePort) };
    this.#current = undefined;
    for (let delay = RETRY_MS.first; !this.#isStopping; delay = Math.min(RETRY_MS.longest, delay * 4)) {
      const attempt = await this.#bringUp();
      if (!attempt.failure) {
        this.#current = attempt;
        return;
      }
      process.stderr.write(`${attempt.failure.text}\n`);
      await wait(delay);
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const impatience = setTimeout(
      () => workers.forEach(({ process }) => process.kill('SIGKILL')),
      WORKER_STOP_MS,
    );
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) tell(worker, { kind: 'stop' });
    await Promise.all(ended);
    clearTimeout(impatience);
    process.exit(0);
  }
}

/**
 * Runs until it is told to stop: by a signal or, because Windows has no signals, by a message of its parent process or by
 * the end of its standard input.
 */
export function supervise(exec: string): void {
  // Workers accept connections themselves, as on Windows: a connection accepted here would stay open when its worker
  // dies. It must be set before `setupPrimary`, which freezes it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec });
  process.env[INSTANCE_VARIABLE] = randomUUID();
  const supervisor = new Supervisor();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void supervisor.stop());
  if (process.env['KAPTAIN_STOP_WITH_STDIN'] === '1')
    process.stdin.once('close', () => void supervisor.stop()).resume();
  process.on('message', (message) => {
    if (message === 'stop') void supervisor.stop();
    if (message === 'restart') void supervisor.restart();
  });
  void supervisor.start();
}
