import { isDeepStrictEqual } from 'node:util';
import { type api, DEFAULT_DATABASE, mayNameAuthors, type QvdFileResult, type Sent } from '@kaptain/contract';
import { approvedFields } from '@kaptain/contract/approval-rules';
import { limits } from '@kaptain/contract/limits';
import type { SeenLock } from '@kaptain/contract/locks';
import { type Granules, type KapsuleRecord, type Nouns, type PackedBatch, PackedRows } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Handler } from '../../http/server/handlers.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { granulesOf, longWorkLimitOf } from '../granules/granules-of.ts';
import { importable, targetOf } from '../kapsules/kapsule-access.ts';
import { seenLocksOf } from '../locks/seen-locks-of.ts';
import { threadFieldsOf } from '../threads/stored-threads.ts';
import type { ReadKnownValues } from '../values/known-values.ts';
import { valuesRefused } from '../values/refused-values.ts';
import type { Task } from './messages.ts';
import { QvdReading } from './qvd-reading.ts';
import { rowsWithThreads } from './rows-with-threads.ts';
import { previewedRows, storedRows } from './stored-rows.ts';

interface Deps extends Databases {
  clock: () => number;
  granuleBytes: number;
  readKnownValues: ReadKnownValues;
}

type Structure = Pick<KapsuleRecord, 'keyField' | 'table' | 'fields'>;

const structureOf = ({ keyField, table, fields }: Structure): Structure => ({ keyField, table, fields });

interface Read {
  kapsule: KapsuleRecord;
  /** As the importer meets them. */
  locks: SeenLock[];
}

const changedMeanwhile = (what: string) =>
  new AppError(
    'CONFLICT',
    `${what} while the files were imported. Nothing was stored: please import them again.`,
  );

/** Rows that were read for one structure, its locks and its approval are not stored into another. */
function requireSame(present: Read, read: Read): void {
  const { name } = present.kapsule;
  if (!isDeepStrictEqual(structureOf(present.kapsule), structureOf(read.kapsule)))
    throw changedMeanwhile(`The structure of ${name} was replaced`);
  if (!isDeepStrictEqual(approvedFields(present.kapsule), approvedFields(read.kapsule)))
    throw changedMeanwhile(`The approval of ${name} was changed`);
  if (!isDeepStrictEqual(present.locks, read.locks))
    throw changedMeanwhile(`The locks of ${name} were changed`);
}

const hasThreads = (kapsule: KapsuleRecord): boolean => threadFieldsOf(kapsule).length > 0;

/** One refused row refuses all, unless the caller wants the others. */
function requireGood(files: readonly QvdFileResult[]): void {
  const refused = files.flatMap((file) => file.refused ?? []);
  const count = refused.reduce((sum, file) => sum + file.count, 0);
  const first = refused.flatMap((file) => file.first).slice(0, limits.refusalsTold);
  if (count > 0) throw valuesRefused({ count, first });
}

const tooMany =
  'Too many imports and downloads of this server at the same time. Nothing was stored: please import again when the others have finished.';

type Options = Pick<Task, 'isDryRun' | 'goodRowsOnly'>;

interface Import extends Read {
  granules: Granules;
  reading: QvdReading;
  goodRowsOnly: boolean;
}

/** The rows to store; throws at their end when one of the files was refused. */
async function* batchesOf({ reading, goodRowsOnly }: Import): AsyncGenerator<PackedBatch> {
  yield* reading.batches();
  if (!goodRowsOnly) requireGood(reading.files);
}

export function qvdImport(deps: Deps): Handler<typeof api.granules.importQvd> {
  const { store, dataSources, clock, granuleBytes, readKnownValues } = deps;

  async function storeAll(given: Import, call: Call<'loggedIn'>): Promise<void> {
    const { kapsule, granules, reading } = given;
    const write = async (nouns: Nouns, stored: number) => {
      const present = await presentCaller(nouns, call.caller);
      const { kapsule: now } = await importable(nouns, kapsule.id, present);
      requireSame({ kapsule: now, locks: await seenLocksOf(nouns, now, present, clock()) }, given);
      // The rows already have the authors of the file, so a caller who is no longer an ADMIN stores nothing.
      if (mayNameAuthors(call.caller.role) && !mayNameAuthors(present.role)) throw new AppError('FORBIDDEN');
      const files = reading.files.map(({ file, rows }) => `${file}: ${rows}`);
      const refused = reading.files.reduce((sum, file) => sum + (file.refused?.rows ?? 0), 0);
      const after = { count: stored, files, ...(refused > 0 && { refused }) };
      await audit(nouns, call, clock(), { action: 'granule.import', target: targetOf(kapsule), after });
    };
    const release = (await longWorkLimitOf(dataSources, kapsule))?.acquire(call.caller.userId, tooMany);
    try {
      const rows = new PackedRows(batchesOf(given));
      await granules.importAll(
        kapsule.id,
        hasThreads(kapsule) ? rowsWithThreads(granules, kapsule, rows) : rows,
        write,
      );
    } finally {
      release?.();
    }
  }

  /** The same answer for a deletion at any time during the import. */
  async function unlessDeleted<T>(kapsule: KapsuleRecord, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const present = await store.kapsules.get(kapsule.id).catch(() => kapsule);
      if (present && present.state === kapsule.state) throw error;
      throw new AppError(
        'CONFLICT',
        `${kapsule.name} was deleted while the files were imported. Nothing was stored.`,
      );
    }
  }

  async function run(id: string, files: Task['files'], options: Options, call: Call<'loggedIn'>) {
    // Read again, because an upload may take hours and the structure may have changed.
    const { kapsule } = await importable(store, id, call.caller);
    const user = await store.users.get(call.caller.userId);
    const locks = await seenLocksOf(store, kapsule, call.caller, clock());
    const task: Task = {
      files,
      structure: structureOf(kapsule),
      role: call.caller.role,
      author: user?.qlikId || call.caller.username,
      granuleBytes,
      approved: approvedFields(kapsule),
      known: await readKnownValues(kapsule, call.caller),
      locks,
      isInSource: kapsule.database !== DEFAULT_DATABASE,
      ...options,
    };
    const granules = granulesOf(deps, kapsule);
    const lookUp = (options.isDryRun ? previewedRows : storedRows)(granules, kapsule);
    const reading = new QvdReading(task, lookUp, call.gone());
    if (options.isDryRun) for await (const _ of reading.batches());
    else await storeAll({ kapsule, locks, granules, reading, goodRowsOnly: options.goodRowsOnly }, call);
    return { rows: reading.files.reduce((sum, { rows }) => sum + rows, 0), files: reading.files };
  }

  return async ({ query, receiveFiles }, call): Promise<Sent<typeof api.granules.importQvd>> => {
    const { kapsule } = await importable(store, query.kapsuleId, call.caller);
    granulesOf(deps, kapsule);
    const files = (await receiveFiles()).map(({ name, path, bytes }) => ({ name, path, bytes }));
    const options = { isDryRun: query.dryRun === true, goodRowsOnly: query.goodRowsOnly === true };
    return unlessDeleted(kapsule, () => run(kapsule.id, files, options, call));
  };
}
