import { setTimeout as sleep } from 'node:timers/promises';
import { StaleVersionError, UnavailableError } from '../../../errors.ts';
import type { StoredGranule } from '../../../granules.ts';
import { nouns } from '../../../nouns/all.ts';
import type { AuditRecord } from '../../../nouns/audit.ts';
import type { Dependency, Saved, Saving } from '../../../saving.ts';
import { nowText } from '../../shared/clock.ts';
import { firstVersion } from '../../shared/document-versions.ts';
import { type GranuleRow, toRow } from '../../shared/granule-row.ts';
import type { Schema } from '../../shared/upgrades/schema.ts';
import { BEGIN_GRANULES, type Connections } from '../connections.ts';
import { keysOf } from '../document-keys.ts';
import { DocumentTable } from '../documents.ts';
import { codeOf, isCollision, isLocked } from '../driver-errors.ts';
import { tableOf } from '../noun-tables.ts';
import type { Session } from '../session.ts';
import { LOCKED_LIMIT_MS, LOCKED_PAUSE_MS, SINGLE_VALUE_ROWS } from '../tuning.ts';
import { counterOf } from './counters.ts';
import { type Input, Inputs } from './input.ts';
import { CONFLICT, SAVE, STALE } from './save-function.ts';
import { upsertRows } from './upsert.ts';

/** A save on its way to the database. */
interface Prepared extends Omit<Saving, 'rows' | 'entry'> {
  rows: GranuleRow[];
  entry: AuditRecord;
}

interface Job {
  saving: Prepared;
  resolve: (granules: StoredGranule[]) => void;
  reject: (error: unknown) => void;
}

/** Saves granules without a lock of the whole installation: saves of different kapsules run beside each other. */
export class Saves {
  readonly #connections: Connections;
  /** Saves by their kapsule. One group of a kapsule is under way at a time; those that wait here become the next one. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #running = new Set<Promise<void>>();
  #isClosing = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async save(saving: Saving): Promise<Saved> {
    if (this.#isClosing) throw closed();
    const entry = firstVersion({ ...saving.entry }) as unknown as AuditRecord;
    const { promise, resolve, reject } = Promise.withResolvers<StoredGranule[]>();
    const job = { saving: { ...saving, rows: saving.rows.map(toRow), entry }, resolve, reject };
    const waiting = this.#waiting.get(saving.kapsuleId);
    if (waiting) waiting.push(job);
    else this.#start(saving.kapsuleId, [job]);
    return { granules: await promise, entry };
  }

  /** Refuses new saves; resolves when all earlier ones have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#running);
  }

  #start(kapsuleId: string, jobs: Job[]): void {
    this.#waiting.set(kapsuleId, jobs);
    const running = this.#workOff(kapsuleId, jobs).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #workOff(kapsuleId: string, jobs: Job[]): Promise<void> {
    while (jobs.length > 0) {
      const group = nextGroup(jobs);
      if (await this.#saveTogether(group)) continue;
      for (const job of group) {
        const isStored = group.length > 1 && (await this.#saveTogether([job]));
        if (!isStored) await this.#saveInSteps(job);
      }
    }
    // Synchronous with the last check of the loop, so no save can slip in between.
    this.#waiting.delete(kapsuleId);
  }

  /** Says whether the group was stored, or failed for a reason that all of it shares. */
  async #saveTogether(group: readonly Job[]): Promise<boolean> {
    const savings = group.map(({ saving }) => saving);
    if (group.length === 1 && rowsOf(savings) > SINGLE_VALUE_ROWS) return false;
    const { saves, schema } = this.#connections;
    try {
      const stored = await this.#retried(() =>
        saves.run(() => this.#connections.once((session) => callFor(session, schema, savings))),
      );
      if (stored === 'stale') return false;
      for (const [n, { resolve }] of group.entries()) resolve(stored[n] ?? []);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  async #saveInSteps({ saving, resolve, reject }: Job): Promise<void> {
    const { granuleWrites, schema } = this.#connections;
    const work = () =>
      this.#connections.atomically(granuleWrites, BEGIN_GRANULES, (session) =>
        inSteps(session, schema, saving),
      );
    await this.#retried(work).then(resolve, reject);
  }

  /** Makes room for saves of other kapsules while this kapsule is locked for long, as by an import. */
  async #retried<T>(work: () => Promise<T | 'busy'>): Promise<Exclude<T, 'busy'>> {
    for (const deadline = performance.now() + LOCKED_LIMIT_MS; ; await sleep(LOCKED_PAUSE_MS)) {
      try {
        const result = await work();
        if (result !== 'busy') return result as Exclude<T, 'busy'>;
      } catch (error) {
        if (!isCollision(error) && !isLocked(error)) throw error;
      }
      if (this.#isClosing) throw closed();
      if (performance.now() > deadline)
        throw new UnavailableError('Others are writing to the same kapsule for long; try again later.');
    }
  }
}

