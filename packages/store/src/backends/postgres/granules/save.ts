import { setTimeout as sleep } from 'node:timers/promises';
import { StaleVersionError, UnavailableError } from '../../../errors.ts';
import type { StoredGranule } from '../../../granules.ts';
import { nouns } from '../../../nouns/all.ts';
import type { AuditRecord } from '../../../nouns/audit.ts';
import type { Dependency, Saved, Saving } from '../../../saving.ts';
import { nowText } from '../../shared/clock.ts';
import { firstVersion } from '../../shared/document-versions.ts';
import { type GranuleRow, toRow } from '../../shared/granule-row.ts';
import type { Connections } from '../connections.ts';
import { keysOf } from '../document-keys.ts';
import { DocumentTable } from '../documents.ts';
import { codeOf, isCollision } from '../driver-errors.ts';
import { tableOf } from '../noun-tables.ts';
import type { Session } from '../session.ts';
import { counterOf } from './counters.ts';
import { type Input, Inputs } from './input.ts';
import { CONFLICT, LOCK_MS, SAVE, STALE } from './save-function.ts';
import { upsertRows } from './upsert.ts';

/** Up to here the rows travel as one value. */
const FEW = 200;
const LIMIT_MS = 30_000;
const PAUSE_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';
const BEGIN_STEPS = `BEGIN; SET LOCAL lock_timeout = '${LOCK_MS}ms'`;

const [audit, toSeal] = [new DocumentTable(nouns.audit), new DocumentTable(nouns.toSeal)];

/** What a save is on its way to the database. */
interface Prepared extends Omit<Saving, 'rows' | 'entry'> {
  rows: GranuleRow[];
  entry: AuditRecord;
}

/** Saves granules without a lock of the whole installation: saves of different kapsules run beside each other. */
export class Saves {
  readonly #connections: Connections;
  /** The last save of each kapsule: the next one waits here instead of occupying a connection. */
  readonly #last = new Map<string, Promise<void>>();
  #isClosing = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async save(saving: Saving): Promise<Saved> {
    if (this.#isClosing) throw closed();
    const entry = firstVersion({ ...saving.entry }) as unknown as AuditRecord;
    const prepared = { ...saving, rows: saving.rows.map(toRow), entry };
    const granules = await this.#inTurn(saving.kapsuleId, () => this.#saveRows(prepared));
    return { granules, entry };
  }

  /** Refuses new saves; resolves when all earlier ones have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#last.values());
  }

  async #inTurn<T>(kapsuleId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(kapsuleId);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#last.set(kapsuleId, done);
    try {
      await before;
      return await work();
    } finally {
      resolve();
      if (this.#last.get(kapsuleId) === done) this.#last.delete(kapsuleId);
    }
  }

  async #saveRows(saving: Prepared): Promise<StoredGranule[]> {
    const inputs = new Inputs();
    const rows = saving.rows.map((row) => inputs.take(row));
    const inOneCall = rows.length <= FEW;
    const { saves, granuleWrites } = this.#connections;
    const stored = inOneCall
      ? await this.#retried(() => saves.run(() => this.#connections.once((it) => call(it, saving, rows))))
      : 'conflict';
    if (stored !== 'conflict') return stored;
    return this.#retried(() =>
      this.#connections.atomically(granuleWrites, BEGIN_STEPS, (session) => inSteps(session, saving)),
    );
  }

  /** Makes room for saves of other kapsules while this kapsule is locked for long, as by an import. */
  async #retried<T>(work: () => Promise<T | 'busy'>): Promise<Exclude<T, 'busy'>> {
    for (const deadline = performance.now() + LIMIT_MS; ; await sleep(PAUSE_MS)) {
      try {
        const result = await work();
        if (result !== 'busy') return result as Exclude<T, 'busy'>;
      } catch (error) {
        if (!isCollision(error) && !isBusy(error)) throw error;
      }
      if (this.#isClosing) throw closed();
      if (performance.now() > deadline)
        throw new UnavailableError('Others are writing to the same kapsule for long; try again later.');
    }
  }
}

const closed = () => new UnavailableError('The store is closed.');

const isBusy = (error: unknown) =>
  codeOf(error instanceof UnavailableError ? error.cause : error) === LOCK_NOT_AVAILABLE;

/** The save as one call of the server's function; it is a transaction of its own. */
async function call(
  session: Session,
  { kapsuleId, rows, dependsOn, entry, toSeal: waiting }: Prepared,
  inputs: readonly Input[],
): Promise<StoredGranule[] | 'busy' | 'conflict'> {
  try {
    const of = <K extends keyof Input>(column: K) => inputs.map((input) => input[column]);
    const answer = await session.get<{ stored: string[] }>(
      SAVE,
      kapsuleId,
      nowText(),
      dependsOn.map(({ noun }) => noun),
      dependsOn.map(({ id }) => id),
      dependsOn.map(({ version }) => version ?? null),
      entry.id,
      JSON.stringify(entry),
      JSON.stringify(keysOf(nouns.audit, { ...entry })),
      waiting ? JSON.stringify(firstVersion({ ...waiting })) : null,
      of('id'),
      of('place'),
      of('long_key'),
      of('user'),
      of('data'),
      of('search'),
      of('created_at'),
      of('version'),
    );
    const stored = answer?.stored ?? [];
    // Id and version by turns.
    return rows.map(([key], n) => ({ key, id: stored[2 * n] ?? '', version: Number(stored[2 * n + 1]) }));
  } catch (error) {
    const code = codeOf(error);
    if (code === LOCK_NOT_AVAILABLE) return 'busy';
    if (code === CONFLICT) return 'conflict';
    if (code !== STALE) throw error;
    const [noun = '', id = ''] = (error as Error).message.split(' ');
    throw new StaleVersionError(noun, id);
  }
}

/** The same in steps, for many rows, and to tell what conflicts. */
async function inSteps(session: Session, saving: Prepared): Promise<StoredGranule[]> {
  await counterOf(session, saving.kapsuleId);
  for (const dependency of saving.dependsOn) await requireUnchanged(session, dependency);
  const stored = await upsertRows(session, saving.kapsuleId, saving.rows);
  await audit.insert(session, JSON.stringify(saving.entry));
  if (saving.toSeal) await toSeal.insert(session, JSON.stringify(saving.toSeal));
  return stored;
}

async function requireUnchanged(session: Session, { noun, id, version }: Dependency): Promise<void> {
  const sql = `SELECT 1 FROM ${tableOf(noun)} WHERE id = $1 AND ($2::bigint IS NULL OR version = $2)`;
  if (!(await session.get(sql, id, version ?? null))) throw new StaleVersionError(noun, id);
}
