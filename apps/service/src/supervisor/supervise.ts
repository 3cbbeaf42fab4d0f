import cluster, { type Worker } from 'node:cluster';
import { BIRTH_VARIABLE, type Birth, type FromWorker, type Rejected, type ToWorker } from './messages.ts';

/** How long a worker may take to be ready before the one it should replace is kept. */
const READY_MS = 30_000;
/** How long a worker may take to stop before it is ended. */
const STOP_MS = 70_000;
/** A worker that ran this long counts as healthy. */
const HEALTHY_MS = 60_000;
const SLOWEST_RETRY_MS = 30_000;

interface Attempt {
  worker: Worker;
  generation: number;
  isProven: boolean;
  /** Where it listens, when any free port was asked for. */
  freePort: number;
  /** Why it did not become ready. */
  failure?: { text: string; reason: string };
}

const tell = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message);
};

/** `node --watch` learns from its child which files matter; the child here passes on what its worker says. */
function passOnWatched(message: object): void {
  if (Object.keys(message).some((key) => key.startsWith('watch:'))) process.send?.(message);
}

/**
 * Keeps one worker serving. A new one must be ready before the old one goes, both on the same socket; one that
 * fails leaves the old one in place; one that dies is replaced. It loads nothing of the service itself.
 */
class Supervisor {
  #current: Attempt | undefined;
  #isRestarting = false;
  #isStopping = false;
  #crashes: number[] = [];
  /** When the present generation was first used, and which one it replaced. */
  #adopted = { at: 0, generation: -1, isNew: false };
  /** After a crash nobody holds the socket any more: a port that was chosen freely is asked for by its number. */
  #pinned: { KAPTAIN_PORT?: string } = {};

  async start(): Promise<void> {
    // Workers accept from the shared socket themselves, as on Windows: no connection takes a detour through here.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const first = await this.#attempt({ restartedAt: 0, rejected: undefined });
    const attempt = first.failure && !first.isProven ? await this.#withoutNewest(first) : first;
    if (this.#isStopping) return;
    if (attempt.failure) {
      process.stderr.write(`${(first.failure ?? attempt.failure).text}\n`);
      process.exit(1);
    }
    this.#adopt(attempt);
  }

  /** Settings that were saved but never run are the likeliest reason: the ones before get a chance. */
  #withoutNewest({ generation, failure }: Attempt): Promise<Attempt> {
    return this.#attempt({ restartedAt: 0, rejected: { generation, reason: failure?.reason ?? '' } });
  }

  #attempt(birth: Birth): Promise<Attempt> {
    const worker = cluster.fork({ ...this.#pinned, [BIRTH_VARIABLE]: JSON.stringify(birth) });
    const attempt: Attempt = { worker, generation: 0, isProven: true, freePort: 0 };
    return new Promise((resolve) => {
      const fail = (text: string, reason = text) => {
        attempt.failure ??= { text, reason };
        clearTimeout(patience);
        worker.process.kill('SIGKILL');
        resolve(attempt);
      };
      const late = 'The service did not become ready in time with these settings.';
      const patience = setTimeout(() => !attempt.isProven && fail(late), READY_MS);
      if (birth.restartedAt > 0) attempt.isProven = false;
      worker.on('message', (message: FromWorker | object) => {
        if (!('kind' in message)) return passOnWatched(message);
        switch (message.kind) {
          case 'opening':
            attempt.generation = message.generation;
            attempt.isProven = message.isProven && birth.restartedAt === 0;
            return;
          case 'failed':
            return fail(message.text, message.reason);
          case 'ready':
            clearTimeout(patience);
            if (message.freePort) attempt.freePort = message.port;
            process.stdout.write(`${message.greeting}\n`);
            return resolve(attempt);
          case 'restart':
            return void this.restart();
        }
      });
      worker.once('exit', () => {
        fail('The service stopped while it was starting.');
        if (this.#current === attempt) void this.#onCrash();
      });
    });
  }

  #adopt(attempt: Attempt): void {
    const { generation } = attempt;
    if (generation !== this.#adopted.generation)
      this.#adopted = { at: performance.now(), generation, isNew: this.#adopted.at > 0 };
    this.#current = attempt;
  }

  async restart(): Promise<void> {
    const old = this.#current;
    if (this.#isRestarting || this.#isStopping || !old) return;
    this.#isRestarting = true;
    const attempt = await this.#attempt({ restartedAt: Date.now(), rejected: undefined });
    this.#isRestarting = false;
    const { generation, failure } = attempt;
    if (!failure) {
      this.#adopt(attempt);
      tell(old.worker, { kind: 'retire' });
      return;
    }
    process.stderr.write(`${failure.text}\n`);
    const isSame = generation === 0 || generation === old.generation;
    const rejected = isSame ? undefined : { generation, reason: failure.reason };
    tell(old.worker, { kind: 'restartFailed', rejected, reason: failure.reason });
    if (old.worker.isDead()) await this.#onCrash();
  }

  /** Two deaths soon after a change of the settings are blamed on them. */
  #blamed(): Rejected | undefined {
    const { at, generation, isNew } = this.#adopted;
    const soon = this.#crashes.filter((time) => time >= at && time < at + HEALTHY_MS);
    if (!isNew || soon.length < 2) return undefined;
    return { generation, reason: 'The service stopped twice within a minute with these settings.' };
  }

  async #onCrash(): Promise<void> {
    if (this.#isStopping || this.#isRestarting) return;
    if (this.#current?.freePort) this.#pinned = { KAPTAIN_PORT: String(this.#current.freePort) };
    this.#current = undefined;
    const now = performance.now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < HEALTHY_MS), now];
    const delay = Math.min(SLOWEST_RETRY_MS, 100 * 4 ** (this.#crashes.length - 1));
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (this.#isStopping) return;
    const attempt = await this.#attempt({ restartedAt: 0, rejected: this.#blamed() });
    if (!attempt.failure) return this.#adopt(attempt);
    process.stderr.write(`${attempt.failure.text}\n`);
    await this.#onCrash();
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const impatience = setTimeout(() => workers.forEach(({ process }) => process.kill('SIGKILL')), STOP_MS);
    const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of workers) tell(worker, { kind: 'stop' });
    await Promise.all(ended);
    clearTimeout(impatience);
    process.exit(0);
  }
}

/** Runs until it is asked to stop: by a signal, or over its channel where a parent on Windows has no signals to send. */
export function supervise(exec: string): void {
  cluster.setupPrimary({ exec });
  const supervisor = new Supervisor();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void supervisor.stop());
  process.on('message', (message) => {
    if (message === 'stop') void supervisor.stop();
    if (message === 'restart') void supervisor.restart();
  });
  void supervisor.start();
}