const closed = () => new UnavailableError('The store is closed.');

const rowsOf = (savings: readonly Prepared[]) => savings.reduce((sum, { rows }) => sum + rows.length, 0);

/** Takes the first saves away: at least one, and no more rows than travel well as values. */
function nextGroup(jobs: Job[]): Job[] {
  let rows = 0;
  const end = jobs.findIndex(
    ({ saving }, index) => (rows += saving.rows.length) > SINGLE_VALUE_ROWS && index > 0,
  );
  return jobs.splice(0, end === -1 ? jobs.length : end);
}

/** Saves of one kapsule as one call of the server's function, which is a transaction of its own. */
async function callFor(
  session: Session,
  schema: Schema,
  savings: readonly Prepared[],
): Promise<StoredGranule[][] | 'busy' | 'stale'> {
  const inputs = new Inputs();
  const rows = savings.flatMap((saving) => saving.rows.map((row) => inputs.add(row)));
  const of = <K extends keyof Input>(column: K) => rows.map((row) => row[column]);
  const named = savings.flatMap(({ dependsOn }) =>
    dependsOn.map((it): [string, Dependency] => [`${it.noun} ${it.id} ${it.version ?? ''}`, it]),
  );
  const dependencies = [...new Map(named).values()];
  const entries = savings.map(({ entry }) => entry);
  const indexed = schema.withAllIndexes(nouns.audit);
  try {
    const answer = await session.get<{ stored: string[] }>(
      SAVE,
      savings[0]?.kapsuleId,
      nowText(),
      dependencies.map(({ noun }) => noun),
      dependencies.map(({ id }) => id),
      dependencies.map(({ version }) => version ?? null),
      entries.map(({ id }) => id),
      entries.map((entry) => JSON.stringify(entry)),
      entries.map((entry) => JSON.stringify(keysOf(indexed, { ...entry }))),
      savings.map(({ toSeal: waiting }) => (waiting ? JSON.stringify(firstVersion({ ...waiting })) : null)),
      of('id'),
      of('place'),
      of('long_key'),
      of('user'),
      of('data'),
      of('search'),
      of('created_at'),
      of('version'),
    );
    const stored = (answer?.stored ?? []).values();
    // Alternates: id, version, id, version, …
    return savings.map((saving) =>
      saving.rows.map(([key]) => ({
        key,
        id: stored.next().value ?? '',
        version: Number(stored.next().value),
      })),
    );
  } catch (error) {
    const code = codeOf(error);
    if (isLocked(error)) return 'busy';
    if (code === CONFLICT || code === STALE) return 'stale';
    throw error;
  }
}

/** One save in steps, for many rows, and to tell what is stale. */
async function inSteps(session: Session, schema: Schema, saving: Prepared): Promise<StoredGranule[]> {
  const [audit, toSeal] = [nouns.audit, nouns.toSeal].map((noun) => new DocumentTable(noun, schema));
  await counterOf(session, saving.kapsuleId);
  for (const dependency of saving.dependsOn) await requireUnchanged(session, dependency);
  const stored = await upsertRows(session, saving.kapsuleId, saving.rows);
  await audit?.insert(session, JSON.stringify(saving.entry));
  if (saving.toSeal) await toSeal?.insert(session, JSON.stringify(saving.toSeal));
  return stored;
}

async function requireUnchanged(session: Session, { noun, id, version }: Dependency): Promise<void> {
  const sql = `SELECT 1 FROM ${tableOf(noun)} WHERE id = $1 AND ($2::bigint IS NULL OR version = $2)`;
  if (!(await session.get(sql, id, version ?? null))) throw new StaleVersionError(noun, id);
}
