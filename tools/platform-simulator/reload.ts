import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SimulatedApp, scriptOf } from './apps.ts';

type ReloadEnd = 'succeeded' | 'failed' | 'cancelled';

const stamp = () => new Date().toISOString().slice(0, 19).replace('T', ' ');
const counted = (rows: number) => rows.toLocaleString('en-US');
const FAILURE = "Field 'CloseDate' not found";

/** One run of a simulated script: loads table after table, with progress texts and a log like a real engine. */
export class SimulatedReload {
  readonly ended: Promise<ReloadEnd>;
  /** Set when the run has ended. */
  end: ReloadEnd | undefined;
  readonly errors: string[] = [];
  readonly #app: SimulatedApp;
  readonly #started = Date.now();
  readonly #log: string[] = [];
  readonly #resolve: (end: ReloadEnd) => void;
  /** Progress texts not reported yet: each GetProgress returns only new ones. */
  #persistent: string[] = [];
  #transient = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(app: SimulatedApp, partial: boolean) {
    this.#app = app;
    const { promise, resolve } = Promise.withResolvers<ReloadEnd>();
    [this.ended, this.#resolve] = [promise, resolve];
    this.#write('Execution started.');
    this.#persistent.push('Started loading data');
    this.#write('SIMULATOR: this log was written by the platform simulator, not by a Qlik engine.');
    for (const [line, text] of scriptOf(app).entries())
      this.#write(`${String(line + 1).padStart(4, '0')}  ${text}`);
    this.#step(0, (partial ? app.reloadMs / 3 : app.reloadMs) / (app.tables.length * 2));
  }

  get milliseconds(): number {
    return Date.now() - this.#started;
  }

  /** Returns the progress since the last call. */
  takeProgress(): { persistent: string; transient: string } {
    const progress = { persistent: this.#persistent.join('\n'), transient: this.#transient };
    this.#persistent = [];
    return progress;
  }

  cancel(): void {
    if (this.end === undefined) this.#finish('cancelled', 'Execution aborted by user.');
  }

  get logText(): string {
    return `${this.#log.join('\r\n')}\r\n`;
  }

  /** Writes the log like the engine: one file per reload, named by app and time. */
  saveLog(folder: string): string {
    mkdirSync(folder, { recursive: true });
    const at = new Date(this.#started).toISOString().replace(/\D/g, '').slice(0, 17);
    const file = join(folder, `${this.#app.id.replace(/[^\w.-]/g, '_')}.${at}.log`);
    writeFileSync(file, this.logText);
    return file;
  }

  #step(index: number, stepMs: number): void {
    const { held, tables } = this.#app;
    if (held && index === tables.length) void held.then(() => this.#load(index, stepMs));
    else this.#load(index, stepMs);
  }

  /** Each table takes two steps: half of its rows fetched, then all. */
  #load(index: number, stepMs: number): void {
    if (this.end !== undefined) return;
    this.#timer = setTimeout(() => {
      const { tables, behaviour } = this.#app;
      const table = tables[index >> 1];
      if (!table) return void this.#loadOthers();
      const isMiddle = index >= tables.length;
      if (isMiddle && behaviour === 'fails') {
        this.errors.push(FAILURE);
        return this.#finish('failed', `Error: ${FAILURE}`, 'Execution Failed');
      }
      if (isMiddle && behaviour !== 'succeeds') return;
      if (index % 2 === 0) {
        this.#persistent.push(`${table.name} << ${table.name}`);
        this.#transient = `Lines fetched: ${counted(Math.floor(table.rows / 2))}`;
      } else {
        this.#transient = '';
        this.#persistent.push(`${table.name} << ${table.name} Lines fetched: ${counted(table.rows)}`);
        this.#write(`      ${counted(table.rows)} lines fetched into ${table.name}`);
      }
      this.#step(index + 1, stepMs);
    }, stepMs);
    // A running reload must not keep the process alive.
    this.#timer.unref();
  }

  /** The data model changes at the end of a reload, as a whole. */
  async #loadOthers(): Promise<void> {
    const app = this.#app;
    try {
      const loaded = await app.load?.();
      if (loaded) app.loaded = loaded;
      this.#finish('succeeded', 'Execution finished.');
    } catch {
      this.#finish('failed', 'Execution Failed');
    }
  }

  #write(text: string): void {
    this.#log.push(`${stamp()}      ${text}`);
  }

  #finish(end: ReloadEnd, ...lines: string[]): void {
    clearTimeout(this.#timer);
    for (const line of lines) this.#write(line);
    this.#persistent.push(...lines);
    this.#transient = '';
    this.end = end;
    this.#resolve(end);
  }
}
